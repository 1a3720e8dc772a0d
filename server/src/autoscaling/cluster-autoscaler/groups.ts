import type { DaemonSet, KubeObject, Node, Pod } from '../../kubernetes/objects.ts';

/** A node group as the cloud provider of Cluster Autoscaler knows it. */
export interface NodeGroup {
  readonly id: string;
  readonly min: number;
  readonly max: number;
  /** How many nodes it has. */
  readonly size: number;
  /** What a node of it would be, where there is none to go by. */
  readonly template: Node;
}

export interface AutoscalerOptions {
  /** Names of expanders, each a filter on what the one before it left. */
  readonly expanders: readonly string[];
  /** Of the priority expander; undefined where its ConfigMap is not there. */
  readonly priorities?: Priorities;
  readonly balancesSimilarGroups: boolean;
  /** 0: no limit. */
  readonly mostNodes: number;
  readonly mostCores?: bigint;
  readonly mostMemoryBytes?: bigint;
  readonly expendableBelow: number;
  readonly mostNodesPerScaleUp: number;
}

/** An expression that is looked for in the names of groups. */
export interface NamePattern {
  test(name: string): boolean;
}

/** Priority → expressions; or why the ConfigMap cannot be read. */
export type Priorities = { readonly rules: ReadonlyMap<number, readonly NamePattern[]> } | { readonly problem: string };

/** Defaults of the flags. Source: cluster-autoscaler/config/flags/flags.go */
export const defaultOptions: AutoscalerOptions = {
  expanders: ['least-waste'],
  balancesSimilarGroups: false,
  mostNodes: 0,
  expendableBelow: -10,
  mostNodesPerScaleUp: 1000,
};

export interface ScaleUpInput {
  readonly groups: readonly NodeGroup[];
  readonly nodes: readonly Node[];
  /** Name of a node → id of its group. */
  readonly groupOf: ReadonlyMap<string, string>;
  readonly pods: readonly Pod[];
  readonly daemonSets: readonly DaemonSet[];
  /** Claims, volumes and devices, and what belongs to them. */
  readonly others?: readonly KubeObject[];
  readonly options: AutoscalerOptions;
}
