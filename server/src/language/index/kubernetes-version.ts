import { getOrInsert } from '../../util/maps.ts';
import { valueAt } from '../../util/values.ts';
import { chooseRelease, type KnownVersions, type KubernetesChoice } from '../../simulation/cluster/choose-release.ts';
import type { Minor } from '../../util/minors.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { writtenVersions } from '../../sources/files/kubelet-versions.ts';
import { derived } from './derived.ts';
import type { Facts } from './facts.ts';
import type { Settings } from '../settings/settings.ts';

/** Which Kubernetes judges and answers here, and why: the same for every answer of the editor. */
export function kubernetesFor(facts: Facts, { kubernetes: { version, featureGates } }: Settings): KubernetesChoice {
  const versions = kubeletVersions(facts);
  const choices = getOrInsert(known, versions, () => new Map());
  const gates = new Map([...facts.cluster.featureGates, ...featureGates]);
  const key = JSON.stringify([version, facts.cluster.serverVersion ?? '', [...gates]]);
  return getOrInsert(choices, key, () =>
    chooseRelease(version, { ...versions, server: facts.cluster.serverVersion }, gates),
  );
}

/**
 * The Kubernetes that charts are rendered for: that of what is written, as what is made is not known before, and would be
 * another in a server that has rendered it already.
 */
export function renderedFor(
  facts: Facts,
  { kubernetes: { version } }: Settings,
  plain: readonly ManifestFile[],
): Minor {
  const server = facts.cluster.serverVersion;
  const { snapshot } = kubeletVersions(facts);
  return chooseRelease(version, { server, snapshot, workspace: writtenVersions(plain) }).release.minor;
}

const known = new WeakMap<KnownVersions, Map<string, KubernetesChoice>>();

const kubeletVersions = derived(['Node'], (nodes): KnownVersions => {
  const from = (source: 'snapshot' | 'workspace') =>
    nodes.flatMap((node) => {
      // Decoding thousands of nodes for this would be a waste.
      const version =
        node.source === source ? valueAt(node.manifest.value, ['status', 'nodeInfo', 'kubeletVersion']) : undefined;
      return typeof version === 'string' ? [version] : [];
    });
  return { snapshot: from('snapshot'), workspace: from('workspace') };
});
