import { getOrInsert } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { differenceOf } from '../../util/same-items.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { limitEntries, withEntry } from '../../autoscaling/pools/limit-entries.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import { namespaceOfKind, workloadKey } from '../../kubernetes/names.ts';
import type { Declared, KubeObject, Node, PodDisruptionBudget, ResourceSlice } from '../../kubernetes/objects.ts';
import { isPoolObject, type PoolObject } from '../../kubernetes/pool-kinds.ts';
import { isWorkloadKind, podTemplateOf, podTemplatePath } from '../../kubernetes/pod-template.ts';
import { assumedNodesFor, reportedAmounts } from '../cluster/assumed-nodes.ts';
import { omit } from '../../util/omit.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { chosenFor } from '../cluster/inventory.ts';
import { isTerminal, type Top, topControllers } from '../cluster/owners.ts';
import { nameOfAdded, stemOfAdded } from './added-nodes.ts';
import {
  copyOfNode,
  copyOfSlice,
  withAmounts,
  withCordon,
  withLabel,
  unreachable,
  withLabels,
  withTaint,
} from './node-changes.ts';
import {
  anew,
  changeAt,
  finishedJob,
  finishedPod,
  inOrderOfDeletion,
  nodeNameOf,
  specOf,
  withBound,
  withHard,
  withoutStatus,
  withRequests,
  withToleration,
} from './object-changes.ts';
import type { NodeModel, NodeSize, Operation, PoolNodes, Target } from './operation.ts';

/** What an operation makes of the input of a simulation. The input is left as it is. */
export interface Applied {
  readonly input: SimulationInput;
  /** Whether anything changes. */
  readonly changes: boolean;
}

/** The operation names something that is not there. */
export class UnknownObjectError extends Error {
  override readonly name = 'UnknownObjectError';
  /** The event or the question that names it, where one does. */
  asked = '';
  /** Its kind, and the three names of that kind that are most like it. */
  readonly nearest: readonly string[];

  constructor(what: string, names: readonly string[]) {
    // What has no name yet is nothing to say.
    const nearest = names.filter((name) => name !== '' && !name.endsWith('/'));
    const known = nearest.length === 0 ? '' : say`; did you mean ${nearest.join(', ')}?`;
    super(say`there is no ${what}${known}`);
    this.nearest = nearest;
  }

  /** Says which event or question it is about. */
  of(asked: string): this {
    this.asked = asked;
    this.message = say`'${asked}': ${this.message}`;
    return this;
  }
}

/**
 * Applies an operation to a branch of the input, as it is at second 0. A drain is no change of the input (it takes time,
 * and goes on in a run): here it cordons. Throws `UnknownObjectError`.
 */
export function applyOperation(input: SimulationInput, operation: Operation): Applied {
  const branch = new Branch(concernsNodes(operation) ? { ...input, chosen: chosenFor(input) } : input);
  branch.apply(operation);
  branch.countBudgetsAnew(input);
  const made = branch.input === input ? input : { ...branch.input, basis: input.basis ?? input };
  return { input: made, changes: branch.changed };
}

/** Which nodes there are decides which Kubernetes answers. */
function concernsNodes(operation: Operation): boolean {
  return operation.verb === 'add' || ('target' in operation && operation.target.kind === 'Node');
}

/** Nodes that are assumed become declared ones, so that others can be added or one be changed. */
export function withDeclaredNodes(input: SimulationInput): SimulationInput {
  const { workspace, snapshot } = input;
  if ([...workspace, ...snapshot].some(({ object }) => object.kind === 'Node')) return input;
  const assumed = assumedNodesFor(input).map((object) => ({ object }));
  if (assumed.length === 0) return input;
  return { ...input, workspace: [...workspace, ...assumed], nodesAreAssumed: true };
}

class Branch {
  changed = false;
  #input: SimulationInput;

  constructor(input: SimulationInput) {
    this.#input = input;
  }

  get input(): SimulationInput {
    return this.#input;
  }

  apply(operation: Operation): void {
    switch (operation.verb) {
      case 'drain':
      case 'cordon':
        this.#changeNode(operation.node, (node) => withCordon(node, true));
        return;
      case 'uncordon':
        this.#changeNode(operation.node, (node) => withCordon(node, false));
        return;
      case 'label':
        this.#changeNode(operation.node, (node) => withLabel(node, operation.key, operation.value));
        return;
      case 'taint':
        this.#changeNode(operation.node, (node) => withTaint(node, operation.taint, operation.removes));
        return;
      case 'add':
        this.#add(operation);
        return;
      case 'remove':
      case 'delete':
        this.#delete(operation.target);
        return;
      case 'finish':
        this.#finish(operation.target);
        return;
      case 'fail':
        this.#changeNode(operation.node, unreachable);
        return;
      case 'arrive':
      case 'unready':
        this.#find(operation.target);
        return;
      case 'pressure':
        this.#declareNodes();
        this.#find({ kind: 'Node', namespace: '', name: operation.node });
        for (const { target } of operation.usage) if (!this.#isOfRun(target)) this.#find(target);
        return;
      case 'scale':
        this.#scale(operation.target, operation.replicas);
        return;
      case 'class':
        this.#declareClass(operation);
        this.#change({ kind: 'PriorityClass', namespace: '', name: operation.name }, (object) => ({
          ...object,
          ...(operation.value === undefined ? {} : { value: operation.value }),
          ...(operation.preemptionPolicy === undefined ? {} : { preemptionPolicy: operation.preemptionPolicy }),
        }));
        return;
      case 'budget':
        this.#change(operation.target, (object) => withBound(object, operation.bound, operation.value));
        return;
      case 'quota':
        this.#change(operation.target, (object) => withHard(object, operation.hard));
        return;
      case 'limit':
        this.#limit(operation);
        return;
      case 'ungate':
        this.#changeTemplate(operation.target, (spec) => omit(spec, 'schedulingGates'));
        return;
      case 'priority':
        if (!systemPriorityClasses.has(operation.className)) {
          this.#find({ kind: 'PriorityClass', namespace: '', name: operation.className });
        }
        this.#changeTemplate(operation.target, (spec) =>
          spec['priorityClassName'] === operation.className
            ? spec
            : { ...omit(spec, 'priority', 'preemptionPolicy'), priorityClassName: operation.className },
        );
        return;
      case 'request':
        this.#changeTemplate(operation.target, (spec) => withRequests(spec, operation.requests));
        return;
      case 'tolerate':
        this.#changeTemplate(operation.target, (spec) => withToleration(spec, operation.toleration));
        return;
    }
  }

  /** The disruption controller works out anew what budgets say whose pods, or what makes them, are other ones now. */
  countBudgetsAnew(before: SimulationInput): void {
    const { workspace, snapshot } = this.#input;
    if (workspace === before.workspace && snapshot === before.snapshot) return;
    const replaced = [...replacedIn(before.workspace, workspace), ...replacedIn(before.snapshot, snapshot)];
    const making = replaced.flatMap((declared) => {
      const template = podTemplateOf(declared.object);
      return template === undefined ? [] : [{ declared, template }];
    });
    if (making.length === 0) return;
    const kept = new Set(this.#objects);
    const templates = making.flatMap(({ declared, template }) =>
      kept.has(declared) ? [] : [{ namespace: namespaceOf(declared.object), labels: template.metadata.labels }],
    );
    if (templates.length === 0) return;
    this.#replace((declared) => {
      const { object } = declared;
      if (object.kind !== 'PodDisruptionBudget' || !('status' in object)) return declared;
      const selector = compileLabelSelector((object as PodDisruptionBudget).spec?.selector);
      const isTheirs = templates.some(
        ({ namespace, labels }) => namespace === namespaceOf(object) && selector.matches(labels),
      );
      return isTheirs ? { ...declared, object: withoutStatus(object) } : declared;
    });
  }

  get #objects(): readonly Declared[] {
    return [...this.#input.workspace, ...this.#input.snapshot];
  }

  /** The object that counts: of two with one name the workspace's. */
  #find(target: Target): KubeObject {
    const found = this.#objects.find(({ object }) => isTarget(object, target));
    if (found !== undefined) return found.object;
    const own = workloadKey(target.kind, target.namespace, target.name);
    // A controller that only its pods tell of.
    const owned = this.#objects.find(({ object }) => object.kind === 'Pod' && this.#belongsTo(object, own));
    if (owned !== undefined) return owned.object;
    throw new UnknownObjectError(nameOf(target), this.#nearest(target));
  }

  #nearest(target: Target): readonly string[] {
    const names = new Set(
      this.#objects
        .filter(({ object }) => object.kind === target.kind)
        .map(({ object }) =>
          target.namespace === ''
            ? (object.metadata?.name ?? '')
            : `${namespaceOf(object)}/${object.metadata?.name ?? ''}`,
        ),
    );
    return nearestNames(target.namespace === '' ? target.name : `${target.namespace}/${target.name}`, [...names]).slice(
      0,
      3,
    );
  }

  #belongsTo(pod: KubeObject, own: string): boolean {
    const top = this.#topOf(pod);
    return top !== null && workloadKey(top.kind, top.namespace, top.name) === own;
  }

  get #topOf(): (object: KubeObject) => Top | null {
    return getOrInsert(tops, this.#input, () => {
      const byKey = new Map(
        this.#objects
          .filter(({ object }) => isWorkloadKind(object.kind))
          .map(({ object }) => [
            workloadKey(object.kind ?? '', namespaceOf(object), object.metadata?.name ?? ''),
            object,
          ]),
      );
      return topControllers((key) => byKey.get(key));
    });
  }

  #replace(map: (declared: Declared) => Declared | null): void {
    const over = (list: readonly Declared[]): readonly Declared[] => {
      const next = list.map(map);
      if (next.every((each, i) => each === list[i])) return list;
      this.changed = true;
      return next.filter((each) => each !== null);
    };
    const [workspace, snapshot] = [over(this.#input.workspace), over(this.#input.snapshot)];
    if (workspace === this.#input.workspace && snapshot === this.#input.snapshot) return;
    this.#input = { ...this.#input, workspace, snapshot };
  }

  #change(target: Target, change: (object: KubeObject) => KubeObject): void {
    this.#find(target);
    this.#replace((declared) => {
      if (!isTarget(declared.object, target)) return declared;
      const object = change(declared.object);
      return isSame(object, declared.object) ? declared : { ...declared, object };
    });
  }

  #limit({ target, limits }: Operation & { readonly verb: 'limit' }): void {
    const entriesOf = ({ object }: Declared) => (isPoolObject(object) ? limitEntries(object, target, limits) : []);
    if (!this.#objects.some((declared) => entriesOf(declared).length > 0)) {
      throw new UnknownObjectError(nameOf(target), this.#nearest(target));
    }
    this.#replace((declared) => {
      const { object } = declared;
      if (!isPoolObject(object)) return declared;
      const written = entriesOf(declared).reduce<Json>(
        (json, { path, value }) => withEntry(json, path, value),
        object.written,
      ) as JsonObject;
      const next: PoolObject = { ...object, written };
      return isSame(next, object) ? declared : { ...declared, object: next };
    });
  }

  /** A class with a value that nobody has declared is made, unless its name may be a slip of the pen. */
  #declareClass({ name, value }: Operation & { readonly verb: 'class' }): void {
    if (value === undefined || systemPriorityClasses.has(name)) return;
    const names = this.#objects.flatMap(({ object }) =>
      object.kind === 'PriorityClass' ? [object.metadata?.name ?? ''] : [],
    );
    if (names.includes(name) || nearestNames(name, names, slips).length > 0) return;
    const object = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, description: '' };
    this.#input = { ...this.#input, workspace: [...this.#input.workspace, { object }] };
    this.changed = true;
  }

  /** Nodes that are assumed become declared ones first. */
  #changeNode(name: string, change: (node: Node) => Node): void {
    this.#declareNodes();
    this.#change({ kind: 'Node', namespace: '', name }, (object) => change(object));
  }

  #declareNodes(): void {
    this.#input = withDeclaredNodes(this.#input);
  }

  #add({ count, like, size, labels }: Operation & { readonly verb: 'add' }): void {
    this.#declareNodes();
    const modelOf = this.#modelOf(like, size, labels);
    const stem = stemOfAdded(like);
    const taken = new Set(
      this.#objects.filter(({ object }) => object.kind === 'Node').map(({ object }) => object.metadata?.name),
    );
    const added: Declared[] = [];
    for (let ordinal = 1; added.length < count; ordinal += 1) {
      const name = nameOfAdded(stem, ordinal);
      if (!taken.has(name)) added.push({ object: copyOfNode(modelOf(added.length), name) });
    }
    if (added.length > 0) this.changed = true;
    const copied =
      'node' in like ? [...this.#devicesLike(like.node, added), ...this.#driversLike(like.node, added)] : [];
    this.#input = { ...this.#input, workspace: [...this.#input.workspace, ...added, ...copied] };
  }

  /** The CSI drivers on a node that is like another attach as many volumes as there. */
  #driversLike(model: string, added: readonly Declared[]): readonly Declared[] {
    const known = this.#objects.find(({ object }) => object.kind === 'CSINode' && object.metadata?.name === model);
    if (known === undefined) return [];
    return added.map(({ object: { metadata } }) => ({
      object: { ...known.object, metadata: { name: metadata?.name ?? '' } },
    }));
  }

  /** The driver on a node that is like another publishes devices like the other's. */
  #devicesLike(model: string, added: readonly Declared[]): readonly Declared[] {
    // The same one may be written down and be there, too.
    const byName = new Map<string | undefined, ResourceSlice>();
    for (const { object } of this.#objects) {
      const slice = object as ResourceSlice;
      if (object.kind === 'ResourceSlice' && slice.spec.nodeName === model) byName.set(object.metadata?.name, slice);
    }
    const slices = [...byName.values()];
    return added.flatMap(({ object: { metadata } }) =>
      slices.map((slice) => ({ object: copyOfSlice(slice, metadata?.name ?? '', slices) })),
    );
  }

  /** What the nodes are like, by their number. */
  #modelOf(
    like: NodeModel | PoolNodes,
    size: NodeSize | undefined,
    labels: Readonly<Record<string, string>> = {},
  ): (at: number) => KubeObject {
    if ('pool' in like) return (at) => like.templates[at]!;
    const known = 'node' in like ? this.#find({ kind: 'Node', namespace: '', name: like.node }) : this.#bareNode(like);
    const model = withLabels(size === undefined ? known : withAmounts(known, size), labels);
    return () => model;
  }

  /** A node in the zone of the first one, of which nothing else is known. */
  #bareNode(size: NodeSize): Node {
    const first = this.#objects.find(({ object }) => object.kind === 'Node')?.object;
    const labels = Object.entries(first?.metadata?.labels ?? {}).filter(([key]) => zoneKeys.has(key));
    const amounts = reportedAmounts(size);
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { labels: Object.fromEntries(labels) },
      status: { capacity: amounts, allocatable: amounts },
    };
  }

  /** With a node its pods go, with a controller all that it controls. */
  #delete(target: Target): void {
    if (target.kind === 'Node') this.#declareNodes();
    this.#find(target);
    const own = workloadKey(target.kind, target.namespace, target.name);
    this.#replace((declared) => {
      const { object } = declared;
      if (isTarget(object, target)) return null;
      if (target.kind === 'Node') return object.kind === 'Pod' && nodeNameOf(object) === target.name ? null : declared;
      if (!isWorkloadKind(target.kind) || !isWorkloadKind(object.kind)) return declared;
      return this.#belongsTo(object, own) ? null : declared;
    });
    // After the last node there is none: nothing is assumed in its place.
    if (target.kind === 'Node' && !this.#objects.some(({ object }) => object.kind === 'Node')) {
      this.#input = { ...this.#input, assumedNodes: [{ count: 0 }] };
    }
  }

  /** A pod that nobody has declared: a controller may make it. Whether it does, the cluster of a run knows. */
  #isOfRun(target: Target): boolean {
    return target.kind === 'Pod' && !this.#objects.some(({ object }) => isTarget(object, target));
  }

  #finish(target: Target): void {
    if (this.#isOfRun(target)) return;
    this.#find(target);
    const own = workloadKey(target.kind, target.namespace, target.name);
    this.#replace((declared) => {
      const { object } = declared;
      if (isTarget(object, target) && object.kind === 'Job') return { ...declared, object: finishedJob(object) };
      const isOne = object.kind === 'Pod' && (isTarget(object, target) || this.#belongsTo(object, own));
      if (!isOne || isTerminal(object)) return declared;
      return { ...declared, object: finishedPod(object) };
    });
  }

  #scale(target: Target, replicas: number): void {
    const object = this.#find(target);
    const path = target.kind === 'Job' ? 'parallelism' : 'replicas';
    if (isTarget(object, target)) {
      this.#change(target, (each) => ({ ...each, spec: { ...specOf(each), [path]: replicas } }) as KubeObject);
    }
    const own = workloadKey(target.kind, target.namespace, target.name);
    const pods = this.#objects.filter(
      ({ object: pod }) => pod.kind === 'Pod' && !isTerminal(pod) && this.#belongsTo(pod, own),
    );
    const gone = new Set(
      inOrderOfDeletion(
        pods.map(({ object: pod }) => pod),
        target.kind,
      ).slice(0, Math.max(0, pods.length - replicas)),
    );
    if (gone.size > 0) this.#replace((declared) => (gone.has(declared.object) ? null : declared));
  }

  /** A new template: all pods arrive anew. */
  #changeTemplate(target: Target, change: (spec: JsonObject) => JsonObject): void {
    const path = podTemplatePath(target.kind);
    if (path === undefined) throw new UnknownObjectError(say`${nameOf(target)} that makes pods`, []);
    const before = this.#input;
    this.#change(target, (object) => {
      const next = changeAt(
        object as unknown as JsonObject,
        [...path.map(String), 'spec'],
        change,
      ) as unknown as KubeObject;
      return target.kind === 'Pod' && !isSame(object, next) ? anew(next) : next;
    });
    if (this.#input !== before && target.kind !== 'Pod') {
      const own = workloadKey(target.kind, target.namespace, target.name);
      this.#replace((declared) =>
        declared.object.kind === 'Pod' && this.#belongsTo(declared.object, own) ? null : declared,
      );
    }
  }
}

/** The part of a list before that is not the same in the one that was made of it: all that is gone is in there. */
function replacedIn(before: readonly Declared[], now: readonly Declared[]): readonly Declared[] {
  const { start, end } = differenceOf(before, now);
  return before.slice(start, end);
}

/** Letters by which a name may be another by mistake. */
const slips = 2;

const zoneKeys: ReadonlySet<string> = new Set(['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']);

/** The tops of the controllers of objects. */
const tops = new WeakMap<SimulationInput, (object: KubeObject) => Top | null>();

function isSame(a: KubeObject, b: KubeObject): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isTarget(object: KubeObject, { kind, namespace, name }: Target): boolean {
  return object.kind === kind && object.metadata?.name === name && namespaceOf(object) === namespace;
}

/** Empty for objects of the cluster. */
function namespaceOf({ apiVersion = '', kind = '', metadata }: KubeObject): string {
  return namespaceOfKind(apiVersion, kind, metadata?.namespace);
}

function nameOf({ kind, namespace, name }: Target): string {
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}
