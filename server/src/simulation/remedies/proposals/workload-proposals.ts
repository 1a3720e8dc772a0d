import type { Cause } from '../../../report-model/cause.ts';
import type { ReportWorkload } from '../../../report-model/report.ts';
import { readResourceList } from '../../../kubernetes/pod-resources.ts';
import { amountsOf } from '../../causes/shortages-of.ts';
import { amountOf } from '../../causes/where-from.ts';
import { isScalable } from '../../operations/parse-operation.ts';
import { leastOfRequest, smallerAmount } from '../../operations/smaller-amount.ts';
import type { Reason } from '../../report/answer/reasons.ts';
import type { ReportedCluster } from '../reported-cluster.ts';
import { operations, type Proposal, targetOf } from './proposal.ts';

type Amount = ReturnType<typeof amountsOf>[number];

/** As large as what there is, where one container asks for all of it. */
export function smallerThan(
  cluster: ReportedCluster,
  workload: ReportWorkload,
  { shortage }: Reason,
  room: number,
): readonly Proposal[] {
  if (shortage === null || room <= 0 || room >= shortage.need) return [];
  const { resource } = shortage;
  if ((cluster.templateOf(workload)?.spec.containers ?? []).length !== 1) return [];
  const amount = smallerAmount(
    resource,
    room - overheadOf(cluster, workload, resource),
    shortage.need * leastOfRequest,
  );
  return amount === undefined ? [] : operations(`request ${targetOf(workload)} ${amount}`);
}

/** Of each resource that is short as much as the nearest node has; all of them together. */
export function smallerRequests(
  cluster: ReportedCluster,
  workload: ReportWorkload,
  cause: Cause,
  pods: readonly number[],
): readonly Proposal[] {
  const amounts = amountsOf(cause);
  if (amounts.length === 0 || amounts.length !== cause.parts.length) return [];
  const rooms: readonly ((amount: Amount) => number)[] = [({ free }) => free, ({ capacity }) => capacity];
  return rooms.flatMap((room) =>
    smallerRequest(cluster, workload, amounts, room).map((request) => ({
      kind: 'operations',
      family: 'smaller requests',
      whatIf: [request],
      lost: pods.length - 1,
    })),
  );
}

/** Empty where several containers share it, or what is left would be too little. */
export function smallerRequest(
  cluster: ReportedCluster,
  workload: ReportWorkload,
  amounts: readonly Amount[],
  room: (amount: Amount) => number,
): readonly string[] {
  if ((cluster.templateOf(workload)?.spec.containers ?? []).length !== 1) return [];
  const written = amounts.map((amount) =>
    room(amount) < amount.need
      ? smallerAmount(
          amount.resource,
          room(amount) - overheadOf(cluster, workload, amount.resource),
          amount.need * leastOfRequest,
        )
      : undefined,
  );
  return written.every((each) => each !== undefined) ? [`request ${targetOf(workload)} ${written.join(' ')}`] : [];
}

/** What a RuntimeClass adds to what containers ask for. */
function overheadOf(cluster: ReportedCluster, workload: ReportWorkload, resource: string): number {
  const name = cluster.templateOf(workload)?.spec.runtimeClassName ?? '';
  const found = cluster.inventory
    .objects('RuntimeClass')
    .find(({ metadata }) => name !== '' && metadata?.name === name);
  return amountOf(resource, readResourceList(found?.overhead?.podFixed).get(resource)?.nanos ?? 0n);
}

/** As many replicas as find a place, where they keep each other away. */
export function fewerThatFit(workload: ReportWorkload, { parts }: Cause, pods: readonly number[]): readonly Proposal[] {
  const left = workload.replicas - pods.length;
  const isApart = parts.every(({ kind }) => kind === 'anti-affinity' || kind === 'spread' || kind === 'port');
  if (!isApart || left < 1 || !isScalable(workload.kind)) return [];
  return [{ kind: 'operations', whatIf: [`scale ${targetOf(workload)} ${left}`], lost: pods.length }];
}

/** So many that none of those that evict is left, but one. */
export function fewerReplicas(workload: ReportWorkload, evicting: number): readonly Proposal[] {
  const left = Math.max(1, workload.replicas - evicting);
  if (!isScalable(workload.kind) || left >= workload.replicas) return [];
  return operations(`scale ${targetOf(workload)} ${left}`);
}
