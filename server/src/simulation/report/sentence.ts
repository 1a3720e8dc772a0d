import type { PodState, Report, ReportPod, ReportWorkload, SentencePart, Tone } from '../../contract/report.ts';
import { list, plural } from './wording.ts';

/** The parts of a report that are told, and the pods (by index) that waited before anything arrived. */
interface Told extends Pick<Report, 'scenario' | 'workloads' | 'nodes' | 'pods' | 'victims' | 'pending' | 'totals'> {
  readonly waitedBefore: ReadonlySet<number>;
}

/** Question 1: what happens if this is applied, in one sentence. */
export function buildSentence(report: Told): SentencePart[] {
  const { clause, told } = arrivalClause(report);
  const clauses = [clause, ...hurtClauses(report, told)];
  const parts: SentencePart[] = [];
  for (const [index, clause] of clauses.entries()) {
    if (index > 0) parts.push(plain('; '));
    parts.push(...clause);
  }
  parts.push(plain('.'));
  return parts;
}

const part =
  (tone: Tone) =>
  (text: string): SentencePart => ({ text, tone });
const plain = part('plain');
const strong = part('strong');
const good = part('good');
const bad = part('bad');
const warning = part('warning');

interface Arrival {
  readonly clause: SentencePart[];
  /** The workload, by index, whose waiting pods the clause has told of. */
  readonly told: number | null;
}

function arrivalClause(report: Told): Arrival {
  const index = report.scenario.kind === 'workload' ? report.scenario.workload : -1;
  const workload = report.workloads[index];
  if (workload === undefined) return { clause: manyArrive(report), told: null };
  const pods = report.pods.filter((pod) => pod.workload === index);
  const placed = pods.some(({ after }) => after.state === 'running');
  return { clause: oneArrives(report, workload, pods), told: placed ? null : index };
}

function manyArrive(report: Told): SentencePart[] {
  const { evicted } = report.totals;
  // Those that replace a victim are not what arrives; they are counted where they end.
  const replacements = new Set(report.victims.map(({ replacement }) => replacement));
  const arriving = report.pods.filter(
    ({ before }, index) => before.node === null && !replacements.has(index) && !report.waitedBefore.has(index),
  );
  if (arriving.length === 0) return [plain('Nothing is waiting to be scheduled')];
  const scheduled = arriving.filter(({ after }) => after.state === 'running').length;
  if (scheduled === 0) return [warning(`None of ${plural(arriving.length, 'pending pod')} finds a place`)];
  const verb = scheduled === 1 ? 'finds' : 'find';
  return [
    strong(`${scheduled} of ${plural(arriving.length, 'pending pod')}`),
    plain(` ${verb} a place`),
    ...afterEvicting(evicted),
  ];
}

function oneArrives(report: Told, workload: ReportWorkload, pods: readonly ReportPod[]): SentencePart[] {
  const subject = [strong(workload.name), plain(` (priority ${workload.priority})`)];
  const arriving = pods.filter((pod) => pod.before.node === null || pod.before.state === 'nominated');
  const count = (state: PodState) => arriving.filter(({ after }) => after.state === state).length;
  if (arriving.length === 0) {
    const nodes = nodeNames(
      report,
      pods.filter(({ after }) => after.state === 'running'),
    );
    return nodes.length === 0
      ? [...subject, plain(' makes no pods')]
      : [...subject, plain(` runs already, on ${list(nodes)}`)];
  }
  if (count('rejected') === arriving.length) return [...subject, plain(' is '), bad('rejected')];
  if (count('gated') === arriving.length) return [...subject, plain(' is gated and not looked at')];
  const placed = arriving.filter(({ after }) => after.state === 'running');
  if (placed.length === 0) return [...subject, plain(' stays '), bad('pending')];
  const verb = report.totals.evicted === 0 ? 'fits on' : 'lands on';
  const share =
    placed.length === arriving.length ? [] : [warning(` with ${placed.length} of ${plural(arriving.length, 'pod')}`)];
  return [
    ...subject,
    plain(` ${verb} ${list(nodeNames(report, placed))}`),
    ...share,
    ...afterEvicting(report.totals.evicted),
  ];
}

function afterEvicting(evicted: number): SentencePart[] {
  return evicted === 0 ? [] : [plain(' after '), bad(`evicting ${plural(evicted, 'pod')}`)];
}

function nodeNames(report: Told, pods: readonly ReportPod[]): string[] {
  const indexes = new Set(pods.flatMap(({ after }) => (after.node === null ? [] : [after.node])));
  return [...indexes].sort((a, b) => a - b).map((index) => report.nodes[index]?.name ?? '');
}

function hurtClauses(report: Told, told: number | null): SentencePart[][] {
  const { totals } = report;
  const clauses: SentencePart[][] = [];
  if (totals.budgetsViolated > 0) {
    clauses.push([
      bad(`${plural(totals.budgetsViolated, 'budget')} ${totals.budgetsViolated === 1 ? 'is' : 'are'} violated`),
    ]);
  } else if (totals.evicted > 0) {
    clauses.push([good('no budget is violated')]);
  }
  const pending = report.pending.filter(
    ({ pod }) => !report.waitedBefore.has(pod) && (told === null || report.pods[pod]?.workload !== told),
  ).length;
  if (pending > 0) clauses.push([warning(`${plural(pending, 'pod')} ${pending === 1 ? 'stays' : 'stay'} pending`)]);
  const count = (state: PodState) =>
    report.pods.filter(({ after }, index) => after.state === state && !report.waitedBefore.has(index)).length;
  const rejected = count('rejected');
  const gated = count('gated');
  if (rejected > 0) clauses.push([bad(`${plural(rejected, 'pod')} ${rejected === 1 ? 'is' : 'are'} rejected`)]);
  if (gated > 0) clauses.push([plain(`${plural(gated, 'pod')} ${gated === 1 ? 'is' : 'are'} gated`)]);
  return clauses;
}
