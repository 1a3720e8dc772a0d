import { joined, say } from '../../kit/say.ts';
import { count, grouped, list, titleOf } from '../../kit/words.ts';
import type { Assumption } from '../../contract/report.ts';
import type { Declared } from '../../kubernetes/objects.ts';

/** Of all objects of a snapshot those that are not all that is written. */
export interface Misread {
  readonly all: number;
  readonly objects: readonly Declared[];
}

export function misreadIn(snapshot: readonly Declared[]): Misread {
  return { all: snapshot.length, objects: snapshot.filter(({ misread }) => misread !== undefined) };
}

/** Objects that are named, and reasons that are told. */
const most = 5;

/** What of a snapshot is left out, wholly or in part. */
export function misreadAssumptions({ all, objects }: Misread): Assumption[] {
  if (objects.length === 0) return [];
  const names = objects.map(nameOf);
  const whys = objects.slice(0, most).map(({ misread = '' }, index) => say`${names[index]!}: ${misread}`);
  const more = objects.length > most ? [say`and ${grouped(objects.length - most)} more`] : [];
  return [
    {
      mark: '!',
      text: say`${grouped(objects.length)} of ${count(all, 'object')} of the cluster snapshot ${objects.length === 1 ? 'is' : 'are'} not understood: ${list(names, most)}`,
      detail: say`What could not be read of them is left out. ${joined([...whys, ...more], '; ')}.`,
      about: 'snapshot',
    },
  ];
}

function nameOf({ object: { kind = '', metadata } }: Declared): string {
  if (kind === '') return say`an item`;
  return titleOf({ kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' });
}
