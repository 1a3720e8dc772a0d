import { getOrInsert } from '../../util/maps.ts';
import { own } from '../../util/own.ts';
import { type DocumentSymbol, type SymbolInformation, SymbolKind } from 'vscode-languageserver';
import { isList, valueAt } from '../../util/values.ts';
import { namespaceOfKind } from '../../kubernetes/names.ts';
import { isWorkloadKind, podTemplatePath } from '../../kubernetes/pod-template.ts';
import type { ManifestFile, ManifestObject, PlacedDocument } from '../../manifests/manifest.ts';
import { placedRange } from '../../manifests/text-positions.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { kinds } from '../index/kinds.ts';

/** How many symbols of the workspace are answered at a time, those that are meant most first; what is typed narrows them. */
const mostSymbols = 200;

const symbolKinds: Readonly<Record<string, SymbolKind>> = {
  PriorityClass: SymbolKind.Constant,
  Namespace: SymbolKind.Namespace,
  Node: SymbolKind.Struct,
  NodePool: SymbolKind.Struct,
  PodDisruptionBudget: SymbolKind.Property,
  ResourceQuota: SymbolKind.Property,
  LimitRange: SymbolKind.Property,
  Service: SymbolKind.Interface,
};

export function symbolKindOf(kind: string): SymbolKind {
  return own(symbolKinds, kind) ?? (isWorkloadKind(kind) ? SymbolKind.Class : SymbolKind.Object);
}

/** Every object of a file by its name, with the containers of what makes pods. */
export function documentSymbols(file: ManifestFile): DocumentSymbol[] {
  return file.documents.flatMap((placed) => placed.document.objects.map((object) => symbolOf(object, placed)));
}

function symbolOf(object: ManifestObject, placed: PlacedDocument): DocumentSymbol {
  const { kind, apiVersion, namespace, name, value, path } = object;
  const { text } = placed.document;
  // An object of a document is all of it; one of a list is what stands there.
  const whole =
    path.length === 0
      ? { start: text.length - text.trimStart().length, end: text.trimEnd().length }
      : object.locateNearest([], 'value');
  const own = object.locateNearest(['metadata', 'name'], 'value');
  const within = { start: Math.min(whole.start, own.start), end: Math.max(whole.end, own.end) };
  const place = namespaceOfKind(apiVersion, kind, namespace);
  const template = podTemplatePath(kind);
  const children =
    template === undefined
      ? requirementsOf(object, value, placed)
      : containersOf(object, value, [...template, 'spec'], placed);
  return {
    name: name === '' ? kind : name,
    detail: place === '' ? kind : `${kind} · ${place}`,
    kind: symbolKindOf(kind),
    range: placedRange(placed, within),
    selectionRange: placedRange(placed, own),
    ...(children.length === 0 ? {} : { children }),
  };
}

function containersOf(
  object: ManifestObject,
  value: unknown,
  spec: readonly (string | number)[],
  placed: PlacedDocument,
): DocumentSymbol[] {
  return ['initContainers', 'containers'].flatMap((field) => {
    const containers = valueAt(value, [...spec, field]);
    if (!isList(containers)) return [];
    return containers.flatMap((container, index): DocumentSymbol[] => {
      const name = valueAt(container, ['name']);
      const whole = object.locate([...spec, field, index], 'value');
      const own = object.locate([...spec, field, index, 'name'], 'value');
      if (typeof name !== 'string' || name === '' || whole === undefined || own === undefined) return [];
      const image = valueAt(container, ['image']);
      return [
        {
          name,
          detail: typeof image === 'string' ? image : '',
          kind: SymbolKind.Module,
          range: placedRange(placed, { start: Math.min(whole.start, own.start), end: Math.max(whole.end, own.end) }),
          selectionRange: placedRange(placed, own),
        },
      ];
    });
  });
}

/** What a NodePool requires of its nodes, by label. */
function requirementsOf(object: ManifestObject, value: unknown, placed: PlacedDocument): DocumentSymbol[] {
  const list: readonly string[] = ['spec', 'template', 'spec', 'requirements'];
  const requirements = object.kind === 'NodePool' ? valueAt(value, list) : undefined;
  if (!isList(requirements)) return [];
  return requirements.flatMap((requirement, index): DocumentSymbol[] => {
    const [key, operator, values] = ['key', 'operator', 'values'].map((field) => valueAt(requirement, [field]));
    const whole = object.locate([...list, index], 'value');
    const own = object.locate([...list, index, 'key'], 'value');
    if (typeof key !== 'string' || key === '' || whole === undefined || own === undefined) return [];
    const of = isList(values) ? values.map(String).join(', ') : '';
    return [
      {
        name: key,
        detail: [typeof operator === 'string' ? operator : '', of].filter((each) => each !== '').join(' '),
        kind: SymbolKind.Field,
        range: placedRange(placed, { start: Math.min(whole.start, own.start), end: Math.max(whole.end, own.end) }),
        selectionRange: placedRange(placed, own),
      },
    ];
  });
}

/** Objects of the workspace whose kind, namespace or name has the letters of a query in order; the nearest first. */
export function workspaceSymbols(query: string, facts: Facts): SymbolInformation[] {
  const letters = query.toLowerCase().replaceAll(/\s/g, '');
  const byNearness = nearness.map((): Fact[] => []);
  for (const kind of kinds) {
    for (const fact of facts.ofKind(kind)) {
      if (fact.source !== 'workspace' || fact.name === '') continue;
      const key = getOrInsert(keys, fact, () => `${fact.kind}/${fact.namespace}/${fact.name}`.toLowerCase());
      const group = byNearness[nearness.findIndex((isMeant) => isMeant(key, letters, fact.name.length))];
      if (group !== undefined && group.length < mostSymbols) group.push(fact);
    }
  }
  const found: SymbolInformation[] = [];
  for (const fact of byNearness.flat()) {
    if (found.length === mostSymbols) break;
    const { kind, name, namespace } = fact;
    const location = facts.originOf(fact);
    if (location === undefined) continue;
    const containerName = namespace === '' ? kind : `${kind} · ${namespace}`;
    found.push({ name, kind: symbolKindOf(kind), containerName, location });
  }
  return found;
}

type Meant = (key: string, letters: string, nameLength: number) => boolean;

/** How a query may mean an object, by its key that ends with its name: as the name's start, in it, in the key, in pieces. */
const nearness: readonly Meant[] = [
  (key, letters, nameLength) => key.startsWith(letters, key.length - nameLength),
  (key, letters, nameLength) => key.includes(letters, key.length - nameLength),
  (key, letters) => key.includes(letters),
  hasInOrder,
];

function hasInOrder(key: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = key.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Every letter that is typed asks for all of them. */
const keys = new WeakMap<Fact, string>();
