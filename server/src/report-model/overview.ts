/**
 * What the side bar shows of a workspace: its cluster once everything that is declared has found its place, or waits
 * for one. Each list has an end, and says how much is past it.
 */
import type { Origin } from './origin.ts';
import type { Amounts } from './report.ts';

export interface Listed<Row> {
  readonly rows: readonly Row[];
  /** How many rows are left out. */
  readonly more: number;
}

/** Where something is declared. */
interface Place {
  /** Null for what nobody has written down. */
  readonly origin: Origin | null;
  readonly from: 'workspace' | 'snapshot' | 'assumed' | 'built-in' | 'pods';
}

export interface OverviewWorkload extends Place {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly pods: number;
  /** Of them, those that have no node at the end. */
  readonly waiting: number;
}

export interface OverviewClass extends Place {
  /** Empty for the pods that have no class. */
  readonly name: string;
  /** Null where pods without a class have several numbers. */
  readonly value: number | null;
  readonly isGlobalDefault: boolean;
  readonly preempts: boolean;
  /** The API server refuses it, so that no pod can have it. */
  readonly isRefused: boolean;
  readonly pods: number;
  /** How many workloads have it; `uses` has the first of them. */
  readonly workloads: number;
  readonly uses: Listed<OverviewWorkload>;
}

export interface OverviewNode extends Place {
  readonly name: string;
  /** Empty without a label. */
  readonly zone: string;
  readonly allocatable: Amounts;
  readonly requested: Amounts;
  /** `key=value:Effect`. */
  readonly taints: readonly string[];
  readonly unschedulable: boolean;
}

export interface OverviewBudget extends Place {
  readonly namespace: string;
  readonly name: string;
  readonly allowed: number;
  /** Pods that it selects, and of them those that are healthy. */
  readonly pods: number;
  readonly healthy: number;
  /** Null where the disruption controller cannot tell. */
  readonly desired: number | null;
  /** Nodes that cannot be drained now because of it. */
  readonly blocks: Listed<string>;
}

export interface OverviewQuota extends Place {
  readonly namespace: string;
  readonly name: string;
  /** What is used of each resource: `cpu 5.6 of 6`. */
  readonly limits: readonly { readonly usage: string; readonly isFull: boolean }[];
}

export interface OverviewPending extends Place {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly state: 'pending' | 'gated' | 'rejected';
  readonly priority: number;
  /** Of that state, of all pods of the workload. */
  readonly pods: number;
  readonly of: number;
  /** What the first of them was told, in the words of the scheduler or the API server. */
  readonly reason: string;
  /** What it lacks, in a word or two, where there is little room: `cpu`; empty where nothing is known but the reason. */
  readonly lacks: string;
}

export interface Overview {
  /** Whether anything is declared. */
  readonly isEmpty: boolean;
  readonly kubernetes: string;
  /** The target that is simulated; empty where nothing is there in more than one version. */
  readonly target: string;
  /** Highest first. */
  readonly classes: Listed<OverviewClass>;
  readonly nodes: Listed<OverviewNode>;
  /** Those that block something come first. */
  readonly budgets: Listed<OverviewBudget>;
  /** Those that are full come first. */
  readonly quotas: Listed<OverviewQuota>;
  /** The highest priority first. */
  readonly pending: Listed<OverviewPending>;
  /** Pods that are pending, those past the end of the list counted, and how many have no node: `5 pending · 1 gated`. */
  readonly waiting: { readonly pending: number; readonly text: string };
}
