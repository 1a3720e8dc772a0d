import type { JsonObject } from '../kubernetes/json.ts';
import type { SimulationInput } from '../simulation/index.ts';
import { StandingCluster } from '../simulation/scene/standing-cluster.ts';
import { UsageError, type CommandContext } from './command.ts';
import { loadManifests, loadSnapshot } from './load-manifests.ts';
import { namesOf } from './read-files.ts';

/** Manifests and a snapshot, as a simulation takes them, and objects of kinds that nothing decodes. */
interface LoadedInput extends SimulationInput {
  readonly others: readonly JsonObject[];
}

/**
 * The objects of manifests and a snapshot. What could not be read is told on stderr. Throws `UsageError` when nothing is
 * named, or nothing is found.
 */
export async function loadInput(
  paths: readonly string[],
  snapshotPath: string | undefined,
  context: CommandContext,
): Promise<LoadedInput> {
  if (paths.length === 0 && snapshotPath === undefined) {
    throw new UsageError('name at least one file or folder, or a --snapshot');
  }
  const workspace = await loadManifests(paths, context);
  const snapshot = await loadSnapshot(snapshotPath, context);
  for (const problem of [...workspace.problems, ...snapshot.problems]) context.stderr.write(`podium: ${problem}\n`);
  if (workspace.objects.length + snapshot.objects.length === 0) {
    throw new UsageError(`no Kubernetes manifests in ${namesOf([...paths, snapshotPath ?? []].flat())}`);
  }
  return {
    workspace: workspace.objects,
    snapshot: snapshot.objects,
    serverVersion: snapshot.serverVersion,
    others: [...workspace.others, ...snapshot.others],
  };
}

/** The cluster that they describe, as it stands. */
export async function loadCluster(
  paths: readonly string[],
  snapshotPath: string | undefined,
  context: CommandContext,
): Promise<StandingCluster> {
  const { others, ...input } = await loadInput(paths, snapshotPath, context);
  return new StandingCluster(input, others);
}
