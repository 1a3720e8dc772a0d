import { StandingCluster } from '../simulation/scene/standing-cluster.ts';
import { loadAppliedInput, type ClusterValues } from './applied-input.ts';
import type { CommandContext } from './command.ts';
import { sourceHelp, sourceOptions } from './read-sources.ts';

/** Options of commands that answer for a cluster as it stands. */
export const standingOptions = {
  ...sourceOptions,
  snapshot: { type: 'string' },
} as const;

export const standingHelp = `What would be applied (kustomizations, charts, Flux and Argo CD are rendered with your own tools):
${sourceHelp}`;

/** The cluster of what would be applied and of a snapshot, as it stands. Throws `UsageError`. */
export async function loadCluster(
  paths: readonly string[],
  values: Omit<ClusterValues, 'kubernetes'>,
  context: CommandContext,
): Promise<StandingCluster> {
  const { others, ...input } = await loadAppliedInput(paths, { ...values, kubernetes: 'auto' }, context);
  return new StandingCluster(input, others);
}
