import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CausePart } from '../../../server/src/report-model/cause.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { isObject } from '../../../server/src/util/values.ts';
import type { Json, JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Taint } from '../../../server/src/kubernetes/objects.ts';
import { taintText } from '../../../server/src/kubernetes/taints.ts';
import { findRemedies } from '../../../server/src/simulation/index.ts';
import { type Random, randomFrom } from '../../support/random.ts';
import { input, node, podSpec, priorityClass, running, workload } from './cluster-builder.ts';
import {
  workspace,
  simulated,
  causeOf,
  taint,
  spreadOver,
  port,
  bound,
  hostname,
  zone,
  required,
  term,
  antiAffinity,
  type Change,
  changedAt,
} from './pending-pods.ts';

describe('why a pod is pending, in random clusters', () => {
  it('[PLA-20] is such that the pod is placed once it is gone, and what is offered does what it says', () => {
    const random = randomFrom(Number(process.env['PODIUM_SEED'] ?? 20_26));
    const wanted = Number(process.env['PODIUM_PENDING_PODS'] ?? 40);
    let pending = 0;
    const kinds = new Map<string, number>();
    for (let seed = 0; pending < wanted; seed += 1) {
      const objects = madeUp(random);
      const report = simulated(objects);
      if (report.pending.length !== 1) continue;
      pending += 1;
      const cause = causeOf(report);
      const at = `cluster ${seed}: ${JSON.stringify(cause)}`;
      assert.ok(cause.parts.length > 0, at);
      for (const { kind } of cause.parts) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      const name = report.nodes[cause.node ?? -1]?.name ?? '';
      const after = simulated(cause.parts.reduce((left, part) => withoutPart(left, part, name), objects));
      assert.equal(after.pending.length, 0, at);
      const from = input(objects);
      for (const { whatIf, figures } of runToEnd(findRemedies(report, from, workspace))) {
        for (const text of whatIf) assert.doesNotMatch(text, harmful, at);
        if (whatIf.length > 0 && figures !== null) assert.ok(figures.pending < 1 || figures.evicted > 0, at);
      }
    }
    assert.ok(kinds.size >= 6, [...kinds].join());
  });
});

/** What no remedy may do. */
const harmful =
  /tolerate \S+ (node-role\.kubernetes\.io|node\.kubernetes\.io|node\.cloudprovider|CriticalAddonsOnly|cloud\.google|kubernetes\.azure)|^label node|remove pdb|priority \S+ system-/;

/** A cluster of a few nodes and running pods, and one pod that may find no place. */
function madeUp(random: Random): readonly JsonObject[] {
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const often = (share: number): boolean => random() < share;
  const nodes = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, at) => {
    const taints = [
      ...(often(0.25) ? [taint(pick('node-role.kubernetes.io/control-plane', 'CriticalAddonsOnly'))] : []),
      ...(often(0.2) ? [taint('dedicated', pick('db', 'gpu'))] : []),
      ...(often(0.1) ? [taint('node.kubernetes.io/not-ready')] : []),
    ];
    return node(`n${at}`, pick(1, 2, 4), {
      labels: { 'topology.kubernetes.io/zone': pick('a', 'b', 'c'), pool: pick('general', 'batch') },
      memory: pick('2Gi', '8Gi'),
      spec: { ...(taints.length === 0 ? {} : { taints }), ...(often(0.15) ? { unschedulable: true } : {}) },
    });
  });
  const placed = nodes.flatMap((_, at) =>
    Array.from({ length: Math.floor(random() * 3) }, (__, ordinal) => {
      const name = `r${at}-${ordinal}`;
      const app = pick('web', 'cache', 'guard');
      const guards = app === 'guard' && often(0.5) ? { affinity: antiAffinity('web', hostname) } : {};
      const listens = often(0.3) ? { containers: [{ name: 'main', image: 'a', ports: [port] }] } : {};
      return running(name, pick('100m', '400m'), `n${at}`, pick(0, 0, 2000), {
        labels: { app },
        spec: { ...guards, ...listens },
      });
    }),
  );
  const requests = { cpu: pick('200m', '1', '3', '8'), memory: pick('100Mi', '4Gi', '32Gi') };
  const affinity = {
    ...(often(0.3) ? antiAffinity(pick('web', 'cache'), pick(hostname, zone)) : {}),
    ...(often(0.2) ? { podAffinity: { [required]: [term('cache', pick(hostname, zone))] } } : {}),
  };
  const spec: JsonObject = {
    ...podSpec(1),
    containers: [{ name: 'main', image: 'a', resources: { requests }, ...(often(0.15) ? { ports: [port] } : {}) }],
    ...(often(0.2) ? { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } : {}),
    ...(often(0.3) ? { priorityClassName: pick('high', 'patient') } : {}),
    ...(Object.keys(affinity).length === 0 ? {} : { affinity }),
    ...(often(0.3) ? spreadOver(pick(hostname, zone)) : {}),
    ...(often(0.3) ? { nodeSelector: { pool: pick('general', 'batch', 'gpu') } } : {}),
    ...(often(0.2) ? { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } : {}),
  };
  return [
    priorityClass('high', 1000),
    priorityClass('patient', 500, { preemptionPolicy: 'Never' }),
    ...(often(0.8) ? bound('data', pick('a', 'b', 'c')) : []),
    ...nodes,
    ...placed,
    workload('Deployment', 'web', 1, spec),
  ];
}

/** The cluster without one thing that keeps the pod from a node. */
function withoutPart(objects: readonly JsonObject[], part: CausePart, name: string): readonly JsonObject[] {
  const onNode = (path: readonly string[], change: Change): readonly JsonObject[] =>
    objects.map((object) =>
      object['kind'] === 'Node' && isObject(object['metadata']) && object['metadata']['name'] === name
        ? changedAt(object, path, change)
        : object,
    );
  const inSpecs = (kind: 'Deployment' | 'Pod', ...path: readonly string[]): readonly JsonObject[] => {
    const spec = kind === 'Pod' ? ['spec'] : ['spec', 'template', 'spec'];
    return objects.map((object) =>
      object['kind'] === kind ? changedAt(object, [...spec, ...path], () => undefined) : object,
    );
  };
  switch (part.kind) {
    case 'amount': {
      const amount = part.capacity + part.need - part.free;
      const written = part.resource === 'cpu' ? `${amount}m` : String(amount);
      return onNode(['status', 'allocatable', part.resource], () => written);
    }
    case 'taint':
      return onNode(['spec', 'taints'], (taints) =>
        Array.isArray(taints)
          ? taints.filter((each: Json) => !part.taints.includes(taintText(each as unknown as Taint)))
          : taints,
      );
    case 'cordon':
      return onNode(['spec', 'unschedulable'], () => undefined);
    case 'labels':
      return part.wanted.reduce<readonly JsonObject[]>((all, pair) => {
        const [key = '', value = ''] = pair.split('=');
        return all.map((object) =>
          object['kind'] === 'Node' && isObject(object['metadata']) && object['metadata']['name'] === name
            ? changedAt(object, ['metadata', 'labels', key], () => value)
            : object,
        );
      }, objects);
    case 'port':
      return objects.map((object) =>
        object['kind'] === 'Pod' && isObject(object['spec']) && object['spec']['nodeName'] === name
          ? changedAt(object, ['spec', 'containers'], () => [{ name: 'main', image: 'a' }])
          : object,
      );
    case 'volume':
      return objects.map((object) =>
        object['kind'] === 'PersistentVolume' ? changedAt(object, ['spec', 'nodeAffinity'], () => undefined) : object,
      );
    case 'claim':
      return inSpecs('Deployment', 'volumes');
    case 'spread':
      return inSpecs('Deployment', 'topologySpreadConstraints');
    case 'affinity':
      return inSpecs('Deployment', 'affinity', 'podAffinity');
    case 'anti-affinity':
      return inSpecs(part.theirs ? 'Pod' : 'Deployment', 'affinity', 'podAntiAffinity');
    default:
      throw new Error(`no such cluster was made up: ${JSON.stringify(part)}`);
  }
}
