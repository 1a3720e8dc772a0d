import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { PriorityRefusal, ResolvedPriority } from '../../admission/priority/priority.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { block, code, link, plain } from '../connection/markdown.ts';
import {
  type ClassFact,
  classFor,
  type ClassLadder,
  classLadder,
  podPriority,
  rungOf,
  type StoredPriority,
} from '../index/priority-classes.ts';
import { factLink, some } from './links.ts';
import { runningOfClass, runningOfWorkload } from './running-priority.ts';
import { schedulerOf } from './scheduling.ts';
import { rankedWorkloads, type RankedWorkload, priorityRanking } from '../index/priority-ranking.ts';

/** The priority of the pods of a workload: the number, where it comes from, who is above and below. */
export function priorityHover(fact: Fact, facts: Facts, release: Release): string | undefined {
  const resolution = podPriority(facts, fact);
  if (resolution === undefined) return undefined;
  const scheduler = schedulerOf(facts, fact.template!.spec, release);
  const ladder = classLadder(facts);
  const resolved = resolution.admitted ? resolution : resolution.computed;
  const parts: string[] = [];
  if (!resolution.admitted) parts.push(refusalText(resolution, ladder));
  if (resolved !== undefined) {
    const preempts = resolved.preemptionPolicy !== 'Never' && scheduler.preempts !== false;
    const policy = scheduler.preempts === true || resolved.preemptionPolicy === 'Never';
    parts.push(
      say`**Priority ${resolved.priority}**${rungText(ladder, resolved.priority)}${policy ? say` · ${policyText(resolved.preemptionPolicy)}` : ''}`,
      originText(resolved, ladder, fact, facts),
      ...scheduler.notes,
      runningOfWorkload(fact, resolved.priority, resolved.className, facts),
      standingText(facts, resolved.priority, preempts, fact),
      ladderText(ladder, resolved.priority),
    );
  }
  return joined(
    parts.filter((part) => part !== ''),
    '\n\n',
  );
}

function refusalText(resolution: PriorityRefusal, ladder: ClassLadder): string {
  // Classes may live elsewhere, so an unknown one is not certainly refused.
  if (resolution.reason === 'unknown-class' && !ladder.complete) {
    return say`This PriorityClass is declared neither in the workspace nor in a cluster snapshot, so the priority is not known.`;
  }
  return say`The API server refuses this pod: ${plain(resolution.detail)}.`;
}

function policyText(policy: string): string {
  return policy === 'Never'
    ? say`never preempts: it queues ahead of lower priorities and waits for room`
    : say`preempts lower priorities`;
}

/** `4th highest`. */
function ordinal(rank: number): string {
  if (rank === 1) return say`the highest`;
  const last = rank % 100 >= 11 && rank % 100 <= 13 ? 0 : rank % 10;
  const ending = last === 1 ? 'st' : last === 2 ? 'nd' : last === 3 ? 'rd' : 'th';
  return say`${`${rank}${ending}`} highest`;
}

function rungText(ladder: ClassLadder, value: number): string {
  const rung = rungOf(ladder, value);
  return rung === undefined ? '' : say` · ${ordinal(rung.rank)} of ${rung.of}`;
}

function originText(
  resolved: ResolvedPriority | StoredPriority,
  ladder: ClassLadder,
  fact: Fact,
  facts: Facts,
): string {
  const entry = resolved.className === '' ? undefined : classFor(ladder, resolved.className, fact.uri);
  const named = entry === undefined ? code(resolved.className) : classLink(entry, facts);
  const described = entry === undefined || entry.description === '' ? '' : `\n\n> ${plain(entry.description)}`;
  switch (resolved.source) {
    case 'class':
      return say`From PriorityClass ${named}${otherDeclarations(ladder, resolved.className)}${described}`;
    case 'stored':
      return resolved.className === ''
        ? say`As the running pod has it; it names no class`
        : say`As the running pod has it, from PriorityClass ${named}${differenceText(resolved.priority, entry)}${described}`;
    case 'system':
      return say`From the built-in PriorityClass ${named}${described}`;
    case 'global-default':
      return say`No class is named, so it gets the global default ${named}${described}`;
    case 'none':
      return say`No class is named and none is marked \`globalDefault\`, so the priority is 0.`;
  }
}

/** A class that was made anew leaves the pods of the old one as they are. */
function differenceText(priority: number, entry: ClassFact | undefined): string {
  if (entry === undefined || entry.value === priority) return '';
  return say`, which gives new pods ${entry.value}: a pod keeps the number that it was created with`;
}

function otherDeclarations(ladder: ClassLadder, name: string): string {
  const declarations = ladder.byName.get(name)?.length ?? 0;
  return declarations > 1 ? say` (declared ${declarations} times; the nearest one counts here)` : '';
}

function classLink(entry: ClassFact, facts: Facts): string {
  const origin = entry.fact === null ? undefined : facts.originOf(entry.fact);
  const name = code(entry.name);
  return origin === undefined ? name : link(name, origin.uri, origin.range.start.line);
}

function standingText(facts: Facts, priority: number, preempts: boolean, self: Fact | null): string {
  const { above, below } = priorityRanking(facts, priority, preempts, self);
  const lines = [
    say`- Can preempt ${below.length === 0 ? say`nothing that is declared here` : workloadsText(below, facts)}`,
    say`- Can be preempted by ${above.length === 0 ? say`nothing that is declared here` : workloadsText(above, facts)}`,
  ];
  return joined(preempts ? lines : lines.slice(1), '\n');
}

function workloadsText(workloads: readonly RankedWorkload[], facts: Facts): string {
  const links = some(workloads, ({ fact, priority }) => say`${factLink(fact, facts)} (${priority})`);
  return say`${count(workloads.length, 'workload')}: ${links}`;
}

/** How many rungs a hover shows above and below its own. */
const shownRungs = 3;

/** The ladder around a value, as a small table. */
function ladderText(ladder: ClassLadder, value: number): string {
  const rungs = ladder.rungs.includes(value) ? ladder.rungs : [...ladder.rungs, value].sort((a, b) => b - a);
  const own = rungs.indexOf(value);
  const from = Math.max(0, own - shownRungs);
  const shown = rungs.slice(from, own + shownRungs + 1);
  const width = Math.max(...shown.map((rung) => String(rung).length));
  const lines = shown.map((rung) => {
    const classes = ladder.classes.filter((entry) => entry.value === rung);
    const names = classes.map((entry) => (entry.globalDefault ? say`${entry.name} (global default)` : entry.name));
    return say`${rung === value ? '▸' : ' '} ${String(rung).padStart(width)}  ${joined(names, ', ')}`.trimEnd();
  });
  if (from > 0) lines.unshift('  …');
  if (from + shown.length < rungs.length) lines.push('  …');
  return block(joined(lines, '\n'));
}

/** A PriorityClass: its place on the ladder, and who uses it. */
export function classHover(fact: Fact, facts: Facts): string | undefined {
  const ladder = classLadder(facts);
  const entry = ladder.byName.get(fact.name)?.find((declared) => declared.fact === fact);
  if (entry === undefined) return undefined;
  const users = rankedWorkloads(facts).filter((workload) => workload.className === entry.name);
  const equals = ladder.classes.filter((other) => other.value === entry.value && other.name !== entry.name);
  const parts = [
    say`**PriorityClass ${code(entry.name)}**: ${entry.value}${rungText(ladder, entry.value)} · ${policyText(entry.preemptionPolicy)}`,
    entry.description === '' ? '' : say`> ${plain(entry.description)}`,
    entry.globalDefault
      ? say`Global default: new pods that name no class get it. Pods that exist already keep their priority.`
      : '',
    equals.length === 0
      ? ''
      : say`Equal to ${joined(
          equals.map((other) => code(other.name)),
          ', ',
        )}: only the number counts, so neither preempts the other.`,
    say`- Used by ${users.length === 0 ? say`nothing that is declared here` : workloadsText(users, facts)}`,
    runningOfClass(entry.name, entry.value, facts),
    standingText(facts, entry.value, entry.preemptionPolicy !== 'Never', null),
    ladderText(ladder, entry.value),
  ];
  return joined(
    parts.filter((part) => part !== ''),
    '\n\n',
  );
}
