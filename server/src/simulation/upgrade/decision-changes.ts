import { type PodState, type ReportDecision, type ReportPod, type WholeReport } from '../../report-model/report.ts';
import { qualifiedName, titleOf } from '../../util/words.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { pairsOf } from '../compare/pairs.ts';
import type { Move } from './object-changes.ts';
import { changesOf, sinceWhen } from './release-changes.ts';
import type { PodUpgrade, PodUpgradeKind, UpgradeCause } from './upgrade-report.ts';

/** What is lost comes first. */
const kinds: readonly PodUpgradeKind[] = ['refused', 'evicted', 'pending', 'moved', 'placed', 'spared', 'accepted'];

const waiting: ReadonlySet<PodState> = new Set(['pending', 'nominated', 'gated']);

/** Pods that fare otherwise in the second of two runs over the same objects. */
export function podChanges(before: WholeReport, after: WholeReport): readonly PodUpgrade[] {
  const changes = pairsOf(before, after).flatMap((pair): PodUpgrade[] => {
    const [was, is] = [before.pods[pair.before ?? -1], after.pods[pair.after ?? -1]];
    if (was === undefined || is === undefined) return [];
    const [old, now] = [nodeOf(before, was), nodeOf(after, is)];
    const change = changeOf(was.after.state, is.after.state, old !== now);
    if (change === null || (change === 'moved' && mayBeDrawn([before, was], [after, is]))) return [];
    const workload = after.workloads[is.workload ?? -1];
    const message = change === 'pending' ? whyPending(after, pair.after ?? -1) : '';
    const of = workload === undefined ? `Pod ${qualifiedName(is)}` : titleOf(workload);
    return [{ pod: qualifiedName(is), of, change, before: old, after: now, message }];
  });
  return changes.sort((a, b) => kinds.indexOf(a.change) - kinds.indexOf(b.change));
}

/** As the answer says it, else as the scheduler does. */
function whyPending({ answer, decisions, pods }: WholeReport, pod: number): string {
  const line = answer.groups.find(({ kind }) => kind === 'pending')?.lines.find((each) => each.pods.includes(pod));
  return line?.then ?? decisions[pods[pod]?.decision ?? -1]?.message ?? '';
}

function changeOf(was: PodState, is: PodState, isElsewhere: boolean): PodUpgradeKind | null {
  if (was === 'rejected' || is === 'rejected') return was === is ? null : is === 'rejected' ? 'refused' : 'accepted';
  if (was === 'evicted' || is === 'evicted') return was === is ? null : is === 'evicted' ? 'evicted' : 'spared';
  if (waiting.has(was) || waiting.has(is)) {
    return waiting.has(was) === waiting.has(is) ? null : waiting.has(is) ? 'pending' : 'placed';
  }
  return isElsewhere ? 'moved' : null;
}

/** Both runs draw one node among those of the other: who is where is chance in both. */
function mayBeDrawn([before, was]: PodOfRun, [after, is]: PodOfRun): boolean {
  const one = before.decisions[was.decision ?? -1];
  const other = after.decisions[is.decision ?? -1];
  return one !== undefined && other !== undefined && isSame([before, one], [after, other]);
}

type PodOfRun = readonly [WholeReport, ReportPod];

function nodeOf({ nodes }: WholeReport, { after }: ReportPod): string | null {
  return after.node === null ? null : (nodes[after.node]?.name ?? null);
}

/**
 * Changes of plugins whose scores or refusals do not depend on the other pods: they tell of later decisions, too. Of the
 * others only the first decision that differs can tell, as what comes behind it finds another cluster.
 */
const stateless: ReadonlySet<string> = new Set(['ImageLocality', 'NodeDeclaredFeatures', 'VolumeBinding']);

/** Why decisions differ: found in the first that does, where both runs have the same cluster. */
export function causesOf(
  before: WholeReport,
  after: WholeReport,
  { from, to, releaseOf }: Move,
  objects: readonly KubeObject[],
): readonly UpgradeCause[] {
  const [old, now] = [releaseOf(from), releaseOf(to)];
  const earlier = firstDecisions(before);
  const partners = new Map(
    pairsOf(before, after).flatMap((pair) => (pair.after === null ? [] : [[pair.after, pair.before]])),
  );
  const causes = new Map<string, UpgradeCause>();
  let isFirst = true;
  for (const [pod, decision] of firstDecisions(after)) {
    const other = earlier.get(partners.get(pod) ?? -1);
    if (other === undefined || isSame([before, other], [after, decision])) continue;
    for (const plugin of decisive([before, other], [after, decision])) {
      if (!isFirst && !stateless.has(plugin)) continue;
      for (const change of changesOf(plugin, old, now, objects)) {
        if (causes.has(change.text)) continue;
        const since = sinceWhen(from, to, change.holds);
        causes.set(change.text, { plugin, since, text: change.text, pod: qualifiedName(after.pods[pod]!) });
      }
    }
    isFirst = false;
  }
  return [...causes.values()];
}

type Decided = readonly [WholeReport, ReportDecision];

/** The first decision about each pod, in their order. */
function firstDecisions({ decisions }: WholeReport): ReadonlyMap<number, ReportDecision> {
  const first = new Map<number, ReportDecision>();
  for (const decision of decisions) if (!first.has(decision.pod)) first.set(decision.pod, decision);
  return first;
}

function nameOf({ nodes }: WholeReport, node: number | null): string | null {
  return node === null ? null : (nodes[node]?.name ?? null);
}

/** Whether they come to the same, or to nodes that are equally good for both. */
function isSame([report, one]: Decided, [otherReport, other]: Decided): boolean {
  if (one.kind !== other.kind) return false;
  const [was, is] = [nameOf(report, one.node), nameOf(otherReport, other.node)];
  if (was === is) return true;
  const isAmong = (all: WholeReport, { best }: ReportDecision, name: string | null): boolean =>
    best.some((node) => nameOf(all, node) === name);
  return isAmong(report, one, is) && isAmong(otherReport, other, was);
}

/** The plugins without whose change the decision would be as before; all that differ where none alone explains it. */
function decisive(one: Decided, other: Decided): readonly string[] {
  const refusing = differingRefusals(one, other);
  if (refusing.length > 0) return refusing;
  const [before, after] = [scoresOf(one), scoresOf(other)];
  const plugins = new Set([...before.values(), ...after.values()].flatMap((scores) => [...scores.keys()]));
  const scoreIn = (scores: ReturnType<typeof scoresOf>, node: string, plugin: string): number =>
    scores.get(node)?.get(plugin) ?? 0;
  const common = [...after.keys()].filter((node) => before.has(node));
  const differing = [...plugins].filter((plugin) =>
    common.some((node) => scoreIn(before, node, plugin) !== scoreIn(after, node, plugin)),
  );
  const wanted = nameOf(one[0], one[1].node);
  const explains = (plugin: string): boolean => {
    const totals = common.map((node) => {
      let total = 0;
      for (const each of plugins) total += scoreIn(each === plugin ? before : after, node, each);
      return { node, total };
    });
    const best = Math.max(...totals.map(({ total }) => total));
    return totals.some(({ node, total }) => node === wanted && total === best);
  };
  const alone = differing.filter(explains);
  return alone.length > 0 ? alone : differing;
}

/** Node → plugin → score. */
function scoresOf([report, { scores }]: Decided): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const rows = scores?.rows ?? [];
  return new Map(
    rows.map(({ node, scores: row }) => [
      nameOf(report, node) ?? '',
      new Map((scores?.plugins ?? []).map((plugin, at) => [plugin, row[at] ?? 0])),
    ]),
  );
}

function differingRefusals(one: Decided, other: Decided): readonly string[] {
  const refusals = ([report, decision]: Decided): ReadonlyMap<string, string> =>
    new Map(
      decision.refusals.flatMap(({ plugin, reasons, nodes }) =>
        nodes.map((node) => [`${plugin} ${nameOf(report, node) ?? ''} ${reasons.join()}`, plugin] as const),
      ),
    );
  const [before, after] = [refusals(one), refusals(other)];
  const differing = [
    ...[...before].filter(([key]) => !after.has(key)),
    ...[...after].filter(([key]) => !before.has(key)),
  ];
  return [...new Set(differing.map(([, plugin]) => plugin))];
}
