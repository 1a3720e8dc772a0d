import { own } from '../../util/own.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { say } from '../../util/say.ts';
import { asList, asMap, asPrinted, asText } from '../../manifests/read-data.ts';
import type { ConfigMapHere } from './delivery.ts';
import type { ConfigMapValues } from '../files/source.ts';
import { setValues, type Value, type Values, valuesAsJson, valuesFrom } from '../helm/helm-set.ts';
import { readMarked } from '../files/read-marked.ts';

/** What a HelmRelease gives its chart. */
export interface ReleaseValues {
  readonly values: JsonObject;
  /** What it takes values from that is not read here, and why: one sentence each, without a full stop. */
  readonly lacks: readonly string[];
  readonly configMaps: readonly ConfigMapValues[];
  /** Why Flux would not install it; null when nothing speaks against it. */
  readonly error: string | null;
}

/**
 * The values of a HelmRelease, merged as Flux does. Source: fluxcd/pkg, chartutil/values.go (ChartValuesFromReferences:
 * what is set by a path counts more than `values`, but where both of two maps have been merged by then)
 *
 * @param configMap the data of a ConfigMap; null where there is none here
 */
export async function releaseValues(
  spec: JsonObject,
  configMap: (name: string) => Promise<ConfigMapHere | null>,
): Promise<ReleaseValues> {
  const written = valuesFrom(asMap(spec['values'])) as Values;
  const lacks: string[] = [];
  const configMaps: ConfigMapValues[] = [];
  let result: Values = new Map();
  for (const reference of asList(spec['valuesFrom']).map(asMap)) {
    const name = asText(reference['name']);
    const key = asText(reference['valuesKey']) || 'values.yaml';
    const kind = asText(reference['kind']);
    // Flux goes on without what is optional; whether it is there, nobody knows here.
    const isOptional = reference['optional'] === true;
    if (kind !== 'ConfigMap') {
      if (!isOptional) lacks.push(say`it takes values from ${kind} ${name}, which is not read`);
      continue;
    }
    const here = await configMap(name);
    const data = here?.data ?? null;
    if (here === null || own(data, key) === undefined) {
      const missing = data === null ? `ConfigMap ${name}` : say`${key} of ConfigMap ${name}`;
      if (!isOptional) lacks.push(say`it takes values from ${missing}, which is not in the workspace`);
      continue;
    }
    const text = asPrinted(own(data, key));
    const path = asText(reference['targetPath']);
    configMaps.push({ place: here.place, name, key, targetPath: path });
    const from = `ConfigMap ${name} (${key})`;
    if (path !== '') {
      result = mergeMaps(result, written);
      const error = setByPath(result, path, text);
      if (error !== null) return { values: {}, lacks, configMaps, error: `${from}: ${error}` };
      continue;
    }
    const { value, problem } = readMarked(text);
    if (problem !== null) return { values: {}, lacks, configMaps, error: `${from}: ${problem}` };
    result = mergeMaps(result, valuesFrom(asMap(value)) as Values);
  }
  return { values: asMap(valuesAsJson(mergeMaps(result, written))), lacks, configMaps, error: null };
}

/** Source: ReplacePathValue of the same file; quotes around a value make text of it. */
function setByPath(values: Values, path: string, text: string): string | null {
  const isQuoted = [`'`, `"`].some((quote) => text.startsWith(quote) && text.endsWith(quote));
  const value = isQuoted ? text.replace(/^['"]+/, '').replace(/(?<!['"])['"]+$/, '') : text;
  return setValues(`${path}=${value}`, values, isQuoted);
}

/** A new map, whose parts are those of the others where only one of them has any. Source: chartutil/merge.go (MergeMaps) */
function mergeMaps(a: Values, b: Values): Values {
  const merged = new Map<string, Value>(a);
  for (const [key, value] of b) {
    const known = merged.get(key);
    merged.set(key, value instanceof Map && known instanceof Map ? mergeMaps(known, value) : value);
  }
  return merged;
}
