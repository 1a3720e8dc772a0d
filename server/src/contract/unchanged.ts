import type { Report } from './report.ts';

/** Compared with what it was, and nothing is different, nor unknown: the headline says that. */
export function isUnchanged({ comparison, scenario, events, questions, assumptions }: Report): boolean {
  if (comparison === null || scenario.kind !== 'change' || events.length + questions.length > 0) return false;
  const { causes, pods } = comparison;
  return causes.length + pods.length === 0 && assumptions.every(({ mark }) => mark !== '!');
}
