import { joined, say } from '../../util/say.ts';
import { count, grouped, list, titleOf } from '../../util/words.ts';
import type { Assumption } from '../../report-model/report.ts';
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
  const misread = [...namelessIn(objects), ...objects.flatMap(namedIn)];
  const names = misread.map(({ name }) => name);
  const whys = misread.slice(0, most).map(({ name, why }) => say`${name}: ${why}`);
  const more = misread.length > most ? [say`and ${grouped(misread.length - most)} more`] : [];
  return [
    {
      mark: '!',
      text: say`${grouped(objects.length)} of ${count(all, 'object')} of the cluster snapshot ${objects.length === 1 ? 'is' : 'are'} not understood: ${list(names, most)}`,
      detail: say`What could not be read of them is left out. ${joined([...whys, ...more], '; ')}.`,
      about: 'snapshot',
    },
  ];
}

interface MisreadName {
  readonly name: string;
  readonly why: string;
}

/** Those that do not say what they are, together. */
function namelessIn(objects: readonly Declared[]): readonly MisreadName[] {
  const nameless = objects.filter(({ object: { kind = '' } }) => kind === '');
  return nameless.length === 0 ? [] : [{ name: count(nameless.length, 'item'), why: nameless[0]!.misread ?? '' }];
}

function namedIn({ object: { kind = '', metadata }, misread = '' }: Declared): readonly MisreadName[] {
  if (kind === '') return [];
  return [{ name: titleOf({ kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' }), why: misread }];
}
