import { dirname } from 'node:path';
import { addTo, getOrInsert, groupBy } from '../../util/maps.ts';
import type { AppliedSource } from './applied-source.ts';
import type { Source } from '../files/source.ts';

/** Sources that are applied together: of each set of alternatives one. */
export interface Target {
  readonly name: string;
  includes(source: Source): boolean;
  /** Workloads, as `workloadsOf` names them, that files declare which are not part of it. */
  readonly instead?: ReadonlySet<string>;
}

export interface Targets {
  /** By name; one without a name where there are no alternatives. */
  readonly all: readonly Target[];
  /** The one that counts where nobody chose. */
  readonly preferred: Target;
}

const environment =
  /^(?:prod(?:uction)?|prd|live|stag(?:e|ing)|stg|dev(?:el(?:opment)?)?|test(?:ing)?|qa|uat|preprod|preview|sandbox|sbox|sbx|integration|int)\b/i;

/**
 * Whether a label names production: `prod`, `eu-prod`, `prod-2`, `usdfprod`, `live`; `preprod` and `non-prod` do not.
 */
function isProductive(label: string): boolean {
  const words = label.toLowerCase().split(/[^a-z0-9]+/);
  return words.some(
    (word, at) =>
      /(?:prod(?:uction)?|^prd|^live)\d*$/.test(word) &&
      !/^(?:pre|non|not)/.test(word) &&
      !/^(?:pre|non|not)$/.test(words[at - 1] ?? ''),
  );
}

function isUsual(label: string): boolean {
  return environment.test(label) || isProductive(label);
}

/** The name of a folder that has one for each cluster or environment. */
const environmentFolder = /^(?:clusters?|env(?:ironment)?s?)$/;

/** Names of environments that only this repository has: in a folder of them, beside those that many have. */
type OwnNames = ReadonlySet<string>;

function ownNamesIn(sources: readonly Source[]): OwnNames {
  const inFolder = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const [at, label] of source.labels.entries()) {
      const folder = folderAt(source, at + 1);
      if (!environmentFolder.test(folder.split('/', 1)[0]!) || /^(?:_?base|common|shared)$/.test(label)) continue;
      inFolder.set(folder, (inFolder.get(folder) ?? new Set()).add(label));
    }
  }
  const folders = [...inFolder.values()].map((names) => [...names]);
  return new Set(folders.filter((names) => names.filter(isUsual).length > 1).flat());
}

function isEnvironment(label: string, own: OwnNames): boolean {
  return isUsual(label) || own.has(label);
}

/** Two labels of one environment begin alike: `stg`, `stage` and `staging`, `prod` and `eu-production`. */
function environmentOf(label: string, own: OwnNames): string | null {
  if (isProductive(label)) return 'production';
  const usual = environment.exec(label)?.[0].toLowerCase().slice(0, 2);
  return usual ?? (own.has(label) ? label : null);
}

/** The environment in whose folder lies all that has a label: `dev/disabled` is of `dev`. */
function environmentsOf(
  labelOf: ReadonlyMap<Source, string>,
  names: ReadonlySet<string>,
  own: OwnNames,
): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  for (const [source, label] of labelOf) {
    const [around = null] = source.labels.flatMap((each) => (names.has(each) ? (environmentOf(each, own) ?? []) : []));
    found.set(label, found.has(label) && found.get(label) !== around ? null : around);
  }
  return found;
}

function areTogether(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

interface Alternatives {
  readonly labels: ReadonlyMap<Source, string>;
  readonly distinct: ReadonlySet<string>;
  readonly preferred: string;
  /** Folders that have one for each cluster, where objects of Flux or Argo CD are written. */
  readonly clusters: Set<string>;
  /** Which of them targets of other names take, by the environment of these. */
  readonly chosen: Map<string | null, string | null>;
}

/**
 * Sorts sources into targets. Alternatives are told apart by the nearest part of their paths in which they differ; a
 * target takes of each set of alternatives the one of its name, or else the one that would count by itself, unless that
 * is of another environment or cluster. What has no alternative is of the environment or the cluster in whose folder
 * it is.
 */
export function findTargets(sources: readonly Source[]): Targets {
  const labelOf = new Map<Source, string>();
  const setOf = new Map<Source, Alternatives>();
  const names = new Set<string>();
  const ownNames = ownNamesIn(sources);
  const found = alternativesIn(sources, ownNames).map((set) => ({ set, ...labelsFor(set, ownNames) }));
  const ofClusters = clusterFolders(found);
  const sets = found.map(({ set, ...own }) => {
    const { labels, at } = ofOuter(own, ofClusters);
    return { ...clustersWithin(set, labels, at), at };
  });
  /** Clusters of one environment, `prod/00`, and the environment of each. */
  const environments = new Map(sets.flatMap(({ within }) => [...within]));
  const whole = new Set(environments.values());
  /** Names by the folder of a cluster, and for each name the folders that these are in. */
  const clusters = new Map<string, string>();
  const clustersOf = new Map<string, Set<string>>();
  for (const { labels: own, at } of sets) {
    const labels = new Map([...own].map(([source, label]) => [source, clusterIn(source, environments) ?? label]));
    const distinct = new Set(labels.values());
    if (distinct.size < 2) continue;
    const live = [...distinct].filter((label) => isLive(label, labels));
    const preferred = prefer(live, [...distinct], labels);
    const above = new Set<string>();
    const alternatives = {
      labels,
      distinct,
      preferred,
      clusters: above,
      chosen: new Map<string | null, string | null>(),
    };
    for (const [source, label] of labels) {
      labelOf.set(source, label);
      setOf.set(source, alternatives);
      if (!whole.has(label)) names.add(label);
      const level = at.get(source) ?? 0;
      if (!isDelivered(source) || level >= source.labels.length) continue;
      const folder = folderAt(source, level + 1);
      clusters.set(folderAt(source, level), label);
      // Of several owners, whose clusters are in a folder each: `envs/osc/cl1` and `envs/moc/demo`.
      const ofOwners = environmentFolder.test(source.labels[level + 2] ?? '') ? [folderAt(source, level + 2)] : [];
      for (const each of [folder, ...ofOwners]) {
        above.add(each);
        clustersOf.set(label, (clustersOf.get(label) ?? new Set()).add(each));
      }
    }
    // Clusters of one set are others, be they in folders of several.
    for (const label of distinct) for (const folder of above) clustersOf.get(label)?.add(folder);
  }
  const folders = new Map<Source, string | undefined>();
  const ofFolder = (source: Source): string | undefined => {
    if (!folders.has(source)) {
      const cluster = source.labels.findIndex((_, at) => clusters.has(folderAt(source, at)));
      const own = source.labels.find(
        (label) => clustersOf.has(label) || ((names.has(label) || whole.has(label)) && isEnvironment(label, ownNames)),
      );
      const ofClusters = cluster === -1 ? own : clusters.get(folderAt(source, cluster));
      folders.set(source, clusterIn(source, environments) ?? ofClusters);
    }
    return folders.get(source);
  };
  // Overlays that nobody delivers, of a base that is delivered to clusters, are for clusters beside these.
  const deliveredTo = new Map<string, ReadonlySet<string>>();
  for (const source of sources) {
    const folders = isDelivered(source) ? clustersOf.get(ofFolder(source) ?? '') : undefined;
    for (const group of folders === undefined ? [] : source.groups) deliveredTo.set(group, folders!);
  }
  for (const [source, { clusters: above }] of setOf) {
    if (isDelivered(source)) continue;
    const label = labelOf.get(source)!;
    for (const folder of source.groups.flatMap((group) => [...(deliveredTo.get(`${group}:delivered`) ?? [])])) {
      above.add(folder);
      clustersOf.set(label, (clustersOf.get(label) ?? new Set()).add(folder));
    }
  }
  const byLabel = environmentsOf(labelOf, names, ownNames);
  const environmentNamed = (label: string): string | null => {
    return environmentOf(environments.get(label) ?? label, ownNames) ?? byLabel.get(label) ?? null;
  };
  const clusterIsOf = new Map<string | null, string | null>();
  /** The cluster that counts by itself among those of an environment. */
  const clusterOf = (environment: string | null): string | null =>
    getOrInsert(clusterIsOf, environment, () => {
      const among = [...clustersOf.keys()].filter((label) => areTogether(environment, environmentNamed(label)));
      return among.length === 0 ? null : prefer([], among, labelOf);
    });
  const target = (name: string): Target => {
    const within = environments.get(name);
    const environment = environmentNamed(name);
    const around = [...(clustersOf.get(name) ?? [])];
    // What lies in the folder of a cluster that has this one's in it is no other cluster's.
    const enclosing = new Set(
      [...clusters].flatMap(([folder, label]) =>
        label === name ? foldersAround(folder).map((outer) => clusters.get(outer)) : [],
      ),
    );
    const isTogether = (label: string): boolean => areTogether(environment, environmentNamed(label));
    // What is of no cluster by its name is applied in one of them.
    const cluster = around.length > 0 ? null : clusterOf(environment);
    const chosenFrom = ({ labels, distinct, preferred, clusters: above, chosen }: Alternatives): string | null => {
      if (distinct.has(name)) return name;
      if (within !== undefined && distinct.has(within)) return within;
      if (around.some((folder) => above.has(folder))) return null;
      if (cluster !== null && distinct.has(cluster)) return cluster;
      return getOrInsert(chosen, environment, () => {
        const left = [...distinct].filter((label) => isTogether(label));
        return left.length === 0 ? null : left.includes(preferred) ? preferred : prefer([], left, labels);
      });
    };
    return {
      name,
      includes(source) {
        const set = setOf.get(source);
        if (set !== undefined) {
          const chosen = chosenFrom(set);
          const own = labelOf.get(source);
          return own === chosen || (chosen !== null && own === environments.get(chosen));
        }
        const label = ofFolder(source);
        if (label === undefined || label === name) return true;
        if (within !== undefined && environments.has(label)) return false;
        if (cluster !== null && label !== cluster && clustersOf.has(label)) return false;
        const isOfCluster = !enclosing.has(label) && around.some((folder) => clustersOf.get(label)?.has(folder));
        return !isOfCluster && isTogether(label);
      },
    };
  };
  if (names.size === 0) {
    const only = target('');
    return { all: [only], preferred: only };
  }
  const all = [...names].sort().map(target);
  const applying = new Set([...labelOf].flatMap(([source, label]) => (appliesNothing(source) ? [] : [label])));
  const preferred = prefer([...applying], [...names], labelOf);
  return { all, preferred: all.find(({ name }) => name === preferred)! };
}

interface Labelled {
  readonly labels: ReadonlyMap<Source, string>;
  /** Which part of its path each label is. */
  readonly at: ReadonlyMap<Source, number>;
}

/** The folders of clusters, as the sets that objects of Flux and Argo CD are in tell them apart. */
function clusterFolders(sets: readonly Labelled[]): ReadonlySet<string> {
  const apart = sets.filter(({ labels }) => new Set(labels.values()).size > 1);
  const levels = apart.flatMap(({ at }) => [...at].filter(([source]) => isDelivered(source)));
  return new Set(levels.map(([source, level]) => folderAt(source, level)));
}

/** One cluster has one name: where each cluster of a set lies in a folder that is another set's, it is called as that. */
function ofOuter(own: Labelled, folders: ReadonlySet<string>): Labelled {
  const at = new Map(
    [...own.at].map(([source, level]) => [
      source,
      source.labels.findLastIndex((_, outer) => outer > level && folders.has(folderAt(source, outer))),
    ]),
  );
  const labels = new Map([...at].map(([source, level]) => [source, source.labels[level] ?? '']));
  const pairs = new Set([...labels].map(([source, label]) => JSON.stringify([own.labels.get(source), label])));
  const names = new Set(labels.values());
  const isOneToOne = names.size === pairs.size && new Set(own.labels.values()).size === pairs.size;
  return isOneToOne && !names.has('') ? { labels, at } : own;
}

function isDelivered({ kind }: Source): boolean {
  return kind === 'flux-kustomization' || kind === 'argo-application';
}

/** The folder that a label is the name of, from there to the root. */
function folderAt({ labels }: Source, at: number): string {
  return labels.slice(at).join('/');
}

/** Those that a folder of `folderAt` lies in, up to the root. */
function foldersAround(folder: string): readonly string[] {
  const labels = folder.split('/');
  return labels.slice(1).map((_, at) => labels.slice(at + 1).join('/'));
}

/** Whether an applied source, or the one that it was found in, is of a target. */
export function isInTarget(target: Target, { source, parent }: AppliedSource): boolean {
  return target.includes(source) && (parent === null || isInTarget(target, parent));
}

function isLive(label: string, labels: ReadonlyMap<Source, string>): boolean {
  return [...labels].some(([source, own]) => own === label && !appliesNothing(source));
}

/** Of a kustomization that takes nothing, or what cannot be rendered, nothing comes. */
function appliesNothing({ kind, recipe, refusal, resources, remotes, standIns }: Source): boolean {
  if (refusal !== null || recipe === null) return true;
  return (
    kind === 'kustomization' && resources.size + remotes.length === 0 && standIns.every(({ paths }) => paths.size === 0)
  );
}

/** @param all where none of them applies anything */
function prefer(labels: readonly string[], all: readonly string[], labelOf: ReadonlyMap<Source, string>): string {
  const sorted = (labels.length === 0 ? [...all] : [...labels]).sort();
  const named = sorted.find(isProductive) ?? sorted.find((label) => label === 'default');
  if (named !== undefined) return named;
  // A kustomization that lies in the folder of another is a part beside it that nobody takes in.
  const labelsIn = new Map<string, Set<string>>();
  const foldersOf = new Map<string, string[]>();
  for (const [{ kind, place }, label] of labelOf) {
    if (kind !== 'kustomization') continue;
    const folder = dirname(place.file);
    labelsIn.set(folder, (labelsIn.get(folder) ?? new Set()).add(label));
    addTo(foldersOf, label, folder);
  }
  const isBelowAnother = (folder: string, label: string): boolean => {
    for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
      const others = labelsIn.get(above);
      if (others !== undefined && (others.size > 1 || !others.has(label))) return true;
    }
    return false;
  };
  const isInner = (label: string): boolean => {
    const own = foldersOf.get(label) ?? [];
    return own.length > 0 && own.every((folder) => isBelowAnother(folder, label));
  };
  return sorted.find((label) => !isInner(label)) ?? sorted[0]!;
}

/** Sets of sources that have a group in common, directly or through others. */
function alternativesIn(sources: readonly Source[], ownNames: OwnNames): Source[][] {
  const byGroup = new Map<string, Source[]>();
  const ofNoEnvironment = new Set(
    sources.filter(({ labels }) => !labels.some((label) => isEnvironment(label, ownNames))),
  );
  for (const source of sources) {
    for (const group of source.groups) {
      // What is delivered by objects is meant to live together, unless it is for different environments.
      if (group.endsWith(':delivered') && ofNoEnvironment.has(source)) continue;
      addTo(byGroup, group, source);
    }
  }
  const setOf = new Map<Source, Set<Source>>();
  for (const members of [...byGroup.values()].flatMap((each) => instancesIn(each, ofNoEnvironment))) {
    if (members.length < 2) continue;
    const joined = new Set(members.flatMap((member) => [...(setOf.get(member) ?? [member])]));
    for (const member of joined) setOf.set(member, joined);
  }
  return [...new Set(setOf.values())].map((set) => [...set]);
}

/** Overlays of one base that are of no environment and have a namespace each run beside each other in one cluster. */
function instancesIn(members: readonly Source[], ofNoEnvironment: ReadonlySet<Source>): (readonly Source[])[] {
  const byNames = groupBy(members, (member) => (ofNoEnvironment.has(member) ? (member.renames ?? '') : ''));
  return byNames.size - Number(byNames.has('')) > 1 ? [...byNames.values()] : [members];
}

/** The cluster of an environment in whose folder a source is. */
function clusterIn({ labels }: Source, environments: ReadonlyMap<string, string>): string | undefined {
  for (const [above, environment] of labels.entries()) {
    const own = labels.slice(0, above).find((label) => environments.has(`${environment}/${label}`));
    if (own !== undefined) return `${environment}/${own}`;
  }
  return undefined;
}

/**
 * What has one label and makes the same objects is of several clusters of an environment: `prod/00` and `prod/01`. The
 * nearest part of their paths in which they differ tells them apart.
 */
function clustersWithin(
  set: readonly Source[],
  labels: ReadonlyMap<Source, string>,
  at: ReadonlyMap<Source, number>,
): { readonly labels: ReadonlyMap<Source, string>; readonly within: ReadonlyMap<string, string> } {
  const alike = new Map<string, Source[]>();
  for (const source of set) {
    const label = labels.get(source)!;
    if (source.refusal?.why === 'not-applied') continue;
    const { groups, renames } = source;
    const made = isDelivered(source) ? [groups[0]] : source.kind === 'kustomization' ? [renames, ...groups].sort() : [];
    const key = JSON.stringify([label, made.length === 0 ? source.id : made]);
    addTo(alike, key, source);
  }
  const own = new Map(labels);
  const within = new Map<string, string>();
  for (const members of alike.values()) {
    const nearer = Math.min(...members.map((source) => at.get(source) ?? 0));
    for (let level = 0; level < nearer && members.length > 1; level++) {
      if (new Set(members.map((source) => source.labels[level])).size < members.length) continue;
      for (const source of members) {
        const environment = labels.get(source)!;
        const name = `${environment}/${source.labels[level]!}`;
        own.set(source, name);
        within.set(name, environment);
      }
      break;
    }
  }
  return { labels: own, within };
}

/**
 * The part of the path at which most of them differ; of parts that do as well, the nearest. Far above a kustomization
 * lies what it is of, which tells alternatives apart only where nothing near does. Where each is in the folder of an
 * environment, that is the part.
 */
function labelsFor(
  set: readonly Source[],
  ownNames: OwnNames,
): {
  readonly labels: ReadonlyMap<Source, string>;
  readonly at: ReadonlyMap<Source, number>;
} {
  const isNamed = (label: string): boolean => isEnvironment(label, ownNames);
  const depth = Math.max(...set.map(({ labels }) => labels.length));
  let best = { labels: new Map<Source, string>(), at: 0, isNamed: false };
  let most = 0;
  for (let at = 0; at < depth; at++) {
    if (at > 1 && most > 0 && set.some(({ kind }) => kind === 'kustomization')) break;
    const labels = new Map(set.map((source) => [source, source.labels[at] ?? source.name]));
    const named = [...labels.values()].filter(isNamed).length;
    const distinct = new Set(labels.values()).size;
    const rating = distinct === 1 ? 0 : distinct + (named === set.length ? set.length : 0);
    if (rating <= most) continue;
    most = rating;
    best = { labels, at, isNamed: named === set.length };
  }
  const levels = new Map(set.map((source) => [source, source.labels.findIndex(isNamed)]));
  const nearest = new Map([...levels].map(([source, level]) => [source, source.labels[level] ?? '']));
  const environments = new Set(nearest.values());
  if (!best.isNamed && environments.size > 1 && !environments.has('')) return { labels: nearest, at: levels };
  return { labels: best.labels, at: new Map(set.map((source) => [source, best.at])) };
}
