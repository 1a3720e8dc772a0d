import type { Location, Position } from 'vscode-languageserver';
import type { ManifestFile } from '../manifests/manifest.ts';
import { mentionAt, mentionsOf } from './class-references.ts';
import type { Facts } from './facts.ts';
import type { Feature } from './feature.ts';

/** From a name to the PriorityClass. */
export const definitionFeature: Feature = {
  capabilities: { definitionProvider: true },
  register(connection, session) {
    connection.onDefinition((params, token) =>
      session.answerWhenRead('definition', params.textDocument.uri, token, (file) =>
        definition(file, params.position, session.facts),
      ),
    );
  },
};

export function definition(file: ManifestFile, position: Position, facts: Facts): Location[] {
  const mention = mentionAt(file, position, facts);
  if (mention === undefined) return [];
  return mentionsOf(mention.name, facts)
    .filter(({ fact }) => fact.kind === 'PriorityClass')
    .flatMap(({ fact, path }) => facts.originOf(fact, path) ?? []);
}
