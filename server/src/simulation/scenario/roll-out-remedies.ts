import { exceededIn } from '../../admission/quota/exceeded.ts';
import { highestUserDefinablePriority } from '../../admission/priority/priority-class.ts';
import type { Cause } from '../../report-model/cause.ts';
import type { WholeReport } from '../../report-model/report.ts';
import { own } from '../../util/own.ts';
import { joined, say } from '../../util/say.ts';
import { compareText, count, list } from '../../util/words.ts';
import { keyOfObject, namespaceOf, nameOf, workloadKey } from '../../kubernetes/names.ts';
import type { DaemonSet, Deployment, KubeObject, PriorityClass } from '../../kubernetes/objects.ts';
import { podTemplateOf, replicasOf } from '../../kubernetes/pod-template.ts';
import { formatQuantity, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import { daemonSetFenceposts, deploymentFenceposts } from '../../kubernetes/rolling-update.ts';
import { isUnready, type RolledOut } from '../run/roll-outs.ts';
import { costOf } from '../run/run-size.ts';
import { serverAdvice } from '../causes/server-advice.ts';
import { amountsOf } from '../causes/shortages-of.ts';
import { growerIn } from '../growth/grower.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { Inventory } from '../cluster/inventory.ts';
import { applyOperation } from '../operations/apply-operation.ts';
import { leastOfRequest, smallerAmount } from '../operations/smaller-amount.ts';
import { branchOf } from './branch-of.ts';
import type { ChangedWorkload } from './changed-workloads.ts';
import type { Outcome } from './simulate.ts';

/** More roll-outs than this are told of without remedies: each costs some runs. */
const mostTried = 2;
/** Microseconds of a usual processor for all runs. */
const usualTime = 2_000_000;

/**
 * Says of roll-outs that stop with what they get done: another strategy, one more node, a smaller request, a class or a
 * larger quota. Each is tried in a run of its own, in which all else happens as before.
 * @param run how an input ends
 */
export function* withRollOutRemedies(
  report: WholeReport,
  { changed, rolledOut }: { readonly changed: readonly ChangedWorkload[]; readonly rolledOut: readonly RolledOut[] },
  written: SimulationInput,
  run: (input: SimulationInput) => Generator<void, Pick<Outcome, 'rolledOut'>>,
): Generator<void, WholeReport> {
  const stuck = rolledOut.filter((rolled) => {
    const { verdict, strategy, isPaused } = rolled;
    if (isCutShort(rolled)) return true;
    return verdict === 'stuck' && !isPaused && !isUnready(rolled) && strategy !== 'OnDelete' && strategy !== 'job';
  });
  if (stuck.length === 0 || stuck.length > mostTried) return report;
  const cost = costOf(report.steps.length, report.pods.length, report.nodes.length);
  let left = usualTime;
  const found = new Map<string, string[]>();
  const remedies = new Map<string, string>();
  for (const rolled of stuck) {
    const { key, failedCreate } = rolled;
    const lines: string[] = [];
    const inVain: string[] = [];
    /** The first of a kind that gets it done will do, and of those that do not the last is told of. */
    const tryFirst = function* (trials: Iterable<Trial>): Generator<void, void> {
      let last: string | undefined;
      for (const { text, input } of trials) {
        if (cost > left) break;
        left -= cost;
        const tried = (yield* run(input)).rolledOut.find((each) => each.key === key);
        // With what it asked for before the change nothing is rolled out.
        if (tried === undefined || (tried.verdict === 'scaled' && !isCutShort(rolled))) continue;
        if (tried.verdict === 'scaled' && tried.updated === tried.wanted) {
          lines.push(say`Tried: with ${text}, ${tried.updated} of ${count(tried.wanted, 'pod')} run`);
          return;
        }
        if (tried.verdict === 'done') {
          const { evicted, fewestReady, readyBefore } = tried;
          const done =
            readyBefore === 0
              ? say`with ${text} it rolls out`
              : say`with ${text} it rolls out; ${fewestReady} of ${readyBefore} ready meanwhile`;
          const ready = say`Tried: ${done}`;
          const object = key.replace('//', '/');
          if (evicted.length === 0 && !remedies.has(object)) {
            remedies.set(object, done);
          }
          lines.push(evicted.length === 0 ? ready : say`${ready}, ${count(evicted.length, 'pod')} evicted`);
          return;
        }
        last = text;
      }
      if (last !== undefined) inVain.push(last);
    };
    const change = changed.find((each) => each.key === key);
    // The order of pods gets none past what the API server refuses for another reason than a quota.
    const isBarred = isCutShort(rolled) || (failedCreate !== '' && exceededIn(failedCreate) === null);
    for (const trial of isBarred ? [] : strategiesFor(rolled, change, written)) yield* tryFirst([trial]);
    yield* tryFirst(largerQuotas(rolled, written));
    const cause = isBarred ? undefined : causeOf(report, rolled);
    if (cause !== undefined) {
      // Where nodes come of pools, one more that these do not make is none that somebody adds.
      if (growerIn(written)?.grows(written) !== true) yield* tryFirst(oneMoreNode(report, cause, rolled, written));
      if (change !== undefined) yield* tryFirst(smallerRequests(cause, change, written));
      yield* tryFirst(higherClass(report, rolled, written));
    }
    if (failedCreate !== '' && exceededIn(failedCreate) === null) {
      const advice = serverAdvice(namespaceOf(rolled.next), failedCreate, new Inventory(written));
      lines.push(...advice.map((each) => say`What helps: ${each}`));
    }
    if (inVain.length > 0) lines.push(say`Tried, and does not help: ${joined(inVain, '; ')}`);
    found.set(`apply ${key}`, lines);
  }
  const events = report.events.map((event) => ({ ...event, told: [...event.told, ...(found.get(event.text) ?? [])] }));
  const rollOuts = report.answer.rollOuts?.map((each) => ({ ...each, remedy: remedies.get(each.object) ?? '' }));
  return { ...report, events, answer: { ...report.answer, ...(rollOuts === undefined ? {} : { rollOuts }) } };
}

/** Whether a workload that is scaled gets fewer pods, because the API server refuses the others. */
function isCutShort({ verdict, failedCreate, updated, wanted }: RolledOut): boolean {
  return verdict === 'scaled' && failedCreate !== '' && updated < wanted;
}

/** What a roll-out that stops is tried with. */
interface Trial {
  readonly text: string;
  readonly input: SimulationInput;
}

/** Why a new pod that waits has no node. */
function causeOf({ pods, pending, causes }: WholeReport, { workload, waiting }: RolledOut): Cause | undefined {
  const keys = new Set(waiting.map(({ pod }) => pod.info.name));
  const found = pending.find(({ pod }) => pods[pod]?.workload === workload && keys.has(pods[pod].name));
  return causes[found?.cause ?? -1];
}

/** Like the one that is nearest to taking the pod. The pods of a DaemonSet have their nodes. */
function oneMoreNode(
  { nodes }: WholeReport,
  { node, parts }: Cause,
  { strategy }: RolledOut,
  written: SimulationInput,
): readonly Trial[] {
  const isClosed = parts.some(({ kind }) => kind === 'taint' || kind === 'labels' || kind === 'cordon');
  const near = nodes[node ?? -1];
  if (strategy === 'nodes' || isClosed || near === undefined) return [];
  return trialOf(say`1 node more like ${near.name}`, written, [`add 1 node like ${near.name}`]);
}

/** As much as is free beside the old pods; then half of the way from there to what those ask for, where it is less. */
function smallerRequests(
  { parts }: Cause,
  { key, stored, next }: ChangedWorkload,
  written: SimulationInput,
): readonly Trial[] {
  const amounts = amountsOf({ parts });
  const [container, ...more] = podTemplateOf(next)?.spec.containers ?? [];
  if (container === undefined || more.length > 0 || amounts.length === 0 || amounts.length < parts.length) return [];
  const before = podTemplateOf(stored)?.spec.containers?.[0]?.resources?.requests ?? {};
  const asked = amounts.map(({ resource }) => {
    const amount = parseQuantity(own(before, resource) ?? '');
    return isQuantityError(amount) ? Infinity : Number(amount.nanos) / (resource === 'cpu' ? 1e6 : 1e9);
  });
  return [1, 1 / 2].flatMap((share) => {
    const wanted = amounts.map(({ resource, free, need }, index) => {
      const old = Math.min(asked[index]!, free);
      return smallerAmount(resource, old + (free - old) * share, Math.min(asked[index]!, need * leastOfRequest));
    });
    if (!wanted.every((each) => each !== undefined)) return [];
    return trialOf(say`requests of ${list(wanted)}`, written, [`request ${targetOf(key)} ${wanted.join(' ')}`]);
  });
}

/** The least important that is above its own and preempts. */
function higherClass(
  { workloads }: WholeReport,
  { workload, key }: RolledOut,
  written: SimulationInput,
): readonly Trial[] {
  const { priority = 0 } = workloads[workload] ?? {};
  const [above] = [...written.workspace, ...written.snapshot]
    .flatMap(({ object }) => (object.kind === 'PriorityClass' ? [object as PriorityClass] : []))
    .filter(
      ({ value = 0, preemptionPolicy }) =>
        preemptionPolicy !== 'Never' && value > priority && value <= highestUserDefinablePriority,
    )
    .toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0) || compareText(nameOf(a), nameOf(b)));
  if (above === undefined) return [];
  return trialOf(say`priorityClassName: ${nameOf(above)}`, written, [`priority ${targetOf(key)} ${nameOf(above)}`]);
}

function trialOf(text: string, written: SimulationInput, operations: readonly string[]): readonly Trial[] {
  const steps = branchOf(written, operations);
  const isWhole = steps.every(({ problem, changes }) => problem === '' && changes);
  return isWhole ? [{ text, input: steps.at(-1)!.input }] : [];
}

/** `deployment/shop/web`, as operations name it. */
function targetOf(key: string): string {
  const [kind = '', ...names] = key.split('/');
  return [kind.toLowerCase(), ...names].join('/');
}

const oneAfterTheOther = {
  text: 'maxSurge: 0, maxUnavailable: 1',
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
} as const;
const recreate = { text: 'strategy: Recreate', strategy: { type: 'Recreate' } } as const;

/** Other bounds than it has. The pods of a StatefulSet are replaced one after the other anyway. */
function strategiesFor(
  { key, strategy, next, wanted }: RolledOut,
  change: ChangedWorkload | undefined,
  written: SimulationInput,
): readonly Trial[] {
  if (strategy !== 'RollingUpdate' && strategy !== 'nodes') return [];
  const first = written.workspace.findIndex(({ object }) => keyOfObject(object) === key);
  // What an event changes is as it was until then.
  const from = change?.next ?? written.workspace[first]?.object;
  if (first < 0 || from === undefined) return [];
  const isDaemonSet = strategy === 'nodes';
  const { surge, unavailable } = isDaemonSet
    ? daemonSetFenceposts((next as DaemonSet).spec, wanted)
    : deploymentFenceposts((next as Deployment).spec, wanted);
  return [...(surge === 0 && unavailable === 1 ? [] : [oneAfterTheOther]), ...(isDaemonSet ? [] : [recreate])].map(
    (other) => {
      const spec = { ...(from as Deployment).spec, [isDaemonSet ? 'updateStrategy' : 'strategy']: other.strategy };
      const object = { ...from, spec } as KubeObject;
      const workspace = written.workspace.map((declared, index) =>
        index === first ? { ...declared, object } : declared,
      );
      return { text: other.text, input: { ...written, workspace } };
    },
  );
}

/**
 * The quota that refuses new pods, with room for those that are missing. In a roll-out that is the surge, and more where
 * new pods ask for more than old ones.
 */
function* largerQuotas(rolled: RolledOut, written: SimulationInput): Iterable<Trial> {
  const { next, failedCreate, wanted, updated } = rolled;
  const exceeded = exceededIn(failedCreate);
  if (exceeded === null) return;
  const replicas = replicasOf(next);
  const { surge } = deploymentFenceposts((next as Deployment).spec, replicas);
  const target = { kind: 'ResourceQuota', namespace: namespaceOf(next), name: exceeded.quota };
  const key = workloadKey(target.kind, target.namespace, target.name);
  if (![...written.workspace, ...written.snapshot].some(({ object }) => keyOfObject(object) === key)) return;
  for (const pods of new Set(isCutShort(rolled) ? [wanted - updated] : [surge, surge + 1, surge + replicas])) {
    const amounts = [...exceeded.amounts].map(([resource, { used, requested }]) => {
      const nanos = used.nanos + requested.nanos * BigInt(pods);
      return [resource, formatQuantity({ nanos, format: requested.format, text: '' })] as const;
    });
    const { input } = applyOperation(written, { verb: 'quota', target, hard: Object.fromEntries(amounts) });
    const hard = amounts.map(([resource, amount]) => `${resource}=${amount}`).join(', ');
    yield { text: say`ResourceQuota ${exceeded.quota} of ${hard}`, input };
  }
}
