import { areTogether, folderOf } from '../../kubernetes/nearest-declaration.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { getOrInsert } from '../../util/maps.ts';
import { derived, type Replacement } from './derived.ts';
import type { Fact, FactsReader } from './fact.ts';

/** Names no namespace, or has that of a chart which nothing installs: whoever applies it says which. */
export function isUnplaced({ manifest: { rendering }, namespace, object }: Fact): boolean {
  if (rendering === undefined) return object.metadata?.namespace === undefined;
  return rendering.hasOnlyOwnValues && namespace === 'default';
}

/**
 * Whether nobody knows that two objects of one namespace come into one cluster: they are in folders of which a cluster
 * has one, or neither names its namespace, and they are of two charts or in folders beside each other, as those of a
 * catalogue.
 */
function mayLiveApart(one: Fact, other: Fact, facts: FactsReader): boolean {
  if (isUnplaced(one) && isUnplaced(other)) {
    const source = sourceOf(one);
    if (source !== sourceOf(other) || (source === undefined && !areTogether(one.uri, other.uri))) return true;
  }
  const lanes = lanesOf(one, facts);
  return lanes.size > 0 && [...lanesOf(other, facts)].some(([fork, lane]) => (lanes.get(fork) ?? lane) !== lane);
}

function sourceOf({ manifest }: Fact): string | undefined {
  return manifest.rendering?.source;
}

const near = derived(
  workloadKinds,
  () => new WeakMap<readonly Fact[], Map<string, readonly Fact[]>>(),
  (_, replacement) => staysWhereItIs(replacement),
);

/** Of a list those that live with an object: worked out once for all that is written in its folder as it is. */
export function livingWith(list: readonly Fact[], fact: Fact, facts: FactsReader): readonly Fact[] {
  if (list.length === 0) return list;
  const known = getOrInsert(near(facts), list, () => new Map());
  const place = `${folderOf(fact.uri)} ${isUnplaced(fact)} ${sourceOf(fact)}`;
  let found = known.get(place);
  if (found === undefined) {
    found = list.filter((each) => !mayLiveApart(each, fact, facts));
    if (found.length === list.length) found = list;
    known.set(place, found);
  }
  return found;
}

/** Of workloads those that one cluster has: of folders that are alternatives the first. */
export function ofOneCluster(workloads: readonly Fact[], facts: FactsReader): readonly Fact[] {
  const chosen = new Map<string, string>();
  return workloads.filter((workload) => {
    const lanes = [...lanesOf(workload, facts)];
    if (lanes.some(([fork, lane]) => (chosen.get(fork) ?? lane) !== lane)) return false;
    for (const [fork, lane] of lanes) chosen.set(fork, lane);
    return true;
  });
}

/** In which of the folders that are alternatives an object is written, by the folder that these are in. */
function lanesOf({ uri, manifest }: Fact, facts: FactsReader): ReadonlyMap<string, string> {
  const forks = alternatives(facts);
  if (forks.size === 0 || manifest.rendering !== undefined) return none;
  const lanes = new Map<string, string>();
  for (const folder of foldersAbove(uri)) {
    const lane = nextFolder(uri, folder);
    if (forks.get(folder)?.has(lane) === true) lanes.set(folder, lane);
  }
  return lanes;
}

const none: ReadonlyMap<string, string> = new Map();

/**
 * Rings, stages and samples: folders beside each other that declare the same workload, of which a cluster has one of
 * each name. By the folder that they are in.
 */
const alternatives = derived(
  workloadKinds,
  (...lists) => {
    const first = new Map<string, Fact>();
    const forks = new Map<string, Set<string>>();
    for (const fact of lists.flat()) {
      if (fact.name === '' || fact.source !== 'workspace' || fact.manifest.rendering !== undefined) continue;
      const key = workloadKey(fact.kind, fact.namespace, fact.name);
      const other = first.get(key);
      if (other === undefined) first.set(key, fact);
      if (other === undefined || areTogether(other.uri, fact.uri)) continue;
      const fork = foldersAbove(fact.uri).find((folder) => other.uri.startsWith(folder))!;
      const lanes = forks.get(fork) ?? new Set();
      forks.set(fork, lanes.add(nextFolder(fact.uri, fork)).add(nextFolder(other.uri, fork)));
    }
    return forks;
  },
  (_, replacement) => staysWhereItIs(replacement),
);

/** Whether an edit of a workload changes nothing of which lives with which. */
export function staysWhereItIs({ before, after }: Replacement): boolean {
  return (
    before.template !== undefined &&
    before.name === after.name &&
    before.namespace === after.namespace &&
    before.uri === after.uri &&
    isUnplaced(before) === isUnplaced(after)
  );
}

/** With a slash at their ends, the nearest first. */
function foldersAbove(uri: string): readonly string[] {
  const folders: string[] = [];
  for (let end = uri.lastIndexOf('/'); end > 0; end = uri.lastIndexOf('/', end - 1)) {
    folders.push(uri.slice(0, end + 1));
  }
  return folders;
}

function nextFolder(uri: string, folder: string): string {
  return uri.slice(folder.length).split('/', 1)[0]!;
}
