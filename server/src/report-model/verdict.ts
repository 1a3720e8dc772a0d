import type { ReportDecision, ReportVerdict } from './report.ts';

/** What is known of a decision at a glance. Of one whose parts are worked out when they are read, no others are. */
export function verdictOf({ pod, kind, node, message, wouldHelp, mayVary }: ReportVerdict): ReportVerdict {
  return { pod, kind, node, message, wouldHelp, mayVary };
}

/**
 * Decisions whole until they have so many characters as JSON, and those after them at a glance: what is known of them
 * over thousands of nodes may weigh many times the rest of a report.
 */
export function decisionsWithin(
  decisions: readonly (ReportDecision | ReportVerdict)[],
  characters: number,
): (ReportDecision | ReportVerdict)[] {
  let left = characters;
  return decisions.map((decision) => {
    if (left <= 0) return verdictOf(decision);
    // What is worked out when it is read is read once.
    const whole = { ...decision };
    left -= JSON.stringify(whole).length;
    return left > 0 ? whole : verdictOf(decision);
  });
}
