import { namedAmount } from '../../../kit/amounts.ts';
import { waitingPods } from './pending-lines.ts';
import { reasonOf } from './reasons.ts';
import { type Told, workloadName } from './told.ts';

/** The scarce thing, for whoever evicts first, or for whoever waits where nobody does. Empty where there is neither. */
export function causeText(told: Told): string {
  const evicting = told.parts.steps.findIndex(({ kind, victims }) => kind === 'nominated' && victims.length > 0);
  const step = told.parts.steps[evicting];
  if (step !== undefined) {
    return scarcity(told, step.pod, step.decision ?? -1, told.requestedBefore(evicting));
  }
  const [waiting] = waitingPods(told);
  if (waiting === undefined) return '';
  const atEnd = told.requestedBefore(told.parts.steps.length);
  return scarcity(told, waiting, told.pod(waiting).decision ?? -1, atEnd);
}

function scarcity(told: Told, pod: number, index: number, requested: ReturnType<Told['requestedBefore']>): string {
  const decision = told.parts.decisions[index];
  const reason = reasonOf(told.pod(pod), decision, told.parts.nodes, requested);
  const name = workloadName(told, pod);
  const { shortage } = reason;
  if (shortage === null) return `${name} finds no node: ${reason.words}.`;
  const need = namedAmount(shortage.resource, shortage.need);
  return shortage.hopeless
    ? `${name} needs ${need} on one node. The largest node that it may use has ${namedAmount(shortage.resource, shortage.capacity)}.`
    : `${name} needs ${need} on one node. No node that it may use has more than ${namedAmount(shortage.resource, shortage.free)} free.`;
}
