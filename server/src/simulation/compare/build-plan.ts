import { joined, say } from '../../util/say.ts';
import { waitsText } from '../../report-model/so-far.ts';
import { evictedPods } from '../../report-model/evicted-pods.ts';
import type { Plan, PlanEffect, PlanLink } from '../../report-model/plan.ts';
import { isGone, type ComparedReport, type ReportComparison, type ReportPod } from '../../report-model/report.ts';
import { count, outOf } from '../../util/words.ts';
import { chainOf } from './chain.ts';
import { changedLanes } from './changed-lanes.ts';
import { changedNodes } from './changed-nodes.ts';
import type { ChangedOutcome } from './changed-outcomes.ts';
import { nodeName, workloadOf } from './object-names.ts';
import { storyOf } from './story.ts';
import { figuresAtEnd } from './outcome.ts';
import type { Pair } from './pairs.ts';

/** More links are counted. */
const most = 100;

/** A run on the way from the first to the last, and what it is called. */
export interface Stage {
  readonly report: ComparedReport;
  readonly label: string;
  /** The operation that leads to it; empty where none does. */
  readonly whatIf: string;
}

/** The runs on the way from the first to the last, and what that is called. */
export interface Way {
  readonly between: readonly Stage[];
  readonly end: Omit<Stage, 'report'>;
}

/** Straight to what is there now. */
export function straight(): Way {
  return { between: [], end: { label: say`now`, whatIf: '' } };
}

interface Parts extends Pick<ReportComparison, 'causes' | 'priorities'> {
  readonly before: ComparedReport;
  readonly after: ComparedReport;
  readonly since: string;
  readonly pairs: readonly Pair[];
  readonly way: Way;
  readonly happens: readonly ChangedOutcome[];
}

/** Cause, chain and effect of two runs of one scenario. */
export function* buildPlan(parts: Parts): Generator<void, Plan> {
  const { before, after, since, way } = parts;
  const chain = chainOf(parts);
  yield;
  const shownLinks = shown(chain);
  const effects = effectsOf(parts, shownLinks);
  yield;
  const stages: readonly Stage[] = [
    { label: since, whatIf: '', report: before },
    ...way.between,
    { ...way.end, report: after },
  ];
  const stage = ({ label, whatIf, report }: Stage, index: number): Plan['stages'][number] => ({
    id: `s${index}`,
    label,
    whatIf,
    figures: figuresAtEnd(report),
    settledSeconds: report.steps.at(-1)?.clock ?? 0,
  });
  const story = storyOf({ ...parts, chain, effects });
  yield;
  const reports = stages.map(({ report }) => report);
  const nodes = yield* changedNodes(reports);
  const lanes = yield* changedLanes(reports);
  return {
    stages: stages.map(stage),
    chain: shownLinks,
    story,
    moreLinks: Math.max(0, chain.length - most),
    effects,
    ...nodes,
    lanes,
  };
}

/** The first links, and of what happens, which effects name, as much as of what follows. */
function shown(chain: readonly PlanLink[]): readonly PlanLink[] {
  const isEvent = ({ kind }: PlanLink): boolean => kind === 'event';
  const others = chain.filter((link) => !isEvent(link)).slice(0, most);
  const events = chain.filter(isEvent).slice(0, Math.max(most / 2, most - others.length));
  const kept = new Set([...events, ...others.slice(0, most - events.length)]);
  return chain.filter((link) => kept.has(link));
}

type State = PlanEffect['at'][number];

function effectsOf(
  { before, after, causes, pairs, way: { between } }: Parts,
  chain: readonly PlanLink[],
): readonly PlanEffect[] {
  const moved = new Set<string>();
  for (const { before: was, after: is } of pairs) {
    if (was === null || is === null) continue;
    const from = nodeName(before, before.pods[was]?.after.node ?? null);
    const to = nodeName(after, after.pods[is]?.after.node ?? null);
    if (from !== to && from !== '' && to !== '') moved.add(workloadOf(after, is));
  }
  const [earlier, now] = [statesOf(before), statesOf(after)];
  const middle = between.map(({ report }) => statesOf(report));
  const events = chain.flatMap(({ kind, id }) => (kind === 'event' ? [id] : []));
  const by = [...causes.map(({ id }) => id), ...events].slice(0, most);
  const together = new Set(causes.map(({ object }) => object)).size + events.length > 1;
  const none: State = { running: 0, of: 0, evicted: 0, ended: 0, pending: 0, text: say`not there` };
  const effects = [...new Set([...earlier.keys(), ...now.keys()])].flatMap((workload): PlanEffect[] => {
    const [was, is] = [earlier.get(workload) ?? none, now.get(workload) ?? none];
    const way = middle.map((states) => states.get(workload) ?? none);
    // What is made good in the end has happened on the way all the same.
    const onTheWay = (): PlanEffect['change'] | null =>
      way.reduce<PlanEffect['change'] | null>((found, on) => found ?? changeOf(was, on, false), null);
    const change = changeOf(was, is, moved.has(workload)) ?? onTheWay();
    if (change === null) return [];
    return [
      {
        workload,
        name: workload.slice(workload.lastIndexOf('/') + 1),
        change,
        by,
        together,
        at: [was, ...way, is],
      },
    ];
  });
  const isDown = ({ at }: PlanEffect): number => Number(at.at(-1)?.running !== 0);
  return effects.sort((a, b) => order.indexOf(a.change) - order.indexOf(b.change) || isDown(a) - isDown(b));
}

const order: readonly PlanEffect['change'][] = ['worse', 'better', 'restarted', 'moved'];

function changeOf(was: State, is: State, moved: boolean): PlanEffect['change'] | null {
  if (was.of === 0 && is.pending === 0 && is.running > 0) return 'better';
  const lost = was.running - is.running || is.pending - was.pending;
  if (lost !== 0 && is.of >= was.of) return lost > 0 ? 'worse' : 'better';
  if (is.evicted !== was.evicted) return is.evicted > was.evicted ? 'restarted' : 'better';
  if (is.ended > was.ended && is.of >= was.of) return 'restarted';
  return moved || was.of !== is.of ? 'moved' : null;
}

const noPods = { running: 0, ofNew: 0, evicted: 0, ended: 0, pending: 0, gated: 0, refused: 0, of: 0 };

/** How the pods of each workload fare in the end; of a pod without one, as of a workload of its own. */
export function statesOf(report: ComparedReport): ReadonlyMap<string, State> {
  const evicted = evictedPods(report);
  const all = new Map<string, Record<keyof typeof noPods | 'asked', number>>();
  const rollOuts = new Map((report.answer.rollOuts ?? []).map((each) => [each.object, each]));
  for (const [index, pod] of report.pods.entries()) {
    const workload = workloadOf(report, index);
    const state = all.get(workload) ?? { ...noPods, asked: askedFor(report, pod) };
    all.set(workload, state);
    const is = pod.after.state;
    if (isGone(is) || is === 'terminating') {
      state[evicted.has(index) ? 'evicted' : 'ended'] += 1;
      continue;
    }
    state.of += 1;
    if (is === 'running') state.running += 1;
    else state.pending += 1;
    if (is === 'gated') state.gated += 1;
    if (is === 'rejected') state.refused += 1;
    if (is === 'running' && pod.template === 'new') state.ofNew += 1;
  }
  return new Map(
    [...all].map(([workload, { asked, ofNew, gated, refused, ...state }]) => {
      const waits = waitsText(state.pending - gated - refused, gated, refused);
      const rolled = rollOuts.get(workload);
      if (rolled?.isStuck === true) {
        const unready = Math.max(0, ofNew - rolled.updated);
        const running = state.running - unready;
        const old = Math.max(0, running - rolled.updated);
        const parts = [say`${rolled.updated} of ${rolled.wanted} new, ${old} old`, ...waits];
        if (unready > 0) parts.push(say`${count(unready, 'pod')} not ready`);
        const text = joined(parts, ', ');
        return [workload, { ...state, running, pending: state.pending + unready, of: rolled.wanted, text }];
      }
      const unattached = Math.min(state.running, rolled?.unattached ?? 0);
      const is = { ...state, of: Math.max(state.of, asked), running: state.running - unattached };
      const notReady = unattached === 0 ? [] : [say`${count(unattached, 'pod')} not ready`];
      const text = joined([stateText(workload, is, waits), ...notReady], ', ');
      return [workload, { ...is, pending: is.pending + unattached, text }];
    }),
  );
}

function stateText(
  workload: string,
  { running, of, evicted, ended }: Omit<State, 'text'>,
  waits: readonly string[],
): string {
  const lost = evicted === 0 ? [] : [say`${evicted} evicted`];
  const over = ended === 0 ? [] : [say`${ended} ended`];
  // What comes to an end of its own is not down.
  const isJob = /^(?:Cron)?Job\//.test(workload);
  const none = isJob ? say`0 of ${of}, late` : say`0 of ${of}, down`;
  const runs = running === 0 && evicted > 0 ? none : outOf(running, of);
  return joined([runs, ...lost, ...over, ...waits], ', ');
}

function askedFor({ workloads }: ComparedReport, { workload }: ReportPod): number {
  return workloads[workload ?? -1]?.replicas ?? 0;
}
