import { compileRequiredNodeAffinity, selectableNode } from '../../../kubernetes/node-selector.ts';
import { deviceDomainOf, isToBeTolerated } from '../../../kubernetes/taint-owner.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS, taintText } from '../../../kubernetes/taints.ts';
import { daemonSpec } from '../../../kubernetes/workloads.ts';
import type { AnswerLine } from '../../../report-model/answer.ts';
import type { Cause, CausePart } from '../../../report-model/cause.ts';
import type { ReportWorkload } from '../../../report-model/report.ts';
import { amountsOf } from '../../causes/shortages-of.ts';
import type { ReportedCluster } from '../reported-cluster.ts';
import { operations, type Proposal, targetOf } from './proposal.ts';
import { smallerRequest } from './workload-proposals.ts';

/** More workloads than this are not given tolerations together. */
const openedTogether = 4;

/** More nodes than this are not uncordoned together. */
const cordonedTogether = 4;

/** What opens the nearest node again: all that keeps the pod from it. Taints that others are to remove stay. */
export function openedNodes(
  cluster: ReportedCluster,
  { parts, node, nodes, others }: Cause,
  workloads: readonly ReportWorkload[],
): readonly Proposal[] {
  const isTooSmall = amountsOf({ parts }).some(({ need, capacity }) => need > capacity);
  // A node that is large enough, or is kept for pods that ask for its devices, and closed to the pod.
  const closed = others.filter((each) =>
    each.parts.every(
      (part) =>
        part.kind === 'taint' && (isTooSmall || part.taints.every((taint) => deviceDomainOf(taint) !== undefined)),
    ),
  );
  const cordoned = [{ parts, nodes }, ...others]
    .filter((each) => each.parts.every(({ kind }) => kind === 'cordon'))
    .flatMap((each) => each.nodes.flatMap((index) => cluster.report.nodes[index]?.name ?? []));
  // One may be enough; more of them have more room.
  const fewer = cordoned.flatMap((_, index) => (index > 0 && index < cordonedTogether ? [index + 1] : []));
  return [
    ...openingOf(cluster, parts, node, workloads),
    ...closed.flatMap((each) => openingOf(cluster, each.parts, each.nodes[0] ?? null, workloads)),
    ...(parts.every(({ kind }) => kind === 'cordon') ? [] : cordoned.slice(0, 1).flatMap((name) => uncordoned(name))),
    ...fewer.flatMap((amount) => uncordoned(...cordoned.slice(0, amount))),
  ];
}

function openingOf(
  cluster: ReportedCluster,
  parts: readonly CausePart[],
  node: number | null,
  workloads: readonly ReportWorkload[],
): readonly Proposal[] {
  const name = cluster.report.nodes[node ?? -1]?.name;
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
    if (!workloads.every((each) => part.taints.every((taint) => mayTolerate(cluster, each, taint)))) return [];
    whatIf.push(...workloads.flatMap((each) => part.taints.map((taint) => `tolerate ${targetOf(each)} ${taint}`)));
  }
  const [only] = workloads;
  const smaller =
    workloads.length === 1 && amounts.length > 0 && cluster.changeable(only) !== undefined
      ? smallerRequest(cluster, only!, amounts, ({ free }) => free)
      : [];
  if (whatIf.length === 0 || smaller.length < Math.min(1, amounts.length)) return [];
  return [{ kind: 'operations', family: 'opened', whatIf: [...whatIf, ...smaller] }];
}

/** For a DaemonSet without pods: what it would have to tolerate on a node that it selects. */
export function openedForDaemons(cluster: ReportedCluster, { workloads }: AnswerLine): readonly Proposal[] {
  const workload = cluster.report.workloads[workloads[0] ?? -1];
  const spec = workload?.kind === 'DaemonSet' ? cluster.templateOf(workload)?.spec : undefined;
  if (workload === undefined || spec === undefined) return [];
  const { tolerations } = daemonSpec({ spec });
  const selected = compileRequiredNodeAffinity(spec);
  const closed = cluster.nodes
    .filter((node) => selected.matches(selectableNode(node)))
    .map(({ spec: { taints = [] } = {} }) =>
      taints.filter((each) => firstUntolerated([each], tolerations, NO_SCHEDULE_EFFECTS) !== undefined).map(taintText),
    );
  // A taint for pods of some kind may be tolerated; others are none of a workload's business.
  const own = closed.find((taints) => taints.length > 0 && taints.every((taint) => isToBeTolerated(taint, spec)));
  return own === undefined ? [] : operations(...own.map((taint) => `tolerate ${targetOf(workload)} ${taint}`));
}

/** Not what others are to remove, nor what keeps nodes with devices free for pods that ask for these. */
export function mayTolerate(cluster: ReportedCluster, workload: ReportWorkload, taint: string): boolean {
  const spec = cluster.templateOf(workload)?.spec;
  if (!isToBeTolerated(taint, spec)) return false;
  const domain = deviceDomainOf(taint);
  if (domain === undefined) return true;
  const { containers = [], initContainers = [], resourceClaims = [] } = spec ?? {};
  const asked = [...containers, ...initContainers].flatMap(({ resources }) => Object.keys(resources?.limits ?? {}));
  return resourceClaims.length > 0 || asked.some((resource) => resource.startsWith(`${domain}/`));
}

function uncordoned(...names: readonly string[]): readonly Proposal[] {
  return operations(...names.map((name) => `uncordon node/${name}`));
}
