import { least } from '../../util/extremes.ts';
import { own } from '../../util/own.ts';
import type { AnswerLine } from '../../report-model/answer.ts';
import type { WholeReport, ReportNode, ReportWorkload } from '../../report-model/report.ts';
import { shortNames } from '../../report-model/short-names.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { compareText } from '../../util/words.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import type { KubeObject, Node, PodSpec } from '../../kubernetes/objects.ts';
import {
  addQuantities,
  formatQuantity,
  isQuantityError,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
} from '../../kubernetes/quantity.ts';
import { podRequests } from '../../kubernetes/pod-resources.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import { compileRequiredNodeAffinity, selectableNode } from '../../kubernetes/node-selector.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS, taintText } from '../../kubernetes/taints.ts';
import { daemonSpec } from '../../kubernetes/workloads.ts';
import { taintsOfPools } from '../../autoscaling/pools/node-marks.ts';
import { type Reason, reasonToEvict } from '../report/answer/reasons.ts';
import { answerContext, type AnswerContext } from '../report/answer/answer-context.ts';
import type { Cause, CausePart } from '../../report-model/cause.ts';
import { deviceDomainOf, isToBeTolerated, taintOwner } from '../../kubernetes/taint-owner.ts';
import { amountsOf, isOffered } from '../causes/shortages-of.ts';
import { isScalable } from '../operations/parse-operation.ts';
import { leastOfRequest, smallerAmount } from '../operations/smaller-amount.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { areVolumesApart } from './advice.ts';
import { labelsFor } from './labels-for.ts';
import { nearLabel } from './near-label.ts';
import { newDomains } from './new-domains.ts';
import {
  classForDaemons,
  type DeclaredClass,
  declaredClasses,
  lessImportant,
  moreImportant,
} from './priority-proposals.ts';
import { operations, type Proposal, targetOf } from './proposal.ts';
import { largerQuotas } from './quota-proposals.ts';
import { unknownClassIn } from './refusal-advice.ts';

/** Pools, told apart by their taints, that are tried for each cause. */
const poolsToOpen = 3;

/** Pools whose limits are tried for each cause. */
const limitsToRaise = 3;

/** Reads a report for what could be done about it. What is proposed has still to be run. */
export class Proposals {
  readonly #report: WholeReport;
  readonly #input: SimulationInput;
  readonly #grows: boolean;
  readonly #context: AnswerContext;
  readonly #classes: readonly DeclaredClass[];

  /** @param grows whether nodes come of pools, and are not added by hand */
  constructor(report: WholeReport, input: SimulationInput, grows: boolean) {
    this.#report = report;
    this.#input = input;
    this.#grows = grows;
    this.#classes = declaredClasses(input);
    this.#context = answerContext(
      {
        ...report,
        waitedBefore: new Set(),
        held: [],
        without: [],
        unattached: new Map(),
        groups: new Map(),
        nodePlaces: 0,
        comes: [],
        poolAnswers: new Map(),
        budgetKeeps: () => undefined,
      },
      shortNames(report),
    );
  }

  /** Against evictions: room, fewer or smaller preemptors, or less important ones. */
  againstEviction(): readonly Proposal[] {
    const { steps, victims, pods } = this.#report;
    const evicting = steps.findIndex((step) => step.kind === 'nominated' && step.victims.length > 0);
    const first = steps[evicting];
    if (first === undefined) return [];
    const preemptors = [...new Set(victims.map(({ preemptor }) => preemptor))];
    const requested = this.#context.requestedBefore(evicting);
    const reason = reasonToEvict(
      pods[first.pod]!,
      this.#report.decisions[first.decision ?? -1],
      this.#report.nodes,
      requested,
    );
    const workloads = [...new Set(preemptors.map((pod) => pods[pod]?.workload ?? -1))];
    const [only] = workloads;
    const workload = workloads.length === 1 ? this.#changeable(this.#report.workloads[only ?? -1]) : undefined;
    return [
      ...this.#room(preemptors, reason),
      ...(workload === undefined
        ? []
        : [
            ...fewerReplicas(workload, preemptors.length),
            ...this.#smaller(workload, reason, reason.shortage?.free ?? 0),
            ...lessImportant(workload, least(victims.map(({ pod }) => pods[pod]?.priority ?? 0)), this.#classes),
          ]),
    ];
  }

  /** For the pods of a line that wait: what their cause asks for, the least for others first. */
  forWaiting({ pods }: AnswerLine): readonly Proposal[] {
    const [first] = pods;
    const cause = first === undefined ? undefined : this.#context.causeOf(first);
    const workloads = new Set(pods.map((pod) => this.#report.pods[pod]?.workload ?? -1));
    const [index = -1] = workloads;
    const declared = [...workloads].flatMap((each) => this.#declared(this.#report.workloads[each]) ?? []);
    const workload = workloads.size === 1 ? this.#changeable(this.#declared(this.#report.workloads[index])) : undefined;
    // Without a node there is none to be near to.
    if (cause === undefined) return this.#fromPools(pods, workload);
    return [
      ...this.#anew(pods),
      ...this.#quotasForClaims(cause, pods),
      ...this.#opening(cause, declared.length === workloads.size ? declared : []),
      ...this.#nodes(cause, pods, workload),
      ...(workload === undefined
        ? []
        : [
            ...this.#smallerFor(workload, cause, pods),
            ...this.#fewerThatFit(workload, cause, pods),
            // Priority frees no devices.
            ...(hasDevices(cause) ? [] : moreImportant(workload, this.#classes)),
            ...classForDaemons(workload, cause, this.#report.pods, this.#classes),
          ]),
    ];
  }

  /** A StatefulSet that has been changed leaves a pod of its old template that never runs. */
  #anew(pods: readonly number[]): readonly Proposal[] {
    const { namespace, name, workload } = this.#report.pods[pods[0] ?? -1] ?? {};
    const isOrdered = this.#report.workloads[workload ?? -1]?.kind === 'StatefulSet';
    return isOrdered && this.isStored(namespace, name) ? operations(`delete pod/${namespace ?? ''}/${name ?? ''}`) : [];
  }

  /** Whether a pod is in the cluster, so that its manifest alone may not change it. */
  isStored(namespace: string | undefined, name: string | undefined): boolean {
    return this.#input.snapshot.some(
      ({ object }) => object.kind === 'Pod' && namespaceOf(object) === namespace && object.metadata?.name === name,
    );
  }

  /** For pods that are held back. */
  forGated({ workloads }: AnswerLine): readonly Proposal[] {
    const workload = this.#report.workloads[workloads[0] ?? -1];
    return workload === undefined ? [] : operations(`ungate ${targetOf(workload)}`);
  }

  /** For a DaemonSet without pods: what it would have to tolerate on a node that it selects. */
  forIdle({ workloads }: AnswerLine): readonly Proposal[] {
    const workload = this.#report.workloads[workloads[0] ?? -1];
    const spec = workload?.kind === 'DaemonSet' ? this.#template(workload) : undefined;
    if (workload === undefined || spec === undefined) return [];
    const { tolerations } = daemonSpec({ spec });
    const selected = compileRequiredNodeAffinity(spec);
    const closed = this.#nodeObjects()
      .filter((node) => selected.matches(selectableNode(node)))
      .map(({ spec: { taints = [] } = {} }) =>
        taints
          .filter((each) => firstUntolerated([each], tolerations, NO_SCHEDULE_EFFECTS) !== undefined)
          .map(taintText),
      );
    // A taint for pods of some kind may be tolerated; others are none of a workload's business.
    const own = closed.find((taints) => taints.length > 0 && taints.every((taint) => isToBeTolerated(taint, spec)));
    return own === undefined ? [] : operations(...own.map((taint) => `tolerate ${targetOf(workload)} ${taint}`));
  }

  #nodeObjects(): readonly Node[] {
    return [...this.#input.workspace, ...this.#input.snapshot].flatMap(({ object }) =>
      object.kind === 'Node' ? [object as Node] : [],
    );
  }

  /** Quotas that refuse pods, so large that they take them, and the classes that misspelt ones mean. */
  forRefused(pods: readonly number[]): readonly Proposal[] {
    const answers = pods.map((pod) => {
      const { namespace = '', decision } = this.#report.pods[pod] ?? {};
      return { namespace, message: this.#report.decisions[decision ?? -1]?.message ?? '' };
    });
    return [...largerQuotas(answers), ...this.#meantClasses(pods)];
  }

  /** For claims that are not there as a quota has no room for them; of an ephemeral volume each pod has its own. */
  #quotasForClaims({ parts, notes }: Cause, pods: readonly number[]): readonly Proposal[] {
    const known = pods.flatMap((pod) => this.#report.pods[pod] ?? []);
    const namespace = known[0]?.namespace ?? '';
    const isOwn = parts.some(
      (part) => part.kind === 'claim' && known.some(({ name }) => part.claim.startsWith(`${name}-`)),
    );
    const answers = notes.map((message) => ({ namespace, message }));
    return largerQuotas(isOwn ? known.flatMap(() => answers) : answers);
  }

  #meantClasses(pods: readonly number[]): readonly Proposal[] {
    const found = new Set<string>();
    for (const pod of pods) {
      const { workload, decision } = this.#report.pods[pod] ?? {};
      const known = this.#report.workloads[workload ?? -1];
      const name = unknownClassIn(this.#report.decisions[decision ?? -1]?.message ?? '');
      if (known === undefined || name === undefined) continue;
      const [near] = nearestNames(
        name,
        this.#classes.map((each) => each.name),
        Math.ceil(name.length / 4),
      );
      if (near !== undefined) found.add(`priority ${targetOf(known)} ${near}`);
    }
    return found.size === 0 ? [] : operations(...found);
  }

  /** More nodes like the largest that may take them; larger ones where none is large enough. */
  #room(pods: readonly number[], { shortage }: Reason): readonly Proposal[] {
    // What pools can make they have made.
    if (shortage === null || this.#grows) return [];
    const { resource, need, hopeless } = shortage;
    const model = this.#largest(resource, shortage.node);
    if (model === undefined) return [];
    if (!hopeless) {
      const capacity = own(model.allocatable, resource) ?? 0;
      const perNode = Math.max(1, need === 0 ? 1 : Math.floor(capacity / need));
      return [
        {
          kind: 'fewest',
          guess: Math.ceil(pods.length / perNode),
          whatIf: (amount) => [`add ${amount} ${amount === 1 ? 'node' : 'nodes'} like ${model.name}`],
        },
      ];
    }
    if (resource !== 'cpu' && resource !== 'memory') return [];
    const cores = Math.ceil((model.allocatable['cpu'] ?? 0) / 1000);
    const gi = Math.ceil((model.allocatable['memory'] ?? 0) / 1024 ** 3);
    const wanted = resource === 'cpu' ? need / 1000 : need / 1024 ** 3;
    // Something is taken by the system and by DaemonSets: the next size, and the one after it.
    return [powerOfTwo(wanted), 2 * powerOfTwo(wanted)].map((size) => {
      const sizes = resource === 'cpu' ? `${size}:${powerOfTwo(gi)}Gi` : `${cores}:${size}Gi`;
      return {
        kind: 'fewest',
        family: 'larger nodes',
        guess: pods.length,
        whatIf: (amount) => [`add ${amount} ${amount === 1 ? 'node' : 'nodes'} ${sizes}`],
      };
    });
  }

  /** Of the nodes that refuse for their amounts alone; of equal ones the first by name. */
  #largest(resource: string, like: number, among?: readonly number[]): ReportNode | undefined {
    const { nodes } = this.#report;
    const known = nodes[like];
    if (known === undefined) return undefined;
    const taints = JSON.stringify(known.taints);
    return nodes
      .filter((node, index) => among?.includes(index) !== false && JSON.stringify(node.taints) === taints)
      .filter(({ unschedulable }) => !unschedulable)
      .sort(
        (a, b) =>
          (own(b.allocatable, resource) ?? 0) - (own(a.allocatable, resource) ?? 0) || compareText(a.name, b.name),
      )[0];
  }

  /** What opens the nearest node again: all that keeps the pod from it. Taints that others are to remove stay. */
  #opening({ parts, node, nodes, others }: Cause, workloads: readonly ReportWorkload[]): readonly Proposal[] {
    const isTooSmall = amountsOf({ parts }).some(({ need, capacity }) => need > capacity);
    // A node that is large enough, and closed to the pod.
    const closed = others.filter((each) => isTooSmall && each.parts.every(({ kind }) => kind === 'taint'));
    const cordoned = [{ parts, nodes }, ...others]
      .filter((each) => each.parts.every(({ kind }) => kind === 'cordon'))
      .flatMap((each) => each.nodes.flatMap((index) => this.#report.nodes[index]?.name ?? []));
    // One may be enough; more of them have more room.
    const fewer = cordoned.flatMap((_, index) => (index > 0 && index < cordonedTogether ? [index + 1] : []));
    return [
      ...this.#openingOf(parts, node, workloads),
      ...closed.flatMap((each) => this.#openingOf(each.parts, each.nodes[0] ?? null, workloads)),
      ...(parts.every(({ kind }) => kind === 'cordon') ? [] : cordoned.slice(0, 1).flatMap((name) => uncordoned(name))),
      ...fewer.flatMap((amount) => uncordoned(...cordoned.slice(0, amount))),
    ];
  }

  #openingOf(
    parts: readonly CausePart[],
    node: number | null,
    workloads: readonly ReportWorkload[],
  ): readonly Proposal[] {
    const name = this.#report.nodes[node ?? -1]?.name;
    if (name === undefined) return [];
    const whatIf: string[] = [];
    const amounts = amountsOf({ parts });
    for (const part of parts) {
      if (part.kind === 'amount') continue;
      if (part.kind === 'cordon') {
        whatIf.push(`uncordon node/${name}`);
        continue;
      }
      if (part.kind !== 'taint' || workloads.length === 0 || workloads.length > openedTogether) return [];
      if (!workloads.every((each) => part.taints.every((taint) => this.#mayTolerate(each, taint)))) return [];
      whatIf.push(...workloads.flatMap((each) => part.taints.map((taint) => `tolerate ${targetOf(each)} ${taint}`)));
    }
    const [only] = workloads;
    const smaller =
      workloads.length === 1 && amounts.length > 0 && this.#changeable(only) !== undefined
        ? this.#smallerRequest(only!, amounts, ({ free }) => free)
        : [];
    if (whatIf.length === 0 || smaller.length < Math.min(1, amounts.length)) return [];
    return [{ kind: 'operations', family: 'opened', whatIf: [...whatIf, ...smaller] }];
  }

  #fromPools(pods: readonly number[], workload: ReportWorkload | undefined): readonly Proposal[] {
    if (!this.#grows) return [];
    return [...this.#raisedLimits(pods), ...(workload === undefined ? [] : this.#openingPools(workload))];
  }

  /** Pools whose taints keep the pod away could make a node for it. */
  #openingPools(workload: ReportWorkload): readonly Proposal[] {
    const sets = new Map<string, readonly string[]>();
    for (const { object } of [...this.#input.workspace, ...this.#input.snapshot]) {
      for (const all of isPoolObject(object) ? taintsOfPools(object) : []) {
        const taints = all.filter(({ effect }) => effect !== 'PreferNoSchedule').map(taintText);
        if (taints.length > 0) sets.set(taints.join(), taints);
      }
    }
    return [...sets.values()]
      .filter((taints) => taints.every((taint) => this.#mayTolerate(workload, taint)))
      .slice(0, poolsToOpen)
      .flatMap((taints) => operations(...taints.map((taint) => `tolerate ${targetOf(workload)} ${taint}`)));
  }

  /** Not what others are to remove, nor what keeps nodes with devices free for pods that ask for these. */
  #mayTolerate(workload: ReportWorkload, taint: string): boolean {
    const spec = this.#template(workload);
    if (!isToBeTolerated(taint, spec)) return false;
    const domain = deviceDomainOf(taint);
    if (domain === undefined) return true;
    const { containers = [], initContainers = [], resourceClaims = [] } = spec ?? {};
    const asked = [...containers, ...initContainers].flatMap(({ resources }) => Object.keys(resources?.limits ?? {}));
    return resourceClaims.length > 0 || asked.some((resource) => resource.startsWith(`${domain}/`));
  }

  /** Where a limit is all that keeps a pool from making a node: as high as it has to be. */
  #raisedLimits(pods: readonly number[]): readonly Proposal[] {
    const limits = (this.#report.limits ?? []).filter((limit) => limit.pods.some((pod) => pods.includes(pod)));
    return limits.slice(0, limitsToRaise).map(({ pool, amounts }) => ({
      kind: 'fewest',
      family: 'raised limits',
      guess: pods.length,
      whatIf: (nodes) => {
        const raised = amounts.map(
          ({ resource, used, perNode }) => `${resource}=${raisedAmount(used, perNode, nodes)}`,
        );
        return [`limit ${pool} ${raised.join(' ')}`];
      },
    }));
  }

  /** More nodes on which nothing would keep the pod away: as large, with the labels and in the zone that it asks for. */
  #nodes(cause: Cause, pods: readonly number[], workload: ReportWorkload | undefined): readonly Proposal[] {
    const { parts } = cause;
    // What pools can make without a change they have made.
    if (this.#grows) return this.#fromPools(pods, workload);
    if (parts.some(({ kind }) => unhelpedByNodes.has(kind)) || workload?.kind === 'DaemonSet') return [];
    // New nodes begin with the taints that are to go.
    if (parts.every((part) => part.kind === 'taint' && part.taints.every((each) => taintOwner(each) === 'condition'))) {
      return [];
    }
    if (!parts.every(mayBeFreeOnNewNodes)) return [];
    // No node is where volumes are that are apart, and none is to have a label that is misspelt.
    if (areVolumesApart(cause)) return [];
    const known = this.#nodeObjects();
    const labelled = known.map(({ metadata }) => metadata?.labels);
    const isMisspelt = (wanted: string): boolean => nearLabel(wanted, labelled) !== undefined;
    if (parts.some((part) => part.kind === 'labels' && part.wanted.some(isMisspelt))) return [];
    const amounts = amountsOf(cause);
    if (amounts.some((amount) => !isOffered(amount))) return [];
    const model = this.#model(cause);
    const labels = this.#wantedLabels(cause, pods, model, known);
    if (labels === null) return [];
    // Nodes of a pool that is kept for some pods come with its taint.
    const spec = workload && this.#template(workload);
    if (isKeptPool(labels, known, spec)) return this.#openedAndMore(cause, workload, pods.length);
    const written = Object.entries(labels).map(([key, value]) => ` ${key}=${value}`);
    const domains = newDomains(parts, pods.length, known).map((domain) => ` ${domain}`);
    const isOfSize = (resource: string): boolean => resource === 'cpu' || resource === 'memory';
    if (amounts.some(({ resource, need, capacity }) => need > capacity && !isOfSize(resource))) return [];
    const { requests } = this.#report.pods[pods[0]!]!;
    const has = (resource: string): number => own(model?.allocatable, resource) ?? 0;
    const isTooSmall = (resource: string): boolean => (own(requests, resource) ?? 0) > has(resource);
    const of = model === undefined ? '' : ` like ${model.name}`;
    const add = (size: string, guess: number): Proposal => ({
      kind: 'fewest',
      family: 'larger nodes',
      guess,
      whatIf: (amount) =>
        (domains.length === 0 ? [''] : domains).map(
          (domain) => `add ${amount} ${amount === 1 ? 'node' : 'nodes'}${of}${size}${written.join('')}${domain}`,
        ),
    });
    if (model !== undefined && !isTooSmall('cpu') && !isTooSmall('memory')) {
      const perNode = Math.min(
        ...amounts.map(({ resource, need }) => Math.floor(has(resource) / Math.max(1, need))),
        pods.length,
      );
      // Where DaemonSets need too much of one as large, a larger one.
      const larger = ['cpu', 'memory'].map((resource) => 2 * Math.ceil(has(resource)));
      const size = ` ${powerOfTwo((larger[0] ?? 0) / 1000)}:${powerOfTwo((larger[1] ?? 0) / 1024 ** 3)}Gi`;
      const guess = Math.ceil(pods.length / Math.max(1, perNode));
      return [add('', guess), add(size, guess), ...this.#openedAndMore(cause, workload, pods.length)];
    }
    // Something is taken by the system and by DaemonSets: the next size, the one that holds these, and the one after it.
    const grown = (resource: 'cpu' | 'memory', unit: number, least: number, times: number): number => {
      const need = (own(requests, resource) ?? 0) + (times === 0 ? 0 : this.#daemonsNeed(resource));
      return need > has(resource)
        ? Math.max(least, (times || 1) * powerOfTwo(need / unit))
        : Math.ceil(has(resource) / unit) || least;
    };
    const sizes = [0, 1, 2].map(
      (times) => ` ${grown('cpu', 1000, 2, times)}:${grown('memory', 1024 ** 3, 4, times)}Gi`,
    );
    return [...new Set(sizes)].map((size) => add(size, pods.length));
  }

  /** What DaemonSets ask for on a node that takes a pod of each of them, in millicores or bytes. */
  #daemonsNeed(resource: 'cpu' | 'memory'): number {
    const daemons = [...this.#input.workspace, ...this.#input.snapshot].flatMap(({ object }) =>
      object.kind === 'DaemonSet' ? [podRequests(podTemplateOf(object)?.spec ?? { containers: [] }).get(resource)] : [],
    );
    const valueOf = resource === 'cpu' ? quantityMilliValue : quantityValue;
    return daemons.reduce((sum, amount) => sum + (amount === undefined ? 0 : Number(valueOf(amount))), 0);
  }

  /** Where the nearest node is closed to it, more such nodes, which it tolerates. */
  #openedAndMore({ parts, node }: Cause, workload: ReportWorkload | undefined, guess: number): readonly Proposal[] {
    const taints = parts.flatMap((part) => (part.kind === 'taint' ? part.taints : []));
    const name = this.#report.nodes[node ?? -1]?.name;
    if (taints.length === 0 || name === undefined || workload === undefined) return [];
    if (!taints.every((taint) => this.#mayTolerate(workload, taint))) return [];
    const opened = taints.map((taint) => `tolerate ${targetOf(workload)} ${taint}`);
    return [
      {
        kind: 'fewest',
        // A full one needs them; of one that has room they are more than what opens it.
        family: amountsOf({ parts }).length > 0 ? 'larger nodes' : 'opened',
        guess,
        whatIf: (amount) => [...opened, `add ${amount} ${amount === 1 ? 'node' : 'nodes'} like ${name}`],
      },
    ];
  }

  /** A node that the new ones are like: of those that the pod may use the largest; else one that is open to all. */
  #model({ node, nodes: alike, fewest, parts }: Cause): ReportNode | undefined {
    const { nodes } = this.#report;
    const isOpen = ({ taints }: ReportNode): boolean =>
      taints.every((taint) => taint.endsWith(':PreferNoSchedule') || taintOwner(taint) === 'condition');
    const [least] = amountsOf({ parts });
    const near = nodes[fewest?.nodes[0] ?? node ?? -1];
    const isClosed = parts.some(({ kind }) => kind === 'taint' || kind === 'volume' || kind === 'labels');
    if (near !== undefined && !isClosed && (fewest === null || isOpen(near))) {
      return this.#largest(least?.resource ?? 'cpu', nodes.indexOf(near), fewest?.nodes ?? alike) ?? near;
    }
    return nodes.filter(isOpen).toSorted((a, b) => (b.allocatable['cpu'] ?? 0) - (a.allocatable['cpu'] ?? 0))[0];
  }

  /** Labels that new nodes need: what the pod selects, and where its volumes are. Null where that cannot be said. */
  #wantedLabels(
    { parts, others }: Cause,
    pods: readonly number[],
    model: ReportNode | undefined,
    nodes: readonly Node[],
  ): Readonly<Record<string, string>> | null {
    const places = new Map<string, string>();
    for (const part of [parts, ...others.map((other) => other.parts)].flat()) {
      const [, key = '', value = ''] =
        part.kind === 'volume' ? (/^([^=\s]+)(?:=| in \()([^,)\s]+)/.exec(part.wanted[0] ?? '') ?? []) : [];
      if (key !== '') places.set(key, value);
    }
    const workload = this.#report.workloads[this.#report.pods[pods[0]!]?.workload ?? -1];
    const spec = workload === undefined ? undefined : this.#template(workload);
    return labelsFor(
      spec,
      nodes.find(({ metadata }) => metadata?.name === model?.name),
      Object.fromEntries(places),
      nodes,
    );
  }

  /** Of each resource that is short as much as the nearest node has; all of them together. */
  #smallerFor(workload: ReportWorkload, cause: Cause, pods: readonly number[]): readonly Proposal[] {
    const amounts = amountsOf(cause);
    if (amounts.length === 0 || amounts.length !== cause.parts.length) return [];
    const rooms: readonly ((amount: Amount) => number)[] = [({ free }) => free, ({ capacity }) => capacity];
    return rooms.flatMap((room) =>
      this.#smallerRequest(workload, amounts, room).map((request) => ({
        kind: 'operations',
        family: 'smaller requests',
        whatIf: [request],
        lost: pods.length - 1,
      })),
    );
  }

  /** Empty where several containers share it, or what is left would be too little. */
  #smallerRequest(
    workload: ReportWorkload,
    amounts: readonly Amount[],
    room: (amount: Amount) => number,
  ): readonly string[] {
    if ((this.#template(workload)?.containers ?? []).length !== 1) return [];
    const written = amounts.map((amount) =>
      room(amount) < amount.need
        ? smallerAmount(amount.resource, room(amount), amount.need * leastOfRequest)
        : undefined,
    );
    return written.every((each) => each !== undefined) ? [`request ${targetOf(workload)} ${written.join(' ')}`] : [];
  }

  /** As many replicas as find a place, where they keep each other away. */
  #fewerThatFit(workload: ReportWorkload, { parts }: Cause, pods: readonly number[]): readonly Proposal[] {
    const left = workload.replicas - pods.length;
    const isApart = parts.every(({ kind }) => kind === 'anti-affinity' || kind === 'spread' || kind === 'port');
    if (!isApart || left < 1 || !isScalable(workload.kind)) return [];
    return [{ kind: 'operations', whatIf: [`scale ${targetOf(workload)} ${left}`], lost: pods.length }];
  }

  /** As large as what there is, where one container asks for all of it. */
  #smaller(workload: ReportWorkload, { shortage }: Reason, room: number): readonly Proposal[] {
    if (shortage === null || room <= 0 || room >= shortage.need) return [];
    const { resource } = shortage;
    if ((this.#template(workload)?.containers ?? []).length !== 1) return [];
    const amount = smallerAmount(resource, room, shortage.need * leastOfRequest);
    return amount === undefined ? [] : operations(`request ${targetOf(workload)} ${amount}`);
  }

  /** Undefined for a pod that is there already: the API server takes no other requests and no other class for it. */
  #changeable(workload: ReportWorkload | undefined): ReportWorkload | undefined {
    const isPod = workload?.kind === 'Pod' && this.isStored(workload.namespace, workload.name);
    return isPod ? undefined : workload;
  }

  /** Undefined where its manifest is not there, so that none of it can be changed. */
  #declared(workload: ReportWorkload | undefined): ReportWorkload | undefined {
    return workload !== undefined && this.#template(workload) === undefined ? undefined : workload;
  }

  #template({ kind, namespace, name }: ReportWorkload): PodSpec | undefined {
    const isIt = (object: KubeObject) =>
      object.kind === kind && object.metadata?.name === name && namespaceOf(object) === namespace;
    const found = [...this.#input.workspace, ...this.#input.snapshot].find(({ object }) => isIt(object));
    return found === undefined ? undefined : podTemplateOf(found.object)?.spec;
  }
}

type Amount = ReturnType<typeof amountsOf>[number];

function raisedAmount(used: string, perNode: string, nodes: number): string {
  const [base, step] = [parseQuantity(used), parseQuantity(perNode)];
  if (isQuantityError(base) || isQuantityError(step)) return used;
  return formatQuantity({ ...addQuantities(base, step), nanos: base.nanos + step.nanos * BigInt(nodes) });
}

/** So many that none of those that evict is left, but one. */
function fewerReplicas(workload: ReportWorkload, evicting: number): readonly Proposal[] {
  const left = Math.max(1, workload.replicas - evicting);
  if (!isScalable(workload.kind) || left >= workload.replicas) return [];
  return operations(`scale ${targetOf(workload)} ${left}`);
}

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, atLeast)));
}

/** A new node has devices as the one it is like, and all of them are free. */
function mayBeFreeOnNewNodes(part: CausePart): boolean {
  if (part.kind !== 'devices') return true;
  return (
    part.match.length === 0 &&
    !part.timesOut &&
    part.requests.every(({ need, fit, obstacles }) => {
      const used = obstacles.filter(({ kind }) => kind === 'taken' || kind === 'capacity' || kind === 'counters');
      const freed = used.reduce((sum, { count }) => sum + count, 0);
      return freed > 0 && fit + freed >= need;
    })
  );
}

/** More workloads than this are not given tolerations together. */
const openedTogether = 4;

/** More nodes than this are not uncordoned together. */
const cordonedTogether = 4;

function uncordoned(...names: readonly string[]): readonly Proposal[] {
  return operations(...names.map((name) => `uncordon node/${name}`));
}

/** Whether all nodes that have some labels have a taint of their pool besides. */
function isKeptPool(
  labels: Readonly<Record<string, string>>,
  nodes: readonly Node[],
  spec: PodSpec | undefined,
): boolean {
  const wanted = Object.entries(labels).filter(([key]) => !key.startsWith('topology.'));
  const having = nodes.filter(({ metadata }) =>
    wanted.every(([key, value]) => labelValue(metadata?.labels, key) === value),
  );
  const isKept = ({ spec: { taints = [] } = {} }: Node): boolean =>
    taints.some((taint) => taint.effect !== 'PreferNoSchedule' && isToBeTolerated(taintText(taint), spec));
  return wanted.length > 0 && having.length > 0 && having.every(isKept);
}

function hasDevices({ parts }: Cause): boolean {
  return parts.some(({ kind }) => kind === 'devices' || kind === 'device-claim' || kind === 'devices-elsewhere');
}

/** What keeps a pod from every node, new ones included. */
const unhelpedByNodes: ReadonlySet<CausePart['kind']> = new Set<CausePart['kind']>([
  'claim',
  'device-claim',
  'devices-elsewhere',
  'gate',
  'scheduler',
  'node-name',
  'affinity',
  'other',
]);
