import type { ReportVerdict } from './report.ts';

/** What is known of a decision at a glance. Of one whose parts are worked out when they are read, no others are. */
export function verdictOf({ pod, kind, node, message, wouldHelp, mayVary }: ReportVerdict): ReportVerdict {
  return { pod, kind, node, message, wouldHelp, mayVary };
}
