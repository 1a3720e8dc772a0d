/**
 * Charts that a kustomization inflates and that lie on disk, or were fetched. kustomize would run helm for them, which no
 * release of kubectl does with Helm 4: Podium runs it, and the kustomization takes what comes out as a resource.
 * Source: kustomize, api/internal/builtins/HelmChartInflationGenerator.go
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { JsonObject } from '../../kubernetes/json.ts';
import { asMap, asText } from '../../manifests/read-data.ts';
import { listed, plainJson, texts } from './kustomize-values.ts';
import type { Fetched } from '../files/fetched.ts';
import { type Remote, remoteChart } from '../files/remote.ts';
import type { InflatedChart } from '../files/source.ts';
import type { SourceFiles } from '../files/source-files.ts';

/** What decides nothing, or is read below; with any other field a chart is not inflated. */
const known: ReadonlySet<string> = new Set([
  ...['name', 'version', 'repo', 'releaseName', 'namespace', 'valuesFile', 'additionalValuesFiles', 'valuesInline'],
  ...['includeCRDs', 'skipTests', 'skipHooks', 'debug'],
]);

/** An entry of `helmCharts`. */
export interface ChartEntry {
  /** Null where the chart or its values are not here, or it is inflated in a way that is not known here. */
  readonly inflated: Omit<InflatedChart, 'target'> | null;
  /** What kustomize would have helm pull; null where the chart is on disk, or has no repository. */
  readonly remote: Remote | null;
  /** Files of values that are not there, as they are written. */
  readonly missing: readonly string[];
}

export const unknownChart: ChartEntry = { inflated: null, remote: null, missing: [] };

export async function readChartEntry(
  entry: JsonObject,
  kustomization: JsonObject,
  folder: string,
  files: SourceFiles,
  fetched: Fetched,
): Promise<ChartEntry> {
  const name = asText(entry['name']);
  if (name === '' || Object.keys(entry).some((field) => !known.has(field))) return unknownChart;
  const home = resolve(folder, asText(asMap(kustomization['helmGlobals'])['chartHome']) || 'charts');
  const version = asText(entry['version']);
  for (const found of [join(home, name), join(home, `${name}-${version}`, name)]) {
    if ((await files.kindOf(join(found, 'Chart.yaml'))) !== 'file') continue;
    return { ...(await inflatedFrom(found, entry, folder, files)), remote: null };
  }
  const repository = asText(entry['repo']);
  if (repository === '') return unknownChart;
  const remote = remoteChart(repository, name, version);
  const found = await fetched.path(remote);
  return found === null
    ? { ...unknownChart, remote }
    : { ...(await inflatedFrom(found, entry, folder, files)), remote };
}

async function inflatedFrom(
  chart: string,
  entry: JsonObject,
  folder: string,
  files: SourceFiles,
): Promise<Pick<ChartEntry, 'inflated' | 'missing'>> {
  const written = [asText(entry['valuesFile']), ...texts(entry, 'additionalValuesFiles')].filter((file) => file !== '');
  const missing: string[] = [];
  for (const file of written) if ((await files.kindOf(resolve(folder, file))) !== 'file') missing.push(file);
  if (missing.length > 0) return { inflated: null, missing };
  const inflated = {
    folder: chart,
    valueFiles: written.map((file) => resolve(folder, file)),
    values: asMap(entry['valuesInline']),
    release: asText(entry['releaseName']) || 'release-name',
    namespace: asText(entry['namespace']),
    flags: [
      ...(entry['includeCRDs'] === true ? ['--include-crds'] : []),
      ...(entry['skipTests'] === true ? ['--skip-tests'] : []),
      ...(entry['skipHooks'] === true ? ['--no-hooks'] : []),
    ],
  };
  return { inflated, missing };
}

/** A kustomization that takes what comes out of its charts. */
export function withInflated(value: JsonObject, charts: readonly InflatedChart[]): JsonObject {
  const rest = Object.entries(value).filter(([key]) => !/^(?:helmCharts|helmGlobals|resources)$/iu.test(key));
  const made = charts.map(({ target }) => basename(target));
  return { ...Object.fromEntries(rest), resources: [...listed(value, 'resources'), ...made] };
}

/** The arguments for helm, with paths as it is to find them, and a release that is no option. */
export async function inflationArguments(
  { folder, valueFiles, values, release, namespace, flags }: InflatedChart,
  into: string,
  shown: (path: string) => string,
  inside: (path: string) => string,
): Promise<string[]> {
  const args = ['template', release, shown(folder), ...flags];
  if (namespace !== '') args.push('--namespace', namespace);
  for (const file of valueFiles) args.push('-f', shown(file));
  if (Object.keys(values).length > 0) {
    await mkdir(into, { recursive: true });
    const file = join(into, 'inline.json');
    await writeFile(file, plainJson(values));
    args.push('-f', inside(file));
  }
  return args;
}
