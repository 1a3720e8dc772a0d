import { addTo } from '../../util/maps.ts';
import { joined, say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import type {
  NodeName,
  NotEnough,
  PreemptionCandidate,
  PreemptionChoice,
  PreemptionCriterion,
  PreemptionOutcome,
} from '../../scheduler/decision.ts';

type Candidates = ReadonlyMap<NodeName, PreemptionCandidate>;

const criterionNames: Readonly<Record<PreemptionCriterion, string>> = {
  pdbViolations: say`fewest budgets violated`,
  highestPriority: say`lowest priority of the most important victim`,
  prioritySum: say`lowest priority sum (each victim adds 2^31, so fewer victims win)`,
  victimCount: say`fewest victims`,
  latestStart: say`latest start of the most important victims`,
};

/** Why this node and not another, with the figures that decided. */
export function explainChoice({ candidates, choice, notEnough }: PreemptionOutcome): string {
  const chosen = choice === null ? undefined : candidates.get(choice.node);
  if (choice === null || chosen === undefined) return '';
  return joined(
    [
      howChosen(candidates, choice, chosen),
      ...whyNotLower(candidates, choice, chosen),
      ...whyNotThere(notEnough, chosen),
      ...whyViolated(candidates, chosen),
      whatWouldDo(chosen),
    ],
    ' ',
  );
}

function howChosen(candidates: Candidates, choice: PreemptionChoice, chosen: PreemptionCandidate): string {
  if (choice.decidedBy === null) return say`Only on ${chosen.node} does evicting lower-priority pods make room.`;
  if (choice.decidedBy === 'tie') {
    return say`A tie: ${list(choice.nominated)} are equal in every criterion, and the scheduler takes any of them.`;
  }
  const criterion = choice.decidedBy;
  const step = choice.survivors.findIndex((survivors) => survivors.criterion === criterion);
  const racing = step > 0 ? (choice.survivors[step - 1]?.nodes ?? []) : [...candidates.keys()];
  const losers = new Map<string, NodeName[]>();
  for (const name of racing) {
    const candidate = candidates.get(name);
    if (candidate === undefined || name === chosen.node) continue;
    const figure = figureOf(criterion, candidate);
    addTo(losers, figure, name);
  }
  const others = [...losers].map(([figure, nodes]) =>
    nodes.length === 1 ? say`${list(nodes)} ${figure}` : say`${list(nodes)} ${figure} each`,
  );
  return say`Decided by ${criterionNames[criterion]}: ${chosen.node} ${figureOf(criterion, chosen)}, ${joined(others, ', ')}.`;
}

function figureOf(criterion: PreemptionCriterion, candidate: PreemptionCandidate): string {
  switch (criterion) {
    case 'pdbViolations':
      return String(candidate.pdbViolations);
    case 'highestPriority':
      return String(candidate.highestPriority);
    case 'prioritySum':
      return say`${plainPrioritySum(candidate)} over ${count(candidate.victims.length, 'victim')}`;
    case 'victimCount':
      return String(candidate.victims.length);
    case 'latestStart':
      return candidate.earliestStart ?? say`not started`;
  }
}

/** The sum without the 2^31 that upstream adds for each victim. */
export function plainPrioritySum(candidate: PreemptionCandidate): number {
  return candidate.prioritySum - candidate.victims.length * 2 ** 31;
}

/** The question people ask: why does a more important pod go here although less important ones run there? */
function whyNotLower(candidates: Candidates, choice: PreemptionChoice, chosen: PreemptionCandidate): string[] {
  const spared = droppedForBudgets(candidates, choice).filter(
    ({ highestPriority }) => highestPriority < chosen.highestPriority,
  );
  if (spared.length === 0) return [];
  const lowest = spared.reduce((a, b) => (b.highestPriority < a.highestPriority ? b : a));
  return [
    say`Victims of lower priority (${lowest.highestPriority} against ${chosen.highestPriority}) on ${list(spared.map(({ node }) => node))} are spared, because evicting them would violate ${lowest.violatedBudgets.length === 0 ? say`a budget` : list(lowest.violatedBudgets)}.`,
  ];
}

/** At most so many reasons are told, those of the most nodes first. */
const reasonLimit = 3;

/** Nodes whose pods are less important than the victims, and that would not take the pod without them either. */
function whyNotThere(notEnough: readonly NotEnough[], chosen: PreemptionCandidate): string[] {
  const byReason = new Map<string, NotEnough[]>();
  for (const each of notEnough) {
    if (each.highestPriority >= chosen.highestPriority) continue;
    const reason = each.refusal.reasons.join(', ');
    addTo(byReason, reason, each);
  }
  return [...byReason]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, reasonLimit)
    .map(([reason, nodes]) => {
      const highest = nodes.reduce((most, { highestPriority }) => Math.max(most, highestPriority), -Infinity);
      return say`Pods of lower priority (${highest} against ${chosen.highestPriority}) run on ${list(nodes.map(({ node }) => node))}, where evicting all of them would not help: ${reason}.`;
    });
}

/** The candidates that would violate more budgets. That is looked at first; mostly there are none among thousands. */
function droppedForBudgets(candidates: Candidates, { survivors }: PreemptionChoice): PreemptionCandidate[] {
  const [first] = survivors;
  if (first?.criterion !== 'pdbViolations' || first.nodes.length === candidates.size) return [];
  const kept = new Set(first.nodes);
  return [...candidates.keys()].flatMap((name) => (kept.has(name) ? [] : (candidates.get(name) ?? [])));
}

function whyViolated(candidates: Candidates, chosen: PreemptionCandidate): string[] {
  if (chosen.pdbViolations === 0) return [];
  const budgets = chosen.violatedBudgets.length === 0 ? say`A budget` : list(chosen.violatedBudgets);
  const others = candidates.size === 1 ? '' : say`, and every other candidate would violate at least as many`;
  return [say`${budgets} is violated: nothing else makes room${others}.`];
}

/** For whoever finds that a class is set too high: its victims are outranked by much less. */
function whatWouldDo({ node, highestPriority }: PreemptionCandidate): string {
  return say`Any priority above ${highestPriority} would be enough on ${node}.`;
}
