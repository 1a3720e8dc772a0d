import { isKnownKind } from '../../kubernetes/decode/index.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import type { Assumption } from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { copiesOf, textOf } from '../cluster/copies.ts';
import { nameAmong } from '../cluster/simulated-cluster.ts';

/** Which of several declarations count that are not the same. Of classes each pod has the nearest one. */
export function copiesThatCount(workspace: readonly Declared[]): Assumption[] {
  const counting = [...copiesOf(workspace)].flatMap(([key, [counts, ...others]]) => {
    const { object, origin } = counts!;
    const isRead = isKnownKind(object.apiVersion ?? '', object.kind ?? '') && object.kind !== 'PriorityClass';
    const another = isRead ? others.find((each) => textOf(each) !== textOf(counts!)) : undefined;
    if (another === undefined) return [];
    const name = key.replace('//', '/');
    if (origin === undefined) return [name];
    return [`${name} (${nameAmong(origin.uri, another.origin === undefined ? [] : [another.origin.uri])})`];
  });
  if (counting.length === 0) return [];
  const text = say`written more than once, of which these count: ${list(counting, 4)}`;
  return [{ mark: '?', text, detail: say`A cluster has one of each name. Leave the other files out with --exclude.` }];
}
