import type { Job, Pod } from './objects.ts';
import { own } from '../util/own.ts';

/** From the first to the last, both included. */
type Range = readonly [from: number, to: number];

/** Indexes as the status of a Job has them (`0,2-4`), in order. Source: pkg/controller/job/indexed_job_utils.go */
function rangesIn(text = ''): readonly Range[] {
  return text.split(',').flatMap((part): readonly Range[] => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
    return from === undefined ? [] : [[Number(from), Number(to)]];
  });
}

/** How many indexes a status names. */
export function countIndexes(text: string | undefined): number {
  return rangesIn(text).reduce((sum, [from, to]) => sum + Math.max(0, to - from + 1), 0);
}

/**
 * The lowest indexes of an Indexed Job that have neither succeeded nor failed, so many at most.
 * @param isTaken leaves out more
 */
export function openIndexes(
  { spec, status }: Pick<Job, 'spec' | 'status'>,
  atMost: number,
  isTaken: (index: number) => boolean = () => false,
): readonly number[] {
  const open: number[] = [];
  const completions = spec?.completions ?? 0;
  const closed = [...rangesIn(status?.completedIndexes), ...rangesIn(status?.failedIndexes)];
  let index = 0;
  for (const [from, to] of [...closed.toSorted(([a], [b]) => a - b), [completions, completions] as const]) {
    for (; index < Math.min(from, completions) && open.length < atMost; index++) if (!isTaken(index)) open.push(index);
    index = Math.max(index, to + 1);
  }
  return open;
}

/** Of a pod of an Indexed Job. Source: getCompletionIndex in pkg/controller/job/indexed_job_utils.go */
export function completionIndexOf({ metadata }: Pod): number | undefined {
  const text = own(metadata?.annotations ?? {}, 'batch.kubernetes.io/job-completion-index');
  return text === undefined ? undefined : Number(text);
}
