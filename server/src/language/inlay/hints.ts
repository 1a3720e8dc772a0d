import { type InlayHint, InlayHintKind, type Range } from 'vscode-languageserver';
import { minReplicasOf } from '../../disruption/autoscaling.ts';
import { joined, said, say } from '../../util/say.ts';
import { count, grouped } from '../../util/words.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { HorizontalPodAutoscaler, Workload } from '../../kubernetes/objects.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import type { EntryPart, ManifestFile } from '../../manifests/manifest.ts';
import { placedPosition } from '../../manifests/text-positions.ts';
import { autoscalers } from '../index/autoscalers.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { selectedBy } from '../index/selections.ts';
import { podPriority } from '../index/priority-classes.ts';
import { keptByKey } from '../rules/support/kept.ts';
import type { Settings } from '../settings/settings.ts';

interface Hinted {
  readonly path: Path;
  /** Behind the value, or behind the line of a key. */
  readonly behind: Extract<EntryPart, 'key' | 'value'>;
  readonly text: string;
}

/** What is not written and counts all the same: priorities, replicas that an autoscaler decides, pods of a selector. */
export function inlayHints(
  file: ManifestFile,
  range: Range,
  facts: Facts,
  wanted: Settings['inlayHints'],
): InlayHint[] {
  return file.documents.flatMap((placed) => {
    const { line, document, index } = placed;
    if (line > range.end.line || line + document.lineStarts.length < range.start.line) return [];
    return facts.inDocument(file.uri, index).flatMap((fact) =>
      report(fact, facts, wanted).flatMap(({ path, behind, text }): InlayHint[] => {
        const found = fact.manifest.locate(path, behind);
        if (found === undefined || fact.document !== document) return [];
        const offset = behind === 'value' ? found.end : endOfLine(document.text, found.end);
        const position = placedPosition(placed, offset);
        if (position.line < range.start.line || position.line > range.end.line) return [];
        return [{ position, label: said(text), kind: InlayHintKind.Parameter, paddingLeft: true }];
      }),
    );
  });
}

function report(fact: Fact, facts: Facts, wanted: Settings['inlayHints']): Hinted[] {
  return [
    ...(wanted.priority ? priorityOf(fact, facts) : []),
    ...(wanted.replicas ? autoscaled(fact, facts) : []),
    ...(wanted.selectors ? selected(fact, facts) : []),
  ];
}

/** The number behind the name of a class; behind `spec` the number and the class, where none is named. */
function priorityOf(fact: Fact, facts: Facts): Hinted[] {
  const { template } = fact;
  if (template === undefined || template.spec.priority !== undefined) return [];
  const priority = podPriority(facts, fact);
  const resolved = priority?.admitted === false ? priority.computed : priority;
  if (resolved === undefined || !('priority' in resolved)) return [];
  const { priorityClassName = '' } = template.spec;
  const spec = [...template.path, 'spec'];
  if (priorityClassName !== '') {
    return [{ path: [...spec, 'priorityClassName'], behind: 'value', text: grouped(resolved.priority) }];
  }
  const from = resolved.className === '' ? '' : ` (${resolved.className})`;
  return [{ path: spec, behind: 'key', text: say`priority ${grouped(resolved.priority)}${from}` }];
}

/** Who decides how many there are. */
function autoscaled({ kind, namespace, name, manifest }: Fact, facts: Facts): Hinted[] {
  const scaler = autoscalers(facts).get(workloadKey(kind, namespace, name));
  if (scaler === undefined) return [];
  const autoscaler = scaler.object as HorizontalPodAutoscaler;
  const text = say`${scaler.name} keeps ${minReplicasOf(autoscaler)} to ${autoscaler.spec.maxReplicas}`;
  const path = ['spec', 'replicas'];
  const isWritten = manifest.locate(path, 'value') !== undefined;
  return [isWritten ? { path, behind: 'value', text } : { path: ['spec'], behind: 'key', text }];
}

/** How many pods a service or a budget selects. */
function selected(fact: Fact, facts: Facts): Hinted[] {
  if (fact.kind !== 'Service' && fact.kind !== 'PodDisruptionBudget') return [];
  const path = ['spec', 'selector'];
  if (fact.manifest.locate(path, 'key') === undefined) return [];
  const workloads = selectedBy(fact, facts);
  const { pods, isOnNodes } = countPods(workloads);
  const parts = [
    ...(pods > 0 || !isOnNodes ? [count(pods, 'pod')] : []),
    ...(isOnNodes ? [say`one on each node`] : []),
  ];
  const text = workloads.length === 0 ? say`selects nothing here` : say`selects ${joined(parts, ' and ')}`;
  return [{ path, behind: 'key', text }];
}

const keptCounts = keptByKey<{ readonly pods: number; readonly isOnNodes: boolean }>();

/** Budgets that select the same pods count them once. */
function countPods(workloads: readonly Fact[]): { readonly pods: number; readonly isOnNodes: boolean } {
  return keptCounts(workloads, '', () => ({
    pods: workloads.reduce((sum, each) => sum + replicasOf(each.object as Workload), 0),
    isOnNodes: workloads.some(({ kind }) => kind === 'DaemonSet'),
  }));
}

function endOfLine(text: string, offset: number): number {
  const end = /\r?\n|\r/.exec(text.slice(offset));
  return end === null ? text.length : offset + end.index;
}
