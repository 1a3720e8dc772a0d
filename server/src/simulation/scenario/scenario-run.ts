import { addTo, groupBy } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { momentText } from '../../util/words.ts';
import { keyOf, nameOf, namespaceOf, workloadKey } from '../../kubernetes/names.ts';
import type { CronJob, Node } from '../../kubernetes/objects.ts';
import { defaultNode } from '../../kubernetes/defaults/index.ts';
import { expandWorkload } from '../../kubernetes/workloads.ts';
import type { ReplacingControllers } from '../run/replacements.ts';
import type { Run } from '../run/run.ts';
import type { RunEvent } from '../run/run-event.ts';
import { outOfService } from '../../kubernetes/taints.ts';
import { TaintEvictions } from '../run/taint-evictions.ts';
import type { BudgetStatuses } from '../cluster/budget-statuses.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { Inventory } from '../cluster/inventory.ts';
import { PodFactory } from '../cluster/pod-factory.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { collectWorkloads, nodeOfDaemonPod, type SimulatedWorkload } from '../cluster/workload-set.ts';
import { type RolledOut, RollOuts } from '../run/roll-outs.ts';
import { applyOperation } from '../operations/apply-operation.ts';
import { isEdit, isRolledEdit, manifestOf, withEdited } from './as-manifest.ts';
import { type ChangedWorkload, changeOfWorkload, type RefusedChange } from './changed-workloads.ts';
import type { PodState, ReportWorkload } from '../../report-model/report.ts';
import type { DrainedNode, PressedNode } from '../report/build-drains.ts';
import { letArrive } from '../run/prepare-scenario.ts';
import { JobRuns } from './job-runs.ts';
import { LiveBudgets } from '../drains/live-budgets.ts';
import { evictionsUnderPressure } from './node-under-pressure.ts';
import { startDrain } from '../drains/start-drain.ts';
import type { Operation, ScenarioEvent, Target } from '../operations/operation.ts';

/** What an event did, besides the steps that came of it. */
export interface HappenedEvent {
  readonly clock: number;
  readonly text: string;
  readonly told: readonly string[];
}

/** Somebody at work on a cluster in motion: operations happen at their times, and controllers follow. */
export class ScenarioRun {
  readonly happened: HappenedEvent[] = [];
  readonly drains: DrainedNode[] = [];
  readonly pressures: PressedNode[] = [];
  /** Edits of pods that are there which the API server refuses. */
  readonly refused: RefusedChange[] = [];
  readonly taintEvictions: TaintEvictions;
  readonly #simulated: SimulatedCluster;
  readonly #run: Run;
  readonly #controllers: ReplacingControllers;
  #input: SimulationInput;
  #inventory: { readonly input: SimulationInput; readonly of: Inventory } | undefined;
  #budgets: BudgetStatuses;
  readonly #liveBudgets: LiveBudgets;
  #workloads: readonly (SimulatedWorkload | undefined)[];
  /** Pods that have not come yet, by workload. */
  readonly #held: Map<number, SimulatedPod[]>;
  readonly #jobs: JobRuns;
  /** The controllers of what runs, where workloads are changed. */
  readonly #rollOuts: RollOuts | null;

  /**
   * @param input what there is at the start; `cluster` may have more nodes, which come later
   * @param changed workloads that run and are written otherwise; null where none is changed, nor will be
   */
  constructor(
    simulated: SimulatedCluster,
    run: Run,
    controllers: ReplacingControllers,
    input: SimulationInput,
    held: ReadonlySet<SimulatedPod>,
    changed: readonly ChangedWorkload[] | null,
  ) {
    const later = new Set([...held].map(({ workload }) => workload));
    this.#rollOuts = changed === null ? null : new RollOuts(simulated, run, controllers, changed, later);
    this.#simulated = simulated;
    this.#run = run;
    this.#controllers = controllers;
    this.taintEvictions = new TaintEvictions(run, controllers);
    this.#input = input;
    this.#budgets = simulated.budgets;
    this.#liveBudgets = new LiveBudgets(run, simulated.budgets);
    this.#workloads = simulated.workloads;
    this.#held = new Map();
    this.#jobs = new JobRuns({
      run,
      controllers,
      calendar: input.calendar ?? noCalendar,
      workload: (index) => this.#workloads[index],
      stored: ({ namespace, name }) =>
        input.snapshot
          .map(({ object }) => object)
          .find(
            (object): object is CronJob =>
              object.kind === 'CronJob' && namespaceOf(object) === namespace && nameOf(object) === name,
          ),
      report: (text, lines) => this.happened.push({ clock: run.clock, text, told: lines }),
    });
    for (const pod of held) addTo(this.#held, pod.workload, pod);
  }

  /** Runs until everything has happened and nothing changes any more. Yields after each decision. */
  *play(events: readonly ScenarioEvent[], report: (event: RunEvent) => void): Generator<void, void> {
    this.#jobs.begin(this.#simulated.workloads);
    for (const [index, each] of this.#simulated.workloads.entries()) {
      if (each.kind === 'DaemonSet' && hasOthers(each)) this.#leaveNodes(index, each);
    }
    const onEvent = (event: RunEvent): void => {
      report(event);
      this.taintEvictions.follow(event);
      this.#rollOuts?.follow(event);
      if (event.kind === 'scheduled') this.#jobs.placed(event.pod);
    };
    for (const event of events) {
      // What has no time of its own comes when all that is before it has settled.
      if (event.at === null) yield* this.#run.settle(onEvent);
      this.#run.callAt(event.at ?? this.#run.clock, () => {
        this.#happen(event);
      });
    }
    yield* this.#run.settle(onEvent);
  }

  /** What became of each change of a workload. */
  rolledOut(): readonly RolledOut[] {
    return this.#rollOuts?.results() ?? [];
  }

  /** Workloads, by index, of which there are to be more or fewer pods than at the start. */
  scaled(): ReadonlyMap<number, ReportWorkload> {
    return new Map(
      this.#simulated.reportWorkloads.flatMap((workload, index) => {
        const replicas = this.#workloads[index]?.replicas ?? workload.replicas;
        return replicas === workload.replicas ? [] : [[index, { ...workload, replicas }] as const];
      }),
    );
  }

  #happen({ operation, text, at }: ScenarioEvent): void {
    // Pods that have come since nobody left count by now.
    this.#run.countBudgets();
    const lines: string[] = [];
    this.happened.push({ clock: this.#run.clock, text, told: lines });
    if (at !== null && at < this.#run.clock) {
      lines.push(
        say`late: what comes before it and has no time of its own had not settled by ${momentText(this.#input.calendar ?? {}, at)}`,
      );
    }
    switch (operation.verb) {
      case 'drain':
        this.#drain(operation, lines);
        return;
      case 'fail':
        this.#fail(operation.node, lines);
        return;
      case 'unready':
        this.#leaveUnready(operation.target, lines);
        return;
      case 'pressure':
        this.#press(operation, lines);
        return;
      case 'finish':
        this.#finish(operation.target, lines);
        return;
      case 'arrive':
        this.#arrive(operation.target, lines);
        return;
      default:
        if (!this.#apply(operation, lines)) lines.push(say`no effect`);
    }
  }

  /** Says whether anything changes. */
  #apply(operation: Operation, lines: string[]): boolean {
    const before = this.#input;
    const rolled = this.#rollOut(operation);
    if (rolled !== null) return rolled;
    const refusal = this.#refusalOf(operation);
    if (refusal !== null) {
      this.refused.push(refusal);
      lines.push(refusal.refusal);
      return true;
    }
    const { input, changes } = applyOperation(before, operation);
    this.#input = input;
    this.#follow(before, lines);
    return changes;
  }

  /** An edit of a workload whose controllers are at work; null for another operation. */
  #rollOut(operation: Operation): boolean | null {
    if (this.#rollOuts === null || !isRolledEdit(operation)) return null;
    const { target } = operation;
    const top = this.#rollOuts.plane.tops.get(workloadKey(target.kind, target.namespace, target.name));
    if (top === undefined) return null;
    const before = this.#input;
    this.#input = withEdited(before, operation) ?? before;
    const written = manifestOf(this.#input, target);
    const change =
      written === undefined
        ? undefined
        : changeOfWorkload(top.object, written, manifestOf(before, target), this.#input);
    if (change !== undefined) this.#rollOuts.apply(change);
    return change !== undefined;
  }

  /** What the API server answers to an edit of a pod that is there, where it refuses it. */
  #refusalOf(operation: Operation): RefusedChange | null {
    if (!isEdit(operation) || operation.target.kind !== 'Pod') return null;
    const { target } = operation;
    const stored = this.#run.find(`${target.namespace}/${target.name}`);
    const edited = stored === undefined ? null : withEdited(this.#input, operation);
    const written = edited === null ? undefined : manifestOf(edited, target);
    if (stored === undefined || written === undefined) return null;
    const change = changeOfWorkload(stored.pod, written, manifestOf(this.#input, target), this.#input);
    return change === undefined || change.refusal === '' ? null : change;
  }

  /** Evictions by a kubelet: no budget is asked, and pods leave at once. */
  #press({ node, usage }: Operation & { readonly verb: 'pressure' }, texts: string[]): void {
    const memoryOf = (pod: SimulatedPod): string | undefined => {
      const { kind, namespace, name } = this.#simulated.workloads[pod.workload]!;
      return usage.find(({ target }) =>
        target.kind === 'Pod'
          ? pod.key === `${target.namespace}/${target.name}`
          : kind === target.kind && namespace === target.namespace && name === target.name,
      )?.memory;
    };
    const object = new Inventory(this.#input).objects('Node').find((each) => nameOf(each) === node)!;
    const here = this.#pods().filter((pod) => this.#isOn(pod, node));
    const { evicted, lines, isShort } = evictionsUnderPressure(object, here, memoryOf);
    texts.push(...lines);
    if (!isShort) return;
    const taint = { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' } as const;
    this.#apply({ verb: 'taint', node, taint, removes: false }, texts);
    const { clock } = this.#run;
    const left: { pod: SimulatedPod; clock: number }[] = [];
    this.pressures.push({ node, evicted: left });
    for (const [turn, pod] of evicted.entries()) {
      this.#run.callAt(clock + turn * monitoringSeconds, () => {
        if (!this.#isOn(pod, node)) return;
        left.push({ pod, clock: this.#run.clock });
        this.#run.delete(pod, 0);
      });
    }
    this.#run.callAt(clock + evicted.length * monitoringSeconds + transitionSeconds, () => {
      this.#apply({ verb: 'taint', node, taint, removes: true }, texts);
    });
  }

  /** Nobody knows of it before the node has not been heard of for some time. */
  #fail(node: string, lines: string[]): void {
    lines.push(
      say`its pods are not ready from ${monitorGraceSeconds} s on; pods that tolerate that for some time are evicted then, and stay terminating until the node is removed`,
    );
    this.#run.callAt(this.#run.clock + monitorGraceSeconds, () => {
      this.#apply({ verb: 'fail', node }, lines);
      this.#rollOuts?.plane.fleet.loseNode(node);
    });
  }

  #leaveUnready({ kind, namespace, name }: Target, lines: string[]): void {
    if (this.#rollOuts?.leaveUnready(workloadKey(kind, namespace, name)) !== true) lines.push(say`no effect`);
  }

  #drain(operation: Operation & { readonly verb: 'drain' }, lines: string[]): void {
    const inventory = new Inventory(this.#input);
    const node = inventory.objects('Node').find((each) => nameOf(each) === operation.node);
    // It stays cordoned for whatever comes later.
    this.#input = applyOperation(this.#input, operation).input;
    this.drains.push(startDrain(operation, node!, this.#run, inventory, this.#liveBudgets, lines));
  }

  #arrive(target: Target, lines: string[]): void {
    const index = this.#indexOf(workloadKey(target.kind, target.namespace, target.name));
    const pods = this.#held.get(index) ?? [];
    this.#held.delete(index);
    letArrive(pods, this.#run, { workloads: this.#workloads });
    const workload = this.#workloads[index]?.declared?.object;
    if (workload !== undefined) this.#rollOuts?.arrive(workload, index, pods);
    if (pods.length === 0) lines.push(say`no effect`);
  }

  #finish(target: Target, lines: string[]): void {
    this.#input = applyOperation(this.#input, { verb: 'finish', target }).input;
    const index = this.#indexOf(workloadKey(target.kind, target.namespace, target.name));
    if (target.kind === 'Pod') {
      const named = this.#podsNamed(target);
      for (const pod of named) this.#jobs.finish(pod);
      if (named.length === 0) lines.push(say`no effect: there is no such pod at this time`);
      return;
    }
    this.#rollOuts?.plane.stop(workloadKey(target.kind, target.namespace, target.name));
    const pods = this.#pods().filter((pod) => pod.workload === index);
    for (const pod of pods) {
      this.#controllers.letGo(pod.workload, 1);
      this.#run.delete(pod, 0);
    }
    this.#jobs.endAll(index);
    if (pods.length === 0) lines.push(say`no effect`);
  }

  /** The pod of a name, or the pods of the workload of that name. */
  #podsNamed({ namespace, name }: Target): readonly SimulatedPod[] {
    const pods = this.#pods();
    const exact = pods.filter(({ key }) => key === `${namespace}/${name}`);
    if (exact.length > 0) return exact;
    return pods.filter(({ workload: index }) => {
      const workload = this.#simulated.workloads[index]!;
      return workload.namespace === namespace && workload.name === name;
    });
  }

  /** What controllers and the scheduler make of an input that has changed. */
  #follow(before: SimulationInput, lines: string[]): void {
    const inventoryBefore = this.#inventoryOf(before);
    const inventory = this.#inventoryOf(this.#input);
    const nodes = inventory.objects('Node').map(defaultNode);
    this.#changeNodes(inventoryBefore, inventory, nodes);
    const workloads = collectWorkloads(inventory, nodes);
    const byKey = new Map(workloads.map((each) => [workloadKey(each.kind, each.namespace, each.name), each]));
    const { state } = this.#run.cluster;
    const earlier = this.#workloads;
    this.#workloads = this.#simulated.workloads.map(({ kind, namespace, name }) =>
      byKey.get(workloadKey(kind, namespace, name)),
    );
    const { classes, creation, added } = inventory;
    const factory = new PodFactory(
      { classes, creation, added, limitRanges: inventory.objects('LimitRange') },
      this.#workloads.map((workload, index) => workload ?? this.#simulated.workloads[index]!),
      (pod) => state.arriving(pod),
    );
    this.#controllers.change(this.#workloads, factory);
    this.#changeBudgets(inventoryBefore, inventory, workloads);
    let live: ReadonlyMap<number, readonly SimulatedPod[]> | undefined;
    for (const [index, now] of this.#workloads.entries()) {
      const was = earlier[index];
      if (was === undefined) continue;
      const key = workloadKey(was.kind, was.namespace, was.name);
      if (this.#rollOuts?.has(key) === true) {
        if (now === undefined) this.#rollOuts.plane.remove(key);
        continue;
      }
      // What a CronJob has started stays as it is.
      if (now?.kind === 'CronJob' && this.#input.calendar?.start != null) continue;
      const held = this.#held.get(index);
      if (held === undefined) {
        if (now !== undefined && makesTheSame(was, now)) continue;
        live ??= groupBy(this.#pods(), (pod) => pod.workload);
        this.#changeWorkload(index, was, now, live.get(index) ?? [], lines);
      } else if (now !== undefined) {
        const { missing, declared } = now;
        const of = { workload: index, origin: declared?.origin ?? null, shape: {} };
        const pods =
          now.kind === 'Pod'
            ? missing.map((pod) => factory.create(pod, of))
            : this.#controllers.more(index, now.blueprint.length, new Set());
        this.#held.set(index, [...pods]);
      }
    }
  }

  /** Kept, as what is now is what was before at the next event. */
  #inventoryOf(input: SimulationInput): Inventory {
    if (this.#inventory?.input !== input) this.#inventory = { input, of: new Inventory(input) };
    return this.#inventory.of;
  }

  #changeWorkload(
    index: number,
    was: SimulatedWorkload,
    now: SimulatedWorkload | undefined,
    live: readonly SimulatedPod[],
    lines: string[],
  ): void {
    if (now === undefined) {
      this.#run.toCome.withdraw((pod) => pod.workload === index);
      this.#end(index, live);
      return;
    }
    switch (now.kind) {
      case 'CronJob':
        if (templateOf(was) === templateOf(now)) return;
        lines.push(say`the last run has ended, and the next one is made of the new template`);
        this.#end(index, live);
        for (const pod of this.#controllers.more(index, now.blueprint.length, this.#run.pods.namesOf(index))) {
          this.#run.addArriving(pod);
        }
        return;
      case 'DaemonSet': {
        const served = new Set(
          live.map(({ pod, info }) => (info.nodeName === '' ? nodeOfDaemonPod(pod) : info.nodeName)),
        );
        const missing = now.blueprint.filter((pod) => !served.has(nodeOfDaemonPod(pod)));
        const names = new Set(now.blueprint.filter((pod) => !missing.includes(pod)).map(nameOf));
        for (const pod of this.#controllers.more(index, missing.length, names)) this.#run.addArriving(pod);
        this.#leaveNodes(index, now);
        return;
      }
      default: {
        // A controller that only its pods tell of has fewer.
        const kept = new Set(now.existing.map(({ object }) => keyOf(object)));
        this.#end(
          index,
          live.filter(({ key }) => !kept.has(key)),
        );
      }
    }
  }

  /**
   * A DaemonSet deletes its pods on nodes that are not, or no longer, what it asks for; taints are not asked here.
   * Source: podsShouldBeOnNode, NodeShouldRunDaemonPod in pkg/controller/daemon/daemon_controller.go
   */
  #leaveNodes(index: number, { kind, namespace, name, declared, blueprint }: SimulatedWorkload): void {
    const key = workloadKey(kind, namespace, name);
    if (this.#rollOuts?.has(key) === true) {
      this.#rollOuts.plane.look(key);
      return;
    }
    if (declared === undefined) return;
    const served = new Set(blueprint.map(nodeOfDaemonPod));
    const others = this.#pods().filter((pod) => {
      const { state, node } = this.#run.place(pod);
      return pod.workload === index && state === 'running' && node !== null && !served.has(node);
    });
    if (others.length === 0) return;
    const nodes = new Map(
      this.#inventoryOf(this.#input)
        .objects('Node')
        .map((node) => [nameOf(node), node]),
    );
    const mayStay = (pod: SimulatedPod): boolean => {
      const node = nodes.get(this.#run.place(pod).node ?? '');
      const untainted = node === undefined ? [] : [{ ...node, spec: { ...node.spec, taints: [] } }];
      return node === undefined || expandWorkload(declared.object, { nodes: untainted }).pods.length > 0;
    };
    this.#end(
      index,
      others.filter((pod) => !mayStay(pod)),
    );
  }

  /** Pods end, and nothing comes in their place. */
  #end(index: number, pods: readonly SimulatedPod[]): void {
    this.#controllers.letGo(index, pods.filter((pod) => this.#run.place(pod).state === 'running').length);
    for (const pod of pods) this.#run.delete(pod);
  }

  #changeNodes(before: Inventory, after: Inventory, defaulted: readonly Node[]): void {
    const known = new Map(before.objects('Node').map((node) => [nameOf(node), node]));
    for (const [index, node] of after.objects('Node').entries()) {
      const was = known.get(nameOf(node));
      known.delete(nameOf(node));
      if (was === node) continue;
      this.#run.putNode(defaulted[index]!);
      this.#rollOuts?.plane.putNode(defaulted[index]!, was === undefined);
      const here = this.#pods().filter((each) => this.#isOn(each, nameOf(node)));
      this.taintEvictions.nodeChanged(nameOf(node), node.spec?.taints ?? [], here);
      if (node.spec?.taints?.some(({ key }) => key === outOfService) === true) {
        this.#deleteByForce(nameOf(node), ['terminating']);
      }
    }
    for (const name of known.keys()) {
      this.#deleteByForce(name, ['running', 'terminating']);
      this.#run.removeNode(name);
      this.#rollOuts?.plane.removeNode(name);
    }
  }

  /** Those that end already, too. Source: pkg/controller/podgc/gc_controller.go (gcOrphaned, gcTerminating) */
  #deleteByForce(node: string, states: readonly PodState[]): void {
    for (const pod of this.#run.pods.present()) {
      const { state, node: on } = this.#run.place(pod);
      if (on === node && states.includes(state)) this.#run.delete(pod, 0);
    }
  }

  #changeBudgets(before: Inventory, after: Inventory, workloads: readonly SimulatedWorkload[]): void {
    const known = new Map(before.objects('PodDisruptionBudget').map((budget) => [keyOf(budget), budget]));
    const budgets = after.objects('PodDisruptionBudget');
    const changed = new Set<string>();
    for (const budget of budgets) {
      const key = keyOf(budget);
      const was = known.get(key);
      known.delete(key);
      if (was === budget) continue;
      changed.add(key);
      this.#run.putBudget(budget);
    }
    for (const key of known.keys()) this.#run.removeBudget(key);
    this.#budgets = this.#budgets.with(budgets, workloads);
    this.#run.cluster.useBudgets(this.#budgets);
    this.#liveBudgets.follow(this.#budgets, changed);
    this.#run.callAt(this.#run.clock, () => {
      this.#run.cluster.refreshBudgets();
    });
  }

  #isOn(pod: SimulatedPod, node: string): boolean {
    const { state, node: on } = this.#run.place(pod);
    return on === node && state === 'running';
  }

  /** Those that are there and do not end. */
  #pods(): readonly SimulatedPod[] {
    return [...this.#run.pods.present()].filter((pod) =>
      ['running', 'pending', 'nominated', 'gated'].includes(this.#run.place(pod).state),
    );
  }

  #indexOf(key: string): number {
    return this.#simulated.workloads.findIndex(
      ({ kind, namespace, name }) => workloadKey(kind, namespace, name) === key,
    );
  }
}

/** Source: cmd/kube-controller-manager/app/options/nodelifecyclecontroller.go (NodeMonitorGracePeriod) */
const monitorGraceSeconds = 50;
/** Source: pkg/kubelet/kubelet.go (evictionMonitoringPeriod): at most one pod is evicted in it */
const monitoringSeconds = 10;
/** Source: pkg/kubelet/apis/config/v1beta1/defaults.go (EvictionPressureTransitionPeriod) */
const transitionSeconds = 300;

/** Nobody says when the clock starts, nor how long Jobs take. */
const noCalendar = { start: null, until: 0, lasts: new Map<never, number>() };

/** Whether a DaemonSet has pods where it would make none now. */
function hasOthers({ existing, blueprint }: SimulatedWorkload): boolean {
  if (existing.length === 0) return false;
  const served = new Set(blueprint.map(nodeOfDaemonPod));
  return existing.some(({ object }) => !served.has(object.spec?.nodeName ?? ''));
}

/**
 * Whether nothing comes or goes by it. What a workload makes is kept with its object, so that it is the same while the
 * object is. A DaemonSet also makes what it lacks.
 */
function makesTheSame(was: SimulatedWorkload, now: SimulatedWorkload): boolean {
  if (now.kind === 'DaemonSet' || was.replicas !== now.replicas) return false;
  return was.blueprint === now.blueprint || (was.blueprint.length === 0 && now.blueprint.length === 0);
}

/** The pod that a workload makes, besides its name. */
function templateOf({ blueprint: [pod] }: SimulatedWorkload): string {
  return pod === undefined ? '' : JSON.stringify([pod.spec, namespaceOf(pod)]);
}
