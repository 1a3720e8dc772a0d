import type { CodeLens } from 'vscode-languageserver';
import { say } from '../../util/say.ts';
import { podTemplatePath } from '../../kubernetes/pod-template.ts';
import type { ManifestFile, PlacedDocument } from '../../manifests/manifest.ts';
import { placedPosition } from '../../manifests/text-positions.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { lensesBesides, type LensTarget } from './lens-target.ts';

/** Facts of a target; of the workspace, without a name, where nothing is there in more than one version. */
interface NamedFacts {
  readonly name: string;
  readonly facts: Facts;
}

/** Where lenses stand: at the first key of each workload, once for all that targets make of it. */
export function codeLenses(file: ManifestFile, targets: readonly NamedFacts[]): CodeLens[] {
  return file.documents.flatMap((placed) => {
    const known = lensesOf.get(placed);
    const objects = targets.map(({ facts }) => facts.inDocument(file.uri, placed.index));
    if (known?.objects.length === objects.length && known.objects.every((each, at) => each === objects[at])) {
      return known.lenses;
    }
    const lenses = lensesIn(placed, objects, targets);
    lensesOf.set(placed, { objects, lenses });
    return lenses;
  });
}

/** Kept, because an edit mostly leaves all documents but one at their places. */
const lensesOf = new WeakMap<
  PlacedDocument,
  { readonly objects: readonly (readonly Fact[])[]; readonly lenses: readonly CodeLens[] }
>();

/** The client command that runs a scenario; its argument is the address of the file. */
const simulateFile = 'podium.simulateFile';

/** *Run* above the first key of a scenario. */
export function scenarioLenses(file: ManifestFile): CodeLens[] {
  const placed = file.documents.find(({ document }) => document.content !== 'empty');
  const offset = placed?.document.text.search(/^[^\s#]/m) ?? -1;
  if (placed === undefined || offset === -1) return [];
  const start = placedPosition(placed, offset);
  const command = { title: say`▶ Run`, command: simulateFile, arguments: [file.uri] };
  return [{ range: { start, end: start }, command }];
}

function lensesIn(
  placed: PlacedDocument,
  objects: readonly (readonly Fact[])[],
  targets: readonly NamedFacts[],
): readonly CodeLens[] {
  const byPlace = new Map<string, { readonly fact: Fact; readonly target: string }[]>();
  for (const [at, facts] of objects.entries()) {
    const seen = new Map<string, number>();
    for (const fact of facts) {
      const isOther = podTemplatePath(fact.kind) === undefined && !lensesBesides.has(fact.kind);
      if (isOther || fact.name === '' || fact.isUnnamed) continue;
      const place = `${fact.kind}/${fact.manifest.path.join('/')}`;
      const nth = seen.get(place) ?? 0;
      seen.set(place, nth + 1);
      const key = `${place}#${nth}`;
      const target = fact.manifest.rendering === undefined ? '' : (targets[at]?.name ?? '');
      const known = byPlace.get(key);
      if (known === undefined) byPlace.set(key, [{ fact, target }]);
      // What is applied as it is written is the same in all targets.
      else if (target !== '') known.push({ fact, target });
    }
  }
  const firsts = [...byPlace.values()].map(([first]) => first!.fact);
  return [...byPlace.values()].map(([first, ...rest]) => {
    const { fact, target } = first!;
    const label = labelOf(fact, firsts);
    const { start: offset } = fact.manifest.locate([]) ?? fact.manifest.locateNearest(['kind'], 'key');
    const start = placedPosition(placed, offset);
    const alsoOf = rest.map((other) => ({
      namespace: other.fact.namespace,
      name: other.fact.name,
      target: other.target,
    }));
    const data: LensTarget = {
      kind: fact.kind,
      namespace: fact.namespace,
      name: fact.name,
      uri: fact.uri,
      ...(label === undefined ? {} : { label }),
      ...(target === '' ? {} : { target }),
      ...(alsoOf.length === 0 ? {} : { others: alsoOf }),
    };
    return { range: { start, end: start }, data };
  });
}

/** What tells an object from others of the same place, as a base that is taken in twice makes them. */
function labelOf({ kind, namespace, name, manifest: { path } }: Fact, all: readonly Fact[]): string | undefined {
  const same = all.filter((other) => other.kind === kind && other.manifest.path.join('/') === path.join('/'));
  if (same.length === 1) return undefined;
  return same.filter((other) => other.namespace === namespace).length === 1 ? namespace : `${namespace}/${name}`;
}
