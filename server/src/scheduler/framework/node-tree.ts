import { labelValue } from '../../kubernetes/labels.ts';
import type { Node } from '../../kubernetes/objects.ts';
import { compareBytewise } from './order.ts';

/**
 * The order in which the scheduler's snapshot lists nodes: zones in order of first appearance, then round robin, one
 * node of each zone at a time. Nodes appear in name order, as the API server lists them.
 * Source: pkg/scheduler/backend/cache/node_tree.go
 */
export function inTreeOrder(nodes: readonly Node[]): readonly Node[] {
  const byName = [...nodes].sort((a, b) => compareBytewise(a.metadata?.name ?? '', b.metadata?.name ?? ''));
  const zones = new Map<string, Node[]>();
  for (const node of byName) {
    const key = zoneKeyOf(node);
    const zone = zones.get(key);
    if (zone === undefined) zones.set(key, [node]);
    else zone.push(node);
  }
  const ordered: Node[] = [];
  for (let i = 0; ordered.length < byName.length; i++) {
    for (const zone of zones.values()) {
      const node = zone[i];
      if (node !== undefined) ordered.push(node);
    }
  }
  return ordered;
}

/** Source: staging/src/k8s.io/component-helpers/node/topology/helpers.go (GetZoneKey) */
function zoneKeyOf(node: Node): string {
  const labels = node.metadata?.labels;
  const zone =
    labelValue(labels, 'failure-domain.beta.kubernetes.io/zone') ?? labelValue(labels, 'topology.kubernetes.io/zone');
  const region =
    labelValue(labels, 'failure-domain.beta.kubernetes.io/region') ??
    labelValue(labels, 'topology.kubernetes.io/region');
  return zone === undefined && region === undefined ? '' : `${region ?? ''}:\u0000:${zone ?? ''}`;
}
