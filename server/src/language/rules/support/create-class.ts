import { globalDefaultClass } from '../../../admission/priority/priority.ts';
import { groupBy } from '../../../util/maps.ts';
import { classLadder } from '../../index/priority-classes.ts';
import type { Fact } from '../../index/fact.ts';
import { appendDocument, isJson } from './edits.ts';
import type { FixEdit, FixSubject } from './rule.ts';

/**
 * Writes a PriorityClass after the other classes, or after the document that asks for it. Its value is the one that
 * pods without a class have, so that nothing is preempted until somebody chooses a number.
 */
export function classToCreate(
  name: string,
  subject: Pick<FixSubject, 'facts' | 'uri' | 'objects'>,
  wanted?: number,
): FixEdit | undefined {
  const ladder = classLadder(subject.facts);
  const declared = ladder.classes.flatMap((entry) => (entry.fact?.source === 'workspace' ? [entry.fact] : []));
  const value = wanted ?? globalDefaultClass(ladder.classes.map((entry) => entry.object))?.value ?? 0;
  const host =
    declared.find((fact) => fact.uri === subject.uri) ?? lastOfLargestFile(declared) ?? subject.objects.at(-1);
  if (host === undefined || isJson(host.document.text)) return undefined;
  const apiVersion = 'scheduling.k8s.io/v1';
  return appendDocument(host, { apiVersion, kind: 'PriorityClass', metadata: { name }, value, description: '' });
}

/** Classes are kept together: in the file that has most of them. */
function lastOfLargestFile(declared: readonly Fact[]): Fact | undefined {
  const perFile = groupBy(declared, (fact) => fact.uri);
  let largest: readonly Fact[] = [];
  for (const list of perFile.values()) {
    if (list.length > largest.length) largest = list;
  }
  return largest.reduce<Fact | undefined>(
    (last, fact) => (last === undefined || fact.index > last.index ? fact : last),
    undefined,
  );
}
