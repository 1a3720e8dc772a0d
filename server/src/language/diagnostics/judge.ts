import type { ManifestFile } from '../../manifests/manifest.ts';
import type { World } from '../../sources/world.ts';
import { type PlacedFindings, refusedSources } from '../applied-findings.ts';
import type { CheckedFinding, Checker } from '../check-file.ts';
import type { Facts } from '../facts.ts';
import { placedDiagnosticsInSteps } from '../file-diagnostics.ts';
import type { Settings } from '../settings.ts';

/** Who judges, and of what. */
export interface Judging {
  /** Undefined where sources are not known. */
  readonly world: World | undefined;
  readonly facts: Facts;
  readonly checker: Checker;
  /** Whether nothing is said by a rule in a file. */
  readonly quiet: (uri: string, code: string) => boolean;
  /** Whether another server tells of a file what was found. */
  readonly isToldElsewhere?: (uri: string, found: CheckedFinding) => boolean;
  readonly settings: Settings;
  /** Where the pages of the rules are; empty when unknown. */
  readonly docs: string;
}

/** Adds what is wrong with files, and with the sources of a world. */
export function* judge(
  files: readonly ManifestFile[],
  { world, facts, checker, quiet, isToldElsewhere, settings, docs }: Judging,
  found: PlacedFindings,
): Generator<void> {
  if (world !== undefined) for (const placed of refusedSources(world, settings, docs)) found.add(placed);
  for (const file of files) {
    for (const placed of yield* placedDiagnosticsInSteps(file, checker, facts, settings, docs)) {
      if (placed.found !== undefined && isToldElsewhere?.(file.uri, placed.found) === true) continue;
      if (!quiet(file.uri, String(placed.diagnostic.code))) found.add(placed);
    }
  }
}
