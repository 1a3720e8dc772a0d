import { exceededIn } from '../../admission/quota/exceeded.ts';
import type { WholeReport } from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import { keyOfObject, namespaceOf, workloadKey } from '../../kubernetes/names.ts';
import type { Deployment, KubeObject } from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import { deploymentFenceposts } from '../../kubernetes/rolling-update.ts';
import type { RolledOut } from '../run/roll-outs.ts';
import { ofAnotherRun, type Scenario, type SimulationInput, type SimulationOptions } from '../cluster/input.ts';
import { applyOperation } from '../operations/apply-operation.ts';
import type { ChangedWorkload } from './changed-workloads.ts';
import { outcomeOf } from './outcome-of.ts';

/** More roll-outs than this are told of without remedies: each costs some runs. */
const mostTried = 2;

/** Says of roll-outs that stop which strategy, or which quota, would get them done: each is tried in a run of its own. */
export function* withRollOutRemedies(
  report: WholeReport,
  { changed, rolledOut }: { readonly changed: readonly ChangedWorkload[]; readonly rolledOut: readonly RolledOut[] },
  written: SimulationInput,
  scenario: Scenario,
  options: SimulationOptions,
): Generator<void, WholeReport> {
  const stuck = rolledOut.filter(
    ({ verdict, strategy, isPaused }) => verdict === 'stuck' && !isPaused && hasOtherStrategies(strategy),
  );
  if (stuck.length === 0 || stuck.length > mostTried) return report;
  const found = new Map<string, string[]>();
  for (const { key, failedCreate } of stuck) {
    const lines: string[] = [];
    const { next } = changed.find((each) => each.key === key)!;
    const done = function* ({ text, input }: Trial): Generator<void, boolean> {
      const { rolledOut: tried } = yield* outcomeOf(input, scenario, { ...options, ...ofAnotherRun(options) });
      const own = tried.find((each) => each.key === key);
      if (own?.verdict !== 'done') return false;
      lines.push(say`Tried: with ${text} it rolls out; ${own.fewestReady} of ${own.readyBefore} ready meanwhile`);
      return true;
    };
    for (const trial of strategiesFor(key, next, written)) yield* done(trial);
    for (const trial of largerQuotas(next, failedCreate, written)) if (yield* done(trial)) break;
    found.set(`apply ${key}`, lines);
  }
  const events = report.events.map((event) => ({ ...event, told: [...event.told, ...(found.get(event.text) ?? [])] }));
  return { ...report, events };
}

/** What a roll-out that stops is tried with. */
interface Trial {
  readonly text: string;
  readonly input: SimulationInput;
}

const oneAfterTheOther = {
  text: 'maxSurge: 0, maxUnavailable: 1',
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
} as const;
const strategies = [oneAfterTheOther, { text: 'strategy: Recreate', strategy: { type: 'Recreate' } }] as const;

/** The pods of a StatefulSet are replaced one after the other anyway. */
function hasOtherStrategies(strategy: RolledOut['strategy']): boolean {
  return strategy === 'RollingUpdate' || strategy === 'nodes';
}

function strategiesFor(key: string, next: KubeObject, written: SimulationInput): readonly Trial[] {
  const first = written.workspace.findIndex(({ object }) => keyOfObject(object) === key);
  const isDaemonSet = next.kind === 'DaemonSet';
  return (isDaemonSet ? [oneAfterTheOther] : strategies).map(({ text, strategy }) => {
    const spec = { ...(next as Deployment).spec, [isDaemonSet ? 'updateStrategy' : 'strategy']: strategy };
    const object = { ...next, spec } as KubeObject;
    const workspace = written.workspace.map((declared, index) =>
      index === first ? { ...declared, object } : declared,
    );
    return { text, input: { ...written, workspace } };
  });
}

/** The quota that refuses new pods, with room for the surge, and for more where new pods ask for more than old ones. */
function* largerQuotas(next: KubeObject, failedCreate: string, written: SimulationInput): Iterable<Trial> {
  const exceeded = exceededIn(failedCreate);
  if (exceeded === null) return;
  const replicas = replicasOf(next);
  const { surge } = deploymentFenceposts((next as Deployment).spec, replicas);
  const target = { kind: 'ResourceQuota', namespace: namespaceOf(next), name: exceeded.quota };
  const key = workloadKey(target.kind, target.namespace, target.name);
  if (![...written.workspace, ...written.snapshot].some(({ object }) => keyOfObject(object) === key)) return;
  for (const pods of new Set([surge, surge + 1, surge + replicas])) {
    const amounts = [...exceeded.amounts].map(([resource, { used, requested }]) => {
      const nanos = used.nanos + requested.nanos * BigInt(pods);
      return [resource, formatQuantity({ nanos, format: requested.format, text: '' })] as const;
    });
    const { input } = applyOperation(written, { verb: 'quota', target, hard: Object.fromEntries(amounts) });
    const hard = amounts.map(([resource, amount]) => `${resource}=${amount}`).join(', ');
    yield { text: say`ResourceQuota ${exceeded.quota} of ${hard}`, input };
  }
}
