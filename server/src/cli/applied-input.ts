import type { AssumedNodes, SimulationInput } from '../simulation/index.ts';
import { misreadAssumptions, misreadIn } from '../simulation/cluster/misread.ts';
import { unseenSummary } from '../simulation/report/unseen.ts';
import { assumedNodesOf } from '../simulation/cluster/assumed-nodes.ts';
import { snapshotFor } from './found-snapshot.ts';
import { loadDevicesFor } from '../simulation/cluster/load-devices-for.ts';
import { foundSnapshotName } from '../manifests/file-provider.ts';
import { comparedMinor } from '../util/minors.ts';
import { kubernetesVersions } from '../language/settings/settings.ts';
import { parseAdmissionPlugins, parseFeatureGates } from './api-server-options.ts';
import { oneOf } from './arguments.ts';
import { UsageError, type CommandContext } from './command.ts';
import { shellWord } from '../report-model/command-text.ts';
import { type AppliedManifests, loadApplied, type LoadedSnapshot, loadSnapshot } from './load-manifests.ts';
import { namesOf } from './read-files.ts';
import { withWhatIfs } from './events.ts';
import { sourceHelp, sourceOptions, type SourceValues } from './read-sources.ts';

/** Options of every command that runs the scheduler over what would be applied. */
export const clusterOptions = {
  ...sourceOptions,
  snapshot: { type: 'string' },
  'assume-nodes': { type: 'string' },
  kubernetes: { type: 'string', default: 'auto' },
  'admission-plugins': { type: 'string' },
  'feature-gates': { type: 'string' },
} as const;

export const clusterHelp = `What would be applied (kustomizations, charts, Flux and Argo CD are rendered with your own tools):
${sourceHelp}
Where the cluster comes from:
  --snapshot FILE              the output of kubectl get nodes,pods,… -A -o yaml (or json);
                               the manifests win where both name an object. Default: the file
                               ${foundSnapshotName} of a PATH, the working folder or above
  --assume-nodes COUNT[:CPU[:MEMORY[:PODS]]][,KEY=VALUE][+COUNT…]
                               the nodes to assume when nothing names any, pools with + between;
                               KEY=VALUE is a label, KEY=VALUE:EFFECT a taint, RESOURCE:AMOUNT a
                               device. Default auto: as many as the pods need, at 80 %

  --kubernetes ${kubernetesVersions.join('|')}
                               the version that is imitated; auto takes the API server that the
                               snapshot names, else the newest kubelet, else ${comparedMinor}; default auto
  --admission-plugins NAME[,NAME]
                               admission plugins that are enabled in addition to the defaults:
                               LimitPodHardAntiAffinityTopology
  --feature-gates NAME=true[,NAME=false]
                               gates that are switched otherwise than by default; those in the
                               files of Talos, kubeadm, kind and k3s are found
`;

export interface ClusterValues extends SourceValues {
  readonly snapshot?: string | undefined;
  readonly 'assume-nodes'?: string | undefined;
  readonly kubernetes: string;
  readonly 'admission-plugins'?: string | undefined;
  readonly 'feature-gates'?: string | undefined;
  readonly 'what-if'?: readonly string[] | undefined;
}

type ClusterSettings = Pick<SimulationInput, 'kubernetes' | 'assumedNodes' | 'admissionPlugins' | 'featureGates'>;

/** What the options say of the cluster besides its objects. Throws `UsageError`. */
export function clusterSettings(values: ClusterValues): ClusterSettings {
  const kubernetes = oneOf('--kubernetes', values.kubernetes, kubernetesVersions);
  const assumed = values['assume-nodes'];
  const plugins = parseAdmissionPlugins(values['admission-plugins']);
  return {
    kubernetes,
    admissionPlugins: plugins,
    featureGates: parseFeatureGates(values['feature-gates']),
    ...(assumed === undefined ? {} : { assumedNodes: parseAssumedNodes(assumed) }),
  };
}

/** What would be applied, in its cluster. What could not be read or seen is told on stderr. Throws `UsageError`. */
export async function loadAppliedInput(
  paths: readonly string[],
  values: ClusterValues,
  context: CommandContext,
): Promise<SimulationInput> {
  if (context.open !== undefined) {
    const { input: open } = await context.open.input(paths, undefined);
    return withWhatIfs(open, values['what-if'], context);
  }
  const settings = clusterSettings(values);
  if (paths.length === 0 && values.snapshot === undefined) {
    throw new UsageError('name at least one file or folder, or a --snapshot');
  }
  const snapshot = await loadSnapshot(snapshotFor(paths, values, context), context);
  const workspace = await loadApplied(paths, context, values, snapshot);
  const input = inCluster(workspace, snapshot, settings, context);
  if (input.workspace.length + input.snapshot.length + workspace.unseen.length === 0) {
    throw new UsageError(`no Kubernetes manifests in ${namesOf([...paths, values.snapshot ?? []].flat())}`, true);
  }
  await loadDevicesFor(input.workspace, input.snapshot);
  for (const line of unseenSummary(workspace.unseen)) context.stderr.write(`podium: not seen: ${line}\n`);
  for (const { text } of misreadAssumptions(misreadIn(snapshot.objects))) context.stderr.write(`podium: ${text}\n`);
  return withWhatIfs(input, values['what-if'], context);
}

/** Manifests that have been read, in their cluster. */
export function inCluster(
  workspace: AppliedManifests,
  snapshot: LoadedSnapshot,
  settings: ClusterSettings,
  context: CommandContext,
): SimulationInput {
  for (const problem of [...workspace.problems, ...snapshot.problems]) context.stderr.write(`podium: ${problem}\n`);
  const [large] = workspace.tooLarge;
  const hasNodes = [...workspace.objects, ...snapshot.objects].some(({ object }) => object.kind === 'Node');
  if (large !== undefined && !hasNodes && settings.assumedNodes === undefined) {
    throw new UsageError(
      `no Node is known, and ${large} is too large for a manifest; of a cluster: --snapshot ${shellWord(large)}`,
      true,
    );
  }
  return {
    ...settings,
    featureGates: new Map([...workspace.featureGates, ...(settings.featureGates ?? [])]),
    workspace: workspace.objects,
    snapshot: snapshot.objects,
    serverVersion: snapshot.serverVersion,
    knowsPatches: true,
    now: Date.now(),
    unseen: workspace.unseen,
    withoutSandbox: workspace.withoutSandbox,
    nodePlaces: workspace.nodePlaces,
    others: [...workspace.others, ...snapshot.others],
    ...(workspace.targets.length === 0 ? {} : { target: { name: workspace.target, of: workspace.targets } }),
  };
}

/** Throws `UsageError`. */
function parseAssumedNodes(text: string): AssumedNodes {
  const assumed = assumedNodesOf(text);
  if (typeof assumed === 'string') throw new UsageError(`--assume-nodes: ${assumed}`);
  return assumed;
}
