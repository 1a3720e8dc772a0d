import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { highestUserDefinablePriority } from '../../admission/priority/priority-class.ts';
import type { AnswerLine } from '../../contract/answer.ts';
import type { Amounts, WholeReport, ReportNode, ReportWorkload } from '../../contract/report.ts';
import { shortNames } from '../../contract/short-names.ts';
import { compareText } from '../../kit/words.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import type { KubeObject, PodSpec, PriorityClass } from '../../kubernetes/objects.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { reasonOf, type Reason } from '../report/answer/reasons.ts';
import { tell, type Told } from '../report/answer/told.ts';
import { isScalable } from '../scenario/parse-operation.ts';
import type { SimulationInput } from '../scene/input.ts';

/** Something that may help: operations, or as few of something as will do. */
export type Proposal =
  | { readonly kind: 'operations'; readonly whatIf: readonly string[] }
  | { readonly kind: 'fewest'; readonly guess: number; whatIf(amount: number): readonly string[] };

/** Reads a report for what could be done about it. What is proposed has still to be run. */
export class Proposals {
  readonly #report: WholeReport;
  readonly #input: SimulationInput;
  readonly #told: Told;

  constructor(report: WholeReport, input: SimulationInput) {
    this.#report = report;
    this.#input = input;
    this.#told = tell(
      { ...report, waitedBefore: new Set(), nodePlaces: 0, budgetKeeps: () => undefined },
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
    const reason = this.#reasonAt(first.pod, first.decision, this.#told.requestedBefore(evicting));
    const workloads = [...new Set(preemptors.map((pod) => pods[pod]?.workload ?? -1))];
    const [only] = workloads;
    const workload = workloads.length === 1 ? this.#report.workloads[only ?? -1] : undefined;
    return [
      ...this.#room(preemptors, reason),
      ...(workload === undefined
        ? []
        : [
            ...fewerReplicas(workload, preemptors.length),
            ...this.#smaller(workload, reason, reason.shortage?.free ?? 0),
            ...this.#lessImportant(workload, Math.min(...victims.map(({ pod }) => pods[pod]?.priority ?? 0))),
          ]),
      ...victims.flatMap(({ budget }) => (budget.state === 'violated' ? budget.names : [])).map(withoutBudget),
    ];
  }

  /** For the pods of a line that wait: what their reason asks for. */
  forWaiting({ pods }: AnswerLine): readonly Proposal[] {
    const [first] = pods;
    if (first === undefined) return [];
    const { decision, workload: index } = this.#report.pods[first]!;
    const reason = this.#reasonAt(first, decision, this.#told.requestedBefore(this.#report.steps.length));
    const workloads = new Set(pods.map((pod) => this.#report.pods[pod]?.workload ?? -1));
    const workload = workloads.size === 1 ? this.#report.workloads[index ?? -1] : undefined;
    return [
      ...this.#room(pods, reason),
      ...this.#admitting(first, workload),
      ...(workload === undefined
        ? []
        : [...this.#smaller(workload, reason, reason.shortage?.capacity ?? 0), ...this.#moreImportant(workload)]),
    ];
  }

  /** For pods that are held back. */
  forGated({ workloads }: AnswerLine): readonly Proposal[] {
    const workload = this.#report.workloads[workloads[0] ?? -1];
    return workload === undefined ? [] : operations(`ungate ${targetOf(workload)}`);
  }

  #reasonAt(pod: number, decision: number | null, requested: readonly Amounts[]): Reason {
    const { pods, decisions, nodes } = this.#report;
    return reasonOf(pods[pod]!, decisions[decision ?? -1], nodes, requested);
  }

  /** More nodes like the largest that may take them; larger ones where none is large enough. */
  #room(pods: readonly number[], { shortage }: Reason): readonly Proposal[] {
    if (shortage === null) return [];
    const { resource, need, hopeless } = shortage;
    const model = this.#largest(resource, shortage.node);
    if (model === undefined) return [];
    if (!hopeless) {
      const capacity = model.allocatable[resource] ?? 0;
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
        guess: pods.length,
        whatIf: (amount) => [`add ${amount} ${amount === 1 ? 'node' : 'nodes'} ${sizes}`],
      };
    });
  }

  /** Of the nodes that refuse for their amounts alone; of equal ones the first by name. */
  #largest(resource: string, like: number): ReportNode | undefined {
    const { nodes } = this.#report;
    const known = nodes[like];
    if (known === undefined) return undefined;
    const taints = JSON.stringify(known.taints);
    return nodes
      .filter((node) => JSON.stringify(node.taints) === taints && !node.unschedulable)
      .sort(
        (a, b) => (b.allocatable[resource] ?? 0) - (a.allocatable[resource] ?? 0) || compareText(a.name, b.name),
      )[0];
  }

  /** What makes a node take a pod that it refuses for what it is. */
  #admitting(pod: number, workload: ReportWorkload | undefined): readonly Proposal[] {
    const decision = this.#told.decisionOf(pod);
    const proposals: Proposal[] = [];
    for (const { plugin, nodes } of decision?.refusals ?? []) {
      const node = this.#report.nodes[nodes[0] ?? -1];
      if (node === undefined) continue;
      if (plugin === 'NodeUnschedulable') proposals.push(...operations(`uncordon node/${node.name}`));
      if (plugin === 'TaintToleration' && workload !== undefined) {
        const taints = node.taints.filter((taint) => !taint.endsWith(':PreferNoSchedule'));
        proposals.push({
          kind: 'operations',
          whatIf: taints.map((taint) => `tolerate ${targetOf(workload)} ${taint}`),
        });
      }
      if (plugin === 'NodeAffinity' && workload !== undefined) {
        const labels = Object.entries(this.#template(workload)?.nodeSelector ?? {});
        proposals.push({
          kind: 'operations',
          whatIf: labels.map(([key, value]) => `label node/${node.name} ${key}=${value}`),
        });
      }
    }
    return proposals.filter((proposal) => proposal.kind === 'fewest' || proposal.whatIf.length > 0);
  }

  /** As large as what there is, where one container asks for all of it. */
  #smaller(workload: ReportWorkload, { shortage }: Reason, room: number): readonly Proposal[] {
    if (shortage === null || room <= 0 || room >= shortage.need) return [];
    const { resource } = shortage;
    if ((this.#template(workload)?.containers ?? []).length !== 1) return [];
    const amount =
      resource === 'cpu'
        ? `${room}m`
        : resource === 'memory' && room >= 1024 ** 2
          ? `${Math.floor(room / 1024 ** 2)}Mi`
          : undefined;
    return amount === undefined ? [] : operations(`request ${targetOf(workload)} ${resource}=${amount}`);
  }

  /** The most important class that does not outrank the victims. */
  #lessImportant(workload: ReportWorkload, lowestVictim: number): readonly Proposal[] {
    const below = this.#classes().filter(({ value }) => value <= lowestVictim);
    return below.slice(-1).flatMap(({ name }) => operations(`priority ${targetOf(workload)} ${name}`));
  }

  /** The least important class above its own, and the most important of all. */
  #moreImportant(workload: ReportWorkload): readonly Proposal[] {
    const never = workload.preemptionPolicy === 'Never';
    const above = this.#classes().filter(
      ({ value, preempts }) => preempts && (value > workload.priority || (never && value === workload.priority)),
    );
    const names = new Set([...above.slice(0, 1), ...above.slice(-1)].map(({ name }) => name));
    return [...names].flatMap((name) => operations(`priority ${targetOf(workload)} ${name}`));
  }

  /** The declared ones, the least important first. */
  #classes(): readonly { readonly name: string; readonly value: number; readonly preempts: boolean }[] {
    return [...this.#input.workspace, ...this.#input.snapshot]
      .flatMap(({ object }) => (object.kind === 'PriorityClass' ? [object as PriorityClass] : []))
      .map(({ metadata, value, preemptionPolicy }) => ({
        name: metadata?.name ?? '',
        value: value ?? 0,
        preempts: preemptionPolicy !== 'Never',
      }))
      .filter(
        ({ name, value }) => !systemPriorityClasses.has(name) && name !== '' && value <= highestUserDefinablePriority,
      )
      .sort((a, b) => a.value - b.value || compareText(a.name, b.name));
  }

  #template({ kind, namespace, name }: ReportWorkload): PodSpec | undefined {
    const isIt = (object: KubeObject) =>
      object.kind === kind && object.metadata?.name === name && namespaceOf(object) === namespace;
    const found = [...this.#input.workspace, ...this.#input.snapshot].find(({ object }) => isIt(object));
    return found === undefined ? undefined : podTemplateOf(found.object)?.spec;
  }
}

function operations(...whatIf: readonly string[]): readonly Proposal[] {
  return [{ kind: 'operations', whatIf }];
}

function withoutBudget(name: string): Proposal {
  return { kind: 'operations', whatIf: [`remove pdb/${name}`] };
}

/** So many that none of those that evict is left, but one. */
function fewerReplicas(workload: ReportWorkload, evicting: number): readonly Proposal[] {
  const left = Math.max(1, workload.replicas - evicting);
  if (!isScalable(workload.kind) || left >= workload.replicas) return [];
  return operations(`scale ${targetOf(workload)} ${left}`);
}

/** `deployment/shop/checkout`, as operations name it. */
function targetOf({ kind, namespace, name }: ReportWorkload): string {
  return `${kind.toLowerCase()}/${namespace}/${name}`;
}

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, atLeast)));
}
