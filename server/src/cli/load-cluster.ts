import { StandingCluster } from '../simulation/scene/standing-cluster.ts';
import { UsageError, type CommandContext } from './command.ts';
import { loadManifests, loadSnapshot } from './load-manifests.ts';
import { namesOf } from './read-files.ts';

/**
 * The cluster that manifests and a snapshot describe. What could not be read is told on stderr. Throws `UsageError` when
 * nothing is named, or nothing is found.
 */
export async function loadCluster(
  paths: readonly string[],
  snapshotPath: string | undefined,
  context: CommandContext,
): Promise<StandingCluster> {
  if (paths.length === 0 && snapshotPath === undefined) {
    throw new UsageError('name at least one file or folder, or a --snapshot');
  }
  const workspace = await loadManifests(paths, context);
  const snapshot = await loadSnapshot(snapshotPath, context);
  for (const problem of [...workspace.problems, ...snapshot.problems]) context.stderr.write(`podium: ${problem}\n`);
  if (workspace.objects.length + snapshot.objects.length === 0) {
    throw new UsageError(`no Kubernetes manifests in ${namesOf([...paths, snapshotPath ?? []].flat())}`);
  }
  const input = { workspace: workspace.objects, snapshot: snapshot.objects };
  return new StandingCluster(input, [...workspace.others, ...snapshot.others]);
}
