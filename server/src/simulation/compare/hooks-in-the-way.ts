import type { WholeReport } from '../../report-model/report.ts';
import { hookOfUpgrades } from '../../kubernetes/hooks.ts';
import { keyOfObject } from '../../kubernetes/names.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import { ownText } from '../causes/cause-text.ts';
import { say, sayUnstopped } from '../../util/say.ts';
import { isSame } from '../scenario/settled-cluster.ts';

/**
 * The hooks of what has changed that find no node, or of which a pod is refused: they are as they were, and run again
 * whenever what they belong to is upgraded.
 */
export function hookClauses(
  report: WholeReport,
  earlier: readonly Declared[],
  now: readonly Declared[],
): readonly string[] {
  const written = new Map(earlier.map(({ object }) => [keyOfObject(object), object]));
  const isChanged = ({ object }: Declared): boolean => {
    const was = written.get(keyOfObject(object));
    return was === undefined || !isSame(was, object);
  };
  const hooks = now.filter((each) => each.object.kind === 'Job' && hookOfUpgrades(each.object) && !isChanged(each));
  const changed = hooks.length === 0 ? [] : now.filter(isChanged);
  return hooks.flatMap((hook) => {
    const { name } = hook.object.metadata ?? {};
    const why = whyItWaits(report, hook);
    if (why === '' || !changed.some((each) => areOfOne(hook, each))) return [];
    return hookOfUpgrades(hook.object) === 'first'
      ? [say`hook ${name ?? ''} must end first, and ${why}`]
      : [say`hook ${name ?? ''} runs after it, and ${why}`];
  });
}

/** Why a pod of a Job is refused or finds no node; empty where all do. */
function whyItWaits({ pods, workloads, pending, causes, decisions, nodes }: WholeReport, { object }: Declared): string {
  const key = keyOfObject(object);
  const workload = workloads.findIndex(({ kind, namespace, name }) => `${kind}/${namespace}/${name}` === key);
  const waiting = pods.findIndex(
    (pod) => pod.workload === workload && (pod.after.state === 'rejected' || pod.after.state === 'pending'),
  );
  const pod = pods[waiting];
  if (pod === undefined) return '';
  if (pod.after.state === 'rejected') {
    const message = decisions[pod.decision ?? -1]?.message ?? '';
    return say`is refused: ${sayUnstopped(message.split(' is forbidden: ').at(-1)!)}`;
  }
  const cause = causes[pending.find((each) => each.pod === waiting)?.cause ?? -1];
  if (cause === undefined) return say`finds no node`;
  const names = { node: (index: number) => nodes[index]?.name ?? '', nodes: nodes.length };
  return say`finds no node: ${ownText(cause, names)}`;
}

/** Whether both are of one chart or one folder: what is delivered together. */
function areOfOne(one: Declared, other: Declared): boolean {
  const [a, b] = [one, other].map(({ origin }) => folderOf(origin?.uri ?? ''));
  return a === b || a!.startsWith(`${b}/charts/`) || b!.startsWith(`${a}/charts/`);
}

function folderOf(uri: string): string {
  const templates = uri.indexOf('/templates/');
  return uri.slice(0, templates < 0 ? uri.lastIndexOf('/') : templates);
}
