import type { Remedy } from '../../report-model/remedy.ts';
import type { WholeReport } from '../../report-model/report.ts';
import { namedAmount } from '../../util/amounts.ts';
import { joined, say } from '../../util/say.ts';
import { count, list, titleOf } from '../../util/words.ts';
import { markOf } from '../../report-model/assumed.ts';
import { operationLabel } from '../operations/operation-label.ts';
import { deletingCommand } from '../report/applied-anew.ts';
import { parseOperation } from '../operations/parse-operation.ts';
import type { Outcome } from '../scenario/simulate.ts';
import { effectText } from './effect-text.ts';
import type { Proposal } from './proposals/proposal.ts';
import type { ReportedCluster } from './reported-cluster.ts';
import type { Ended } from './trials/goal.ts';
import type { Tried } from './trials/try-proposals.ts';

/** Names of what else changes, and labels of what was tried in vain, so many. */
const namesLimit = 4;

/** Says what was tried, and what came of it. */
export class RemedyText {
  readonly #cluster: ReportedCluster;
  readonly #before: Ended;
  readonly #mark: string;

  constructor(cluster: ReportedCluster, before: Ended) {
    this.#cluster = cluster;
    this.#before = before;
    this.#mark = markOf(cluster.report.nodes);
  }

  /**
   * What helps a line of a group, or a group as a whole; what was tried in vain where nothing does.
   * @param found what helps, the best first, of which `atMost` are told
   * @param known what to do that is no operation
   */
  remedies(
    group: Remedy['group'],
    line: number | null,
    found: readonly Tried[],
    atMost: number,
    proposals: readonly Proposal[],
    known: readonly string[] = [],
  ): readonly Remedy[] {
    const tried = found.filter(({ onlyAnew }) => onlyAnew === undefined);
    const advice =
      tried.length > 0 ? known : [...found.slice(0, 1).map((each) => this.#anew(each, group, line)), ...known];
    if (tried.length === 0) {
      if (advice.length > 0) return [noRemedy(group, line, joined(advice, '; '))];
      const labels = proposals.map((proposal) =>
        this.#labels(proposal.kind === 'fewest' ? proposal.whatIf(proposal.guess) : proposal.whatIf),
      );
      const effect =
        labels.length === 0
          ? say`nothing is known that would help`
          : say`nothing that was tried helps: ${list([...new Set(labels)], namesLimit)}`;
      return [noRemedy(group, line, effect)];
    }
    const then = (outcome: Outcome): string => (isHeld(group) ? say`${this.#runsAfter(group, line, outcome)}, ` : '');
    const helping = bestOf(tried, atMost).map(({ whatIf, outcome }) => ({
      group,
      line,
      whatIf,
      label: this.#labels(whatIf),
      figures: outcome?.figures ?? null,
      effect:
        outcome === null
          ? say`not run yet`
          : say`${then(outcome)}${effectText(outcome.figures, this.#before.figures, this.#mark)}${this.#whoIsHurt(outcome, group)}${amountsOf(this.#cluster.report, whatIf)}`,
    }));
    return advice.length === 0 ? helping : [...helping, noRemedy(group, line, joined(advice, '; '))];
  }

  /** What becomes of pods that are let go. */
  #runsAfter(group: Remedy['group'], line: number | null, { waiting, hurt }: Outcome): string {
    const held = this.#cluster.report.answer.groups.find(({ kind }) => kind === group)?.lines[line ?? 0];
    const workload = this.#cluster.report.workloads[held?.workloads[0] ?? -1];
    const title = workload === undefined ? '' : titleOf(workload);
    if (waiting.has(title)) return say`it stays pending`;
    return hurt.includes(title) ? say`it is evicted later` : say`it runs`;
  }

  /** Where it costs others pods that lost none before, or has others wait that did not, whose. */
  #whoIsHurt({ figures, hurt, waiting }: Outcome, group: Remedy['group']): string {
    const others = new Set([
      ...(figures.evicted > this.#before.figures.evicted ? hurt : []),
      // Of pods that are let go it is said what becomes of them.
      ...[...waiting].flatMap(([title, amount]) =>
        !isHeld(group) && amount > (this.#before.waiting.get(title) ?? 0) ? [title] : [],
      ),
    ]);
    return others.size > 0 ? say` (${list([...others], namesLimit)})` : '';
  }

  #anew({ whatIf, onlyAnew, outcome }: Tried, group: Remedy['group'], line: number | null): string {
    const { workloads, pods, answer } = this.#cluster.report;
    const of = answer.groups.find(({ kind }) => kind === group)?.lines[line ?? 0]?.workloads[0] ?? -1;
    const { namespace = '', name = '' } = workloads[of] ?? {};
    const running = pods.filter(({ workload, after }) => workload === of && after.state === 'running').length;
    const effect = outcome === null ? '' : `, ${effectText(outcome.figures, this.#before.figures, this.#mark)}`;
    const ends =
      running === 0
        ? ''
        : running === 1
          ? say`; its pod that runs begins anew`
          : say`; its ${count(running, 'pod')} that run begin anew`;
    return onlyAnew === 'Job'
      ? say`the template of a Job cannot be changed: ${deletingCommand('Job', namespace, name)}, then apply it with this: ${this.#labels(whatIf)}${effect}${ends}`
      : say`deploy it anew with this (strategy Recreate), as a roll-out finds no room beside the old pods: ${this.#labels(whatIf)}`;
  }

  #labels(whatIf: readonly string[]): string {
    const labels = whatIf.map((text) => {
      const operation = parseOperation(text);
      return 'problem' in operation ? text : operationLabel(operation, (name) => this.#cluster.shortName(name));
    });
    return joined(labels, ', ');
  }
}

/** The best, and what everybody does besides, however much it costs. */
function bestOf(tried: readonly Tried[], atMost: number): readonly Tried[] {
  const best = tried.slice(0, atMost);
  const usual = tried.slice(atMost).find(({ isUsual }) => isUsual);
  return usual === undefined ? best : [...best.slice(0, -1), usual];
}

/** Pods that nothing has tried to place: what becomes of them is told of each remedy. */
function isHeld(group: Remedy['group']): boolean {
  return group === 'gated' || group === 'idle';
}

export function noRemedy(group: Remedy['group'], line: number | null, effect: string): Remedy {
  return { group, line, whatIf: [], label: '', figures: null, effect };
}

/** Of fewer, everybody knows what they come to. */
const manyNodes = 10;

/** ` (1,975 cpu, 7.3 Ti)`: what many nodes come to; empty where none are added. */
function amountsOf({ nodes }: WholeReport, whatIf: readonly string[]): string {
  let [cpu, memory, added] = [0, 0, 0];
  for (const operation of whatIf) {
    const [verb, amount = '', , like, name = '', size = ''] = operation.split(' ');
    const node = verb === 'add' && like === 'like' ? nodes.find((each) => each.name === name) : undefined;
    if (node === undefined || size.includes(':')) continue;
    added += Number(amount);
    cpu += Number(amount) * (node.allocatable['cpu'] ?? 0);
    memory += Number(amount) * (node.allocatable['memory'] ?? 0);
  }
  return added < manyNodes ? '' : say` (${namedAmount('cpu', cpu)}, ${namedAmount('memory', memory)})`;
}
