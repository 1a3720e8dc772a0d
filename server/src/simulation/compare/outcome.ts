import { marked, markOf } from '../../report-model/assumed.ts';
import type { Figures } from '../../report-model/remedy.ts';
import type { ComparedReport, PodState } from '../../report-model/report.ts';
import { joined, say } from '../../util/say.ts';
import { count, grouped } from '../../util/words.ts';
import { figuresOf } from '../report/answer/figures.ts';

/** How a run ends. Whoever waited before anything arrived, and still does, is pending too. */
export function figuresAtEnd({ answer, pods }: ComparedReport): Figures {
  const inState = (...states: readonly PodState[]): number =>
    pods.filter(({ after }) => states.includes(after.state)).length;
  return {
    ...figuresOf(answer),
    pending: inState('pending', 'nominated'),
    gated: inState('gated'),
    refused: inState('rejected'),
  };
}

/** `After it: 7 evicted (+4), 1 budget broken (=), 5 pending (=), 2 down (+1).` What is nothing before and after is not told. */
export function outcomeOf(before: ComparedReport, after: ComparedReport): string {
  const [was, is] = [figuresAtEnd(before), figuresAtEnd(after)];
  const mark = markOf(after.nodes);
  const figure = (key: keyof Figures, words: (amount: string) => string, isNews = false): readonly string[] => {
    const by = is[key] - was[key];
    if (key !== 'evicted' && (isNews ? by === 0 : was[key] === 0 && is[key] === 0)) return [];
    const difference = by === 0 ? '=' : `${by > 0 ? '+' : '−'}${grouped(Math.abs(by))}`;
    return [say`${marked(mark, words(grouped(is[key])))} (${difference})`];
  };
  const parts = [
    ...figure('evicted', (amount) => say`${amount} evicted`),
    ...figure('budgetsBroken', () => say`${count(is.budgetsBroken, 'budget')} broken`),
    ...figure('pending', (amount) => say`${amount} pending`),
    ...figure('down', (amount) => say`${amount} down`),
    ...figure('blocked', (amount) => say`${amount} blocked`),
    ...figure('gated', (amount) => say`${amount} gated`, true),
    ...figure('refused', (amount) => say`${amount} refused`, true),
  ];
  return say`After it: ${joined(parts, ', ')}.`;
}
