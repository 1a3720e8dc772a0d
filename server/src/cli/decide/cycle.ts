import { put } from '../../util/own.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import {
  type ClusterState,
  type Decision,
  type FitsDecision,
  type NodeName,
  type NodeRefusal,
  type NodeScores,
  type PreemptionOutcome,
  type ReplayStep,
  type UnschedulableDecision,
  decide,
  replay,
} from '../../scheduler/index.ts';
import { clusterOf, pendingInOrder, schedulerOf } from './cluster.ts';

/** Mode `cycle`: each pending pod decided on its own against the same state. */
export function decideCycle(input: JsonObject): JsonObject {
  const cluster: ClusterState = clusterOf(input);
  const scheduler = schedulerOf(input);
  const pods = pendingInOrder(cluster).filter((pod) => pod.gates.length === 0);
  return { cycles: pods.map((pod) => printDecision(decide(cluster, pod, scheduler))) };
}

function printDecision(decision: Decision): JsonObject {
  switch (decision.kind) {
    case 'fits':
      return printFits(decision);
    case 'unschedulable':
      return printUnschedulable(decision);
    case 'gated':
    case 'not-modelled':
      return { pod: decision.pod, error: decision.message };
  }
}

export function printFits(decision: FitsDecision): JsonObject {
  return {
    pod: decision.pod,
    feasible: decision.feasible,
    ...(decision.refusals.size === 0 ? {} : { filter: printRefusals(decision.refusals) }),
    ...(decision.scores === null ? {} : printScores(decision.scores)),
    best: decision.best,
  };
}

export function printUnschedulable({
  pod,
  refusals,
  preFilter,
  message,
  preemption,
  failure,
}: UnschedulableDecision): JsonObject {
  return {
    pod,
    ...(failure === null ? {} : { error: message }),
    ...(refusals.size === 0 ? {} : { filter: printRefusals(refusals) }),
    ...(preFilter === null ? {} : { preFilter: { code: preFilter.code, reasons: preFilter.reasons } }),
    message,
    // Upstream's recorder did not look at preemption where no node was filtered.
    ...(preemption === null || preFilter !== null ? {} : printPreemption(preemption)),
  };
}

function printPreemption({ eligible, ineligibleReason, candidates, choice, dryRun }: PreemptionOutcome): JsonObject {
  if (!eligible) return { eligible, ineligibleReason };
  if (choice === null) return { eligible, ...(dryRun.size === 0 ? {} : { dryRun: printRefusals(dryRun) }) };
  const printed = [...candidates].map(
    ([node, { victims, pdbViolations }]) => [node, { victims, pdbViolations }] as const,
  );
  return { eligible, candidates: byNode(printed), nominated: choice.nominated };
}

export function printRefusals(refusals: ReadonlyMap<NodeName, NodeRefusal>): JsonObject {
  return byNode(
    [...refusals].map(([node, { code, reasons, plugin }]) => [
      node,
      plugin === '' ? { code, reasons } : { code, reasons, plugin },
    ]),
  );
}

function printScores({ plugins, byNode: scores, totals }: NodeScores): JsonObject {
  const printed = [...scores].map(
    ([node, values]) => [node, byNode(values.map((value, i) => [plugins[i]!, value]))] as const,
  );
  return { scores: byNode(printed), totals: byNode([...totals]) };
}

/** Node names come from the input: an object without a prototype takes any of them. */
function byNode(entries: readonly (readonly [string, JsonObject[string]])[]): JsonObject {
  const result: Record<string, JsonObject[string]> = Object.create(null) as Record<string, JsonObject[string]>;
  for (const [node, value] of entries) put(result, node, value);
  return result;
}

/** Mode `replay`: the whole queue until nothing changes. */
export function decideReplay(input: JsonObject): JsonObject {
  return { steps: Array.from(replay(clusterOf(input), undefined, schedulerOf(input)), printStep) };
}

function printStep(step: ReplayStep): JsonObject {
  const { pass, pod, result } = step;
  switch (step.result) {
    case 'Scheduled':
      return { pass, pod, result, node: step.node };
    case 'Nominated':
      return { pass, pod, result, node: step.node, victims: step.victims, message: step.message };
    case 'Unschedulable':
    case 'NotModelled':
      return { pass, pod, result, message: step.message };
    case 'SchedulingGated':
      return { pass, pod, result };
  }
}
