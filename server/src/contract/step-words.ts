import type { Report, ReportStep } from './report.ts';

/** Steps that are about a node. */
const placed: ReadonlySet<ReportStep['kind']> = new Set(['scheduled', 'nominated', 'cleared', 'deleted']);

const verbs: Readonly<Record<ReportStep['kind'], string>> = {
  scheduled: 'scheduled on',
  nominated: 'nominated to',
  cleared: 'waits no longer for',
  pending: 'pending',
  gated: 'gated',
  deleted: 'ends on',
  gone: 'gone',
  rejected: 'refused',
  'not-modelled': 'not modelled',
};

/** What happens to the pod of a step, in a table of steps. */
export function stepWords({ nodes }: Pick<Report, 'nodes'>, { kind, node }: ReportStep): string {
  return node === null || !placed.has(kind) ? verbs[kind] : `${verbs[kind]} ${nodes[node]?.name ?? ''}`;
}
