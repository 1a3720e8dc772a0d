import { joined, say } from '../../util/say.ts';
import { valueAt } from '../../util/values.ts';
import type { CodeAction, Range } from 'vscode-languageserver';
import { isHalfRead } from '../../manifests/declared-objects.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { documentAtLine } from '../../manifests/text-positions.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { Path } from '../../kubernetes/json.ts';
import { classLadder } from '../index/priority-classes.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { selects } from '../index/selection.ts';
import { classToCreate } from '../rules/support/create-class.ts';
import { appendDocument, isJson, renameKey, replaceScalar, setValue } from '../rules/support/edits.ts';
import type { FixEdit } from '../rules/support/rule.ts';
import { rewrite } from './code-action-kinds.ts';
import { workspaceEdit } from './repairs.ts';

/** Kinds whose pods are replaced elsewhere when one is evicted. */
const replicated: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet']);

/** What may be made of a workload as a whole: a budget for it, an even spread over zones, a class of its number. */
export function ofWorkload(fact: Fact, path: Path, facts: Facts): CodeAction[] {
  if (fact.template === undefined) return [];
  const spec = [...fact.template.path, 'spec'];
  const found = [...classOfNumber(fact, path, spec, facts)];
  // Everywhere in a long manifest they would be in the way.
  if (replicated.has(fact.kind) && path.length <= spec.length) {
    found.push(...budgetFor(fact, facts), ...spreadOverZones(fact, spec, facts));
  }
  return found;
}

function* action(title: string, edits: readonly (FixEdit | undefined)[], facts: Facts): Iterable<CodeAction> {
  const whole = edits.filter((each) => each !== undefined);
  const edit = whole.length < edits.length ? undefined : workspaceEdit(whole, facts);
  if (edit !== undefined) yield { title, kind: rewrite, edit };
}

/** `matchLabels` of a workload; undefined where it selects in another way. */
function labelsOf({ manifest }: Fact): Readonly<Record<string, string>> | undefined {
  const labels = valueAt(manifest.value, ['spec', 'selector', 'matchLabels']);
  if (typeof labels !== 'object' || labels === null) return undefined;
  return Object.values(labels).every((label) => typeof label === 'string')
    ? (labels as Readonly<Record<string, string>>)
    : undefined;
}

function budgetFor(fact: Fact, facts: Facts): Iterable<CodeAction> {
  const labels = labelsOf(fact);
  const budgets = facts.ofKind('PodDisruptionBudget').filter(({ namespace }) => namespace === fact.namespace);
  const hasOne = budgets.some(({ object }) => selects((object as PodDisruptionBudget).spec?.selector, fact));
  // Of one pod a budget either blocks every drain or does nothing.
  if (labels === undefined || hasOne || replicasOf(fact.object) < 2) return [];
  if (isJson(fact.document.text)) return [];
  const { namespace } = fact.manifest;
  const edit = appendDocument(fact, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: fact.name, ...(namespace === '' ? {} : { namespace }) },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  });
  return action(say`Add a PodDisruptionBudget for ${fact.name}`, [edit], facts);
}

function spreadOverZones(fact: Fact, spec: Path, facts: Facts): Iterable<CodeAction> {
  const field = [...spec, 'topologySpreadConstraints'];
  const labels = labelsOf(fact);
  const isWritten = valueAt(fact.manifest.value, field) !== undefined;
  if (labels === undefined || isWritten || replicasOf(fact.object) < 2) return [];
  const constraint = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: labels },
  };
  return action(say`Spread the pods over zones`, [setValue(fact, field, [constraint])], facts);
}

/** The largest value of a class that users may make. Source: HighestUserDefinablePriority in pkg/apis/scheduling/types.go */
const highestPriority = 1_000_000_000;

function classOfNumber(fact: Fact, path: Path, spec: Path, facts: Facts): Iterable<CodeAction> {
  const field = [...spec, 'priority'];
  const value = valueAt(fact.manifest.value, field);
  const isHere = path.length === field.length && field.every((step, depth) => path[depth] === step);
  if (!isHere || typeof value !== 'number' || value > highestPriority) return [];
  if (valueAt(fact.manifest.value, [...spec, 'priorityClassName']) !== undefined) return [];
  const known = classLadder(facts).classes.find(({ object }) => object.value === value);
  const name = known?.object.metadata?.name ?? (value < 0 ? `priority-minus-${-value}` : `priority-${value}`);
  const edits = [renameKey(fact, field, 'priorityClassName'), replaceScalar(fact, field, name)];
  if (known !== undefined) return action(say`Use the PriorityClass ${name}, which has this number`, edits, facts);
  const objects = facts.inDocument(fact.uri, fact.index);
  const created = classToCreate(name, { facts, uri: fact.uri, objects }, value);
  return action(say`Make a PriorityClass of this number: ${name}`, [...edits, created], facts);
}

/** Moves every document of a file but the first into a file of its own beside it. */
export function splitFile(file: ManifestFile, { start: { line: at } }: Range, facts: Facts): CodeAction[] {
  // Offered where a document begins or names what it is, and not within it.
  const under = documentAtLine(file.documents, at);
  if (/^[ \t]/.test(under?.document.text.split('\n')[at - under.line] ?? '')) return [];
  const [first, ...others] = file.documents.filter(({ document }) => document.content !== 'empty');
  const isWhole = file.documents.every(
    ({ document }) => document.content === 'empty' || (document.objects.length > 0 && !isHalfRead(document)),
  );
  if (first === undefined || others.length === 0 || !isWhole) return [];
  const folder = file.uri.slice(0, file.uri.lastIndexOf('/') + 1);
  const taken = new Set<string>();
  const moved = others.map(({ index, document: { objects } }, nth) => {
    const { kind, name } = objects[0]!;
    const words = [name, kind].flatMap((word) => word.toLowerCase().match(/[a-z0-9][a-z0-9.-]*/g) ?? []);
    const base = words.join('-');
    let uri = `${folder}${base}.yaml`;
    for (let next = 2; taken.has(uri) || facts.file(uri) !== undefined; next++) uri = `${folder}${base}-${next}.yaml`;
    taken.add(uri);
    // Comments that stand as a document of their own between two belong to the second.
    const before = nth === 0 ? index : others[nth - 1]!.index + 1;
    const texts = file.documents.slice(before, index + 1).map(({ document: { text } }) => text);
    return { uri, text: texts.map((text) => text.replace(/^\uFEFF?---[^\n]*\n/, '')).join('') };
  });
  const beginning = { line: 0, character: 0 };
  const last = others.at(-1)!;
  const end = { line: last.line + last.document.lineStarts.length, character: 0 };
  const edit = {
    documentChanges: [
      ...moved.flatMap(({ uri, text }) => [
        { kind: 'create' as const, uri, options: { ignoreIfExists: false, overwrite: false } },
        {
          textDocument: { uri, version: null },
          edits: [{ range: { start: beginning, end: beginning }, newText: text }],
        },
      ]),
      {
        textDocument: { uri: file.uri, version: file.version },
        edits: [{ range: { start: { line: others[0]!.line, character: 0 }, end }, newText: '' }],
      },
    ],
  };
  const names = joined(
    moved.map(({ uri }) => decodeURIComponent(uri.slice(folder.length))),
    ', ',
  );
  const title = moved.length > 3 ? say`Split this file: ${moved.length + 1} documents` : say`Split this file: ${names}`;
  return [{ title, kind: rewrite, edit }];
}

/** The values of the chart that a file is a template of; null for any other file. */
export function valuesFileOf(uri: string): string | null {
  const at = uri.lastIndexOf('/templates/');
  return at === -1 ? null : `${uri.slice(0, at)}/values.yaml`;
}

const entry = /^([ ]*(?:- )*)([A-Za-z]\w*):[ \t]/;

/** The text, number or flag that a line goes on with, as it is written; null where it is anything else. */
function literalIn(rest: string): string | null {
  const text = rest.trimStart();
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, 1);
    const behind = text.slice(end + 1).trim();
    const quoted = text.slice(0, end + 1);
    return end === -1 || /[{}]/.test(quoted) || (behind !== '' && !behind.startsWith('#')) ? null : quoted;
  }
  const [plain = ''] = text.split('#', 1);
  const literal = plain.trim();
  return literal === '' || /^[[\]|>&*!%@`]/.test(literal) || /[{}]/.test(literal) ? null : literal;
}

/** Takes a value that a template of a chart writes out into the values of the chart. */
export function chartValue(file: ManifestFile, { start }: Range, values: string): CodeAction[] {
  const valuesUri = valuesFileOf(file.uri);
  const placed = documentAtLine(file.documents, start.line);
  if (valuesUri === null || placed === undefined) return [];
  const lines = placed.document.text.split(/\r?\n/);
  const at = start.line - placed.line;
  const found = entry.exec(lines[at] ?? '');
  const literal = found === null ? null : literalIn(lines[at]!.slice(found[0].length));
  if (found === null || literal === null) return [];
  const [, lead = '', key = ''] = found;
  if (key === 'apiVersion' || key === 'kind') return [];
  const name = freeName(lines, at, lead.length, key, values);
  if (name === undefined) return [];
  const from = lead.length + lines[at]!.slice(lead.length).indexOf(literal, key.length + 1);
  const reference = /^["']/.test(literal) ? `{{ .Values.${name} | quote }}` : `{{ .Values.${name} }}`;
  const newline = values.includes('\r\n') ? '\r\n' : '\n';
  const written = values.split(/\r\n|\n/);
  const end = { line: written.length - 1, character: written.at(-1)!.length };
  const lineBreak = values === '' || values.endsWith('\n') ? '' : newline;
  const range = {
    start: { line: start.line, character: from },
    end: { line: start.line, character: from + literal.length },
  };
  const edit = {
    documentChanges: [
      { textDocument: { uri: file.uri, version: file.version }, edits: [{ range, newText: reference }] },
      {
        textDocument: { uri: valuesUri, version: null },
        edits: [{ range: { start: end, end }, newText: `${lineBreak}${name}: ${literal}${newline}` }],
      },
    ],
  };
  return [{ title: say`Make it a value of the chart: ${name}`, kind: rewrite, edit }];
}

/** The key, and where the values have that already, with the keys above it. */
function freeName(
  lines: readonly string[],
  at: number,
  column: number,
  key: string,
  values: string,
): string | undefined {
  let name = key;
  let indent = column;
  for (let line = at; ;) {
    if (!hasKey(values, name)) return name;
    let parent: RegExpExecArray | null = null;
    while (parent === null && line > 0) {
      line -= 1;
      const above = /^([ ]*(?:- )*)([A-Za-z]\w*):/.exec(lines[line]!);
      if (above !== null && above[1]!.length < indent) parent = above;
    }
    if (parent === null) return undefined;
    indent = parent[1]!.length;
    name = `${parent[2]!}${name[0]!.toUpperCase()}${name.slice(1)}`;
  }
}

/** Whether a file of values has a key at its top. */
function hasKey(values: string, name: string): boolean {
  return values.split('\n').some((line) => {
    const [key = ''] = line.split(':', 1);
    return key !== line && key.trimEnd().replace(/^["']/, '').replace(/["']$/, '') === name;
  });
}
