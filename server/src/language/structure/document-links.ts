import type { DocumentLink } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import { isList, valueAt } from '../../util/values.ts';
import type { Json, Path } from '../../kubernetes/json.ts';
import { isScenarioName } from '../../manifests/file-provider.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { readData } from '../../manifests/read-data.ts';
import { placedRange } from '../../manifests/text-positions.ts';
import { kustomizationNames } from '../../sources/kustomize/kustomization-names.ts';

/** Each is looked for on the disk while the editor waits. */
const mostLinks = 1_000;

/** Where each kind of file names others; `*` is every item. Source: types.Kustomization in kustomize's api/types */
const inKustomization: readonly Path[] = [
  ['resources', '*'],
  ['bases', '*'],
  ['components', '*'],
  ['patches', '*', 'path'],
  ['patchesStrategicMerge', '*'],
  ['patchesJson6902', '*', 'path'],
  ['replacements', '*', 'path'],
];
const inScenario: readonly Path[] = [
  ['cluster', 'paths', '*'],
  ['cluster', 'snapshot'],
];

/** From the files and folders that a kustomization or a scenario names to those of them that there are. */
export function documentLinks(file: ManifestFile, isThere: (uri: string) => boolean): DocumentLink[] {
  const uri = URI.parse(file.uri);
  const places = kustomizationNames.includes(Utils.basename(uri))
    ? inKustomization
    : isScenarioName(file.uri)
      ? inScenario
      : [];
  const placed = places.length === 0 ? undefined : file.documents.find(({ document }) => document.content !== 'empty');
  if (placed === undefined) return [];
  const data = readData(placed.document.text);
  return places
    .flatMap((place) => namesAt(data.value, place))
    .slice(0, mostLinks)
    .flatMap(({ name, path }) => {
      const range = data.locate(path);
      const target = range === undefined ? undefined : targetOf(Utils.dirname(uri), name, isThere);
      return range === undefined || target === undefined ? [] : [{ range: placedRange(placed, range), target }];
    });
}

interface Named {
  readonly name: string;
  readonly path: Path;
}

function namesAt(value: Json, place: Path, path: Path = []): readonly Named[] {
  const [step, ...rest] = place;
  if (step === undefined) return typeof value === 'string' ? [{ name: value, path }] : [];
  if (step !== '*') return namesAt((valueAt(value, [step]) ?? null) as Json, rest, [...path, step]);
  return isList(value) ? value.flatMap((item, index) => namesAt(item, rest, [...path, index])) : [];
}

/** A file, or the kustomization of a folder: an editor opens no folders. What is remote, absolute or a text is none. */
function targetOf(folder: URI, name: string, isThere: (uri: string) => boolean): string | undefined {
  if (name === '' || /^\/|[\\\n]|:\/\//.test(name)) return undefined;
  const named = Utils.joinPath(folder, name);
  const candidates = /\.(?:ya?ml|json)$/i.test(name)
    ? [named]
    : kustomizationNames.map((each) => Utils.joinPath(named, each));
  return candidates.map((each) => each.toString()).find(isThere);
}
