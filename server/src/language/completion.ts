import type { CompletionItem, Position } from 'vscode-languageserver';
import type { ApiTypes } from '../kubernetes/api/index.ts';
import type { Path } from '../kubernetes/json.ts';
import type { Release } from '../kubernetes/release.ts';
import { latestRelease } from '../kubernetes/releases/index.ts';
import type { ManifestFile, ManifestObject } from '../manifests/manifest.ts';
import type { Facts } from './facts.ts';
import type { Feature } from './feature.ts';
import { fieldAt } from './field-types.ts';
import { knownKind } from './kinds.ts';
import { kubernetesFor } from './kubernetes-version.ts';
import { plain } from './markdown.ts';
import { podTemplatePath } from '../kubernetes/pod-template.ts';
import { isScenarioName } from '../manifests/file-provider.ts';
import { documentAtLine, offsetInDocument, placedRange } from '../manifests/text-positions.ts';
import { type ClassFact, classesFor, classLadder } from './priority-classes.ts';
import { yamlText } from './rules/support/edits.ts';

/** Names of classes where one is wanted, and the values that the API defines for a field. */
export const completionFeature: Feature = {
  capabilities: { completionProvider: { triggerCharacters: [' ', ':'] } },
  register(connection, session) {
    connection.onCompletion((params, token) =>
      session.answer('completion', params.textDocument.uri, token, async (file) => {
        const items = isScenarioName(file.uri)
          ? (await import('./scenarios.ts')).scenarioCompletion(file, params.position, session.facts)
          : completion(file, params.position, session.facts, kubernetesFor(session.facts, session.settings).release);
        // Before the workspace has been read there may be more; the editor asks again with the next letter.
        return session.workspaceRead ? items : { isIncomplete: true, items };
      }),
    );
  },
};

/** Something to choose from, in the order in which it is shown. */
interface Choice {
  readonly label: string;
  readonly detail: string;
  readonly description?: string;
}

export function completion(
  file: ManifestFile,
  position: Position,
  facts: Facts,
  { types }: Release = latestRelease,
): CompletionItem[] {
  const placed = documentAtLine(file.documents, position.line);
  if (placed === undefined || placed.document.content === 'template') return [];
  const place = placed.document.pathAt(offsetInDocument(placed, position));
  if (place.object === null || place.on !== 'value') return [];
  const range = placedRange(placed, place.range);
  const written = placed.document.text.slice(place.range.start, place.range.end);
  const quote = /^["']/.exec(written)?.[0];
  const choices = isClassName(place.object, place.path)
    ? classesFor(classLadder(facts), file.uri).map(classChoice)
    : constantsAt(types, place.object, place.path);
  return choices.map(({ label, detail, description = '' }, index) => ({
    label,
    kind: completionItemKindEnumMember,
    detail,
    ...(description === '' ? {} : { documentation: { kind: 'markdown', value: plain(description) } }),
    // The editor selects what is written now; without this it would select the first.
    ...(label === written.replace(/^["']|["']$/g, '') ? { preselect: true } : {}),
    sortText: String(index).padStart(4, '0'),
    filterText: quote === undefined ? label : `${quote}${label}${quote}`,
    textEdit: { range, newText: quote === undefined ? yamlText(label) : `${quote}${label}${quote}` },
  }));
}

function isClassName({ apiVersion, kind }: ManifestObject, path: Path): boolean {
  const known = knownKind(apiVersion, kind);
  const template = known === undefined ? undefined : podTemplatePath(known);
  const wanted = template === undefined ? undefined : [...template, 'spec', 'priorityClassName'];
  return wanted?.length === path.length && wanted.every((step, index) => step === path[index]);
}

/** The values that the API defines for a field; what a cluster writes into a status is for nobody to choose. */
function constantsAt(types: ApiTypes, object: ManifestObject, path: Path): readonly Choice[] {
  if (path[0] === 'status') return [];
  const { name = '', values = [] } = fieldAt(types, object, path) ?? {};
  return values.map((label) => ({ label, detail: name }));
}

/** Source: CompletionItemKind.EnumMember of the language server protocol */
const completionItemKindEnumMember = 20;

function classChoice({ name, value, preemptionPolicy, globalDefault, description }: ClassFact): Choice {
  const policy = preemptionPolicy === 'Never' ? ', never preempts' : '';
  return { label: name, detail: `priority ${value}${policy}${globalDefault ? ', global default' : ''}`, description };
}
