import { say } from '../../kit/say.ts';
import { count } from '../../kit/words.ts';
import { isObject, valueAt } from '../../kit/values.ts';
import { podTemplatePath, workloadKinds } from '../../kubernetes/pod-template.ts';
import type { Kind } from '../kinds.ts';
import { classesFor, classLadder } from '../priority-classes.ts';
import { yamlText } from '../rules/support/edits.ts';
import type { Asked, CompletionContext, Snippet } from './context.ts';
import { knownNodes, labelsAt } from './known.ts';
import { escaped, stop } from './stops.ts';
import type { TypedObject } from './typed-place.ts';

function below(key: string, lines: readonly string[]): readonly string[] {
  return [`${key}:`, ...lines.map((line) => `  ${line}`)];
}

function item([first = '', ...rest]: readonly string[]): readonly string[] {
  return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
}

/** Objects to begin a document with. */
export function objectSnippets(uri: string, { facts }: CompletionContext): readonly Snippet[] {
  const free = (kind: Kind, name: string): string => {
    const taken = new Set(facts.ofKind(kind).map((fact) => fact.name));
    let found = name;
    for (let n = 2; taken.has(found); n += 1) found = `${name}-${n}`;
    return found;
  };
  const head = (apiVersion: string, kind: Kind, name: string): readonly string[] => [
    `apiVersion: ${apiVersion}`,
    `kind: ${kind}`,
    ...below('metadata', [`name: ${stop(1, free(kind, name))}`]),
  ];
  const workloads = workloadKinds.flatMap((kind) => facts.ofKind(kind));
  const workload =
    workloads.find((fact) => fact.uri === uri && fact.name !== '') ?? workloads.find(({ name }) => name !== '');
  const selected = workload === undefined ? [] : labelsOfPods(workload.kind, workload.manifest.value);
  const namespace = workload?.manifest.namespace ?? '';
  const inNamespace = (lines: readonly string[]): readonly string[] =>
    namespace === '' ? lines : [...lines, `  namespace: ${yamlText(namespace)}`];
  return [
    {
      label: 'PriorityClass',
      detail: say`a class of pods that come first, and may evict others`,
      lines: [
        ...head('scheduling.k8s.io/v1', 'PriorityClass', 'high-priority'),
        `value: ${stop(2, '100000')}`,
        `preemptionPolicy: ${stop(3, 'PreemptLowerPriority')}`,
        `description: ${stop(4, 'Pods that must not wait.')}`,
      ],
    },
    {
      label: 'PodDisruptionBudget',
      detail:
        workload === undefined ? say`how many pods may be evicted at a time` : say`for the pods of ${workload.name}`,
      lines: [
        ...inNamespace(head('policy/v1', 'PodDisruptionBudget', workload?.name ?? 'web')),
        ...below('spec', [
          `maxUnavailable: ${stop(2, '1')}`,
          ...below('selector', below('matchLabels', labelLines(selected, 3))),
        ]),
      ],
    },
    {
      label: 'Pod with a scheduling gate',
      detail: say`waits until the gate is taken out`,
      lines: [
        ...head('v1', 'Pod', 'gated'),
        ...below('spec', [
          ...below('schedulingGates', item([`name: ${stop(2, 'example.com/ready')}`])),
          ...below(
            'containers',
            item([
              `name: ${stop(3, 'main')}`,
              `image: ${stop(4, 'registry.k8s.io/pause:3.10')}`,
              ...below('resources', below('requests', [`cpu: ${stop(5, '100m')}`, `memory: ${stop(6, '128Mi')}`])),
            ]),
          ),
        ]),
      ],
    },
    {
      label: 'ResourceQuota for a PriorityClass',
      detail: say`limits the pods of one class in a namespace`,
      lines: [
        ...inNamespace(head('v1', 'ResourceQuota', 'pods-of-class')),
        ...below('spec', [
          ...below('hard', [`pods: ${stop(2, '10')}`, `requests.cpu: ${stop(3, '4')}`]),
          ...below('scopeSelector', below('matchExpressions', item(scopeOfClass(4, uri, facts)))),
        ]),
      ],
    },
  ];
}

function scopeOfClass(n: number, uri: string, facts: CompletionContext['facts']): readonly string[] {
  const all = classesFor(classLadder(facts), uri);
  const { name } = all.find(({ fact }) => fact !== null) ?? all[0]!;
  return ['scopeName: PriorityClass', 'operator: In', ...below('values', item([stop(n, yamlText(name))]))];
}

/** Labels of the pods that an object makes. */
function labelsOfPods(kind: string, value: unknown): readonly (readonly [string, string])[] {
  const template = podTemplatePath(kind);
  return template === undefined ? [] : [...labelsAt(value, [...template, 'metadata', 'labels'])];
}

function labelLines(labels: readonly (readonly [string, string])[], firstStop: number): readonly string[] {
  if (labels.length === 0) return [`app: ${stop(firstStop, 'web')}`];
  // More than a few say no more about which pods are meant.
  return labels
    .slice(0, 3)
    .map(([key, value], index) => `${escaped(yamlText(key))}: ${stop(firstStop + index, yamlText(value))}`);
}

/** Fields that lead to a part, from the outermost: struct and field. */
type Way = readonly (readonly [struct: string, field: string])[];

interface Part {
  readonly label: string;
  readonly detail: string;
  readonly way: Way;
  /** Of an item of the list at its end. */
  readonly item: readonly string[];
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const antiAffinity: Way = [
  ['PodSpec', 'affinity'],
  ['Affinity', 'podAntiAffinity'],
];

/** More taints than this are found by their keys. */
const mostTaints = 20;

function parts(object: TypedObject, uri: string, { facts }: CompletionContext): readonly Part[] {
  const selector = below('labelSelector', below('matchLabels', labelLines(labelsOfPods(object.kind, object.value), 3)));
  const taints = knownNodes(facts).taints.list().slice(0, mostTaints);
  return [
    {
      label: 'topologySpreadConstraints over zones',
      detail: say`spread the pods evenly over zones`,
      way: [['PodSpec', 'topologySpreadConstraints']],
      item: [
        `maxSkew: ${stop(1, '1')}`,
        'topologyKey: topology.kubernetes.io/zone',
        `whenUnsatisfiable: ${stop(2, 'ScheduleAnyway')}`,
        ...selector,
      ],
    },
    {
      label: 'podAntiAffinity, required',
      detail: say`never two of the pods on one node`,
      way: [...antiAffinity, ['PodAntiAffinity', required]],
      item: [`topologyKey: ${stop(1, 'kubernetes.io/hostname')}`, ...selector],
    },
    {
      label: 'podAntiAffinity, preferred',
      detail: say`rather not two of the pods on one node`,
      way: [...antiAffinity, ['PodAntiAffinity', preferred]],
      item: [
        `weight: ${stop(1, '100')}`,
        ...below('podAffinityTerm', [`topologyKey: ${stop(2, 'kubernetes.io/hostname')}`, ...selector]),
      ],
    },
    {
      label: 'schedulingGates with a gate',
      detail: say`the pod waits until the gate is taken out`,
      way: [['PodSpec', 'schedulingGates']],
      item: [`name: ${stop(1, 'example.com/ready')}`],
    },
    ...taints.map(({ thing: { key, value, effect }, count: nodes }) => ({
      label: `tolerations for ${key}${value === '' ? '' : `=${value}`}:${effect}`,
      detail: say`a taint on ${count(nodes, 'node')}`,
      way: [['PodSpec', 'tolerations']] as const,
      item: [
        `key: ${escaped(yamlText(key))}`,
        ...(value === '' ? ['operator: Exists'] : ['operator: Equal', `value: ${escaped(yamlText(value))}`]),
        ...(effect === '' ? [] : [`effect: ${escaped(yamlText(effect))}`]),
      ],
    })),
    {
      label: 'scopeSelector for a PriorityClass',
      detail: say`the quota counts the pods of one class`,
      way: [
        ['ResourceQuotaSpec', 'scopeSelector'],
        ['ScopeSelector', 'matchExpressions'],
      ],
      item: scopeOfClass(1, uri, facts),
    },
  ];
}

/** Parts that may be written into a struct: below fields that it does not have yet, or as an item that is still empty. */
export function partSnippets(
  { place, path, object, uri, context }: Asked,
  current: string | undefined,
): readonly Snippet[] {
  if (place.type.kind !== 'struct') return [];
  const { goName } = place.type;
  const there = valueAt(object.value, path);
  const written = Object.keys(isObject(there) ? there : {}).filter((key) => key !== current);
  const isEmptyItem = typeof path.at(-1) === 'number' && written.length === 0;
  return parts(object, uri, context).flatMap(({ label, detail, way, item: lines }) => {
    if (isEmptyItem && place.field === way.at(-1)!.join('.')) return [{ label, detail, lines }];
    const from = way.findIndex(([struct]) => struct === goName);
    if (from < 0 || written.includes(way[from]![1])) return [];
    const fields = way.slice(from).map(([, field]) => field);
    return [{ label, detail, lines: fields.reduceRight((inner, field) => below(field, inner), item(lines)) }];
  });
}
