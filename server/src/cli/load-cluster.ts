import { StandingCluster } from '../simulation/cluster/standing-cluster.ts';
import { loadAppliedInput, type ClusterValues } from './applied-input.ts';
import { podsWithoutNode } from '../simulation/capacity/settled-workspace.ts';
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
 * The cluster of what would be applied and of a snapshot, as it stands. Throws `UsageError`.
 * @param state `settled`: pods that find no node wait for one
 */
export async function loadCluster(
  paths: readonly string[],
  values: Omit<ClusterValues, 'kubernetes'>,
  context: CommandContext,
  state: 'as written' | 'settled' = 'as written',
): Promise<StandingCluster> {
  const input = await loadAppliedInput(paths, { ...values, kubernetes: 'auto' }, context);
  return state === 'settled'
    ? new StandingCluster(input, await worked(context, podsWithoutNode(input)))
    : new StandingCluster(input);
}
