import { dirname } from 'node:path';
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
  /^(?:prod(?:uction)?|prd|live|stag(?:e|ing)|stg|dev(?:el(?:opment)?)?|test(?:ing)?|qa|uat|preprod|preview|sandbox|integration|int)\b/i;

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

function isEnvironment(label: string): boolean {
  return environment.test(label) || isProductive(label);
}

/**
 * Sorts sources into targets. Alternatives are told apart by the nearest part of their paths in which they differ; a
 * target takes of each set of alternatives the one of its name, or else the one that would count by itself.
 */
export function findTargets(sources: readonly Source[]): Targets {
  const sets = alternativesIn(sources);
  const labelOf = new Map<Source, string>();
  const names = new Set<string>();
  const preferredOf = new Map<Source, string>();
  const labelsOf = new Map<Source, ReadonlySet<string>>();
  for (const set of sets) {
    const labels = labelsFor(set);
    const distinct = new Set(labels.values());
    if (distinct.size < 2) continue;
    const preferred = prefer(
      [...distinct].filter((label) => isLive(label, labels)),
      [...distinct],
      labels,
    );
    for (const [source, label] of labels) {
      labelOf.set(source, label);
      preferredOf.set(source, preferred);
      labelsOf.set(source, distinct);
      names.add(label);
    }
  }
  const target = (name: string): Target => ({
    name,
    includes(source) {
      const label = labelOf.get(source);
      if (label === undefined) return true;
      return label === (labelsOf.get(source)!.has(name) ? name : preferredOf.get(source));
    },
  });
  if (names.size === 0) {
    const only = target('');
    return { all: [only], preferred: only };
  }
  const all = [...names].sort().map(target);
  const applying = new Set([...labelOf].flatMap(([source, label]) => (appliesNothing(source) ? [] : [label])));
  const preferred = prefer([...applying], [...names], labelOf);
  return { all, preferred: all.find(({ name }) => name === preferred)! };
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
    const own = foldersOf.get(label);
    if (own === undefined) foldersOf.set(label, [folder]);
    else own.push(folder);
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
function alternativesIn(sources: readonly Source[]): Source[][] {
  const byGroup = new Map<string, Source[]>();
  for (const source of sources) {
    for (const group of source.groups) {
      // What is delivered by objects is meant to live together, unless it is for different environments.
      if (group.endsWith(':delivered') && !source.labels.some(isEnvironment)) continue;
      const members = byGroup.get(group);
      if (members === undefined) byGroup.set(group, [source]);
      else members.push(source);
    }
  }
  const setOf = new Map<Source, Set<Source>>();
  for (const members of byGroup.values()) {
    if (members.length < 2) continue;
    const joined = new Set(members.flatMap((member) => [...(setOf.get(member) ?? [member])]));
    for (const member of joined) setOf.set(member, joined);
  }
  return [...new Set(setOf.values())].map((set) => [...set]);
}

/** The part of the path at which most of them differ; of parts that do as well, the nearest. */
function labelsFor(set: readonly Source[]): Map<Source, string> {
  const depth = Math.max(...set.map(({ labels }) => labels.length));
  let best: Map<Source, string> | undefined;
  let most = 0;
  for (let at = 0; at < depth; at++) {
    const labels = new Map(set.map((source) => [source, source.labels[at] ?? source.name]));
    const named = [...labels.values()].filter(isEnvironment).length;
    const distinct = new Set(labels.values()).size;
    const rating = distinct === 1 ? 0 : distinct + (named === set.length ? set.length : 0);
    if (rating <= most) continue;
    most = rating;
    best = labels;
  }
  return best ?? new Map<Source, string>();
}
