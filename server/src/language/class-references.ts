import { isObject, valueAt } from '../kit/values.ts';
import type { Path } from '../kubernetes/json.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import type { Position } from 'vscode-languageserver';
import type { Fact, Facts, FactsReader } from './facts.ts';
import { workloadKinds } from '../kubernetes/pod-template.ts';
import { documentAtLine, offsetInDocument } from '../manifests/text-positions.ts';

/** A place in an object where a PriorityClass is named or declared. */
export interface ClassMention {
  readonly fact: Fact;
  readonly path: Path;
  readonly name: string;
}

const declarationPath: Path = ['metadata', 'name'];
const quotaExpressions: Path = ['spec', 'scopeSelector', 'matchExpressions'];

/** Every place in an object that names a PriorityClass: a pod, a template, a quota's scope, a class's own name. */
function classMentions(fact: Fact): ClassMention[] {
  const paths =
    fact.kind === 'PriorityClass'
      ? [declarationPath]
      : fact.kind === 'ResourceQuota'
        ? quotaClassPaths(fact)
        : fact.template !== undefined
          ? [[...fact.template.path, 'spec', 'priorityClassName']]
          : [];
  return paths.flatMap((path) => {
    const name = valueAt(fact.manifest.value, path);
    return typeof name === 'string' && name !== '' ? [{ fact, path, name }] : [];
  });
}

function quotaClassPaths(fact: Fact): Path[] {
  const expressions = valueAt(fact.manifest.value, quotaExpressions);
  if (!Array.isArray(expressions)) return [];
  return expressions.flatMap((expression: unknown, index) => {
    const values =
      isObject(expression) && expression['scopeName'] === 'PriorityClass' ? expression['values'] : undefined;
    if (!Array.isArray(values)) return [];
    return values.map((_value: unknown, item): Path => [...quotaExpressions, index, 'values', item]);
  });
}

/** Every mention of a class, its declarations first. */
export function mentionsOf(name: string, facts: FactsReader): ClassMention[] {
  const kinds = ['PriorityClass', ...workloadKinds, 'ResourceQuota'] as const;
  return kinds.flatMap((kind) => facts.ofKind(kind).flatMap(classMentions)).filter((mention) => mention.name === name);
}

/** The mention under the cursor. */
export function mentionAt(file: ManifestFile, position: Position, facts: Facts): ClassMention | undefined {
  const placed = documentAtLine(file.documents, position.line);
  const located = placed?.document.at(offsetInDocument(placed, position));
  if (placed === undefined || located === undefined || located === null) return undefined;
  const fact = facts.factOf(file.uri, placed.index, located.object);
  if (fact === undefined) return undefined;
  return classMentions(fact).find(({ path }) => samePath(path, located.path));
}

function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index]);
}
