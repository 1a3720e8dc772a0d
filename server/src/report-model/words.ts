/** What people read for the words of the report's table of fields. Asked for each time: the language may come late. */
import { say } from '../util/say.ts';
import type { AnswerMark } from './answer.ts';
import type { PlanEffect } from './plan.ts';
import type { PodChangeKind, PodState, ReportVictim } from './report.ts';

/** @param isEvicted whether somebody evicts the pod: any other that is gone has ended */
export function stateWord(state: PodState, isEvicted = true): string {
  switch (state) {
    case 'running':
      return say`running`;
    case 'terminating':
      return say`terminating`;
    case 'pending':
      return say`pending`;
    case 'nominated':
      return say`nominated`;
    case 'gated':
      return say`gated`;
    case 'evicted':
      return isEvicted ? say`evicted` : say`ended`;
    case 'ended':
      return say`ended`;
    case 'rejected':
      return say`rejected`;
  }
}

export function markWord(mark: AnswerMark): string {
  switch (mark) {
    case 'down':
      return say`down`;
    case 'failed':
      return say`failed`;
    case 'late':
      return say`late`;
    case 'gap':
      return say`gap`;
    case 'budget broken':
      return say`budget broken`;
  }
}

export function budgetWord(state: ReportVictim['budget']['state']): string {
  switch (state) {
    case 'kept':
      return say`kept`;
    case 'violated':
      return say`violated`;
    case 'none':
      return say`none`;
  }
}

/** How a workload fares. */
export function effectWord(change: PlanEffect['change']): string {
  switch (change) {
    case 'worse':
      return say`worse`;
    case 'better':
      return say`better`;
    case 'restarted':
      return say`restarted`;
    case 'moved':
      return say`moved`;
  }
}

/** How a pod fares, in one word. */
export function changeWord(kind: PodChangeKind): string {
  switch (kind) {
    case 'evicted':
      return say`evicted`;
    case 'pending':
      return say`pending`;
    case 'ended':
      return say`ended`;
    case 'removed':
      return say`removed`;
    case 'moved':
      return say`moved`;
    case 'added':
      return say`added`;
    case 'placed':
      return say`placed`;
    case 'spared':
      return say`spared`;
    case 'kept':
      return say`runs on`;
  }
}
