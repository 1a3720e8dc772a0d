import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { openerOf } from '../../kubernetes/gate-owners.ts';
import type { Fact } from '../index/fact.ts';
import { code } from '../connection/markdown.ts';

/** What a gated pod means, and what may be done to it. */
export function gatesHover(fact: Fact): string | undefined {
  const gates = fact.template?.spec.schedulingGates ?? [];
  if (gates.length === 0) return undefined;
  const names = joined(
    gates.map(({ name }) => code(name)),
    ', ',
  );
  const openers = gates.flatMap(({ name }) => {
    const opener = openerOf(name);
    return opener === undefined ? [] : [say`- ${code(name)}: ${opener}.`];
  });
  return joined(
    [
      say`**Gated** by ${count(gates.length, 'gate')}: ${names}`,
      say`The scheduler does not look at the pod: its condition reads \`SchedulingGated\`, and it counts in the \`gated\` queue. With the last gate gone it is scheduled as any other.`,
      ...(openers.length === 0 ? [] : [joined(openers, '\n')]),
      joined(
        [
          say`- Gates are set on creation only; later each may be removed, in any order, and none added.`,
          say`- Meanwhile \`nodeSelector\` may gain entries, and required node affinity may gain requirements inside its terms.`,
          say`- Preferred node affinity may change freely; pod affinity and topology spread may not change at all.`,
        ],
        '\n',
      ),
    ],
    '\n\n',
  );
}
