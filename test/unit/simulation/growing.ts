import { runToEnd } from '../../../server/src/util/steps.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { growthFor } from '../../../server/src/language/session/growth.ts';
import { type Scenario, simulateEvents } from '../../../server/src/simulation/index.ts';
import { findRemedies } from '../../../server/src/simulation/remedies/find-remedies.ts';
import type { SimulationInput } from '../../../server/src/simulation/cluster/input.ts';
import { podSpec, workload } from './cluster-builder.ts';

export const nodePool = (name: string, spec: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: {
    ...more,
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m6i'] }],
        ...spec,
      },
    },
  },
});

export const machines = (name: string, annotations: JsonObject): JsonObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta1',
  kind: 'MachineDeployment',
  metadata: {
    name,
    annotations: {
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '0',
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '2',
      'capacity.cluster-autoscaler.kubernetes.io/cpu': '4',
      'capacity.cluster-autoscaler.kubernetes.io/memory': '16Gi',
      ...annotations,
    },
  },
  spec: { replicas: 0 },
});

export const whatHelps = (
  report: WholeReport,
  from: SimulationInput,
  scenario: Scenario = { kind: 'workspace' },
): readonly string[] =>
  runToEnd(findRemedies(report, from, scenario)).map(({ whatIf, effect }) => whatIf.join('; ') || effect);

export function pendingLineOf({ answer }: WholeReport): string | undefined {
  return answer.groups.find(({ kind }) => kind === 'pending')?.lines[0]?.then;
}

export async function growing(objects: readonly JsonObject[], seconds?: number): Promise<SimulationInput> {
  const workspace = objects.map((value) => ({ object: decodeObject(value).object }));
  return { workspace, snapshot: [], growth: await growthFor([workspace], seconds) };
}

export async function grown(
  objects: readonly JsonObject[],
  scenario: Scenario = { kind: 'workspace' },
  seconds?: number,
): Promise<WholeReport> {
  return runToEnd(simulateEvents(await growing(objects, seconds), scenario, []));
}

export const apps = (nodeSelector: JsonObject): JsonObject =>
  workload('Deployment', 'web', 1, podSpec(1, { nodeSelector }));
