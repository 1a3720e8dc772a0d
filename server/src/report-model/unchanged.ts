import type { Report } from './report.ts';

/** Compared with another run, and nothing is different, nor unknown, nor asked: the headline says that. */
export function isUnchanged({ comparison, questions }: Report): boolean {
  return comparison?.outcome === '' && questions.length === 0;
}
