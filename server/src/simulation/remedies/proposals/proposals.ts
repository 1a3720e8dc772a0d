import type { AnswerLine } from '../../../report-model/answer.ts';
import type { Cause } from '../../../report-model/cause.ts';
import { shortNames } from '../../../report-model/short-names.ts';
import { least } from '../../../util/extremes.ts';
import { parseSelector } from '../../../kubernetes/selector-text.ts';
import { nearestNames } from '../../../util/nearest-names.ts';
import type { SimulationInput } from '../../cluster/input.ts';
import { isScalable } from '../../operations/parse-operation.ts';
import { answerContext, type AnswerContext } from '../../report/answer/answer-context.ts';
import { reasonToEvict } from '../../report/answer/reasons.ts';
import { unknownClassIn } from '../../causes/server-advice.ts';
import type { ReportedCluster } from '../reported-cluster.ts';
import { moreNodes, suitableNodes } from './node-proposals.ts';
import { openedForDaemons, openedNodes } from './opening-proposals.ts';
import { poolProposals } from './pool-proposals.ts';
import {
  classForDaemons,
  type DeclaredClass,
  declaredClasses,
  lessImportant,
  moreImportant,
} from './priority-proposals.ts';
import { operations, type Proposal, targetOf } from './proposal.ts';
import { largerQuotas } from './quota-proposals.ts';
import { fewerReplicas, fewerThatFit, smallerRequests, smallerThan } from './workload-proposals.ts';

/** Reads a report for what could be done about it. What is proposed has still to be run. */
export class Proposals {
  readonly #cluster: ReportedCluster;
  readonly #context: AnswerContext;
  readonly #classes: readonly DeclaredClass[];

  constructor(cluster: ReportedCluster, input: SimulationInput) {
    const { report } = cluster;
    this.#cluster = cluster;
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
        overQuota: [],
        comes: [],
        poolAnswers: new Map(),
        budgetKeeps: () => undefined,
      },
      shortNames(report),
    );
  }

  /** Against evictions: room, fewer or smaller preemptors, or less important ones. */
  againstEviction(): readonly Proposal[] {
    const { steps, victims, pods, decisions, nodes, workloads } = this.#cluster.report;
    const evicting = steps.findIndex((step) => step.kind === 'nominated' && step.victims.length > 0);
    const first = steps[evicting];
    if (first === undefined) return [];
    const preemptors = [...new Set(victims.map(({ preemptor }) => preemptor))];
    const requested = this.#context.requestedBefore(evicting);
    const reason = reasonToEvict(pods[first.pod]!, decisions[first.decision ?? -1], nodes, requested);
    const [index, ...others] = new Set(preemptors.map((pod) => pods[pod]?.workload ?? -1));
    const workload = others.length === 0 ? this.#cluster.changeable(workloads[index ?? -1]) : undefined;
    return [
      ...moreNodes(this.#cluster, preemptors, reason),
      ...(workload === undefined
        ? []
        : [
            ...fewerReplicas(workload, preemptors.length),
            ...smallerThan(this.#cluster, workload, reason, reason.shortage?.free ?? 0),
            ...lessImportant(workload, least(victims.map(({ pod }) => pods[pod]?.priority ?? 0)), this.#classes),
          ]),
    ];
  }

  /** For the pods of a line that wait: what their cause asks for, the least for others first. */
  forWaiting({ pods }: AnswerLine): readonly Proposal[] {
    const [first] = pods;
    const cause = first === undefined ? undefined : this.#context.causeOf(first);
    const workloads = [...new Set(pods.map((pod) => this.#cluster.workloadOf(pod)))];
    const declared = workloads.flatMap((each) => this.#cluster.declared(each) ?? []);
    const workload = workloads.length === 1 ? this.#cluster.changeable(declared[0]) : undefined;
    // Without a node there is none to be near to.
    if (cause === undefined) return poolProposals(this.#cluster, pods, workload);
    return [
      ...this.#anew(pods),
      ...this.#scaledUp(cause, pods),
      ...this.#quotasForClaims(cause, pods),
      ...openedNodes(this.#cluster, cause, declared.length === workloads.length ? declared : []),
      ...(this.#cluster.grows
        ? // What pools can make without a change they have made.
          poolProposals(this.#cluster, pods, workload)
        : suitableNodes(this.#cluster, cause, pods, workload)),
      ...(workload === undefined
        ? []
        : [
            ...smallerRequests(this.#cluster, workload, cause, pods),
            ...fewerThatFit(workload, cause, pods),
            // Priority frees no devices.
            ...(hasDevices(cause) ? [] : moreImportant(workload, this.#classes)),
            ...classForDaemons(workload, cause, this.#cluster.report.pods, this.#classes),
          ]),
    ];
  }

  /** A StatefulSet that has been changed leaves a pod of its old template that never runs. */
  #anew(pods: readonly number[]): readonly Proposal[] {
    const { namespace, name } = this.#cluster.report.pods[pods[0] ?? -1] ?? {};
    const isOrdered = this.#cluster.workloadOf(pods[0])?.kind === 'StatefulSet';
    return isOrdered && this.#cluster.isStored(namespace, name)
      ? operations(`delete pod/${namespace ?? ''}/${name ?? ''}`)
      : [];
  }

  /** Workloads that are scaled to 0, of whose pods one is to be near. */
  #scaledUp({ parts }: Cause, pods: readonly number[]): readonly Proposal[] {
    const namespace = this.#cluster.report.pods[pods[0] ?? -1]?.namespace;
    const selectors = parts.flatMap((part) => (part.kind === 'affinity' ? part.selectors : []));
    return this.#cluster.report.workloads.flatMap((workload) => {
      const labels = this.#cluster.templateOf(workload)?.metadata.labels;
      const isMeant = selectors.some((each) => labels !== undefined && parseSelector(each)?.matches(labels) === true);
      return isMeant && workload.replicas === 0 && workload.namespace === namespace && isScalable(workload.kind)
        ? operations(`scale ${targetOf(workload)} 1`)
        : [];
    });
  }

  /** For pods that are held back. */
  forGated({ workloads }: AnswerLine): readonly Proposal[] {
    const workload = this.#cluster.report.workloads[workloads[0] ?? -1];
    return workload === undefined ? [] : operations(`ungate ${targetOf(workload)}`);
  }

  /** For a DaemonSet without pods. */
  forIdle(line: AnswerLine): readonly Proposal[] {
    return openedForDaemons(this.#cluster, line);
  }

  /** Quotas that refuse pods, so large that they take them, and the classes that misspelt ones mean. */
  forRefused(pods: readonly number[]): readonly Proposal[] {
    const answers = pods.map((pod) => ({
      namespace: this.#cluster.report.pods[pod]?.namespace ?? '',
      message: this.#cluster.messageOf(pod),
    }));
    return [...largerQuotas(answers), ...this.#meantClasses(pods)];
  }

  /** For claims that are not there as a quota has no room for them; of an ephemeral volume each pod has its own. */
  #quotasForClaims({ parts, notes }: Cause, pods: readonly number[]): readonly Proposal[] {
    const known = pods.flatMap((pod) => this.#cluster.report.pods[pod] ?? []);
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
      const workload = this.#cluster.workloadOf(pod);
      const name = unknownClassIn(this.#cluster.messageOf(pod));
      if (workload === undefined || name === undefined) continue;
      const [near] = nearestNames(
        name,
        this.#classes.map((each) => each.name),
        Math.ceil(name.length / 4),
      );
      if (near !== undefined) found.add(`priority ${targetOf(workload)} ${near}`);
    }
    return found.size === 0 ? [] : operations(...found);
  }
}

function hasDevices({ parts }: Cause): boolean {
  return parts.some(({ kind }) => kind === 'devices' || kind === 'device-claim' || kind === 'devices-elsewhere');
}
