import type { CompletionItem, Diagnostic, Position, Range } from 'vscode-languageserver';
import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { qualifiedName } from '../../util/words.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { readData } from '../../manifests/read-data.ts';
import { placedRange } from '../../manifests/text-positions.ts';
import type { Verb } from '../../simulation/operations/operation.ts';
import { operationForms } from '../../simulation/operations/parse-operation.ts';
import { isOfNode, questionForms } from '../../simulation/scenario/question.ts';
import { readScenario, type ScenarioFile, scenarioKeys } from '../../simulation/scenario/scenario-file.ts';
import type { ScenarioProblem } from '../../simulation/scenario/scenario-problems.ts';
import type { FactsReader } from './fact.ts';
import type { Facts } from './facts.ts';
import type { Kind } from './kinds.ts';
import { secondDocument } from './scenario-text.ts';

/** Files `*.podium.yaml`, in the editor. Loaded when the first is open. */

/** What is wrong with a scenario, where its first document says something. */
export function scenarioDiagnostics(file: ManifestFile, facts: FactsReader): readonly Diagnostic[] {
  const [placed, second] = file.documents.filter(({ document }) => document.content !== 'empty');
  if (placed?.document.problems.some(({ severity }) => severity === 'error') === true) return [];
  const data = readData(placed?.document.text ?? '');
  const { scenario, problems } = readScenario(data.value);
  const unknown = scenario === null ? [] : unknownNodes(scenario, facts);
  const found = [...problems, ...unknown].map(({ path, message }): Diagnostic => {
    const range = data.locate(path) ?? data.locate(path, 'key') ?? { start: 0, end: 0 };
    const start = { line: 0, character: 0 };
    return diagnosticAt(message, placed === undefined ? { start, end: start } : placedRange(placed, range));
  });
  if (second === undefined) return found;
  return [...found, diagnosticAt(secondDocument(), placedRange(second, { start: 0, end: 0 }))];
}

/** Events about nodes that nobody knows. What a snapshot of the scenario's own has, is read when it runs. */
function unknownNodes({ cluster, events }: ScenarioFile, facts: FactsReader): readonly ScenarioProblem[] {
  const known = new Set(facts.ofKind('Node').map(({ name }) => name));
  if (cluster.snapshot !== undefined || known.size === 0) return [];
  const found: ScenarioProblem[] = [];
  for (const [index, { operation }] of events.entries()) {
    // Whose names come from what they are like.
    if (operation.verb === 'add') break;
    const target = 'target' in operation && operation.target.kind === 'Node' ? operation.target.name : undefined;
    const name = 'node' in operation ? operation.node : target;
    if (name === undefined || known.has(name)) continue;
    const nearest = nearestNames(name, known).slice(0, 3);
    const message = say`there is no ${`Node ${name}`}${say`; did you mean ${nearest.join(', ')}?`}`;
    found.push({ path: ['events', index], message });
  }
  return found;
}

function diagnosticAt(message: string, range: Range): Diagnostic {
  return { range, message, severity: 1, source: 'podium', code: 'scenario' };
}

/** Source: CompletionItemKind of the language server protocol */
const itemKinds = { field: 5, keyword: 14, object: 18 } as const;

/** Whom a verb is about; workloads where nothing is said. */
const targets: Readonly<Partial<Record<Verb, readonly Kind[]>>> = {
  drain: ['Node'],
  cordon: ['Node'],
  uncordon: ['Node'],
  label: ['Node'],
  taint: ['Node'],
  pressure: ['Node'],
  remove: ['Node', 'PodDisruptionBudget'],
  budget: ['PodDisruptionBudget'],
  class: ['PriorityClass'],
};
const workloads: readonly Kind[] = ['Deployment', 'StatefulSet', 'ReplicaSet', 'Job', 'CronJob', 'Pod'];

/** More names are not offered at once. */
const mostNames = 200;

/** Keys of the file, verbs of an event, and what they are about. */
export function scenarioCompletion(file: ManifestFile, { line, character }: Position, facts: Facts): CompletionItem[] {
  const placed = file.documents.findLast((each) => each.line <= line);
  const before = placed?.document.text.split('\n')[line - placed.line]?.slice(0, character) ?? '';
  const event = /^\s*-\s(.*)$/.exec(before)?.[1];
  if (event === undefined) {
    if (!/^\s/.test(before)) return scenarioKeys.top.map((label) => ({ label, kind: itemKinds.field }));
    if (keyAbove(placed?.document.text ?? '', line - (placed?.line ?? 0)) !== 'lasts') {
      return scenarioKeys.cluster.map((label) => ({ label, kind: itemKinds.field }));
    }
    return named(['Job', 'CronJob'], 'finish', before.trimStart(), line, character, facts);
  }
  const words = event.trimStart().replace(/^["']/, '').split(/\s+/);
  const isQuestion = keyAbove(placed?.document.text ?? '', line - (placed?.line ?? 0)) === 'questions';
  if (isQuestion && words.length === 1) {
    return Object.entries(questionForms).map(([label, detail]) => ({ label, detail, kind: itemKinds.keyword }));
  }
  if (isQuestion) {
    return named(isOfNode(words[0] ?? '') ? ['Node'] : workloads, 'finish', words[1] ?? '', line, character, facts);
  }
  if (words.length === 1) {
    return Object.entries(operationForms).map(([label, detail]) => ({ label, detail, kind: itemKinds.keyword }));
  }
  const verb = words[0] as Verb;
  if (words.length !== 2 || !(verb in operationForms) || verb === 'add') {
    return [{ label: 'at', detail: 'at 60s', kind: itemKinds.keyword }];
  }
  return named(targets[verb] ?? workloads, verb, words[1] ?? '', line, character, facts);
}

/** The key of the file under which a line stands. */
function keyAbove(text: string, line: number): string | undefined {
  const above = text.split('\n').slice(0, line);
  return above.findLast((each) => /^\w/.test(each))?.split(':')[0];
}

/** The objects of some kinds whose names begin with what is written. */
function named(
  kinds: readonly Kind[],
  verb: Verb,
  written: string,
  line: number,
  character: number,
  facts: Facts,
): CompletionItem[] {
  const range = { start: { line, character: character - written.length }, end: { line, character } };
  return kinds
    .flatMap((kind) => facts.ofKind(kind))
    .map(({ kind, namespace, name }) => labelOf(verb, kind, namespace, name))
    .filter((label) => label.startsWith(written))
    .slice(0, mostNames)
    .map((label) => ({ label, kind: itemKinds.object, textEdit: { range, newText: label } }));
}

function labelOf(verb: Verb, kind: Kind, namespace: string, name: string): string {
  if (verb === 'class') return name;
  const short = kind === 'PodDisruptionBudget' ? 'pdb' : kind.toLowerCase();
  return kind === 'Node' ? `node/${name}` : `${short}/${qualifiedName({ namespace, name })}`;
}
