import { labelValue } from '../../../kubernetes/labels.ts';
import { compileRequiredNodeAffinity, selectableNode } from '../../../kubernetes/node-selector.ts';
import type { Node, PodSpec } from '../../../kubernetes/objects.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../../kubernetes/taints.ts';
import type { Fact } from '../../index/fact.ts';
import { keptByKey } from './kept.ts';

interface Domains {
  /** Nodes that the pods may use. */
  readonly nodes: number;
  readonly values: number;
  /** Nodes without the label are in no domain, and take any number of the pods. */
  readonly unlabelled: boolean;
}

const kept = keptByKey<Domains>();

/** Into how many domains a topology key divides the nodes that the pods may use. */
export function domainsOf(nodes: readonly Fact[], topologyKey: string, spec: PodSpec | undefined): Domains {
  const { nodeSelector, affinity, tolerations } = spec ?? {};
  const key = JSON.stringify([topologyKey, nodeSelector, affinity?.nodeAffinity, tolerations]);
  return kept(nodes, key, () => {
    const required = compileRequiredNodeAffinity(spec);
    const open = nodes.filter(({ object }) => {
      const node = object as Node;
      return (
        required.matches(selectableNode(node)) &&
        firstUntolerated(node.spec?.taints, tolerations, NO_SCHEDULE_EFFECTS) === undefined
      );
    });
    const labels = open.map(({ object }) => labelValue(object.metadata?.labels, topologyKey));
    const values = new Set(labels.filter((value) => value !== undefined));
    return { nodes: open.length, values: values.size, unlabelled: labels.includes(undefined) };
  });
}
