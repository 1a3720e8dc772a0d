import type { Plan, PlanLane } from '../../report-model/plan.ts';
import type { ComparedReport } from '../../report-model/report.ts';
import { namesInSteps, type ShortNames } from '../../report-model/short-names.ts';
import { workloadKey } from '../../kubernetes/names.ts';

/** Of nodes, and of workloads: more are left out. */
const mostLanes = 24;
/** Of a lane at a stage: more spans are counted. */
const mostSpans = 40;

/** Who goes through something else at one stage than at another, those that lose most first. */
export function* changedLanes(stages: readonly ComparedReport[]): Generator<void, Plan['lanes']> {
  const changedOnes: PlanLane[] = [];
  for (const by of ['node', 'workload'] as const) {
    const lanes: ReadonlyMap<string, Lane>[] = [];
    for (const report of stages) {
      lanes.push(lanesOf(report, yield* namesInSteps(report), by));
      yield;
    }
    const all = [...new Set(lanes.flatMap((of) => [...of.keys()]))];
    const lost = (name: string): number => lanes.reduce((sum, of) => sum + (of.get(name)?.lost ?? 0), 0);
    const changed = all
      .filter((name) => new Set(lanes.map((of) => of.get(name)?.keys.toSorted().join('\n') ?? '')).size > 1)
      .map((name) => ({ name, lost: lost(name) }))
      .sort((one, other) => other.lost - one.lost)
      .slice(0, mostLanes)
      .map(({ name }): PlanLane => {
        const label = lanes.findLast((of) => of.has(name))?.get(name)?.label ?? name;
        const at = lanes.map((of) => {
          const spans = of.get(name)?.spans ?? [];
          return { spans: spans.slice(0, mostSpans), more: Math.max(0, spans.length - mostSpans) };
        });
        return { by, name, label, at };
      });
    changedOnes.push(...changed);
  }
  return changedOnes;
}

interface Lane {
  readonly label: string;
  readonly spans: PlanLane['at'][number]['spans'][number][];
  /** What makes two of them the same: pods that are made anew have other names in each run. */
  readonly keys: string[];
  lost: number;
}

function lanesOf(report: ComparedReport, names: ShortNames, by: PlanLane['by']): ReadonlyMap<string, Lane> {
  const lanes = new Map<string, Lane>();
  // What lasts to the end of one run lasts as long as to that of another.
  const last = Math.max(1, report.steps.at(-1)?.clock ?? 0);
  for (const { pod, node, kind, start, end } of report.timeline) {
    const own = report.pods[pod]!;
    const index = own.workload;
    const of = index === null ? { kind: 'Pod', ...own } : report.workloads[index]!;
    const title = workloadKey(of.kind, of.namespace, of.name);
    const name = by === 'workload' ? title : node === null ? null : report.nodes[node]!.name;
    if (name === null) continue;
    const label = by === 'node' ? names.node(node!) : index === null ? names.pod(pod) : names.workload(index);
    const lane = lanes.get(name) ?? { label, spans: [], keys: [], lost: 0 };
    lanes.set(name, lane);
    const { template } = own;
    lane.spans.push({ name: names.pod(pod), kind, start, end, ...(template === undefined ? {} : { template }) });
    const where = by === 'node' || node === null ? '' : report.nodes[node]!.name;
    lane.keys.push(`${title} ${where} ${kind} ${start} ${end >= last ? '' : end}`);
    if (kind === 'evicted') lane.lost += 1;
  }
  return lanes;
}
