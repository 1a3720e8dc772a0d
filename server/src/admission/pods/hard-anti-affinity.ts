import type { Path } from '../../kubernetes/json.ts';
import type { PodSpec } from '../../kubernetes/objects.ts';
import { goList, goString } from '../format/go-zero.ts';

/** Admission plugins that Podium knows and that are off by default. */
export const admissionPlugins = ['LimitPodHardAntiAffinityTopology'] as const;
export type AdmissionPlugin = (typeof admissionPlugins)[number];

const hostname = 'kubernetes.io/hostname';

/** A required anti-affinity term that reaches further than one node. */
export interface FarAntiAffinity {
  /** From the spec to the term's topology key. */
  readonly path: Path;
  readonly topologyKey: string;
  /** Upstream's words, without the `pods "…" is forbidden: ` in front. */
  readonly detail: string;
}

/**
 * The first required anti-affinity term that the plugin LimitPodHardAntiAffinityTopology refuses, where a cluster has
 * it on; by default it is off.
 * Source: plugin/pkg/admission/antiaffinity/admission.go
 */
export function farAntiAffinity(spec: PodSpec): FarAntiAffinity | undefined {
  const terms = goList(spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
  const index = terms.findIndex((term) => term.topologyKey !== hostname);
  if (index < 0) return undefined;
  const topologyKey = goString(terms[index]?.topologyKey);
  const list = 'requiredDuringSchedulingIgnoredDuringExecution';
  return {
    path: ['affinity', 'podAntiAffinity', list, index, 'topologyKey'],
    topologyKey,
    detail: `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${hostname} is allowed`,
  };
}
