import type { Location, Position } from 'vscode-languageserver';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { Facts } from '../index/facts.ts';
import { cursorAt, mentionAt, mentionsOf } from '../index/mentions.ts';
import { selectedBy } from '../index/selections.ts';

/** From a name to what it names; from a selector to the workloads whose pods it selects. */
export function definition(file: ManifestFile, position: Position, facts: Facts): Location[] {
  const mention = mentionAt(file, position, facts);
  const isLabel = mention?.kind === 'label of pods' || mention?.kind === 'label value of pods';
  if (mention !== undefined && !isLabel) {
    return mentionsOf(mention, facts)
      .filter(({ declares }) => declares)
      .flatMap((declaration) => facts.originOf(declaration.fact, declaration.path, declaration.part) ?? []);
  }
  const cursor = cursorAt(file, position, facts);
  const [top, field] = cursor?.path ?? [];
  if (cursor === undefined || top !== 'spec' || (field !== 'selector' && field !== 'podSelector')) return [];
  return selectedBy(cursor.fact, facts).flatMap((workload) => facts.originOf(workload) ?? []);
}
