import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { URI } from 'vscode-uri';
import type { Json, Path } from '../../kubernetes/json.ts';
import type { FilePlace, ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import { asList, asMap, asPrinted, asText, type DataFile, readData } from '../../manifests/read-data.ts';
import { documentAtLine, placedRange } from '../../manifests/text-positions.ts';
import { isScalar, valueAtPath } from '../files/json-paths.ts';
import { objectTextAt } from '../kustomize/object-text.ts';
import { filePlace, placeInText } from '../kustomize/patch-places.ts';
import type { FindPlace } from '../files/rendered-object.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { ConfigMapValues, HelmRecipe, Source } from '../files/source.ts';
import type { TemplateObject } from './template-places.ts';

/** Values of a chart in the order in which they are asked: what counts most comes first. */
export interface ValuesFiles {
  /** Files of the whole chart, in which the values of a subchart stand below its name. */
  readonly files: readonly { readonly uri: string; readonly text: string; readonly data: DataFile }[];
  /** The object of Flux or Argo CD that has values of its own. */
  readonly object: ManifestFile | null;
  readonly line: number;
  /** What ConfigMaps give, the last first. */
  readonly configMaps: readonly ConfigMapText[];
}

/** Values in a ConfigMap, or in the file that it is generated from. */
interface ConfigMapText {
  /** The value that it is; empty for all of them. */
  readonly target: string;
  readonly value: Json;
  readonly placeOf: (at: Path) => FilePlace | undefined;
}

export async function readValuesFiles(
  source: Source,
  recipe: Pick<HelmRecipe, 'chart' | 'configMaps' | 'parameters' | 'valueFiles' | 'values'>,
  files: SourceFiles,
  parsed: (path: string) => Promise<ManifestFile | null>,
): Promise<ValuesFiles> {
  const read = async (path: string): Promise<ValuesFiles['files'][number]> => {
    const text = (await files.read(path)) ?? '';
    return { uri: URI.file(path).toString(), text, data: readData(text) };
  };
  const paths = [join(recipe.chart, 'values.yaml'), ...recipe.valueFiles].toReversed();
  return {
    files: await Promise.all(paths.map(read)),
    object: recipe.values.length + recipe.parameters.length > 0 ? await parsed(source.place.file) : null,
    line: source.place.line,
    configMaps: (
      await Promise.all(recipe.configMaps.toReversed().map((each) => readConfigMap(each, files, parsed)))
    ).flat(),
  };
}

async function readConfigMap(
  { place, name, key, targetPath }: ConfigMapValues,
  files: SourceFiles,
  parsed: (path: string) => Promise<ManifestFile | null>,
): Promise<ConfigMapText[]> {
  const isIt = (object: ManifestObject): boolean => object.kind === 'ConfigMap' && name.startsWith(object.name);
  const own = objectTextAt(await parsed(place.file), place.line, isIt);
  if (own === null) return generatedFrom(place.file, key, targetPath, files, parsed);
  const at: Path = ['data', key];
  const text = asPrinted(valueAtPath(own.data.value, at));
  const data = targetPath === '' ? readData(text) : null;
  return [
    {
      target: targetPath,
      value: data === null ? text : data.value,
      placeOf: (path) =>
        own.inFile(data === null ? filePlace(own, own.data.locate(at)) : placeInText(own, at, { text, data }, path)),
    },
  ];
}

/** A generator's ConfigMap stands nowhere; what it has of a file stands there. */
async function generatedFrom(
  kustomization: string,
  key: string,
  target: string,
  files: SourceFiles,
  parsed: (path: string) => Promise<ManifestFile | null>,
): Promise<ConfigMapText[]> {
  const source = (await files.read(kustomization)) ?? '';
  const written = readData(source);
  const generators = asList(asMap(written.value)['configMapGenerator']).map(asMap);
  for (const [index, generator] of generators.entries()) {
    for (const [at, entry] of asList(generator['literals']).map(asText).entries()) {
      const equals = entry.indexOf('=');
      if (equals === -1 || entry.slice(0, equals) !== key) continue;
      const value = unquoted(entry.slice(equals + 1));
      const own = { uri: URI.file(kustomization).toString(), text: source };
      const place = filePlace(own, written.locate(['configMapGenerator', index, 'literals', at]));
      return [{ target, value: target === '' ? readData(value).value : value, placeOf: () => place }];
    }
    for (const entry of asList(generator['files']).map(asText)) {
      const [named = '', path = named] = entry.split('=', 2);
      if ((path === named ? basename(path) : named) !== key || target !== '') continue;
      const file = resolve(dirname(kustomization), path);
      const text = await files.read(file);
      // Whoever asks is told when it is another.
      if (text === null || (await parsed(file)) === null) continue;
      const own = { uri: URI.file(file).toString(), text };
      const data = readData(text);
      return [{ target, value: data.value, placeOf: (at) => filePlace(own, data.locate(at)) }];
    }
  }
  return [];
}

/** Source: sigs.k8s.io/kustomize/api/kv/kv.go (parseLiteralSource) */
function unquoted(value: string): string {
  return /^(?:"[^]*"|'[^]*')$/.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

/** Where objects of Flux and Argo CD hold values. */
export const valuesIn: readonly Path[] = [
  ['spec', 'values'],
  ['spec', 'source', 'helm', 'valuesObject'],
];

/**
 * The place of a value that a template takes from `.Values`. It counts only where the value that is written there is
 * the one that came out.
 *
 * @param subchart names of the charts on the way to the template's own; their own values come last
 */
export function valuesPlaces(
  template: TemplateObject,
  { files, object, line, configMaps }: ValuesFiles,
  subchart: readonly string[],
  ownValues: ValuesFiles['files'],
): FindPlace {
  return (value, path) => {
    const found = template.valuesOf(path);
    if (found === undefined) return undefined;
    const rendered = valueAtPath(value, path);
    const ways = [...new Map(found.values.map((way) => [way.join('.'), way])).values()];
    const same = found.isOneOf && ways.length > 1 ? isEqual : isSame;
    const places = ways.flatMap((way) => placeOf([...way, ...path.slice(found.covered)], rendered, same) ?? []);
    return same === isEqual && places.length > 1 ? undefined : places[0];
  };

  function placeOf(own: Path, rendered: Json | undefined, isSame: typeof isEqual): FilePlace | undefined {
    const whole = own[0] === 'global' ? own : [...subchart, ...own];
    // A map or a list is shown by its name, which stands on a line before it.
    const part = isScalar(rendered) ? 'value' : 'key';
    const manifest = object === null ? undefined : documentAtLine(object.documents, line)?.document.objects[0];
    if (object !== null && manifest !== undefined) {
      for (const way of [...valuesIn.map((prefix) => [...prefix, ...whole]), parameterPath(manifest.value, whole)]) {
        if (way === undefined || !isSame(valueAtPath(manifest.value, way), rendered)) continue;
        const range = manifest.locate(way, part);
        const placed = documentAtLine(object.documents, line);
        if (range !== undefined && placed !== undefined) return { uri: object.uri, range: placedRange(placed, range) };
      }
    }
    for (const { target, value: written, placeOf: placeIn } of configMaps) {
      const there = target === '' ? valueAtPath(written, whole) : target === whole.join('.') ? written : undefined;
      if (isSame(there, rendered)) return placeIn(whole);
    }
    const asked = [...files.map((file) => ({ file, way: whole })), ...ownValues.map((file) => ({ file, way: own }))];
    for (const { file, way } of asked) {
      const written = valueAtPath(file.data.value, way);
      if (written === undefined) continue;
      // The first that says anything decides; where it says something else, nobody knows what became of it.
      return isSame(written, rendered) ? filePlace(file, file.data.locate(way, part)) : undefined;
    }
    return undefined;
  }
}

function parameterPath(value: Json, path: Path): Path | undefined {
  const at = ['spec', 'source', 'helm', 'parameters'];
  const index = asList(valueAtPath(value, at)).findIndex((entry) => asText(asMap(entry)['name']) === path.join('.'));
  return index === -1 ? undefined : [...at, index, 'value'];
}

function isEqual(written: Json | undefined, rendered: Json | undefined): boolean {
  return isDeepStrictEqual(written, rendered) || (isScalar(written) && isSame(written, rendered));
}

function isSame(written: Json | undefined, rendered: Json | undefined): boolean {
  if (written === undefined || rendered === undefined) return false;
  if (!isScalar(written) || !isScalar(rendered)) return typeof written === typeof rendered;
  return asPrinted(written) === asPrinted(rendered);
}
