import type { Pod } from '../kubernetes/objects.ts';
import type { Fact } from './facts.ts';

/** Whether a pod takes room on a node: it has one, and has not ended. */
export function isRunning({ object, template }: Fact): boolean {
  const { phase } = (object as Pod).status ?? {};
  return (template?.spec.nodeName ?? '') !== '' && phase !== 'Succeeded' && phase !== 'Failed';
}
