import type { Figures } from '../../contract/remedy.ts';
import { count, grouped } from '../../kit/words.ts';

/** How a run ends against another: `nobody is evicted, 2 wait`. What is none in both is not told. */
export function effectText(now: Figures, before: Figures): string {
  const parts: string[] = [];
  if (now.evicted + before.evicted > 0) {
    parts.push(now.evicted === 0 ? 'nobody is evicted' : `${grouped(now.evicted)} evicted`);
  }
  if (now.evicted > 0 && now.budgetsBroken + before.budgetsBroken > 0) {
    parts.push(now.budgetsBroken === 0 ? 'no budget broken' : `${count(now.budgetsBroken, 'budget')} broken`);
  }
  if (now.pending + before.pending > 0) {
    parts.push(now.pending === 0 ? 'nobody waits' : `${grouped(now.pending)} ${now.pending === 1 ? 'waits' : 'wait'}`);
  }
  if (now.gated > before.gated) parts.push(`${grouped(now.gated)} gated`);
  if (now.refused !== before.refused) parts.push(`${grouped(now.refused)} refused`);
  return parts.length === 0 ? 'nothing else changes' : parts.join(', ');
}
