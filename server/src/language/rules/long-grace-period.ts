import { say } from '../../util/say.ts';
import { clockText, titleOf } from '../../util/words.ts';
import { podPriority } from '../index/priority-classes.ts';
import { isMadeByController, preemptors, systemPriority } from '../index/priority-ranking.ts';
import type { ObjectRule } from './support/rule.ts';
import { findingAt } from './support/narrow.ts';

/**
 * Seconds: what a pod tolerates a node that does not answer. A victim that takes longer holds up its room for longer
 * than a dead node would.
 * Source: plugin/pkg/admission/defaulttolerationseconds/admission.go (defaultUnreachableTolerationSeconds)
 */
const usual = 300;

export const longGracePeriod: ObjectRule = {
  code: 'long-grace-period',
  title: 'Pods that others may evict have a long grace period',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    const seconds = fact.template?.spec.terminationGracePeriodSeconds ?? 0;
    if (fact.template === undefined || seconds <= usual || isMadeByController(fact)) return;
    const own = podPriority(facts, fact);
    if (own?.admitted !== true) return;
    const { count, highest } = preemptors(facts, own.priority, [fact], systemPriority);
    if (highest === undefined) return;
    const others = count === 1 ? '' : say`, as do ${count - 1} others that outrank it`;
    const message = say`${titleOf(highest.fact)} (priority ${highest.priority}) may evict this (priority ${own.priority}) and then waits up to ${clockText(seconds)} until its room is free${others}. A short grace period keeps that gap short.`;
    yield findingAt(fact, [...fact.template.path, 'spec', 'terminationGracePeriodSeconds'], message, {
      related: () => [{ fact: highest.fact, message: say`${titleOf(highest.fact)}, priority ${highest.priority}` }],
    });
  },
};
