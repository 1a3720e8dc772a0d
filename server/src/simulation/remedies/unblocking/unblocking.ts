import { markOf } from '../../../report-model/assumed.ts';
import { joined } from '../../../util/say.ts';
import type { Remedy } from '../../../report-model/remedy.ts';
import { remedyLimit } from '../../../report-model/remedy.ts';
import type { ReportDrain, ReportPod, ReportWorkload, WholeReport } from '../../../report-model/report.ts';
import { shortNames } from '../../../report-model/short-names.ts';
import { keyOf } from '../../../kubernetes/names.ts';
import { UnknownObjectError } from '../../operations/apply-operation.ts';
import { branchOf, eventsOf } from '../../scenario/branch-of.ts';
import type { ScenarioEvent } from '../../operations/operation.ts';
import { operationLabel } from '../../operations/operation-label.ts';
import { isScalable } from '../../operations/parse-operation.ts';
import { simulateEvents } from '../../scenario/simulate-scenario.ts';
import { isOtherBound, looserBudgets, moreNodes, redundantBudgets, uncordoningOthers } from './unblock-drain.ts';
import { figuresOf } from '../../report/answer/figures.ts';
import { costOf } from '../../run/run-size.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../../cluster/input.ts';
import { Inventory } from '../../cluster/inventory.ts';
import { drainsText, effectText } from '../effect-text.ts';

/** Each costs a run with the whole drain. */
const mostTried = 8;
/** Microseconds of a usual processor for all of them. */
const time = 2_000_000;

/** Operations, and the event in whose place they happen; after all of them where there is none. */
interface Proposal {
  readonly whatIf: readonly string[];
  readonly instead: ScenarioEvent | undefined;
  /** Whether it is more than is needed where something else helps. */
  readonly isLast: boolean;
}

/**
 * What would let a drain go on: the flag that kubectl asks for, or the least that lets the API server evict who is
 * blocked. Each is tried in the whole run; the first that help are told. Yields after each decision.
 * @param fixed so many of the events stay as they are, whatever is tried
 */
export function* unblocking(
  report: WholeReport,
  input: SimulationInput,
  scenario: Scenario,
  events: readonly ScenarioEvent[],
  options: SimulationOptions,
  fixed: number,
): Generator<void, readonly Remedy[]> {
  const before = badnessOf(report);
  if (before.refused + before.blocked === 0) return [];
  let left = time;
  const found: Remedy[] = [];
  const lacksPods = blockedPods(report).every(({ budgets }) =>
    report.pods.some((pod) => pod.after.state === 'pending' && pod.budgets.some((key) => budgets.includes(key))),
  );
  const names = shortNames(report);
  const nodes = new Map(report.nodes.map(({ name }, index) => [name, names.node(index)]));
  for (const { whatIf, instead, isLast } of proposals(report, input, events.slice(fixed))) {
    // What helps alone is not needed together with others.
    if (isLast && found.some(({ figures }) => figures?.blocked === 0)) break;
    if (lacksPods && found.some(({ figures }) => figures?.blocked === 0) && whatIf.every(isOtherBound)) continue;
    const cost = costOf(report.steps.length, report.pods.length, report.nodes.length);
    if (found.filter(({ figures }) => figures?.blocked === 0).length === remedyLimit || cost > left) break;
    left -= cost;
    const own = eventsOf(branchOf(input, whatIf));
    if (own.length < whatIf.length) continue;
    const others =
      instead === undefined ? [...events, ...own] : events.flatMap((event) => (event === instead ? own : [event]));
    const after = yield* tried(input, scenario, others, options);
    if (after === null) continue;
    const now = badnessOf(after);
    if (now.refused > before.refused || (now.refused === before.refused && now.blocked >= before.blocked)) continue;
    const figures = figuresOf(after.answer);
    const labels = own.map(({ operation }, index) =>
      joined(
        [
          operationLabel(operation, (name) => nodes.get(name) ?? name),
          ...(operation.verb === 'drain' ? [whatIf[index]!.split(' ').slice(2).join(' ')] : []),
        ],
        ' ',
      ),
    );
    found.push({
      group: report.answer.groups.some(({ kind }) => kind === 'blocked') ? 'blocked' : 'failed',
      line: null,
      whatIf: [...whatIf],
      label: joined(labels, ', '),
      figures,
      effect: joined(
        [drainsText(lastDrains(after)), effectText(figures, figuresOf(report.answer), markOf(report.nodes))],
        ', ',
      ),
    });
  }
  // What frees all of them comes before what frees some.
  const blocked = (remedy: Remedy): number => remedy.figures?.blocked ?? 0;
  return found.sort((a, b) => blocked(a) - blocked(b)).slice(0, remedyLimit);
}

/** Null where something is named that is not there. */
function* tried(
  input: SimulationInput,
  scenario: Scenario,
  events: readonly ScenarioEvent[],
  options: SimulationOptions,
): Generator<void, WholeReport | null> {
  try {
    return yield* simulateEvents(input, scenario, events, options);
  } catch (error) {
    if (error instanceof UnknownObjectError) return null;
    throw error;
  }
}

/** Of each node the drain that was begun last. */
function lastDrains({ drains }: WholeReport): readonly ReportDrain[] {
  return [...new Map(drains.map((drain) => [drain.node, drain])).values()];
}

/** Pods that stay on nodes that are drained: those of several budgets, too, for which the drain fails. */
function stuckIn(report: WholeReport): readonly { readonly node: number; readonly pod: number }[] {
  return lastDrains(report).flatMap(({ node, blocked, failed }) =>
    [...blocked, ...failed].map(({ pod }) => ({ node, pod })),
  );
}

function blockedPods(report: WholeReport): readonly ReportPod[] {
  return stuckIn(report).map(({ pod }) => report.pods[pod]!);
}

function badnessOf(report: WholeReport): { readonly refused: number; readonly blocked: number } {
  const drains = lastDrains(report);
  return {
    refused: drains.filter(({ refusals }) => refusals.length > 0).length,
    blocked: drains.reduce((sum, { blocked, failed }) => sum + blocked.length + failed.length, 0),
  };
}

/** The flags that are missing; then the least first: one replica or one node more, one disruption more; all together. */
function proposals(report: WholeReport, input: SimulationInput, events: readonly ScenarioEvent[]): readonly Proposal[] {
  const flagged = lastDrains(report).flatMap(({ node, refusals }): Proposal[] => {
    const name = report.nodes[node]!.name;
    // Kubectl's own text names the flag: `(use --ignore-daemonsets to ignore)`.
    const flags = refusals.flatMap(({ why }) => why.match(/--[a-z-]+/g) ?? []);
    if (flags.length === 0) return [];
    const instead = events.findLast(({ operation }) => operation.verb === 'drain' && operation.node === name);
    const text = instead?.text.trim() ?? `drain node/${name}`;
    return [{ whatIf: [[text, ...new Set(flags)].join(' ')], instead, isLast: false }];
  });
  const stuck = stuckIn(report);
  const pods = stuck.map(({ pod }) => report.pods[pod]!);
  const owners = [...new Set(pods.map(({ workload }) => workload ?? -1))].flatMap(
    (index) => report.workloads[index] ?? [],
  );
  const named = new Set(pods.flatMap(({ budgets }) => budgets));
  const inventory = new Inventory(input);
  const budgets = inventory.objects('PodDisruptionBudget').filter((budget) => named.has(keyOf(budget)));
  const [first] = stuck;
  const scaled = owners.flatMap((owner) => oneMore(owner));
  const redundant = redundantBudgets(inventory, new Set(pods.map(({ namespace, name }) => `${namespace}/${name}`)));
  const looser = redundant.length > 0 ? redundant : looserBudgets(inventory, budgets);
  const drained = new Set(lastDrains(report).map(({ node }) => report.nodes[node]!.name));
  const cordoned = stuck.length === 0 ? [] : uncordoningOthers(inventory, drained);
  const added = first === undefined ? [] : [`add 1 node like ${report.nodes[first.node]!.name}`];
  const single = [...cordoned, ...scaled, ...added, ...looser];
  // Room and budgets may both be lacking.
  const withRoom = [...cordoned.slice(0, 1), ...added].map((room) => [room, ...looser]);
  const together = [scaled, looser, ...withRoom].filter(({ length }) => length > 1);
  const more =
    first === undefined || report.pending.length === 0
      ? []
      : moreNodes(report.nodes[first.node]!.name).map((nodes) => [nodes]);
  const alone = single.slice(0, mostTried - together.length).map((whatIf) => [whatIf]);
  const asItIs = { instead: undefined, isLast: false };
  return [
    ...flagged,
    ...alone.map((whatIf) => ({ ...asItIs, whatIf })),
    ...[...more, ...together].map((whatIf) => ({ ...asItIs, whatIf, isLast: true })),
  ];
}

/** A Job has as many pods as it has work. */
function oneMore({ kind, namespace, name, replicas }: ReportWorkload): readonly string[] {
  if (!isScalable(kind) || kind === 'Job') return [];
  return [`scale ${kind.toLowerCase()}/${namespace}/${name} ${replicas + 1}`];
}
