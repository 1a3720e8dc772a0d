/**
 * What is written with a kind or a key, as short as a careful engineer would write it. Lines without the indentation of
 * where they go, with stops.
 */
import { isObject, valueAt } from '../../util/values.ts';
import { structOf } from '../../kubernetes/api/index.ts';
import { podTemplatePath, workloadKinds } from '../../kubernetes/pod-template.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { yamlText } from '../rules/support/edits.ts';
import type { Asked, CompletionContext } from './context.ts';
import { labelsAt } from './known.ts';
import { escaped, stop } from './stops.ts';

type Lines = readonly string[];
type Labels = readonly (readonly [key: string, value: string])[];

export function below(key: string, lines: Lines): Lines {
  return [`${key}:`, ...lines.map((line) => `  ${line}`)];
}

export function item([first = '', ...rest]: Lines): Lines {
  return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
}

/** What a new object is about: the workload that stands nearest. */
export function workloadNear(uri: string, facts: Facts): Fact | undefined {
  const workloads = workloadKinds.flatMap((kind) => facts.ofKind(kind)).filter(({ name }) => name !== '');
  return workloads.find((fact) => fact.uri === uri) ?? workloads[0];
}

/** A name that no object of a kind has. */
export function freeName(facts: Facts, kind: Parameters<Facts['ofKind']>[0], name: string): string {
  const taken = new Set(facts.ofKind(kind).map((fact) => fact.name));
  let found = name;
  for (let n = 2; taken.has(found); n += 1) found = `${name}-${n}`;
  return found;
}

/** Labels of the pods that an object makes. */
export function labelsOfPods(kind: string, value: unknown): Labels {
  const template = podTemplatePath(kind);
  return template === undefined ? [] : labelsAt(value, [...template, 'metadata', 'labels']);
}

export function labelLines(labels: Labels, firstStop: number): Lines {
  if (labels.length === 0) return [`app: ${stop(firstStop, 'web')}`];
  // More than a few say no more about which pods are meant.
  return labels
    .slice(0, 3)
    .map(([key, value], index) => `${escaped(yamlText(key))}: ${stop(firstStop + index, yamlText(value))}`);
}

function container(n: number, name: string, more: Lines = []): Lines {
  return item([
    `name: ${stop(1, name)}`,
    `image: ${stop(n, 'registry.example.com/app:1.0')}`,
    ...below('resources', below('requests', [`cpu: ${stop(n + 1, '100m')}`, `memory: ${stop(n + 2, '128Mi')}`])),
    ...more,
  ]);
}

function podOf(name: string, n: number, spec: Lines = [], more: Lines = []): Lines {
  return [
    ...below('metadata', below('labels', [`app: ${stop(1, name)}`])),
    ...below('spec', [...spec, ...below('containers', container(n, name, more))]),
  ];
}

/** The lines behind `kind:` for the kinds that are written most; undefined for those that have none of their own. */
export function bodyOf(kind: string, uri: string, { facts }: Pick<CompletionContext, 'facts'>): Lines | undefined {
  const named = (name: string, namespace = ''): Lines =>
    below('metadata', [
      `name: ${stop(1, name)}`,
      ...(namespace === '' ? [] : [`namespace: ${escaped(yamlText(namespace))}`]),
    ]);
  switch (kind) {
    case 'Deployment':
    case 'StatefulSet':
    case 'DaemonSet': {
      const name = freeName(facts, kind, kind === 'Deployment' ? 'web' : kind === 'StatefulSet' ? 'db' : 'agent');
      const isSet = kind === 'StatefulSet';
      const replicas = kind === 'DaemonSet' ? [] : [`replicas: ${stop(2, '2')}`];
      const mount = below('volumeMounts', item(['name: data', `mountPath: ${stop(6, '/data')}`]));
      const claim = [
        ...below('metadata', ['name: data']),
        ...below('spec', [
          'accessModes: ["ReadWriteOnce"]',
          ...below('resources', below('requests', [`storage: ${stop(7, '10Gi')}`])),
        ]),
      ];
      return [
        ...named(name),
        ...below('spec', [
          ...(isSet ? [`serviceName: ${stop(1, name)}`] : []),
          ...replicas,
          ...below('selector', below('matchLabels', [`app: ${stop(1, name)}`])),
          ...below('template', podOf(name, 3, [], isSet ? mount : [])),
          ...(isSet ? below('volumeClaimTemplates', item(claim)) : []),
        ]),
      ];
    }
    case 'Job': {
      const name = freeName(facts, kind, 'task');
      return [...named(name), ...below('spec', below('template', podOf(name, 3, ['restartPolicy: Never'])))];
    }
    case 'CronJob': {
      const name = freeName(facts, kind, 'nightly');
      const template = below('template', podOf(name, 3, ['restartPolicy: Never']));
      return [
        ...named(name),
        ...below('spec', [
          `schedule: "${stop(2, '0 3 * * *')}"`,
          'concurrencyPolicy: Forbid',
          ...below('jobTemplate', below('spec', template)),
        ]),
      ];
    }
    case 'Pod': {
      const name = freeName(facts, kind, 'app');
      return [...named(name), ...below('spec', below('containers', container(3, name)))];
    }
    case 'Namespace':
      return named(freeName(facts, kind, 'team'));
    case 'Service': {
      const near = workloadNear(uri, facts);
      const selected = near === undefined ? [] : labelsOfPods(near.kind, near.manifest.value);
      return [
        ...named(near?.name ?? 'web', near?.manifest.namespace),
        ...below('spec', [
          ...below('selector', labelLines(selected, 4)),
          ...below('ports', item([`port: ${stop(2, '80')}`, `targetPort: ${stop(3, '8080')}`])),
        ]),
      ];
    }
    case 'HorizontalPodAutoscaler': {
      const near = workloadNear(uri, facts);
      const isScaled = near?.kind === 'StatefulSet' || near?.kind === 'Deployment';
      const name = isScaled ? near.name : 'web';
      return [
        ...named(name, near?.manifest.namespace),
        ...below('spec', [
          ...below('scaleTargetRef', [
            'apiVersion: apps/v1',
            `kind: ${isScaled ? near.kind : 'Deployment'}`,
            `name: ${stop(1, name)}`,
          ]),
          `minReplicas: ${stop(2, '2')}`,
          `maxReplicas: ${stop(3, '5')}`,
          ...below(
            'metrics',
            item([
              'type: Resource',
              ...below('resource', [
                'name: cpu',
                ...below('target', ['type: Utilization', `averageUtilization: ${stop(4, '70')}`]),
              ]),
            ]),
          ),
        ]),
      ];
    }
    case 'PodDisruptionBudget': {
      const near = workloadNear(uri, facts);
      const selected = near === undefined ? [] : labelsOfPods(near.kind, near.manifest.value);
      return [
        ...named(freeName(facts, kind, near?.name ?? 'web'), near?.manifest.namespace),
        ...below('spec', [
          `maxUnavailable: ${stop(2, '1')}`,
          ...below('selector', below('matchLabels', labelLines(selected, 3))),
        ]),
      ];
    }
    case 'PriorityClass':
      return [
        ...named(freeName(facts, kind, 'high-priority')),
        `value: ${stop(2, '100000')}`,
        `preemptionPolicy: ${stop(3, 'PreemptLowerPriority')}`,
        `description: ${stop(4, 'Pods that must not wait.')}`,
      ];
    case 'ResourceQuota':
      return [
        ...named(freeName(facts, kind, 'compute')),
        ...below('spec', below('hard', [`pods: ${stop(2, '20')}`, `requests.cpu: ${stop(3, '8')}`])),
      ];
    case 'ConfigMap':
      return [...named('config'), ...below('data', [`${stop(2, 'key')}: ${stop(3, 'value')}`])];
    default:
      return undefined;
  }
}

/** The lines behind `kind:` in a document that says nothing else yet. */
export function bodyOfAny(apiVersion: string, kind: string, uri: string, context: CompletionContext): Lines {
  const own = bodyOf(kind, uri, context);
  if (own !== undefined) return own;
  const struct = structOf(context.release.types, apiVersion, kind);
  if (struct !== undefined && !struct.fields.has('metadata')) return [];
  const named = below('metadata', [`name: ${stop(1, 'name')}`]);
  return struct?.fields.has('spec') === true ? [...named, ...below('spec', ['$0'])] : named;
}

/** What a key of a workload brings with it, that other keys must agree with; undefined for most. */
export function childrenOf(field: string, asked: Asked): Lines | undefined {
  const { object, uri, context } = asked;
  const written = valueAt(object.value, ['metadata', 'name']);
  const name = typeof written === 'string' && written !== '' ? written : 'web';
  const own = (): Lines => {
    const selected = labelsAt(object.value, ['spec', 'selector', 'matchLabels']);
    const pods = labelsOfPods(object.kind, object.value);
    const labels = pods.length > 0 ? pods : selected;
    if (labels.length === 0) return [`app: ${stop(1, yamlText(name))}`];
    return labels.map(([key, value]) => `${escaped(yamlText(key))}: ${escaped(yamlText(value))}`);
  };
  const pod = (spec: Lines): Lines => [
    ...(field === 'DeploymentSpec.template' || isSelecting(object.kind)
      ? below('metadata', below('labels', own()))
      : []),
    ...below('spec', [
      ...spec,
      ...below('containers', item([`name: ${stop(2, yamlText(name))}`, `image: ${stop(3, '')}`])),
    ]),
  ];
  switch (field) {
    case 'DeploymentSpec.selector':
    case 'StatefulSetSpec.selector':
    case 'DaemonSetSpec.selector':
    case 'ReplicaSetSpec.selector':
      return below('matchLabels', own());
    case 'DeploymentSpec.template':
    case 'StatefulSetSpec.template':
    case 'DaemonSetSpec.template':
    case 'ReplicaSetSpec.template':
      return pod([]);
    case 'JobSpec.template':
      return pod(['restartPolicy: Never']);
    case 'CronJobSpec.jobTemplate':
      return below('spec', below('template', pod(['restartPolicy: Never'])));
    case 'PodDisruptionBudgetSpec.selector':
    case 'ServiceSpec.selector': {
      const near = workloadOf(object.namespace, uri, context.facts);
      if (near === undefined) return undefined;
      const lines = labelLines(labelsOfPods(near.kind, near.manifest.value), 1);
      return field === 'ServiceSpec.selector' ? lines : below('matchLabels', lines);
    }
    case 'PodSpec.containers':
    case 'PodSpec.initContainers':
      return item([`name: ${stop(1, '')}`, `image: ${stop(2, '')}`]);
    default:
      return undefined;
  }
}

function isSelecting(kind: string): boolean {
  return kind === 'StatefulSet' || kind === 'DaemonSet' || kind === 'ReplicaSet';
}

/** The workload that a Service or a budget of a namespace most likely means: of the same file, or the only one. */
function workloadOf(namespace: string, uri: string, facts: Facts): Fact | undefined {
  const all = workloadKinds
    .flatMap((kind) => facts.ofKind(kind))
    .filter((fact) => fact.namespace === namespace && isObject(fact.manifest.value));
  return all.find((fact) => fact.uri === uri) ?? (all.length === 1 ? all[0] : undefined);
}
