import type { Json, JsonObject, Path } from '../../kubernetes/json.ts';
import { asList, asMap, asText, readData } from '../../manifests/read-data.ts';
import { valueAtPath } from '../files/json-paths.ts';
import type { ObjectText } from '../kustomize/object-text.ts';
import { filePlace, patchFinder, type PatchedObject, placeInText } from '../kustomize/patch-places.ts';
import type { FindPlace } from '../files/rendered-object.ts';

/** Where patches stand: in each renderer of a HelmRelease, in a Kustomization of Flux, and in an Application. */
function patchLists({ data: { value } }: ObjectText): Path[] {
  const renderers = asList(valueAtPath(value, ['spec', 'postRenderers']));
  return [
    ['spec', 'patches'],
    ['spec', 'source', 'kustomize', 'patches'],
    ...renderers.flatMap((_, index) =>
      ['patches', 'patchesStrategicMerge', 'patchesJson6902'].map((field) => [
        ...['spec', 'postRenderers', index, 'kustomize'],
        field,
      ]),
    ),
  ];
}

interface OnePatch {
  readonly at: Path;
  readonly written: Json;
  readonly target: JsonObject;
}

/** Finds what the patches of such an object set; the last that gives an object its value counts. */
export async function objectPatches(own: ObjectText): Promise<FindPlace> {
  const finders: ((object: PatchedObject, path: Path) => ReturnType<FindPlace>)[] = [];
  for (const { at, written, target } of patchLists(own).flatMap((list) => patchesAt(own, list))) {
    if (typeof written === 'string') {
      const content = { text: written, data: readData(written) };
      finders.push(
        await patchFinder(content.data.value, target, (path) => own.inFile(placeInText(own, at, content, path))),
      );
    } else {
      finders.push(
        await patchFinder(written, target, (path) => own.inFile(filePlace(own, own.data.locate([...at, ...path])))),
      );
    }
  }
  finders.reverse();
  return (value, path) => {
    const object = { kind: asText(value['kind']), names: [asText(asMap(value['metadata'])['name'])], value };
    for (const find of finders) {
      const place = find(object, path);
      if (place !== undefined) return place;
    }
    return undefined;
  };
}

function patchesAt(own: ObjectText, list: Path): OnePatch[] {
  const isMerge = list.at(-1) === 'patchesStrategicMerge';
  return asList(valueAtPath(own.data.value, list)).map((entry, index): OnePatch => {
    const { patch = null, target } = asMap(entry);
    return isMerge
      ? { at: [...list, index], written: entry, target: {} }
      : { at: [...list, index, 'patch'], written: patch, target: asMap(target) };
  });
}
