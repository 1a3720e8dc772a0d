import { joined, say } from '../../util/say.ts';
import { marked } from '../../report-model/assumed.ts';
import type { Figures } from '../../report-model/remedy.ts';
import type { ReportDrain } from '../../report-model/report.ts';
import { count, grouped } from '../../util/words.ts';

/**
 * How a run ends against another: `no pod is evicted, 2 pending`. What is none in both is not told; `mark` stands before
 * amounts that rest on nodes.
 */
export function effectText(now: Figures, before: Figures, mark: string): string {
  const parts: string[] = [];
  if (now.evicted + before.evicted > 0) {
    parts.push(now.evicted === 0 ? say`no pod is evicted` : say`${marked(mark, grouped(now.evicted))} evicted`);
  }
  if (now.evicted > 0 && now.budgetsBroken + before.budgetsBroken > 0) {
    parts.push(
      now.budgetsBroken === 0 ? say`no budget broken` : say`${marked(mark, count(now.budgetsBroken, 'budget'))} broken`,
    );
  }
  if (now.pending + before.pending > 0) {
    parts.push(now.pending === 0 ? say`no pod pending` : say`${marked(mark, grouped(now.pending))} pending`);
  }
  if (now.gated > before.gated) parts.push(say`${grouped(now.gated)} gated`);
  if (now.refused !== before.refused) {
    parts.push(
      now.refused === 0
        ? say`no pod is refused`
        : now.refused < before.refused
          ? say`${grouped(now.refused)} still refused`
          : say`${grouped(now.refused)} refused`,
    );
  }
  return parts.length === 0 ? say`nothing else changes` : joined(parts, ', ');
}

/** How drains end: `all 3 nodes drain`, `2 of 3 nodes drain, 1 pod blocked`; a single one as `drainText` says it. */
export function drainsText(drains: readonly ReportDrain[]): string {
  if (drains.length === 1) return drainText(drains[0]);
  const done = drains.filter((drain) => drain.refusals.length === 0 && blockedOn(drain) === 0).length;
  if (done === drains.length) return done === 2 ? say`both nodes drain` : say`all ${count(done, 'node')} drain`;
  const blocked = drains.reduce((sum, drain) => sum + blockedOn(drain), 0);
  return joined(
    [
      say`${grouped(done)} of ${count(drains.length, 'node')} drain`,
      ...(blocked === 0 ? [] : [say`${count(blocked, 'pod')} blocked`]),
    ],
    ', ',
  );
}

/** How a drain ends: `drained`, `2 pods blocked`, `it does not begin`. */
export function drainText(drain: ReportDrain | undefined): string {
  if (drain === undefined || drain.refusals.length > 0) return say`it does not begin`;
  const blocked = blockedOn(drain);
  return blocked === 0 ? say`drained` : say`${count(blocked, 'pod')} blocked`;
}

function blockedOn({ blocked, failed }: ReportDrain): number {
  return blocked.length + failed.length;
}
