import type { WholeReport } from '../../report-model/report.ts';
import { put } from '../../util/own.ts';
import { namespaceOf, workloadKey } from '../../kubernetes/names.ts';
import type { Container, PodSpec } from '../../kubernetes/objects.ts';
import { podRequests } from '../../kubernetes/pod-resources.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import type { SimulationInput } from '../../simulation/index.ts';

/** What the pods of a workload ask the scheduler for, as it is applied, before the API server adds to it. */
interface Scheduling extends Pick<
  PodSpec,
  'schedulerName' | 'nodeName' | 'nodeSelector' | 'affinity' | 'tolerations' | 'topologySpreadConstraints'
> {
  /** As in the report, cpu in millicores and all else in units; what is only limited is asked for. */
  readonly requests: Readonly<Record<string, number>>;
}

const fields = [
  'schedulerName',
  'nodeName',
  'nodeSelector',
  'affinity',
  'tolerations',
  'topologySpreadConstraints',
] as const;

/** The workloads of a report with what each asks for, by which a program compares them with a rendering. */
export function workloadsWithScheduling(
  { workloads }: WholeReport,
  { workspace, snapshot }: Pick<SimulationInput, 'workspace' | 'snapshot'>,
): readonly (WholeReport['workloads'][number] & { readonly scheduling?: Scheduling })[] {
  const specs = new Map<string, PodSpec>();
  // What is written counts more than what is captured.
  for (const { object } of [...snapshot, ...workspace]) {
    const template = podTemplateOf(object);
    const key = workloadKey(object.kind ?? '', namespaceOf(object), object.metadata?.name ?? '');
    if (template !== undefined) specs.set(key, template.spec);
  }
  return workloads.map((workload) => {
    const spec = specs.get(workloadKey(workload.kind, workload.namespace, workload.name));
    return spec === undefined ? workload : { ...workload, scheduling: schedulingOf(spec) };
  });
}

function schedulingOf(spec: PodSpec): Scheduling {
  const requests: Record<string, number> = {};
  for (const [resource, { nanos }] of podRequests(withRequests(spec))) {
    const unit = resource === 'cpu' ? 1_000_000n : 1_000_000_000n;
    put(requests, resource, Number((nanos + unit - 1n) / unit));
  }
  const asked = Object.fromEntries(
    fields.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]])),
  );
  return { requests, ...asked };
}

/** What is limited is asked for. Source: pkg/apis/core/v1/defaults.go (SetDefaults_Pod) */
function withRequests(spec: PodSpec): PodSpec {
  const asking = (container: Container): Container => {
    const { requests, limits } = container.resources ?? {};
    return limits === undefined
      ? container
      : { ...container, resources: { ...container.resources, requests: { ...limits, ...requests } } };
  };
  const { containers, initContainers } = spec;
  return {
    ...spec,
    containers: containers.map(asking),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(asking) }),
  };
}
