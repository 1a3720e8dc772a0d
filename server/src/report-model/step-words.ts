import { say } from '../util/say.ts';
import type { Report, ReportStep } from './report.ts';

/** What happens to the pod of a step, in a table of steps. */
export function stepWords({ nodes }: Pick<Report, 'nodes'>, { kind, node: index, victims }: ReportStep): string {
  const node = nodes[index ?? -1]?.name ?? '';
  switch (kind) {
    case 'scheduled':
      return say`scheduled on ${node}`;
    case 'nominated':
      return say`nominated to ${node}`;
    case 'cleared':
      return say`waits no longer for ${node}`;
    case 'deleted':
      return say`ends on ${node}`;
    case 'pending':
      return say`pending`;
    case 'gated':
      return say`gated`;
    case 'gone':
      return victims.length > 0 ? say`gone` : say`ended, and stays`;
    case 'rejected':
      return say`refused`;
    case 'not-modelled':
      return say`not modelled`;
  }
}
