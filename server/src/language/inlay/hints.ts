import { type InlayHint, InlayHintKind, type Range } from 'vscode-languageserver';
import { minReplicasOf } from '../../disruption/autoscaling.ts';
import { joined, said, say } from '../../util/say.ts';
import { count, grouped } from '../../util/words.ts';
import type { Path } from '../../kubernetes/json.ts';
import type {
  DeviceClass,
  HorizontalPodAutoscaler,
  ResourceClaim,
  ResourceClaimTemplate,
  Workload,
} from '../../kubernetes/objects.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import type { EntryPart, ManifestFile } from '../../manifests/manifest.ts';
import { placedPosition } from '../../manifests/text-positions.ts';
import { autoscalers } from '../index/autoscalers.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { kubernetesFor } from '../index/kubernetes-version.ts';
import { judgedDevices, type KnownDevice, knownDevices } from '../index/known-devices.ts';
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

/** What is not written and counts all the same: priorities, replicas that an autoscaler decides, what selectors select. */
export function inlayHints(file: ManifestFile, range: Range, facts: Facts, settings: Settings): InlayHint[] {
  return file.documents.flatMap((placed) => {
    const { line, document, index } = placed;
    if (line > range.end.line || line + document.lineStarts.length < range.start.line) return [];
    /** What is made of one text several times, as of a base, is told once where it is the same. */
    const told = new Set<string>();
    return facts.inDocument(file.uri, index).flatMap((fact) =>
      report(fact, facts, settings).flatMap(({ path, behind, text }): InlayHint[] => {
        const found = fact.manifest.locate(path, behind);
        if (found === undefined || fact.document !== document) return [];
        const offset = behind === 'value' ? found.end : endOfLine(document.text, found.end);
        const position = placedPosition(placed, offset);
        const key = `${offset} ${text}`;
        if (position.line < range.start.line || position.line > range.end.line || told.has(key)) return [];
        told.add(key);
        return [{ position, label: said(text), kind: InlayHintKind.Parameter, paddingLeft: true }];
      }),
    );
  });
}

function report(fact: Fact, facts: Facts, settings: Settings): Hinted[] {
  const { inlayHints: wanted } = settings;
  return [
    ...(wanted.priority ? priorityOf(fact, facts) : []),
    ...(wanted.replicas ? autoscaled(fact, facts) : []),
    ...(wanted.selectors ? [...selected(fact, facts), ...devices(fact, facts, settings)] : []),
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

/** Longer hints leave out devices. */
const mostText = 90;
/** More devices that one thing keeps away are counted. */
const mostNames = 2;
/** Of more devices only the hover says what a selector is for each: hints are made while it is typed. */
const mostDevices = 500;

function nameOf({ slice, device }: KnownDevice): string {
  const { nodeName } = slice.spec;
  return nodeName === undefined ? device.name : say`${device.name} on ${nodeName}`;
}

/** Which devices pass the selectors of a claim or a class, and what keeps the others from it. */
function devices(fact: Fact, facts: Facts, settings: Settings): Hinted[] {
  const paths = selectorPaths(fact);
  const { length } = knownDevices(facts);
  if (paths.length === 0 || length === 0 || length > mostDevices) return [];
  const { release } = kubernetesFor(facts, settings);
  return paths.flatMap((path): Hinted[] => {
    const judged = judgedDevices(fact, path, facts, release);
    if (judged === undefined || judged.some(({ against }) => against?.text.startsWith('CEL compile error') === true)) {
      return [];
    }
    const passing = judged.filter(({ against }) => against === null).length;
    const text = say`${passing} of ${count(judged.length, 'device')} pass`;
    const byReason = new Map<string, Set<string>>();
    for (const { known, against } of judged) {
      if (against !== null) byReason.set(against.text, (byReason.get(against.text) ?? new Set()).add(nameOf(known)));
    }
    const others = [...byReason].map(([reason, names]) => {
      const which = names.size <= mostNames ? [...names].join(', ') : count(names.size, 'device');
      return `${which}: ${reason}`;
    });
    let fits = 0;
    while (fits < others.length && others.slice(0, fits + 1).join('; ').length <= mostText) fits += 1;
    const shown = [...others.slice(0, fits), ...(fits < others.length ? ['…'] : [])];
    return [{ path, behind: 'key', text: shown.length === 0 ? text : say`${text}; ${joined(shown, '; ')}` }];
  });
}

/** Source: DeviceClassSpec, DeviceRequest in resource/v1 */
function selectorPaths({ kind, object }: Fact): Path[] {
  const within = (selectors: readonly unknown[] | undefined, path: Path): Path[] =>
    (selectors ?? []).map((_, index) => [...path, 'selectors', index, 'cel', 'expression']);
  if (kind === 'DeviceClass') return within((object as DeviceClass).spec.selectors, ['spec']);
  if (kind !== 'ResourceClaim' && kind !== 'ResourceClaimTemplate') return [];
  const isTemplate = kind === 'ResourceClaimTemplate';
  const { devices: asked } = isTemplate ? (object as ResourceClaimTemplate).spec.spec : (object as ResourceClaim).spec;
  const at: Path = [...(isTemplate ? ['spec', 'spec'] : ['spec']), 'devices', 'requests'];
  return (asked?.requests ?? []).flatMap(({ exactly, firstAvailable = [] }, index) => [
    ...within(exactly?.selectors, [...at, index, 'exactly']),
    ...firstAvailable.flatMap((each, place) => within(each.selectors, [...at, index, 'firstAvailable', place])),
  ]);
}

function endOfLine(text: string, offset: number): number {
  const end = /\r?\n|\r/.exec(text.slice(offset));
  return end === null ? text.length : offset + end.index;
}
