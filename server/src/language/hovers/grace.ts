import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { gracePeriodSeconds } from '../../scheduler/grace-period.ts';
import { podPriority } from '../index/priority-classes.ts';
import { preemptors } from '../index/priority-ranking.ts';
import { type HoverPlace, paragraphs, points } from './place.ts';

/** What a victim gets. Sources: prepareCandidate in pkg/scheduler/framework/preemption, pkg/kubelet/eviction/eviction_manager.go */
export function graceHover({ fact, facts }: HoverPlace): string | undefined {
  const spec = fact.template?.spec;
  if (spec === undefined) return undefined;
  const seconds = gracePeriodSeconds({ spec });
  const resolved = podPriority(facts, fact);
  const above = resolved?.admitted === true ? preemptors(facts, resolved.priority, [fact]).count : 0;
  return paragraphs(
    say`**Each of its pods has ${count(seconds, 'second')} to end**, its \`preStop\` hook included, and is then killed.`,
    points([
      say`A victim of preemption has them too: the preempting pod waits that long for the room, nominated to the node${above === 0 ? '' : say`. ${count(above, 'workload')} of higher priority may do so`}.`,
      say`Drains and taints of \`NoExecute\` leave the same time.`,
      say`Under node pressure a hard threshold leaves none, and a soft one at most what the kubelet is set to.`,
    ]),
  );
}
