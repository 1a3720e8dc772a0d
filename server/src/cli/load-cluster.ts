import { StandingCluster } from '../simulation/cluster/standing-cluster.ts';
import { loadAppliedInput, type ClusterValues } from './applied-input.ts';
import { settledPods } from '../simulation/capacity/settled-workspace.ts';
import { onceApplied } from '../simulation/scenario/changed-workloads.ts';
import { worked, type CommandContext } from './command.ts';
import { sourceHelp, sourceOptions } from './read-sources.ts';

/** Options of commands that answer for a cluster as it stands. */
export const standingOptions = {
  ...sourceOptions,
  snapshot: { type: 'string' },
} as const;

export const standingHelp = `What would be applied (kustomizations, charts, Flux and Argo CD are rendered with your own tools):
${sourceHelp}`;

/**
 * The cluster of what would be applied and of a snapshot, as it stands: pods that find no node wait for one, and those
 * that taints evict are gone. Throws `UsageError`.
 */
export async function loadCluster(
  paths: readonly string[],
  values: Omit<ClusterValues, 'kubernetes'>,
  context: CommandContext,
): Promise<StandingCluster> {
  const input = onceApplied(await loadAppliedInput(paths, { ...values, kubernetes: 'auto' }, context));
  return new StandingCluster(input, await worked(context, settledPods(input)));
}
