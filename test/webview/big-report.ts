import type {
  WholeReport,
  ReportDecision,
  ReportPod,
  ReportStep,
  ReportVictim,
} from '../../server/src/report-model/report.ts';
import { buildTimeline } from '../../server/src/simulation/report/timeline.ts';
import { sampleReport } from './sample-report.ts';

const gi = 1024 ** 3;

/**
 * A cluster of any size: every tenth node gets an arrival that evicts one pod, and each victim's replacement stays pending.
 */
export function bigReport(nodeCount: number, podCount: number): WholeReport {
  const sample = sampleReport();
  const perNode = Math.floor(podCount / nodeCount);
  const pods: ReportPod[] = [];
  const steps: ReportStep[] = [];
  const victims: ReportVictim[] = [];
  const decisions: ReportDecision[] = [];
  const pending: { pod: number; decision: number; cause: null }[] = [];
  const queues = { active: 0, backoff: 0, unschedulable: 0, gated: 0 };
  const base = { victims: [], note: '', decision: null, by: null, changes: [], requested: [], queues };

  const add = (name: string, rung: number, before: number | null, after: ReportPod['after']): number => {
    const { priority, classes } = sample.ladder[rung]!;
    pods.push({
      namespace: `team-${pods.length % 12}`,
      name,
      workload: rung,
      priority,
      rung,
      className: classes[0] ?? null,
      preemptionPolicy: 'PreemptLowerPriority',
      requests: { cpu: 500, memory: gi },
      share: 0.6 / perNode + (pods.length % 7) * (0.1 / perNode),
      gracePeriodSeconds: 30,
      before: before === null ? { state: 'pending', node: null } : { state: 'running', node: before },
      after,
      budgets: [],
      origin: sample.pods[0]!.origin,
      decision: null,
      threats: [],
    });
    return pods.length - 1;
  };

  for (let node = 0; node < nodeCount; node++) {
    for (let slot = 0; slot < perNode; slot++) {
      const isVictim = node % 10 === 0 && slot === perNode - 1;
      const rung = isVictim ? 4 : (node * 7 + slot * 3) % 5;
      const name = `service-${slot}-${(node * 2_654_435_761 + slot).toString(36).slice(-5)}`;
      const pod = add(name, rung, node, isVictim ? { state: 'evicted', node: null } : { state: 'running', node });
      if (isVictim) {
        const arrival = add(`arrival-${node}`, 1, null, { state: 'running', node });
        const replacement = add(`replacement-${node}`, 4, null, { state: 'pending', node: null });
        steps.push(
          {
            ...base,
            clock: node,
            kind: 'nominated',
            pod: arrival,
            node,
            victims: [pod],
            note: `evicts ${name}`,
            decision: decisions.length,
            changes: [
              { pod: arrival, place: { state: 'nominated', node } },
              { pod, place: { state: 'terminating', node } },
            ],
          },
          {
            ...base,
            clock: node + 30,
            kind: 'scheduled',
            pod: arrival,
            node,
            changes: [
              { pod: arrival, place: { state: 'running', node } },
              { pod, place: { state: 'evicted', node: null } },
              { pod: replacement, place: { state: 'pending', node: null } },
            ],
          },
        );
        victims.push({ ...sample.victims[0]!, pod, workload: 4, preemptor: arrival, node, replacement });
        pending.push({ pod: replacement, decision: decisions.length + 1, cause: null });
        decisions.push({ ...sample.decisions[0]!, pod: arrival, node }, { ...sample.decisions[5]!, pod: replacement });
      }
    }
  }
  const replacements = new Set(victims.map(({ replacement }) => replacement));
  return {
    ...sample,
    scenario: { kind: 'workspace' },
    nodes: Array.from({ length: nodeCount }, (_none, index) => ({
      ...sample.nodes[0]!,
      name: `worker-${String(index).padStart(4, '0')}`,
      zone: `zone-${'abc'[index % 3]!}`,
      requested: { cpu: 3000 + (index % 9) * 100, memory: (8 + (index % 6)) * gi, pods: perNode },
      allocatable: { cpu: 4000, memory: 16 * gi, pods: 110 },
    })),
    decisions,
    pods,
    steps,
    timeline: buildTimeline(
      pods,
      steps,
      (pod) => !replacements.has(pod),
      () => true,
    ),
    victims,
    pending,
    totals: { ...sample.totals, nodes: nodeCount, evicted: victims.length, pending: pending.length },
  };
}
