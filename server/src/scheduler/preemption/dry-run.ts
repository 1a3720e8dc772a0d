import { filterNode } from '../framework/filter-nodes.ts';
import { type PreFilterResult, runAddPod, runRemovePod } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { Cycle } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { filterFailure, Status, unresolvable } from '../framework/status.ts';
import { budgetsBrokenBy, splitByBudget } from './budget-split.ts';
import { sortByImportance } from '../framework/importance.ts';
import { victimBand } from '../framework/victim-band.ts';

/** Who must go from a node. */
export interface Victims {
  /** Most important first. */
  readonly pods: readonly PodInfo[];
  readonly pdbViolations: number;
  /** Indexes of the budgets that would be violated. */
  readonly violatedBudgets: readonly number[];
}

export const noVictims = unresolvable('', 'No preemption victims found for incoming pod');

/**
 * The node fits once all lower pods have been out and are back in: where putting a pod back undoes less than taking it
 * out did. Source: DryRunPreemption
 */
export function expectedVictim(node: NodeInfo): Status {
  return new Status('Error', '', [`expected at least one victim pod on node "${node.name}"`]);
}

/**
 * Finds the fewest, least important pods whose removal makes the pod fit on the node, or says why none does. Works on a
 * copy of the node; the plugin states are as before when it returns.
 * Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go (SelectVictimsOnNode)
 */
export function selectVictims(
  cycle: Cycle,
  active: PreFilterResult,
  nominated: readonly PodInfo[],
  node: NodeInfo,
): Victims | Status {
  const { cluster, pod } = cycle;
  const potential = victimBand(node, pod.priority).pods;
  if (potential.length === 0) return noVictims;
  const copy = node.clone(cycle);
  const gone = new Set<PodInfo>();
  const remove = (victim: PodInfo): void => {
    copy.removePod(victim);
    runRemovePod(cycle, active.hooks, victim, copy);
    gone.add(victim);
  };
  const putBack = (victim: PodInfo): void => {
    copy.addPod(victim);
    runAddPod(cycle, active.hooks, victim, copy);
    gone.delete(victim);
  };

  for (const victim of potential) remove(victim);
  let result: Victims | Status | null = filterNode(cycle, active, nominated, copy);
  if (result === null) {
    const again = { ...active, filters: active.filters.filter(({ plugin }) => plugin.dependsOnPods) };
    const split = splitByBudget(potential, cluster.budgets, cluster.disruptionsAllowed);
    const { violating, others } = split;
    const reprieve = (victim: PodInfo): boolean => {
      putBack(victim);
      if (filterNode(cycle, again, nominated, copy) === null) return true;
      remove(victim);
      return false;
    };
    const violatingVictims = violating.filter((victim) => !reprieve(victim));
    const otherVictims = others.filter((victim) => !reprieve(victim));
    const pods = [...violatingVictims, ...otherVictims];
    if (violating.length > 0 && others.length > 0) sortByImportance(pods);
    const violatedBudgets = budgetsBrokenBy(violatingVictims, split);
    result = { pods, pdbViolations: violatingVictims.length, violatedBudgets };
    if (pods.length === 0) result = expectedVictim(node);
  }
  for (const victim of gone) runAddPod(cycle, active.hooks, victim, copy);
  return result instanceof Status && result.code === 'Error' && result.plugin !== '' ? filterFailure(result) : result;
}
