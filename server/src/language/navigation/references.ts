import { type DocumentHighlight, DocumentHighlightKind, type Location, type Position } from 'vscode-languageserver';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { Facts } from '../index/facts.ts';
import { mentionAt, mentionsOf } from '../index/mentions.ts';
import { selectorsOf } from '../index/selections.ts';

/** Objects of the snapshot that are shown where they name something; of further ones their own name is shown. */
const mostExact = 1_000;

/** Who names something; of a workload also what selects its pods. */
export function references(file: ManifestFile, position: Position, facts: Facts, withDeclaration: boolean): Location[] {
  const mention = mentionAt(file, position, facts);
  if (mention === undefined) return [];
  let fromSnapshot = 0;
  const named = mentionsOf(mention, facts)
    .filter(({ declares }) => withDeclaration || !declares)
    .flatMap(({ fact, path, part }) => {
      // Each place in the snapshot but that of a name costs another look at its file.
      const isOneOfMany = fact.source === 'snapshot' && ++fromSnapshot > mostExact;
      return (isOneOfMany ? facts.originOf(fact) : facts.originOf(fact, path, part)) ?? [];
    });
  if (!mention.declares || !isWorkloadKind(mention.fact.kind) || mention.kind !== mention.fact.kind) return named;
  const selected = selectorsOf(mention.fact, facts).flatMap(
    (fact) => facts.originOf(fact, ['spec', fact.kind === 'NetworkPolicy' ? 'podSelector' : 'selector']) ?? [],
  );
  return [...named, ...selected];
}

/** Where a file names what the cursor is on. */
export function highlights(file: ManifestFile, position: Position, facts: Facts): DocumentHighlight[] {
  const mention = mentionAt(file, position, facts);
  if (mention === undefined) return [];
  return mentionsOf(mention, facts)
    .filter(({ fact }) => fact.uri === file.uri)
    .flatMap(({ fact, path, part, declares }) => {
      const range = facts.originOf(fact, path, part)?.range;
      const kind = declares ? DocumentHighlightKind.Write : DocumentHighlightKind.Read;
      return range === undefined ? [] : [{ range, kind }];
    });
}
