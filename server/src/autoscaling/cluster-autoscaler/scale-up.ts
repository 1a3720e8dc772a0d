import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { Pod } from '../../kubernetes/objects.ts';
import { goSort } from '../../scheduler/index.ts';
import { balance, type ScaleUp } from './balance.ts';
import { estimate, smallestLimit } from './estimate.ts';
import { bestOption, type ExpansionOption } from './expanders.ts';
import type { NodeGroup, ScaleUpInput } from './groups.ts';
import { type PodGroup, podGroupsOf, schedulingIdentity } from './pod-groups.ts';
import { ClusterQuota, exceededText } from './quota.ts';
import { areSimilar } from './similar-groups.ts';
import { Snapshot } from './snapshot.ts';
import { controllerOf, isOfDaemonSet, type NodeTemplate, templatesOf } from './templates.ts';

export type PodState =
  /** Not marked unschedulable, or being deleted. */
  | 'ignored'
  | 'nominated'
  | 'expendable'
  /** Fits a node that is there. */
  | 'schedulable'
  | 'daemonset'
  /** Was to be helped; no more is said of it. */
  | 'help'
  | 'triggered'
  | 'awaits evaluation'
  | 'remains unschedulable';

export interface PodOutcome {
  readonly pod: Pod;
  readonly state: PodState;
  /** Group of nodes → why the pod cannot be on a node of it. */
  readonly rejected?: ReadonlyMap<string, readonly string[]>;
  /** Group of nodes → why it cannot grow. */
  readonly skipped?: ReadonlyMap<string, readonly string[]>;
}

export interface ScaleUpResult {
  readonly result: 'Successful' | 'NoOptionsAvailable' | 'Error' | 'no pods to help';
  /** Pods that are not bound. */
  readonly pods: ReadonlyMap<string, PodOutcome>;
  readonly options: readonly ExpansionOption[];
  readonly best?: ExpansionOption;
  /** Whether the best was one of several that are as good. */
  readonly isChance: boolean;
  readonly scaleUps: readonly ScaleUp[];
  readonly templates: ReadonlyMap<string, NodeTemplate>;
  /** Warnings of expanders: reason and text. */
  readonly warnings: readonly string[];
}

const maxSizeText = 'max node group size reached';
const filteredOutText = 'expansion options filtered out and no longer considered';
const executionText = 'scale-up execution failed';

/**
 * One loop of Cluster Autoscaler, as far as it scales up.
 * Source: cluster-autoscaler/core/static_autoscaler.go RunOnce, core/scaleup/orchestrator/orchestrator.go ScaleUp
 */
export function scaleUp(input: ScaleUpInput): ScaleUpResult {
  return new Loop(input).run();
}

/** A set priority below the cutoff; such pods neither ask for a node nor take room. Source: core/utils/expendable.go */
function isExpendable({ spec }: Pod, cutoff: number): boolean {
  return spec?.priority !== undefined && spec.priority < cutoff;
}

class Loop {
  readonly #input: ScaleUpInput;
  readonly #outcomes = new Map<string, PodOutcome>();
  readonly #snapshot: Snapshot;
  readonly #templates: ReadonlyMap<string, NodeTemplate>;
  readonly #warnings: string[] = [];
  readonly #quota: ClusterQuota;

  constructor(input: ScaleUpInput) {
    this.#input = input;
    const { pods, nodes, groupOf, options, others } = input;
    const placed = pods.flatMap((pod) => {
      const node = (pod.spec?.nodeName ?? '') === '' ? this.#nominatedNode(pod) : pod.spec!.nodeName;
      if (node === undefined || isExpendable(pod, options.expendableBelow)) return [];
      return [{ ...pod, spec: { ...pod.spec!, nodeName: node } }];
    });
    this.#snapshot = Snapshot.of(nodes, placed, others);
    this.#templates = templatesOf({ ...input, pods: placed });
    this.#quota = new ClusterQuota(nodes, (node) => groupOf.get(nameOf(node)), options);
  }

  run(): ScaleUpResult {
    const pods = this.#podsToHelp();
    if (pods.length === 0) return this.#result('no pods to help', [], undefined, []);
    const groups = podGroupsOf(pods);
    const { valid, skipped } = this.#validGroups();
    const schedulable = new Map(valid.map((group) => [group.id, this.#schedulableOn(group, groups)]));
    const options = valid.flatMap((group) => {
      const option = this.#optionOf(group, schedulable);
      return option.nodes === 0 || option.pods.length === 0 ? [] : [option];
    });
    if (options.length === 0) {
      this.#tellRemaining(groups, skipped);
      return this.#result('NoOptionsAvailable', [], undefined, []);
    }
    const chosen = bestOption(options, this.#input.options.expanders, {
      templates: this.#templates,
      priorities: this.#input.options.priorities,
      warn: (text) => this.#warnings.push(text),
    });
    if (chosen.best === undefined) {
      markAll(groups, filteredOutText);
      this.#tellRemaining(groups, skipped);
      return this.#result('NoOptionsAvailable', options, undefined, []);
    }
    return this.#execute(options, chosen.best, chosen.isChance, groups, schedulable, skipped);
  }

  #execute(
    options: readonly ExpansionOption[],
    best: ExpansionOption,
    isChance: boolean,
    groups: readonly PodGroup[],
    schedulable: ReadonlyMap<string, readonly PodGroup[]>,
    skipped: ReadonlyMap<string, readonly string[]>,
  ): ScaleUpResult {
    const { nodes, options: settings } = this.#input;
    let wanted = best.nodes;
    if (settings.mostNodes > 0) wanted = Math.min(wanted, settings.mostNodes - nodes.length);
    if (wanted < 1) {
      markAll(groups, executionText);
      this.#tellRemaining(groups, skipped);
      for (const pod of best.pods) this.#report(pod, { pod, state: 'triggered' });
      return this.#result('Error', options, best, [], isChance);
    }
    wanted = this.#quota.check(this.#templateOf(best.group), best.group.id, wanted).allowed;
    const scaleUps = this.#balanced(best.group, wanted, schedulable);
    for (const { pods, isSchedulable, refusals } of groups) {
      if (isSchedulable && refusals.has(best.group.id)) {
        for (const pod of pods) this.#report(pod, { pod, state: 'awaits evaluation' });
      }
    }
    this.#tellRemaining(groups, skipped);
    for (const pod of best.pods) this.#report(pod, { pod, state: 'triggered' });
    return this.#result('Successful', options, best, scaleUps, isChance);
  }

  /** Pods that no node takes, after those that fit have been put where they do, the most important first. */
  #podsToHelp(): readonly Pod[] {
    const { pods, options } = this.#input;
    const asking: Pod[] = [];
    for (const pod of pods) {
      if ((pod.spec?.nodeName ?? '') !== '') continue;
      if (pod.metadata?.deletionTimestamp !== undefined) this.#report(pod, { pod, state: 'ignored' });
      else if (this.#nominatedNode(pod) !== undefined) this.#report(pod, { pod, state: 'nominated' });
      else if (!isUnschedulable(pod)) this.#report(pod, { pod, state: 'ignored' });
      else if (isExpendable(pod, options.expendableBelow)) this.#report(pod, { pod, state: 'expendable' });
      else asking.push(pod);
    }
    goSort(asking, (a, b) => (a.spec?.priority ?? 0) > (b.spec?.priority ?? 0));
    const unplaced = asking.filter((pod) => !this.#fitsExisting(pod));
    return unplaced.filter((pod) => {
      this.#report(pod, { pod, state: isOfDaemonSet(pod) ? 'daemonset' : 'help' });
      return !isOfDaemonSet(pod);
    });
  }

  readonly #hopeless = new Map<string, Set<string>>();

  /** Source: filter_out_schedulable.go, hinting_simulator.go, similar_pods.go */
  #fitsExisting(pod: Pod): boolean {
    const controller = controllerOf(pod)?.uid;
    const known = controller === undefined ? undefined : this.#hopeless.get(controller);
    if (known?.has(schedulingIdentity(pod)) === true) return false;
    if (this.#snapshot.scheduleOnAny(pod, () => true) !== undefined) {
      this.#report(pod, { pod, state: 'schedulable' });
      return true;
    }
    if (controller === undefined || isOfDaemonSet(pod)) return false;
    if (known === undefined) this.#hopeless.set(controller, new Set([schedulingIdentity(pod)]));
    else if (known.size < 10) known.add(schedulingIdentity(pod));
    return false;
  }

  /** Source: filterValidScaleUpNodeGroups */
  #validGroups(): { readonly valid: readonly NodeGroup[]; readonly skipped: ReadonlyMap<string, readonly string[]> } {
    const skipped = new Map<string, readonly string[]>();
    const valid = this.#input.groups.filter((group) => {
      if (group.size >= group.max) {
        skipped.set(group.id, [maxSizeText]);
      } else {
        const { exceeded } = this.#quota.check(this.#templateOf(group), group.id, 1);
        if (exceeded.length > 0) skipped.set(group.id, [exceededText(exceeded)]);
      }
      return !skipped.has(group.id);
    });
    return { valid, skipped };
  }

  /** The first pod of each group on one more node. Source: SchedulablePodGroups */
  #schedulableOn(group: NodeGroup, groups: readonly PodGroup[]): readonly PodGroup[] {
    const { node, pods } = this.#templates.get(group.id)!;
    const snapshot = this.#snapshot.fork();
    snapshot.addNode(node, pods);
    return groups.filter((each) => {
      const refusal = snapshot.refusal(each.pods[0]!, nameOf(node));
      if (refusal === null) {
        each.isSchedulable = true;
        each.schedulableOn.push(group.id);
      } else {
        each.refusals.set(group.id, refusal);
      }
      return refusal === null;
    });
  }

  /** Source: ComputeExpansionOption */
  #optionOf(group: NodeGroup, schedulable: ReadonlyMap<string, readonly PodGroup[]>): ExpansionOption {
    const groups = schedulable.get(group.id)!;
    if (groups.length === 0) return { group, nodes: 0, pods: [], similar: [] };
    const similar = this.#similarTo(group, schedulable);
    const { options, nodes } = this.#input;
    const free = [group, ...similar].reduce((sum, { max, size }) => sum + Math.max(0, max - size), 0);
    const ofCluster =
      options.mostNodes === 0 ? 0 : options.mostNodes <= nodes.length ? -1 : options.mostNodes - nodes.length;
    const most = smallestLimit(options.mostNodesPerScaleUp, free <= 0 ? -1 : free, ofCluster);
    return { group, similar, ...estimate(this.#snapshot, groups, this.#templates.get(group.id)!, most) };
  }

  /** Source: ComputeSimilarNodeGroups, FindSimilarNodeGroups */
  #similarTo(group: NodeGroup, schedulable: ReadonlyMap<string, readonly PodGroup[]>): readonly NodeGroup[] {
    if (!this.#input.options.balancesSimilarGroups) return [];
    const own = schedulable.get(group.id) ?? [];
    return this.#input.groups.filter((other) => {
      const theirs = other.id === group.id ? undefined : schedulable.get(other.id);
      if (theirs === undefined || !areSimilar(this.#templates.get(group.id)!, this.#templates.get(other.id)!)) {
        return false;
      }
      return own.every((each) => theirs.includes(each));
    });
  }

  /** Source: balanceScaleUps, capScaleUpsByQuota */
  #balanced(
    group: NodeGroup,
    wanted: number,
    schedulable: ReadonlyMap<string, readonly PodGroup[]>,
  ): readonly ScaleUp[] {
    const similar = this.#similarTo(group, schedulable).filter(
      (other) => this.#quota.check(this.#templateOf(other), other.id, 1).exceeded.length === 0,
    );
    const scaleUps = balance([group, ...similar], wanted);
    for (const each of scaleUps) {
      const template = this.#templateOf(each.group);
      const { allowed } = this.#quota.check(template, each.group.id, each.to - each.from);
      each.to = each.from + allowed;
      if (allowed > 0) this.#quota.consume(template, each.group.id, allowed);
    }
    return scaleUps.filter(({ from, to }) => from !== to);
  }

  #templateOf({ id }: NodeGroup) {
    return this.#templates.get(id)!.node;
  }

  #nominatedNode({ status, metadata }: Pod): string | undefined {
    const name = status?.nominatedNodeName ?? '';
    return name === '' || metadata?.deletionTimestamp !== undefined ? undefined : name;
  }

  #report(pod: Pod, outcome: PodOutcome): void {
    this.#outcomes.set(keyOf(pod), outcome);
  }

  #tellRemaining(groups: readonly PodGroup[], skipped: ReadonlyMap<string, readonly string[]>): void {
    for (const { pods, isSchedulable, refusals } of groups) {
      if (isSchedulable) continue;
      for (const pod of pods) this.#report(pod, { pod, state: 'remains unschedulable', rejected: refusals, skipped });
    }
  }

  #result(
    result: ScaleUpResult['result'],
    options: readonly ExpansionOption[],
    best: ExpansionOption | undefined,
    scaleUps: readonly ScaleUp[],
    isChance = false,
  ): ScaleUpResult {
    const { warnings, templates, pods } = {
      warnings: this.#warnings,
      templates: this.#templates,
      pods: this.#outcomes,
    };
    return { result, pods, options, ...(best === undefined ? {} : { best }), isChance, scaleUps, templates, warnings };
  }
}

function isUnschedulable({ status }: Pod): boolean {
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return condition?.status === 'False' && condition.reason === 'Unschedulable';
}

/** Source: markAllGroupsAsUnschedulable */
function markAll(groups: readonly PodGroup[], text: string): void {
  for (const group of groups) {
    for (const id of group.schedulableOn) group.refusals.set(id, [text]);
    group.isSchedulable = false;
  }
}

/** Counts of groups for each reason, as an event has them; upstream in the order of a Go map. Source: ReasonsMessage */
export function reasonsText({ rejected, skipped }: Pick<PodOutcome, 'rejected' | 'skipped'>): string {
  const counts = new Map<string, number>();
  for (const reasons of [...(rejected?.values() ?? []), ...(skipped?.values() ?? [])]) {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
}
