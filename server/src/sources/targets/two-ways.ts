import type { ManifestFile } from '../../manifests/manifest.ts';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import type { AppliedSource } from './applied-source.ts';
import type { Source } from '../files/source.ts';
import { findTargets, type Target, type Targets } from './targets.ts';

/** A chart that makes what other files declare, too: another way to install the same. */
export interface OtherWay {
  readonly chart: Source;
  /** Its workloads, as `workloadsOf` names them. */
  readonly workloads: ReadonlySet<string>;
}

/** Of the workloads of a chart so many are declared elsewhere. */
const shared = 1 / 2;

/** `Deployment/web`: releases and kustomizations give the same software namespaces of their own. */
export function workloadsOf(objects: Iterable<{ readonly kind: string; readonly name: string }>): Set<string> {
  const names = new Set<string>();
  for (const { kind, name } of objects) if (isWorkloadKind(kind) && name !== '') names.add(`${kind}/${name}`);
  return names;
}

/**
 * Charts that no object installs and whose workloads manifests or kustomizations declare as well: a cluster has one of
 * the two.
 * @param plain files that no source takes
 */
export function otherWaysOf(sources: readonly AppliedSource[], plain: readonly ManifestFile[]): readonly OtherWay[] {
  const isOwn = ({ source, parent }: AppliedSource): boolean => source.kind === 'chart' && parent === null;
  const charts = sources.filter((each) => isOwn(each) && each.refusal === null);
  if (charts.length === 0) return [];
  const elsewhere = workloadsOf([
    ...sources.flatMap((each) => (isOwn(each) ? [] : each.made.map(({ object }) => object))),
    ...plain.flatMap(({ documents }) => documents.flatMap(({ document }) => document.objects)),
  ]);
  return charts.flatMap(({ source, made }) => {
    const workloads = workloadsOf(made.map(({ object }) => object));
    const alike = [...workloads].filter((each) => elsewhere.has(each)).length;
    return alike > 0 && alike >= workloads.size * shared ? [{ chart: source, workloads }] : [];
  });
}

/** The targets of the other sources, and each such chart as a target of its own. */
export function targetsOf(sources: readonly Source[], ways: readonly OtherWay[]): Targets {
  const charts = new Set(ways.map(({ chart }) => chart));
  const { all, preferred } = findTargets(sources.filter((source) => !charts.has(source)));
  if (charts.size === 0) return { all, preferred };
  const rest = all.map((target): Target => ({
    name: target.name,
    includes: (source) => !charts.has(source) && target.includes(source),
  }));
  const own = ways.map(({ chart, workloads }): Target => ({
    name: chart.name,
    includes: (source) => source === chart,
    instead: workloads,
  }));
  return { all: [...rest, ...own], preferred: rest[all.indexOf(preferred)]! };
}
