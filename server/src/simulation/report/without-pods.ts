import { own } from '../../util/own.ts';
import type { ReportNode } from '../../report-model/report.ts';
import { kueueQueueLabel } from '../../kubernetes/gate-owners.ts';
import type { Job } from '../../kubernetes/objects.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { whyStuck } from '../../disruption/unready-pods.ts';
import { daemonSpec } from '../../kubernetes/workloads.ts';
import { type ClusterState, whyNoDaemon } from '../../scheduler/index.ts';
import type { Run } from '../run/run.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedWorkload } from '../cluster/workload-set.ts';
import type { WithoutPods } from './answer/answer-context.ts';

/**
 * What makes no pods, on some nodes or at all: of the manifests DaemonSets, and Jobs that are suspended; and StatefulSets
 * whose next pods come only when one is ready that does not get it. Nodes that a DaemonSet does not select were never meant, so that they are told only where it has no pod.
 */
export function withoutPods(
  { workloads }: SimulatedCluster,
  run: Run,
  nodes: readonly ReportNode[],
): readonly WithoutPods[] {
  const { state } = run.cluster;
  const held = run.toCome.followers().map(({ workload }) => workload);
  const behindStuck = [...run.toCome.awaits()].flatMap(([{ pod }, { workload }]): WithoutPods[] => {
    const why = whyStuck(pod);
    const amount = held.filter((each) => each === workload).length;
    return why === '' ? [] : [{ ...nothing, workload, isIdle: true, held: { amount, why } }];
  });
  const places = new Map(nodes.map(({ name }, index) => [name, index]));
  const without = workloads.flatMap((simulated, workload): readonly WithoutPods[] => {
    const { kind, declared, refusal, existing, missing } = simulated;
    if (declared?.source !== 'workspace' || refusal !== '') return [];
    const isIdle = existing.length + missing.length === 0;
    if (kind === 'DaemonSet') {
      const all = leftOut(simulated, state, places);
      const told = isIdle ? all : all.filter(({ part }) => part.kind === 'taint');
      return told.length === 0 ? [] : [{ ...nothing, workload, isIdle, leftOut: told }];
    }
    const isSuspended = kind === 'Job' && (declared.object as Job).spec?.suspend === true;
    if (!isSuspended || !isIdle) return [];
    const isQueued = own(declared.object.metadata?.labels ?? {}, kueueQueueLabel) !== undefined;
    return [{ ...nothing, workload, isIdle, isQueued }];
  });
  return [...without, ...behindStuck];
}

const nothing = { leftOut: [], isQueued: false, held: null } as const;

/** What keeps a DaemonSet from which nodes, those that lack the least first. */
function leftOut(
  { declared }: SimulatedWorkload,
  state: ClusterState,
  places: ReadonlyMap<string, number>,
): WithoutPods['leftOut'] {
  const template = declared === undefined ? undefined : podTemplateOf(declared.object);
  if (template === undefined) return [];
  const spec = daemonSpec(template);
  const found = new Map<string, { part: WithoutPods['leftOut'][number]['part']; nodes: number[] }>();
  for (const { name, facts } of state.nodes) {
    const place = places.get(name);
    if (place === undefined || (spec.nodeName ?? name) !== name) continue;
    for (const part of whyNoDaemon(spec, facts)) {
      if (part.kind !== 'taint' && part.kind !== 'labels') continue;
      const key = JSON.stringify(part);
      const known = found.get(key);
      if (known === undefined) found.set(key, { part, nodes: [place] });
      else known.nodes.push(place);
    }
  }
  return [...found.values()].sort((a, b) => Number(a.part.kind === 'labels') - Number(b.part.kind === 'labels'));
}
