import type { Container, DaemonSet, Pod } from '../../kubernetes/objects.ts';
import type { KarpenterCluster } from './cluster.ts';
import { wellKnownLabels } from './labels.ts';
import { relax, toleratingPreferences } from './relax.ts';
import { areCompatible, labelRequirements, type Requirements, together } from './requirements.ts';
import type { StateNode } from './state-nodes.ts';
import { strictRequirements, untolerated, type WorkingPod, workingPod } from './working-pod.ts';
import type { NodePool } from './objects.ts';
import { usesResourceClaims } from './pods.ts';

/**
 * One pod of each DaemonSet: the newest there is, or one of its template, where limits become requests.
 * Source: getDaemonSetPods in karpenter pkg/controllers/provisioning/provisioner.go
 */
function podOf(daemonSet: DaemonSet, pods: readonly Pod[]): Pod {
  const { uid, namespace = 'default' } = daemonSet.metadata ?? {};
  let newest: Pod | undefined;
  for (const pod of pods) {
    if ((pod.metadata?.namespace ?? 'default') !== namespace) continue;
    const controller = pod.metadata?.ownerReferences?.find((owner) => owner.controller === true);
    if (controller === undefined || controller.uid !== uid) continue;
    if (newest === undefined || createdAt(pod) > createdAt(newest)) newest = pod;
  }
  const template = daemonSet.spec?.template.spec;
  if (newest === undefined) return { spec: withRequestsOfLimits(template) };
  const required = template?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return newest;
  const { affinity } = newest.spec ?? {};
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required };
  return { ...newest, spec: { ...newest.spec!, affinity: { ...affinity, nodeAffinity } } };
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata?.creationTimestamp ?? '') || 0;
}

type PodSpec = NonNullable<Pod['spec']>;

function withRequestsOfLimits(spec: PodSpec | undefined): PodSpec {
  const withRequests = (container: Container): Container => ({
    ...container,
    resources: {
      ...container.resources,
      requests: { ...container.resources?.limits, ...container.resources?.requests },
    },
  });
  const { containers = [], initContainers } = spec ?? {};
  return {
    ...spec,
    containers: containers.map(withRequests),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withRequests) }),
  };
}

/**
 * The pods that DaemonSets put on nodes. Whoever asks whether one suits a pool leaves it as it suited: alternatives of its
 * node affinity that did not are gone for all pools after it, and for the nodes, as upstream has it.
 * Source: isDaemonPodCompatible in karpenter …/scheduling/scheduler.go
 */
export class DaemonPods {
  readonly #pods: WorkingPod[];

  constructor({ daemonSets, pods }: KarpenterCluster) {
    this.#pods = daemonSets
      .map((daemonSet) => workingPod(podOf(daemonSet, pods)))
      .filter(({ pod }) => !usesResourceClaims(pod));
  }

  onPool({ taints }: NodePool, requirements: Requirements): readonly WorkingPod[] {
    const suited: WorkingPod[] = [];
    for (const [at, each] of this.#pods.entries()) {
      let pod = toleratingPreferences(each);
      let suits = false;
      if (untolerated(taints, pod.tolerations).length === 0) {
        for (;;) {
          suits = areCompatible(requirements, strictRequirements(pod), wellKnownLabels);
          if (suits || (pod.nodeTerms?.length ?? 0) <= 1) break;
          pod = relax(pod, false)!.pod;
        }
      }
      this.#pods[at] = pod;
      if (suits) suited.push(pod);
    }
    return suited;
  }

  onNode(node: StateNode): readonly WorkingPod[] {
    const requirements = together(labelRequirements(node.labels));
    return this.#pods.filter(
      (pod) =>
        untolerated(node.taints, pod.tolerations).length === 0 && areCompatible(requirements, strictRequirements(pod)),
    );
  }
}
