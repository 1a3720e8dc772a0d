import { own as ownOf, put } from '../../../util/own.ts';
import { say } from '../../../util/say.ts';
import { isList, isObject, valueAt } from '../../../util/values.ts';
import type { JsonObject } from '../../../kubernetes/json.ts';
import type { Fact } from '../../index/fact.ts';
import type { Fix, FixEdit } from './rule.ts';
import { replaceMap } from './edits.ts';

/** What is little and enough to be counted. */
const usual: ReadonlyMap<string, string> = new Map([
  ['cpu', '100m'],
  ['memory', '128Mi'],
  ['ephemeral-storage', '1Gi'],
]);

/** Writes what a quota wants every container to say: `must specify limits.memory for: app,sidecar; requests.cpu for: app`. */
export function wantedByQuota(fact: Fact, refusal: string): readonly Fix[] {
  const words = 'must specify ';
  const start = refusal.indexOf(words);
  const said = refusal.slice(start + words.length);
  if (start === -1 || fact.template === undefined) return [];
  const lacking = said.split(';').flatMap((part) => {
    const [, list, resource, names] = /^\s*(?:(requests|limits)\.)?(\S+?) for: (.+)$/.exec(part) ?? [];
    if (resource === undefined || names === undefined) return [];
    return names.split(',').map((name) => ({ list: list ?? 'requests', resource, name: name.trim() }));
  });
  // Requests are read before limits.
  lacking.sort((a, b) => (a.list < b.list ? 1 : a.list > b.list ? -1 : 0));
  const edits: FixEdit[] = [];
  for (const field of ['containers', 'initContainers']) {
    const at = [...fact.template.path, 'spec', field];
    const containers = valueAt(fact.manifest.value, at);
    for (const [index, container] of (isList(containers) ? containers : []).entries()) {
      const own = lacking.filter(({ name }) => name === valueAt(container, ['name']));
      if (own.length === 0) continue;
      const path = [...at, index, 'resources'];
      const there = valueAt(fact.manifest.value, path);
      const resources: Record<string, JsonObject> = isObject(there) ? { ...(there as Record<string, JsonObject>) } : {};
      for (const { list, resource } of own) {
        const amount = usual.get(resource);
        if (amount === undefined) return [];
        // A limit that is lower than the request would be refused.
        const other = valueAt(resources, [list === 'limits' ? 'requests' : 'limits', resource]);
        const before = ownOf(resources, list);
        put(resources, list, {
          ...before,
          [resource]: typeof other === 'string' || typeof other === 'number' ? String(other) : amount,
        });
      }
      edits.push(...replaceMap(fact, path, resources));
    }
  }
  if (edits.length === 0) return [];
  return [{ title: say`Write the amounts that the quota wants of each container`, preferred: true, edits }];
}
