import assert from 'node:assert/strict';
import type { Cause } from '../../../server/src/report-model/cause.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { isObject } from '../../../server/src/util/values.ts';
import type { Json, JsonObject } from '../../../server/src/kubernetes/json.ts';
import { findRemedies, simulate } from '../../../server/src/simulation/index.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { input, node } from './cluster-builder.ts';

export const workspace = { kind: 'workspace' } as const;

export function simulated(objects: readonly JsonObject[]): WholeReport {
  return runToEnd(simulate(input(objects), workspace));
}

export function causeOf(report: WholeReport): Cause {
  const cause = report.causes[report.pending[0]?.cause ?? -1];
  assert.ok(cause !== undefined, 'no pod is pending');
  return cause;
}

export const words = (objects: readonly JsonObject[]): string => {
  const { answer } = simulated(objects);
  return answer.groups.find(({ kind }) => kind === 'pending')?.lines[0]?.then ?? '';
};

export const remediesOf = (objects: readonly JsonObject[]): readonly string[] => {
  const from = input(objects);
  const report = runToEnd(simulate(from, workspace));
  return runToEnd(findRemedies(report, from, workspace)).map(({ whatIf, effect }) => whatIf.join('; ') || effect);
};

export const taint = (key: string, value?: string): JsonObject => ({
  key,
  effect: 'NoSchedule',
  ...(value === undefined ? {} : { value }),
});

export const controlPlane = (name: string): JsonObject =>
  node(name, 4, { spec: { taints: [taint('node-role.kubernetes.io/control-plane')] } });

export const apart = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: 'kv' } }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  },
};

export const spreadOver = (topologyKey: string, more: JsonObject = {}): JsonObject => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
      ...more,
    },
  ],
});

export const low = { scopeName: 'PriorityClass', operator: 'In', values: ['low'] };

export const port = { containerPort: 80, hostPort: 80 };

/** A claim and its volume, which can be used in one zone. */
export function bound(name: string, where: string): readonly JsonObject[] {
  const [volumeName, accessModes] = [`of-${name}`, ['ReadWriteOnce']];
  const metadata = { name, namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } };
  const term = { matchExpressions: [{ key: zone, operator: 'In', values: [where] }] };
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { accessModes, volumeName, resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Bound' },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: volumeName },
      spec: {
        accessModes,
        capacity: { storage: '1Gi' },
        claimRef: { namespace: 'default', name },
        csi: { driver: 'd', volumeHandle: name },
        nodeAffinity: { required: { nodeSelectorTerms: [term] } },
      },
      status: { phase: 'Bound' },
    },
  ];
}

export const hostname = 'kubernetes.io/hostname';

export const zone = 'topology.kubernetes.io/zone';

export const required = 'requiredDuringSchedulingIgnoredDuringExecution';

export function term(app: string, topologyKey: string): JsonObject {
  return { labelSelector: { matchLabels: { app } }, topologyKey };
}

export function antiAffinity(app: string, topologyKey: string): JsonObject {
  return { podAntiAffinity: { [required]: [term(app, topologyKey)] } };
}

export type Change = (value: Json | undefined) => Json | undefined;

/** The object with another value at a path; without it where the change gives none. */
export function changedAt(object: JsonObject, [key = '', ...rest]: readonly string[], change: Change): JsonObject {
  const { [key]: before, ...others } = object;
  const after = rest.length === 0 ? change(before) : isObject(before) ? changedAt(before, rest, change) : before;
  return after === undefined ? others : { ...others, [key]: after };
}
