import type { Location, Position } from 'vscode-languageserver';
import type { ManifestFile } from '../manifests/manifest.ts';
import { type ClassMention, mentionAt, mentionsOf } from './class-references.ts';
import type { Facts } from './facts.ts';
import type { Feature } from './feature.ts';

/** From a name to the PriorityClass, and from a PriorityClass to those who use it. */
export const navigationFeature: Feature = {
  capabilities: { definitionProvider: true, referencesProvider: true },
  register(connection, session) {
    connection.onDefinition(({ textDocument: { uri }, position }, token) =>
      session.answerWhenRead('definition', uri, token, (file) => definition(file, position, session.facts)),
    );
    connection.onReferences(({ textDocument: { uri }, position, context }, token) =>
      session.answerWhenRead('references', uri, token, (file) =>
        references(file, position, session.facts, context.includeDeclaration),
      ),
    );
  },
};

export function definition(file: ManifestFile, position: Position, facts: Facts): Location[] {
  return places(file, position, facts, isDeclaration);
}

export function references(file: ManifestFile, position: Position, facts: Facts, withDeclaration: boolean): Location[] {
  return places(file, position, facts, (mention) => withDeclaration || !isDeclaration(mention));
}

function isDeclaration({ fact }: ClassMention): boolean {
  return fact.kind === 'PriorityClass';
}

/** Where the class under the cursor is mentioned. */
function places(
  file: ManifestFile,
  position: Position,
  facts: Facts,
  isWanted: (mention: ClassMention) => boolean,
): Location[] {
  const mention = mentionAt(file, position, facts);
  if (mention === undefined) return [];
  return mentionsOf(mention.name, facts)
    .filter(isWanted)
    .flatMap(({ fact, path }) => facts.originOf(fact, path) ?? []);
}
