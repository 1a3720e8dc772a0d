import type { CompletionItem, Position } from 'vscode-languageserver';
import type { ManifestFile } from '../manifests/manifest.ts';
import type { Facts } from './facts.ts';
import type { Feature } from './feature.ts';
import { knownKind } from './kinds.ts';
import { plain } from './markdown.ts';
import { podTemplatePath } from '../kubernetes/pod-template.ts';
import { documentAtLine, offsetInDocument, placedRange } from '../manifests/text-positions.ts';
import { type ClassFact, classesFor, classLadder } from './priority-classes.ts';
import { yamlText } from './rules/support/edits.ts';

/** Names of classes where one is wanted. */
export const completionFeature: Feature = {
  capabilities: { completionProvider: { triggerCharacters: [' ', ':'] } },
  register(connection, session) {
    connection.onCompletion((params, token) =>
      session.answer('completion', params.textDocument.uri, token, (file) => {
        const items = completion(file, params.position, session.facts);
        // Before the workspace has been read there may be more; the editor asks again with the next letter.
        return session.workspaceRead ? items : { isIncomplete: true, items };
      }),
    );
  },
};

export function completion(file: ManifestFile, position: Position, facts: Facts): CompletionItem[] {
  const placed = documentAtLine(file.documents, position.line);
  if (placed === undefined || placed.document.content === 'template') return [];
  const place = placed.document.pathAt(offsetInDocument(placed, position));
  if (place.object === null || place.on !== 'value') return [];
  const kind = knownKind(place.object.apiVersion, place.object.kind);
  const template = kind === undefined ? undefined : podTemplatePath(kind);
  const wanted = template === undefined ? undefined : [...template, 'spec', 'priorityClassName'];
  if (wanted?.length !== place.path.length || !wanted.every((step, index) => step === place.path[index])) return [];
  const range = placedRange(placed, place.range);
  const written = placed.document.text.slice(place.range.start, place.range.end);
  const quote = written[0];
  const classes = classesFor(classLadder(facts), file.uri);
  return classes.map((entry, index) => ({
    label: entry.name,
    kind: completionItemKindEnumMember,
    detail: detailOf(entry),
    ...(entry.description === '' ? {} : { documentation: { kind: 'markdown', value: plain(entry.description) } }),
    // The editor selects the class that is written now; without this it would select the highest.
    ...(entry.name === written.replace(/^["']|["']$/g, '') ? { preselect: true } : {}),
    // As on the ladder: the highest first.
    sortText: String(index).padStart(4, '0'),
    filterText: quote === '"' || quote === "'" ? `${quote}${entry.name}${quote}` : entry.name,
    textEdit: {
      range,
      newText: quote === '"' || quote === "'" ? `${quote}${entry.name}${quote}` : yamlText(entry.name),
    },
  }));
}

/** Source: CompletionItemKind.EnumMember of the language server protocol */
const completionItemKindEnumMember = 20;

function detailOf(entry: ClassFact): string {
  const policy = entry.preemptionPolicy === 'Never' ? ', never preempts' : '';
  return `priority ${entry.value}${policy}${entry.globalDefault ? ', global default' : ''}`;
}
