import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { isObject, valueAt } from '../../util/values.ts';
import type { Kind } from '../index/kinds.ts';
import { classesFor, classLadder } from '../index/priority-classes.ts';
import { yamlText } from '../rules/support/edits.ts';
import type { Asked, CompletionContext, Snippet } from './context.ts';
import { knownNodes } from './known.ts';
import { below, bodyOf, freeName, item, labelLines, labelsOfPods, workloadNear } from './skeletons.ts';
import { escaped, stop } from './stops.ts';
import type { TypedObject } from './typed-place.ts';

/** Objects to begin a document with. */
export function objectSnippets(uri: string, context: CompletionContext): readonly Snippet[] {
  const { facts } = context;
  const near = workloadNear(uri, facts);
  const namespace = near?.manifest.namespace ?? '';
  const head = (apiVersion: string, kind: Kind, name: string): readonly string[] => [
    `apiVersion: ${apiVersion}`,
    `kind: ${kind}`,
    ...below('metadata', [
      `name: ${stop(1, freeName(facts, kind, name))}`,
      ...(kind === 'ResourceQuota' && namespace !== '' ? [`namespace: ${escaped(yamlText(namespace))}`] : []),
    ]),
  ];
  const whole = (apiVersion: string, kind: string, detail: string): Snippet => ({
    label: kind,
    detail,
    lines: [`apiVersion: ${apiVersion}`, `kind: ${kind}`, ...(bodyOf(kind, uri, context) ?? [])],
  });
  return [
    whole('apps/v1', 'Deployment', say`pods that are replaced one after the other`),
    whole('v1', 'Service', near === undefined ? say`one address for pods` : say`for the pods of ${near.name}`),
    whole('apps/v1', 'StatefulSet', say`pods with names and volumes of their own`),
    whole('batch/v1', 'CronJob', say`a Job at set times`),
    whole('batch/v1', 'Job', say`pods that run to their end`),
    whole('apps/v1', 'DaemonSet', say`one pod on each node`),
    whole('autoscaling/v2', 'HorizontalPodAutoscaler', say`as many replicas as the load needs`),
    whole(
      'policy/v1',
      'PodDisruptionBudget',
      near === undefined ? say`how many pods may be evicted at a time` : say`for the pods of ${near.name}`,
    ),
    whole('v1', 'Namespace', say`a scope of its own for names and quotas`),
    whole('scheduling.k8s.io/v1', 'PriorityClass', say`a class of pods that come first, and may evict others`),
    whole('v1', 'ResourceQuota', say`limits what all pods of a namespace request`),
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
        ...head('v1', 'ResourceQuota', 'pods-of-class'),
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
      detail: say`the pod stays gated until the gate is removed`,
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
