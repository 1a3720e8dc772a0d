import type { NodeFacts } from './node-facts.ts';

/** One image over the whole cluster. Source: pkg/scheduler/backend/cache/cache.go (imageState) */
export interface ImageState {
  /** Bytes, as the first node that reported this name said. */
  readonly size: number;
  /** Indexes of the nodes that have it. */
  readonly nodes: ReadonlySet<number>;
}

/** The images of all nodes by every name they are known under. `nodes` come in name order, as the cache met them. */
export function imagesOf(nodes: readonly NodeFacts[]): ReadonlyMap<string, ImageState> {
  const images = new Map<string, { readonly size: number; readonly nodes: Set<number> }>();
  for (const facts of nodes) {
    for (const image of facts.node.status?.images ?? []) {
      for (const name of image.names ?? []) {
        const known = images.get(name);
        if (known === undefined) images.set(name, { size: image.sizeBytes ?? 0, nodes: new Set([facts.index]) });
        else known.nodes.add(facts.index);
      }
    }
  }
  return images;
}
