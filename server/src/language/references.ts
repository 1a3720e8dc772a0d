import type { Location, Position } from 'vscode-languageserver';
import type { ManifestFile } from '../manifests/manifest.ts';
import { mentionAt, mentionsOf } from './class-references.ts';
import type { Facts } from './facts.ts';
import type { Feature } from './feature.ts';

/** Who uses a PriorityClass. */
export const referencesFeature: Feature = {
  capabilities: { referencesProvider: true },
  register(connection, session) {
    connection.onReferences((params, token) =>
      session.answerWhenRead('references', params.textDocument.uri, token, (file) =>
        references(file, params.position, session.facts, params.context.includeDeclaration),
      ),
    );
  },
};

export function references(file: ManifestFile, position: Position, facts: Facts, withDeclaration: boolean): Location[] {
  const mention = mentionAt(file, position, facts);
  if (mention === undefined) return [];
  return mentionsOf(mention.name, facts)
    .filter(({ fact }) => withDeclaration || fact.kind !== 'PriorityClass')
    .flatMap(({ fact, path }) => facts.originOf(fact, path) ?? []);
}
