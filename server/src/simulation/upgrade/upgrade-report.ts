import type { Minor } from '../../util/minors.ts';
import type { Origin } from '../../kubernetes/objects.ts';

/** What another minor of Kubernetes changes about the same objects. */
export interface UpgradeReport {
  readonly from: Minor;
  readonly to: Minor;
  /** Objects that were compared. */
  readonly objects: number;
  readonly kinds: readonly KindChange[];
  readonly fields: readonly FieldChange[];
  readonly refusals: readonly RefusalChange[];
  readonly pods: readonly PodUpgrade[];
  /** Pods that only go to another of the nodes that are assumed, which says nothing of a cluster. */
  readonly onOtherAssumedNodes: number;
  readonly causes: readonly UpgradeCause[];
  /** The message of a pod that preempts others ends otherwise. */
  readonly tellsOfPreemption: boolean;
  readonly coming: readonly ComingChange[];
}

/** How an API server takes a kind: by default, where a feature gate and a version are switched on, or never. */
export type Serving = 'served' | 'on demand' | 'never';

export interface KindChange {
  readonly apiVersion: string;
  readonly kind: string;
  readonly before: Serving;
  readonly after: Serving;
  readonly since: Minor;
  /** Names of the objects. */
  readonly objects: readonly string[];
}

/** What an API server makes of a field that is written. */
export type FieldState = 'unknown' | 'dropped' | 'used';

export interface FieldChange {
  readonly object: ObjectName;
  readonly path: string;
  readonly before: FieldState;
  readonly after: FieldState;
  readonly since: Minor;
  /** The feature gate that decides; empty where none does. */
  readonly gate: string;
  readonly origin?: Origin | undefined;
}

export interface RefusalChange {
  readonly object: ObjectName;
  readonly change: 'comes' | 'ends';
  readonly since: Minor;
  /** As the API server says it. */
  readonly text: string;
  readonly origin?: Origin | undefined;
}

export interface ObjectName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export type PodUpgradeKind = 'refused' | 'evicted' | 'pending' | 'moved' | 'placed' | 'spared' | 'accepted';

/** A pod that fares otherwise. */
export interface PodUpgrade {
  readonly pod: string;
  /** The workload that makes it, or itself. */
  readonly of: string;
  readonly change: PodUpgradeKind;
  /** Null where it is on none. */
  readonly before: string | null;
  readonly after: string | null;
  /** The scheduler's message where it stays pending; else empty. */
  readonly message: string;
}

/** Why a decision is another. */
export interface UpgradeCause {
  readonly plugin: string;
  readonly since: Minor;
  readonly text: string;
  /** The first pod that is decided otherwise for it. */
  readonly pod: string;
}

/** What a minor changes that is not released yet. */
export interface ComingChange {
  readonly minor: string;
  readonly text: string;
  readonly objects: readonly string[];
}
