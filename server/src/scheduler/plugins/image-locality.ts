import type { NodeInfo } from '../framework/node-info.ts';
import type { ImageState } from '../framework/images.ts';
import { maxNodeScore } from '../framework/normalize.ts';
import type { Cycle, Plugin } from '../framework/plugin.ts';

const mebibyte = 1024 * 1024;
/** Source: pkg/scheduler/framework/plugins/imagelocality/image_locality.go (minThreshold, maxContainerThreshold) */
const minThreshold = 23 * mebibyte;
const maxContainerThreshold = 1000 * mebibyte;

interface ScoreState {
  /** Images of the pod that some node has, with what each adds to a node's sum. */
  readonly images: readonly { readonly state: ImageState; readonly worth: number }[];
  readonly maxThreshold: number;
}

/** Prefers nodes that have the pod's images. Source: pkg/scheduler/framework/plugins/imagelocality/image_locality.go */
export const imageLocality: Plugin<undefined, ScoreState> = {
  name: 'ImageLocality',
  dependsOnPods: false,

  preScore({ cluster, pod }: Cycle): ScoreState {
    const known = cluster.nodeSet.images;
    const spec = pod.pod.spec;
    const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
    const names = containers.map(({ image }) => image ?? '');
    const { countsImageVolumes, boundsImageVolumes } = cluster.release.behaviours;
    if (countsImageVolumes) {
      for (const { image } of spec?.volumes ?? []) if (image !== undefined) names.push(image.reference ?? '');
    }
    const images: { state: ImageState; worth: number }[] = [];
    for (const name of names) {
      const state = known.size === 0 ? undefined : known.get(normalizedName(name));
      if (state === undefined) continue;
      const spread = state.nodes.size / cluster.nodeSet.size;
      images.push({ state, worth: Math.trunc(state.size * spread) });
    }
    const bounding = boundsImageVolumes ? names.length : containers.length;
    return { images, maxThreshold: maxContainerThreshold * bounding };
  },

  score(_cycle: Cycle, { images, maxThreshold }: ScoreState, node: NodeInfo): number {
    let sum = 0;
    for (const { state, worth } of images) if (state.nodes.has(node.index)) sum += worth;
    const clamped = sum < minThreshold ? minThreshold : Math.min(sum, maxThreshold);
    return Math.trunc((maxNodeScore * (clamped - minThreshold)) / (maxThreshold - minThreshold));
  },

  uniformScore(_cycle: Cycle, { images }: ScoreState): number | null {
    return images.length === 0 ? 0 : null;
  },
};

/** Names without tag or digest mean `latest`. */
function normalizedName(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}
