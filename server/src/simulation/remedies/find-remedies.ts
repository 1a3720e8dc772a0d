import { namedAmount } from '../../util/amounts.ts';
import { least } from '../../util/extremes.ts';
import { markOf } from '../../report-model/assumed.ts';
import { joined, say } from '../../util/say.ts';
import type { AnswerGroup, AnswerLine } from '../../report-model/answer.ts';
import { type Figures, type Remedy, remedyLimit } from '../../report-model/remedy.ts';
import type { WholeReport } from '../../report-model/report.ts';
import { shortNames } from '../../report-model/short-names.ts';
import { count, list, titleOf } from '../../util/words.ts';
import { figuresOf, unmadeOf } from '../report/answer/figures.ts';
import { costOf } from '../run/run-size.ts';
import { growerIn } from '../growth/grower.ts';
import type { Outcome } from '../scenario/simulate.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import { operationLabel } from '../operations/operation-label.ts';
import { parseOperation } from '../operations/parse-operation.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import { adviceFor, forTaints, type Waiting } from './advice.ts';
import type { Labels } from '../../kubernetes/labels.ts';
import { openerOf } from '../../kubernetes/gate-owners.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import type { KubeObject, Pod } from '../../kubernetes/objects.ts';
import { isWorkloadKind, podTemplateOf } from '../../kubernetes/pod-template.ts';
import { parseSelector } from '../../kubernetes/selector-text.ts';
import { Inventory } from '../cluster/inventory.ts';
import { effectText } from './effect-text.ts';
import { fewest } from './fewest.ts';
import { nearLabel } from './near-label.ts';
import { missingClaimsOf } from './missing-claims.ts';
import type { Proposal } from './proposal.ts';
import { Proposals } from './proposals.ts';
import { againstRefusals } from './refusal-advice.ts';
import { Trials } from './trials.ts';

/** More nodes than this are not tried. */
const mostNodes = 4096;

/** Microseconds of a usual processor for all runs, of which half are for evictions. */
const usualTime = 2_000_000;

/** Reasons to wait for which a remedy is looked for, the most frequent first. */
const reasonLimit = 4;

/** Changes that help some are tried together, so many. */
const mostTogether = 3;

/** Changes that did not help are named, so many. */
const labelsTold = 4;

/** What each remedy is held to. */
interface Goal {
  /** What is bad, as a number that a remedy brings down. */
  badness(outcome: Pick<Outcome, 'figures' | 'waiting'>): number;
  /** Whether room is looked for: the pods of DaemonSets on new nodes are not to wait instead. */
  readonly wantsRoom?: boolean;
  /** What is refused does not run before, whatever else does. */
  readonly isOfRefused?: boolean;
  /** The workload that is changed, and a pod of it that waits. */
  readonly changed?: { readonly kind: string; readonly pod: string };
}

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
  readonly #report: WholeReport;
  readonly #before: Figures;
  readonly #mark: string;
  readonly #proposals: Proposals;
  readonly #inventory: Inventory;
  readonly #grows: boolean;
  readonly #suits: (pod: Pod) => boolean;
  readonly #makeTrials: (part: number) => Trials;
  readonly #nodeName: (name: string) => string;

  constructor(
    report: WholeReport,
    input: SimulationInput,
    scenario: Scenario,
    options: SimulationOptions,
    time: number,
    events: readonly ScenarioEvent[],
  ) {
    this.#report = report;
    this.#before = figuresOf(report.answer);
    this.#mark = markOf(report.nodes);
    this.#inventory = new Inventory(input);
    const grower = growerIn(input);
    this.#grows = grower?.grows(input) === true;
    this.#suits = (pod) => grower?.suits(input, pod) === true;
    this.#proposals = new Proposals(report, input, this.#grows);
    const first = costOf(report.steps.length, report.pods.length, report.nodes.length);
    this.#makeTrials = (part) => new Trials(input, scenario, options, { total: time * part, first }, events);
    const names = shortNames(report);
    const nodes = new Map(report.nodes.map(({ name }, index) => [name, names.node(index)]));
    this.#nodeName = (name) => nodes.get(name) ?? name;
  }

  *all(): Generator<void, readonly Remedy[]> {
    const { groups } = this.#report.answer;
    const of = (kind: AnswerGroup['kind']) => groups.find((group) => group.kind === kind);
    const remedies: Remedy[] = [];
    if (of('evicted') !== undefined) {
      const goal: Goal = { badness: ({ figures }) => figures.evicted + figures.budgetsBroken / 1000 };
      const proposals = this.#proposals.againstEviction();
      const tries = this.#makeTrials(1 / 2);
      const found = yield* this.#best(proposals, goal, tries);
      const advice = [...this.#againstTaints(), ...(yield* this.#buffer(tries))];
      // Whoever tainted a node so that pods leave it wanted that, and whoever holds room by placeholders.
      const { victims, pods } = this.#report;
      const isMeant = advice.length + found.length === 0 && victims.every(({ pod }) => (pods[pod]?.priority ?? 0) < 0);
      if (!isMeant) remedies.push(...this.#describe('evicted', null, found, remedyLimit, proposals, advice));
    }
    const waiting = of('pending')?.lines ?? [];
    const trials = this.#makeTrials(1 / 2);
    const ofLines: (readonly Remedy[])[] = [];
    for (const [index, line] of waiting.slice(0, reasonLimit).entries()) {
      const proposals = this.#proposals.forWaiting(line);
      const found = yield* this.#best(proposals, this.#waits(line), trials);
      const at = waiting.length === 1 ? null : index;
      const rollsOut = this.#rollingOut(line);
      if (rollsOut !== '') ofLines.push([none('pending', at, rollsOut)]);
      const known = rollsOut === '' ? this.#advice(line) : [];
      const advice = known.length + found.length > 0 ? known : forOtherPools(line.then);
      if (rollsOut !== '' && found.length === 0) continue;
      const atMost = waiting.length === 1 ? this.#limitFor(line) : 1;
      ofLines.push(this.#describe('pending', at, found, atMost, proposals, advice));
    }
    const evicted = ([best]: readonly Remedy[]): number => best?.figures?.evicted ?? 0;
    remedies.push(...ofLines.sort((a, b) => evicted(a) - evicted(b)).flat());
    const gated = of('gated')?.lines ?? [];
    for (const [index, line] of gated.slice(0, reasonLimit).entries()) {
      if (fixesOf('gated', remedies) === remedyLimit) break;
      const found = yield* this.#best(
        this.#proposals.forGated(line),
        { badness: ({ figures }) => figures.gated },
        trials,
      );
      const claims = found.length === 0 ? this.#missingClaims(line) : [];
      const advice =
        found.length + claims.length === 0
          ? [say`what set the gate has to remove it`]
          : [...claims, ...this.#withoutGates(line)];
      remedies.push(...this.#describe('gated', gated.length === 1 ? null : index, found, 1, [], advice));
    }
    const idle = of('idle')?.lines ?? [];
    for (const [index, line] of idle.slice(0, reasonLimit).entries()) {
      const found = yield* this.#best(this.#proposals.forIdle(line), this.#makesNone(line), trials);
      if (found.length > 0) remedies.push(...this.#describe('idle', idle.length === 1 ? null : index, found, 1, []));
    }
    const refusedPods = (of('refused')?.lines ?? []).flatMap(({ pods }) => pods);
    if (refusedPods.length > 0) {
      // A pod that waits instead runs no more than before, and one that it evicts ran.
      const goal: Goal = {
        badness: ({ figures: { refused, pending, evicted } }) => refused + pending + evicted,
        isOfRefused: true,
      };
      const found = yield* this.#best(this.#proposals.forRefused(refusedPods), goal, trials);
      remedies.push(...this.#describe('refused', null, found, 1, [], this.#againstRefusal(refusedPods)));
    }
    return withoutRepeats(remedies);
  }

  /** Of a pod that is there an edit of its manifest takes away only what was applied from it. */
  #withoutGates({ workloads }: AnswerLine): readonly string[] {
    const { kind, namespace = '', name = '' } = this.#report.workloads[workloads[0] ?? -1] ?? {};
    const patch = `[{"op":"remove","path":"/spec/schedulingGates"}]`;
    const gates = this.#templateOf('Pod', namespace, name)?.spec.schedulingGates ?? [];
    const isOthers = gates.some((gate) => openerOf(gate.name) !== undefined);
    return kind === 'Pod' && !isOthers && this.#proposals.isStored(namespace, name)
      ? [say`in the cluster: kubectl patch pod ${name} -n ${namespace} --type=json -p '${patch}'`]
      : [];
  }

  #missingClaims({ workloads }: AnswerLine): readonly string[] {
    const found = workloads.flatMap((index) => {
      const { kind = '', namespace = '', name = '' } = this.#report.workloads[index] ?? {};
      const spec = this.#templateOf(kind, namespace, name)?.spec;
      return spec === undefined ? [] : missingClaimsOf(spec, namespace, this.#inventory);
    });
    return [...new Set(found)];
  }

  /** What gets the roll-out done whose new pods wait, besides room for them; empty where nothing that was tried does. */
  #rollingOut({ workloads }: AnswerLine): string {
    const names = workloads.map((index) => {
      const { kind = '', namespace = '', name = '' } = this.#report.workloads[index] ?? {};
      return `${kind}/${namespace}/${name}`;
    });
    return this.#report.answer.rollOuts?.find(({ object }) => names.includes(object))?.remedy ?? '';
  }

  /** Of a pod that never preempts it is asked besides what would come of preemption. */
  #limitFor({ workloads }: AnswerLine): number {
    const never = workloads.some((index) => this.#report.workloads[index]?.preemptionPolicy === 'Never');
    return never ? remedyLimit + 1 : remedyLimit;
  }

  /** Room that is held beforehand, where a pool makes nodes for it. */
  *#buffer(trials: Trials): Generator<void, readonly string[]> {
    const { victims, pods, workloads } = this.#report;
    const preemptors = [...new Set(victims.map(({ preemptor }) => preemptor))];
    const [index, ...others] = new Set(preemptors.map((pod) => pods[pod]?.workload ?? -1));
    const workload = workloads[index ?? -1];
    if (!this.#grows || workload === undefined || others.length > 0) return [];
    const replicas = preemptors.length;
    if (!(yield* trials.runWithBuffer({ ...workload, replicas }))) return [];
    return [
      say`keep room for ${count(replicas, 'pod')} of ${workload.name} before: a CapacityBuffer, or placeholder pods of a lower priority`,
    ];
  }

  /** What ends the taints that evict. */
  #againstTaints(): readonly string[] {
    return (this.#report.taints ?? []).flatMap(({ node, evicted }) => {
      const { name = '', taints = [] } = this.#report.nodes[node] ?? {};
      const evicting = taints.filter((taint) => taint.endsWith(':NoExecute'));
      return evicted.length === 0 ? [] : forTaints(evicting, [this.#nodeName(name)]);
    });
  }

  /** A pod that names its node is refused by the kubelet there, or taken by none; others by the API server. */
  #againstRefusal(pods: readonly number[]): readonly string[] {
    const byNode = pods.filter((pod) =>
      isRefusedOnNode(this.#report.decisions[this.#report.pods[pod]?.decision ?? -1]),
    );
    const isOfSystem = (pod: number): boolean =>
      this.#report.decisions[this.#report.pods[pod]?.decision ?? -1]?.message.startsWith('PodOSNotSupported') === true;
    return [
      ...(byNode.some(isOfSystem)
        ? [
            say`select nodes of its operating system (nodeSelector kubernetes.io/os), which the scheduler does not look at`,
          ]
        : []),
      ...(byNode.every(isOfSystem)
        ? []
        : [say`nodeName leaves the scheduler out: take it out, and the pod gets a node that has room`]),
      ...againstRefusals(
        pods
          .filter((pod) => !byNode.includes(pod))
          .map((pod) => ({
            namespace: this.#report.pods[pod]?.namespace ?? '',
            text: this.#report.decisions[this.#report.pods[pod]?.decision ?? -1]?.message ?? '',
          })),
        this.#inventory,
      ),
    ];
  }

  /** A workload that makes no pods: pods that stay pending are no help. */
  #makesNone({ workloads: [workload = -1] }: AnswerLine): Goal {
    const title = titleOf(this.#report.workloads[workload]!);
    return { badness: ({ figures, waiting }) => Number(figures === this.#before || waiting.has(title)) };
  }

  /** The pods of a line that wait, and none of the same workloads that wait for something else. */
  #waits({ workloads, pods }: AnswerLine): Goal {
    const titles = workloads.map((index) => titleOf(this.#report.workloads[index]!));
    const all = (this.#report.answer.groups.find(({ kind }) => kind === 'pending')?.lines ?? [])
      .flatMap((line) => line.pods)
      .filter((pod) => workloads.includes(this.#report.pods[pod]?.workload ?? -1)).length;
    const elsewhere = all - pods.length;
    const { namespace = '', name = '', workload } = this.#report.pods[pods[0] ?? -1] ?? {};
    const kind = this.#report.workloads[workload ?? -1]?.kind ?? '';
    return {
      wantsRoom: true,
      ...(workloads.length === 1 ? { changed: { kind, pod: `${namespace}/${name}` } } : {}),
      badness: ({ waiting }) =>
        Math.max(0, titles.reduce((sum, title) => sum + (waiting.get(title) ?? 0), 0) - elsewhere),
    };
  }

  *#best(proposals: readonly Proposal[], goal: Goal, trials: Trials): Generator<void, readonly Tried[]> {
    const before = { figures: this.#before, waiting: this.#waitingBefore() };
    const tried: Tried[] = [];
    const isWhole = ({ outcome }: Tried): boolean => outcome === null || goal.badness(outcome) === 0;
    const families = new Set<string>();
    for (const proposal of proposals) {
      const { family = '' } = proposal;
      if (families.has(family)) continue;
      const found =
        proposal.kind === 'operations'
          ? yield* tryOnce(proposal, trials)
          : yield* tryFewest(proposal, goal, goal.badness(before), trials);
      if (found === null) continue;
      const isRoom = proposal.kind === 'fewest' && goal.wantsRoom === true;
      const helps =
        found.outcome === null ||
        (this.#helps(found.outcome, goal, before) &&
          !(isRoom && found.outcome.figures.pending >= this.#before.pending));
      if (helps && family !== '' && isWhole(found)) families.add(family);
      if (helps && !tried.some(({ whatIf }) => whatIf.join('\n') === found.whatIf.join('\n'))) tried.push(found);
    }
    tried.sort(byMerit);
    // Each of them helps some: several of them may help all.
    const partly = tried.some(isWhole) ? [] : tried.slice();
    for (let amount = 2; amount <= Math.min(partly.length, mostTogether) && !tried.some(isWhole); amount++) {
      const whatIf = [...new Set(partly.slice(0, amount).flatMap((each) => each.whatIf))];
      const all = yield* tryOnce({ kind: 'operations', whatIf }, trials);
      if (all !== null && isWhole(all) && this.#helps(all.outcome!, goal, before)) tried.unshift(all);
    }
    return goal.isOfRefused === true ? tried : yield* this.#lasting(tried, goal, before, trials);
  }

  /** Where some do just the same as the what-if that is printed, no others; else those that help as such a one, too. */
  *#lasting(
    tried: readonly Tried[],
    goal: Goal,
    before: Parameters<Goal['badness']>[0],
    trials: Trials,
  ): Generator<void, readonly Tried[]> {
    const helping: Tried[] = [];
    const alike: Tried[] = [];
    for (const each of tried) {
      const later = each.outcome === null ? undefined : yield* trials.runLater(each.whatIf);
      if (later === null || (later !== undefined && !this.#helps(later, goal, before))) {
        const anew = yield* this.#madeAnew(each, goal, before, trials);
        if (anew !== undefined) helping.push(anew);
        if (anew !== undefined && anew.onlyAnew === undefined) alike.push(anew);
        continue;
      }
      // Its figures are those of the edited manifests, which the what-if may reach by another way.
      helping.push(each);
      if (JSON.stringify((later ?? each.outcome)?.figures) === JSON.stringify(each.outcome?.figures)) alike.push(each);
    }
    return alike.length > 0 ? alike : helping;
  }

  /**
   * A StatefulSet does not replace a pod that does not run: it has to be deleted besides. The template of a Job cannot be
   * changed once it is applied, and pods of a Deployment may have no room beside the old ones.
   */
  *#madeAnew(
    tried: Tried,
    goal: Goal,
    before: Parameters<Goal['badness']>[0],
    trials: Trials,
  ): Generator<void, Tried | undefined> {
    const { kind, pod = '' } = goal.changed ?? {};
    if (kind === 'Job' || kind === 'Deployment') return { ...tried, onlyAnew: kind };
    if (kind !== 'StatefulSet') return undefined;
    const whatIf = [...tried.whatIf, `delete pod/${pod}`];
    const outcome = yield* trials.runLater(whatIf);
    return outcome != null && this.#helps(outcome, goal, before) ? { ...tried, whatIf, outcome } : undefined;
  }

  /** Nobody is helped by others suffering instead, and a pod that the API server refuses waits no longer. */
  #helps(outcome: Outcome, goal: Goal, before: Parameters<Goal['badness']>[0]): boolean {
    const badness = goal.badness(outcome);
    // Where a StatefulSet has made its next pod, as many are pending as before.
    const isSeen = badness === 0 || goal.wantsRoom !== true || outcome.figures.pending < this.#before.pending;
    return badness < goal.badness(before) && isSeen && outcome.figures.refused <= this.#before.refused;
  }

  #waitingBefore(): ReadonlyMap<string, number> {
    const waiting = new Map<string, number>();
    for (const pod of this.#report.answer.groups.flatMap(({ kind, lines }) =>
      kind === 'pending' ? lines.flatMap((line) => line.pods) : [],
    )) {
      const index = this.#report.pods[pod]?.workload ?? -1;
      const workload = this.#report.workloads[index];
      if (workload === undefined) continue;
      const title = titleOf(workload);
      waiting.set(title, (waiting.get(title) ?? unmadeOf(this.#report, index)) + 1);
    }
    return waiting;
  }

  /** What no operation does, beside those that help or instead of them. */
  #advice({ pods, then }: AnswerLine): readonly string[] {
    const lowest = least(pods.map((pod) => this.#report.pods[pod]?.priority ?? 0));
    return [...this.#adviceForCause(pods), ...forPools(then), ...(lowest < expendableBelow ? [belowCutoff] : [])];
  }

  #adviceForCause(pods: readonly number[]): readonly string[] {
    const cause = this.#report.causes[this.#report.pending.find(({ pod }) => pod === pods[0])?.cause ?? -1];
    if (cause === undefined) return [];
    const own = this.#report.pods[pods[0] ?? -1]?.workload ?? -1;
    const { kind = '', namespace = '', name = '' } = this.#report.workloads[own] ?? {};
    const spec = this.#templateOf(kind, namespace, name)?.spec;
    return adviceFor(
      cause,
      this.#inventory,
      (index) => this.#nodeName(this.#report.nodes[index]?.name ?? ''),
      (selectors) => this.#pendingOf(selectors, own),
      this.#grows,
      { kind, namespace, workload: name, spec, suits: spec !== undefined && this.#suits({ spec }) },
    );
  }

  /** Of the pods that are pending those that some selectors mean. */
  #pendingOf(selectors: readonly string[], own: number): Waiting {
    const { pods, pending, causes, workloads } = this.#report;
    const isMeant = (workload: number, texts: readonly string[]): boolean => {
      const { kind = '', namespace = '', name = '' } = workloads[workload] ?? {};
      const labels = this.#labelsOf(kind, namespace, name);
      return texts.some((text) => labels !== undefined && parseSelector(text)?.matches(labels) === true);
    };
    const found = new Map<number, boolean>();
    for (const { pod, cause } of pending) {
      const workload = pods[pod]?.workload ?? -1;
      if (workload === own || !isMeant(workload, selectors)) continue;
      const asks = causes[cause ?? -1]?.parts ?? [];
      const isBack = asks.some((part) => part.kind === 'affinity' && isMeant(own, part.selectors));
      found.set(workload, (found.get(workload) ?? false) || isBack);
    }
    const names = [...found.keys()].map((workload) => workloads[workload]?.name ?? '');
    const inNamespace = workloads.filter((each) => each.namespace === workloads[own]?.namespace);
    const labelled = inNamespace.map(({ kind, namespace, name }) => this.#labelsOf(kind, namespace, name));
    const near = selectors.flatMap((selector) => nearLabel(selector, labelled) ?? []);
    return { names, near, isCircle: [...found.values()].includes(true) };
  }

  #labelsOf(kind: string, namespace: string, name: string): Labels | undefined {
    return this.#templateOf(kind, namespace, name)?.metadata.labels;
  }

  #templateOf(kind: string, namespace: string, name: string): ReturnType<typeof podTemplateOf> {
    if (!isWorkloadKind(kind)) return undefined;
    const isIt = (object: KubeObject): boolean => object.metadata?.name === name && namespaceOf(object) === namespace;
    const found = this.#inventory.objects(kind).find(isIt);
    return found === undefined ? undefined : podTemplateOf(found);
  }

  #describe(
    group: Remedy['group'],
    line: number | null,
    found: readonly Tried[],
    atMost: number,
    proposals: readonly Proposal[],
    known: readonly string[] = [],
  ): readonly Remedy[] {
    const tried = found.filter(({ onlyAnew }) => onlyAnew === undefined);
    const advice = tried.length > 0 ? known : [...found.slice(0, 1).map((each) => this.#anew(each)), ...known];
    if (tried.length === 0) {
      if (advice.length > 0) return [none(group, line, joined(advice, '; '))];
      const labels = proposals.map((proposal) =>
        this.#labels(proposal.kind === 'fewest' ? proposal.whatIf(proposal.guess) : proposal.whatIf),
      );
      const effect =
        labels.length === 0
          ? say`nothing is known that would help`
          : say`nothing that was tried helps: ${list([...new Set(labels)], labelsTold)}`;
      return [none(group, line, effect)];
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
          : say`${then(outcome)}${effectText(outcome.figures, this.#before, this.#mark)}${this.#whoIsHurt(outcome, group)}${amountsOf(this.#report, whatIf)}`,
    }));
    return advice.length === 0 ? helping : [...helping, none(group, line, joined(advice, '; '))];
  }

  /** What becomes of pods that are let go. */
  #runsAfter(group: Remedy['group'], line: number | null, { waiting, hurt }: Outcome): string {
    const held = this.#report.answer.groups.find(({ kind }) => kind === group)?.lines[line ?? 0];
    const workload = this.#report.workloads[held?.workloads[0] ?? -1];
    const title = workload === undefined ? '' : titleOf(workload);
    if (waiting.has(title)) return say`it stays pending`;
    return hurt.includes(title) ? say`it is evicted later` : say`it runs`;
  }

  /** Where it costs others pods that lost none before, or has others wait that did not, whose. */
  #whoIsHurt({ figures, hurt, waiting }: Outcome, group: Remedy['group']): string {
    const before = this.#waitingBefore();
    const others = new Set([
      ...(figures.evicted > this.#before.evicted ? hurt : []),
      // Of pods that are let go it is said what becomes of them.
      ...[...waiting].flatMap(([title, amount]) =>
        !isHeld(group) && amount > (before.get(title) ?? 0) ? [title] : [],
      ),
    ]);
    return others.size > 0 ? say` (${list([...others], labelsTold)})` : '';
  }

  #anew({ whatIf, onlyAnew }: Tried): string {
    return onlyAnew === 'Job'
      ? say`delete the Job and apply it again with this, as its template cannot be changed: ${this.#labels(whatIf)}`
      : say`deploy it anew with this (strategy Recreate), as a roll-out finds no room beside the old pods: ${this.#labels(whatIf)}`;
  }

  #labels(whatIf: readonly string[]): string {
    const labels = whatIf.map((text) => {
      const operation = parseOperation(text);
      return 'problem' in operation ? text : operationLabel(operation, this.#nodeName);
    });
    return joined(labels, ', ');
  }
}

interface Tried {
  readonly whatIf: readonly string[];
  /** Null where there was no time to run it. */
  readonly outcome: Outcome | null;
  /** How many things are changed. */
  readonly objects: number;
  /** What everybody does in such a case. */
  readonly isUsual: boolean;
  /** The kind of a workload that it only helps where that is deployed anew. */
  readonly onlyAnew?: 'Job' | 'Deployment';
}

function byMerit(a: Tried, b: Tried): number {
  if (a.outcome === null || b.outcome === null) return Number(a.outcome === null) - Number(b.outcome === null);
  const [one, other] = [a.outcome.figures, b.outcome.figures];
  return (
    one.evicted - other.evicted ||
    one.pending - other.pending ||
    Number(b.isUsual) - Number(a.isUsual) ||
    a.objects - b.objects
  );
}

/** The best, and what everybody does besides, however much it costs. */
function bestOf(tried: readonly Tried[], atMost: number): readonly Tried[] {
  const best = tried.slice(0, atMost);
  const usual = tried.slice(atMost).find(({ isUsual }) => isUsual);
  return usual === undefined ? best : [...best.slice(0, -1), usual];
}

function* tryOnce(
  { whatIf, lost = 0, isUsual = false }: Extract<Proposal, { readonly kind: 'operations' }>,
  trials: Trials,
): Generator<void, Tried | null> {
  if (whatIf.some((text) => 'problem' in parseOperation(text))) return null;
  const hadTime = trials.canGoOn;
  const outcome = yield* trials.run(whatIf);
  return outcome === null && hadTime ? null : { whatIf, outcome, objects: whatIf.length + lost, isUsual };
}

function* tryFewest(
  proposal: Proposal & { readonly kind: 'fewest' },
  goal: Goal,
  before: number,
  trials: Trials,
): Generator<void, Tried | null> {
  const { guess } = proposal;
  const whatIf = (amount: number): readonly string[] => proposal.whatIf(amount);
  if (whatIf(1).some((text) => 'problem' in parseOperation(text))) return null;
  let first = Math.min(guess, mostNodes);
  if (!trials.canGoOn) return { whatIf: whatIf(first), outcome: null, objects: first, isUsual: false };
  let probe = yield* trials.run(whatIf(first));
  if (probe !== null && goal.badness(probe) >= before) {
    // Others may have taken the room: once more, with plenty. Then it is a reason that no number of nodes cures.
    first = Math.min(2 * first + 2, mostNodes);
    probe = yield* trials.run(whatIf(first));
  }
  if (probe === null || goal.badness(probe) >= before) return null;
  let reached = { amount: first, badness: goal.badness(probe) };
  const amount = yield* fewest(first, mostNodes, function* (asked) {
    const outcome = yield* trials.run(whatIf(asked));
    if (outcome === null) return null;
    const badness = goal.badness(outcome);
    // Where more of them do no more, no number of them does.
    if (asked > reached.amount && badness >= reached.badness) return null;
    if (badness < reached.badness || (badness === 0 && asked < reached.amount)) reached = { amount: asked, badness };
    return badness === 0;
  });
  const { badness } = reached;
  // Where not all are helped, no more of them than help as many.
  const least =
    badness === 0
      ? amount
      : yield* fewest(reached.amount, reached.amount, function* (asked) {
          const outcome = yield* trials.run(whatIf(asked));
          return outcome && goal.badness(outcome) <= badness;
        });
  const best = typeof least === 'number' ? least : reached.amount;
  return { whatIf: whatIf(best), outcome: yield* trials.run(whatIf(best)), objects: best, isUsual: false };
}

/** Source: cluster-autoscaler/config/flags/flags.go (expendable-pods-priority-cutoff) */
const expendableBelow = -10;
const belowCutoff = say`Cluster Autoscaler adds no node for priorities below ${expendableBelow} (--expendable-pods-priority-cutoff): placeholders that are to bring nodes need ${expendableBelow}`;

/** Source: pkg/kubelet/kubelet.go (rejectPod), and what is said of a node that is not there. */
function isRefusedOnNode(decision: WholeReport['decisions'][number] | undefined): boolean {
  const { message = '' } = decision ?? {};
  return message.includes(': Pod was rejected: ') || message.startsWith('spec.nodeName ');
}

/** What is said of the nearest pool, which is named first. */
function ofNearestPool(said: string): string {
  return said.split(/; (?=NodePool |whether )/).find((part) => /^(?:NodePool|whether) /.test(part)) ?? said;
}

/** What pools would have to give, where that is what they say. Source: karpenter's pkg/scheduling/requirements.go */
function forPools(said: string): readonly string[] {
  const nearest = ofNearestPool(said);
  const [, unknown] = /label "([^"]+)" does not have known values/.exec(nearest) ?? [];
  if (unknown !== undefined) {
    return [say`give the nodes of a pool the label ${unknown} (spec.template.metadata.labels), or do not select it`];
  }
  const [, key] = /incompatible requirements, key ([^,\s]+),/.exec(nearest) ?? [];
  return key === undefined
    ? []
    : [say`let the requirements of a pool allow what is selected of ${key}, or do not select it`];
}

/** Source: karpenter pkg/controllers/provisioning/scheduling (NodeClaim.CanAdd) */
const incompatibleVolumes = 'incompatible volume requirements';

/** What pools would have to make, where nothing else is known to help. */
function forOtherPools(said: string): readonly string[] {
  const nearest = ofNearestPool(said);
  const volumes = nearest.slice(nearest.indexOf(incompatibleVolumes) + incompatibleVolumes.length);
  const [, place, value = ''] = nearest.includes(incompatibleVolumes)
    ? (/, ([^\s,]+) In \[([^[\]]+)\] not in /.exec(volumes) ?? [])
    : [];
  if (place !== undefined) {
    return [
      say`let the requirements of a pool allow ${place} ${value}, where its volume is, or restore a snapshot of it where a pool makes nodes`,
    ];
  }
  if (nearest.includes('no instance type has enough resources')) {
    return [say`let the requirements of a pool allow instance types that have as much, or ask for less`];
  }
  if (/Insufficient (?:cpu|memory)\b/.test(nearest)) return [say`let a pool make larger nodes, or ask for less`];
  if (nearest.includes('cannot allocate all claims')) {
    return [say`keep a node of a pool that has the devices: only its ResourceSlices tell what others would have`];
  }
  if (nearest.includes("didn't match Pod's node affinity/selector")) {
    return [say`let a pool make nodes with the labels that it selects, or select what a pool has`];
  }
  return [];
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

/** Pods that nothing has tried to place: what becomes of them is told of each remedy. */
function isHeld(group: Remedy['group']): boolean {
  return group === 'gated' || group === 'idle';
}

/** What can be pressed, beside what says that nothing helps. */
function fixesOf(group: Remedy['group'], remedies: readonly Remedy[]): number {
  return remedies.filter((remedy) => remedy.group === group && remedy.whatIf.length > 0).length;
}

function none(group: Remedy['group'], line: number | null, effect: string): Remedy {
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
