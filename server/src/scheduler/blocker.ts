/** One thing that keeps a pod from a node, with what is needed to say it or to change it. */
export type Blocker =
  /** Too little is free; in the units of the report's amounts. A capacity of 0: the node does not offer it at all. */
  | {
      readonly kind: 'amount';
      readonly resource: string;
      readonly need: number;
      readonly free: number;
      readonly capacity: number;
    }
  /** `key=value:Effect` of each that is not tolerated. */
  | { readonly kind: 'taint'; readonly taints: readonly string[] }
  | { readonly kind: 'cordon' }
  /** What the pod asks of labels and the node does not have: `pool=gpu`, `zone in (a, b)`. */
  | { readonly kind: 'labels'; readonly wanted: readonly string[] }
  | { readonly kind: 'node-name'; readonly name: string }
  /** `80/TCP`, and the pods that hold them, `namespace/name`. */
  | { readonly kind: 'port'; readonly ports: readonly string[]; readonly pods: readonly string[] }
  | {
      readonly kind: 'spread';
      readonly topologyKey: string;
      readonly maxSkew: number;
      /** The domain of the node, and how many pods are counted there; empty where the node lacks the label. */
      readonly domain: string;
      readonly count: number;
      /** The domains with the fewest pods, a few of them, how many they have, and of how many. */
      readonly fewest: readonly string[];
      readonly minimum: number;
      readonly domains: number;
      /** Set where there are fewer domains than this: then the minimum is 0. */
      readonly minDomains: number;
    }
  /** No pod that the required affinity selects is in the node's domain. */
  | { readonly kind: 'affinity'; readonly topologyKey: string; readonly selectors: readonly string[] }
  /** Pods in the node's domain that the pod keeps away from, or that keep it away (`theirs`). */
  | {
      readonly kind: 'anti-affinity';
      readonly topologyKey: string;
      readonly pods: readonly string[];
      readonly count: number;
      readonly theirs: boolean;
    }
  /** A volume that the node cannot reach: what it asks of nodes, `topology.kubernetes.io/zone in (a)`. */
  | {
      readonly kind: 'volume';
      readonly claim: string;
      readonly volume: string;
      readonly wanted: readonly string[];
    }
  /** A claim that no volume on this node suits, and for which none can be made there. */
  | { readonly kind: 'volume-choice'; readonly claim: string; readonly className: string; readonly reason: string }
  /** The CSI driver attaches no more volumes to the node. */
  | { readonly kind: 'volume-limit'; readonly driver: string; readonly limit: number; readonly used: number }
  /** A claim that keeps the pod from every node. */
  | {
      readonly kind: 'claim';
      readonly claim: string;
      readonly problem: 'missing' | 'unbound' | 'no-class' | 'unknown-class' | 'in-use' | 'other';
      /** The class, the pods that use it, or the scheduler's own words. */
      readonly names: readonly string[];
    }
  | { readonly kind: 'gate'; readonly gates: readonly string[] }
  /** No profile of this name is known: no scheduler looks at the pod. */
  | { readonly kind: 'scheduler'; readonly name: string; readonly known: readonly string[] }
  /** Anything else, in the words of the scheduler. */
  | { readonly kind: 'other'; readonly plugin: string; readonly reasons: readonly string[] };

export type BlockerKind = Blocker['kind'];

/** Everything that keeps a pod from the nodes, not only what the scheduler came upon first. */
export interface Blockers {
  /** What keeps it from all of them. */
  readonly ofPod: readonly Blocker[];
  /** What keeps it from one besides; empty where nothing does. */
  on(node: string): readonly Blocker[];
}
