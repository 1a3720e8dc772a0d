import type { Assumption } from '../../report-model/report.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import type { PoolAnswer } from './pool-answers.ts';

/** Nodes that come of one pool. */
export interface NodesToCome {
  /** As it is said: `NodePool general`. */
  readonly title: string;
  readonly nodes: number;
  /** For whose pods each of them is made: workloads, by index. */
  readonly byNode: readonly (readonly number[])[];
  /** Workloads, by index, whose pods they are made for. */
  readonly workloads: readonly number[];
}

/** What the pools of a cluster add to a run. */
export interface Grown {
  /** Nodes that come, at their times. */
  readonly events: readonly ScenarioEvent[];
  /** What is told of each of them, by the text of its event. */
  readonly told: ReadonlyMap<string, readonly string[]>;
  /** Each pool once. */
  readonly comes: readonly NodesToCome[];
  /** Pods that stay pending, by `namespace/name`: what the tools say of them. */
  readonly advice: ReadonlyMap<string, readonly PoolAnswer[]>;
  readonly assumptions: readonly Assumption[];
  /** How long it took to ask, in microseconds of a usual processor. */
  readonly cost: number;
}
