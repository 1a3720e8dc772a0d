import { StandingCluster } from '../simulation/cluster/standing-cluster.ts';
import { loadAppliedInput, type ClusterValues } from './applied-input.ts';
import { settledPods } from '../simulation/capacity/settled-workspace.ts';
import { type GrownInput, withGrownNodes } from '../simulation/scenario/with-grown-nodes.ts';
import type { SimulationInput } from '../simulation/cluster/input.ts';
import { growthFor } from '../language/session/growth.ts';
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

/** With the nodes that have come by autoscalers. */
export async function loadGrown(loaded: SimulationInput, context: CommandContext): Promise<GrownInput> {
  const growth = await growthFor([loaded.workspace, loaded.snapshot]);
  return await worked(context, withGrownNodes({ ...loaded, growth }));
}

interface LoadedCluster {
  readonly input: SimulationInput;
  readonly cluster: StandingCluster;
}

/**
 * The cluster of what would be applied and of a snapshot, as it stands: pods that find no node wait for one, and those
 * that taints evict are gone. Throws `UsageError`.
 */
export async function loadCluster(
  paths: readonly string[],
  values: Omit<ClusterValues, 'kubernetes'>,
  context: CommandContext,
): Promise<LoadedCluster> {
  const loaded = onceApplied(await loadAppliedInput(paths, { ...values, kubernetes: 'auto' }, context));
  const { input } = await loadGrown(loaded, context);
  return { input, cluster: new StandingCluster(input, await worked(context, settledPods(input))) };
}
