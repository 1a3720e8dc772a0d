import type { AnswerGroup, AnswerLine } from '../../report-model/answer.ts';
import { type Remedy, remedyLimit } from '../../report-model/remedy.ts';
import type { WholeReport } from '../../report-model/report.ts';
import { openerOf } from '../../kubernetes/gate-owners.ts';
import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import { costOf } from '../run/run-size.ts';
import { missingClaimsOf } from './advice/missing-claims.ts';
import { pendingAdvice } from './advice/pending-advice.ts';
import { nearestPoolMessage, otherNodesForPools } from './advice/pool-advice.ts';
import { refusalAdvice } from './advice/refusal-advice.ts';
import { taintAdvice } from './advice/taint-advice.ts';
import type { Proposal } from './proposals/proposal.ts';
import { Proposals } from './proposals/proposals.ts';
import { noRemedy, RemedyText } from './remedy-text.ts';
import { ReportedCluster } from './reported-cluster.ts';
import {
  type Ended,
  endOf,
  evictionGoal,
  gatedGoal,
  type Goal,
  idleGoal,
  pendingGoal,
  refusedGoal,
} from './trials/goal.ts';
import { Trials } from './trials/trials.ts';
import { type Tried, tryProposals } from './trials/try-proposals.ts';

/** Microseconds of a usual processor for all runs, of which half are for evictions. */
const usualTime = 2_000_000;

/** Reasons to wait for which a remedy is looked for, the most frequent first. */
const reasonLimit = 4;

/**
 * What would help against what is bad in a report, each tried with the whole scenario. The best first: fewest evicted,
 * then fewest waiting, then fewest things changed. Yields after each decision.
 * @param input what the report was made from
 * @param time microseconds for all runs, as they are counted
 * @param events what happens in each run
 */
export function* findRemedies(
  report: WholeReport,
  input: SimulationInput,
  scenario: Scenario,
  options: SimulationOptions = {},
  time = usualTime,
  events: readonly ScenarioEvent[] = [],
): Generator<void, readonly Remedy[]> {
  return yield* new Search(report, input, scenario, options, time, events).all();
}

class Search {
  readonly #cluster: ReportedCluster;
  readonly #before: Ended;
  readonly #text: RemedyText;
  readonly #proposals: Proposals;
  /** Half of the time is for evictions. */
  readonly #evictionTrials: Trials;
  readonly #trials: Trials;

  constructor(
    report: WholeReport,
    input: SimulationInput,
    scenario: Scenario,
    options: SimulationOptions,
    time: number,
    events: readonly ScenarioEvent[],
  ) {
    this.#cluster = new ReportedCluster(report, input);
    this.#before = endOf(this.#cluster);
    this.#text = new RemedyText(this.#cluster, this.#before);
    this.#proposals = new Proposals(this.#cluster, input);
    const first = costOf(report.steps.length, report.pods.length, report.nodes.length);
    const newTrials = () => new Trials(input, scenario, options, { total: time / 2, first }, events);
    this.#evictionTrials = newTrials();
    this.#trials = newTrials();
  }

  *all(): Generator<void, readonly Remedy[]> {
    return withoutRepeats([
      ...(yield* this.#forEvicted()),
      ...(yield* this.#forPending()),
      ...(yield* this.#forGated()),
      ...(yield* this.#forIdle()),
      ...(yield* this.#forRefused()),
    ]);
  }

  *#forEvicted(): Generator<void, readonly Remedy[]> {
    if (this.#linesOf('evicted').length === 0) return [];
    const proposals = this.#proposals.againstEviction();
    const found = yield* this.#try(proposals, evictionGoal, this.#evictionTrials);
    const advice = [...this.#taintAdvice(), ...(yield* this.#bufferAdvice())];
    // Whoever tainted a node so that pods leave it wanted that, and whoever holds room by placeholders.
    const { victims, pods } = this.#cluster.report;
    const isMeant = advice.length + found.length === 0 && victims.every(({ pod }) => (pods[pod]?.priority ?? 0) < 0);
    return isMeant ? [] : this.#text.remedies('evicted', null, found, remedyLimit, proposals, advice);
  }

  *#forPending(): Generator<void, readonly Remedy[]> {
    const lines = this.#linesOf('pending');
    const remedies: (readonly Remedy[])[] = [];
    for (const [index, line] of lines.slice(0, reasonLimit).entries()) {
      const proposals = this.#proposals.forWaiting(line);
      const found = yield* this.#try(proposals, pendingGoal(this.#cluster, line));
      const at = lines.length === 1 ? null : index;
      const rollsOut = this.#rollingOut(line);
      if (rollsOut !== '') {
        remedies.push([noRemedy('pending', at, rollsOut)]);
        if (found.length === 0) continue;
      }
      const known = rollsOut === '' ? pendingAdvice(this.#cluster, line.pods) : [];
      const advice =
        known.length + found.length > 0
          ? known
          : otherNodesForPools(nearestPoolMessage(this.#cluster, line.pods[0] ?? -1));
      const atMost = lines.length === 1 ? this.#limitFor(line) : 1;
      remedies.push(this.#text.remedies('pending', at, found, atMost, proposals, advice));
    }
    const evicted = ([best]: readonly Remedy[]): number => best?.figures?.evicted ?? 0;
    return remedies.sort((a, b) => evicted(a) - evicted(b)).flat();
  }

  *#forGated(): Generator<void, readonly Remedy[]> {
    const lines = this.#linesOf('gated');
    const remedies: Remedy[] = [];
    for (const [index, line] of lines.slice(0, reasonLimit).entries()) {
      if (remedies.filter(({ whatIf }) => whatIf.length > 0).length === remedyLimit) break;
      const found = yield* this.#try(this.#proposals.forGated(line), gatedGoal);
      const claims = found.length === 0 ? this.#claimAdvice(line) : [];
      const advice =
        found.length + claims.length === 0
          ? [say`what set the gate has to remove it`]
          : [...claims, ...this.#gateAdvice(line)];
      remedies.push(...this.#text.remedies('gated', lines.length === 1 ? null : index, found, 1, [], advice));
    }
    return remedies;
  }

  *#forIdle(): Generator<void, readonly Remedy[]> {
    const lines = this.#linesOf('idle');
    const remedies: Remedy[] = [];
    for (const [index, line] of lines.slice(0, reasonLimit).entries()) {
      const goal = idleGoal(this.#cluster, line, this.#before);
      const found = yield* this.#try(this.#proposals.forIdle(line), goal);
      if (found.length === 0) continue;
      remedies.push(...this.#text.remedies('idle', lines.length === 1 ? null : index, found, 1, []));
    }
    return remedies;
  }

  *#forRefused(): Generator<void, readonly Remedy[]> {
    const pods = this.#linesOf('refused').flatMap((line) => line.pods);
    if (pods.length === 0) return [];
    const found = yield* this.#try(this.#proposals.forRefused(pods), refusedGoal);
    return this.#text.remedies('refused', null, found, 1, [], refusalAdvice(this.#cluster, pods));
  }

  #linesOf(kind: AnswerGroup['kind']): readonly AnswerLine[] {
    return this.#cluster.report.answer.groups.find((group) => group.kind === kind)?.lines ?? [];
  }

  #try(proposals: readonly Proposal[], goal: Goal, trials = this.#trials): Generator<void, readonly Tried[]> {
    return tryProposals(proposals, goal, this.#before, trials);
  }

  /** Of a pod that is there an edit of its manifest takes away only what was applied from it. */
  #gateAdvice({ workloads }: AnswerLine): readonly string[] {
    const workload = this.#cluster.report.workloads[workloads[0] ?? -1];
    const { kind, namespace = '', name = '' } = workload ?? {};
    const patch = `[{"op":"remove","path":"/spec/schedulingGates"}]`;
    const gates = this.#cluster.templateOf(workload)?.spec.schedulingGates ?? [];
    const isOthers = gates.some((gate) => openerOf(gate.name) !== undefined);
    return kind === 'Pod' && !isOthers && this.#cluster.isStored(namespace, name)
      ? [say`in the cluster: kubectl patch pod ${name} -n ${namespace} --type=json -p '${patch}'`]
      : [];
  }

  #claimAdvice({ workloads }: AnswerLine): readonly string[] {
    const found = workloads.flatMap((index) => {
      const workload = this.#cluster.report.workloads[index];
      const spec = this.#cluster.templateOf(workload)?.spec;
      return spec === undefined ? [] : missingClaimsOf(spec, workload!.namespace, this.#cluster.inventory);
    });
    return [...new Set(found)];
  }

  /** What gets the roll-out done whose new pods wait, besides room for them; empty where nothing that was tried does. */
  #rollingOut({ workloads }: AnswerLine): string {
    const names = workloads.map((index) => {
      const { kind = '', namespace = '', name = '' } = this.#cluster.report.workloads[index] ?? {};
      return `${kind}/${namespace}/${name}`;
    });
    return this.#cluster.report.answer.rollOuts?.find(({ object }) => names.includes(object))?.remedy ?? '';
  }

  /** Of a pod that never preempts it is asked besides what would come of preemption. */
  #limitFor({ workloads }: AnswerLine): number {
    const never = workloads.some((index) => this.#cluster.report.workloads[index]?.preemptionPolicy === 'Never');
    return never ? remedyLimit + 1 : remedyLimit;
  }

  /** Room that is held beforehand, where a pool makes nodes for it. */
  *#bufferAdvice(): Generator<void, readonly string[]> {
    const { victims, pods, workloads } = this.#cluster.report;
    const preemptors = [...new Set(victims.map(({ preemptor }) => preemptor))];
    const [index, ...others] = new Set(preemptors.map((pod) => pods[pod]?.workload ?? -1));
    const workload = workloads[index ?? -1];
    if (!this.#cluster.grows || workload === undefined || others.length > 0) return [];
    const replicas = preemptors.length;
    if (!(yield* this.#evictionTrials.runWithBuffer({ ...workload, replicas }))) return [];
    return [
      say`keep room for ${count(replicas, 'pod')} of ${workload.name} before: a CapacityBuffer, or placeholder pods of a lower priority`,
    ];
  }

  /** What ends the taints that evict. */
  #taintAdvice(): readonly string[] {
    const { taints = [], nodes } = this.#cluster.report;
    return taints.flatMap(({ node, evicted }) => {
      const { name = '', taints: ofNode = [] } = nodes[node] ?? {};
      const evicting = ofNode.filter((taint) => taint.endsWith(':NoExecute'));
      return evicted.length === 0 ? [] : taintAdvice(evicting, [this.#cluster.shortName(name)]);
    });
  }
}

/** What is said alike of all lines of a group is said once, of the group. */
function withoutRepeats(remedies: readonly Remedy[]): readonly Remedy[] {
  return remedies.flatMap((remedy) => {
    if (remedy.whatIf.length > 0) return [remedy];
    const ofGroup = remedies.filter(({ group }) => group === remedy.group);
    const alike = ofGroup.filter(({ whatIf, effect }) => whatIf.length === 0 && effect === remedy.effect);
    if (alike.length < 2 || alike.length < new Set(ofGroup.map(({ line }) => line)).size) return [remedy];
    return alike[0] === remedy ? [{ ...remedy, line: null }] : [];
  });
}
