import { inert } from '../terminal/text.ts';
import { oneOf } from '../arguments.ts';
import { exitCode, UsageError, type Command } from '../command.ts';
import { parseInProject } from '../project.ts';
import { judgeEviction } from '../evict/judge-eviction.ts';
import { renderVerdict, renderVerdictJson } from '../evict/render.ts';
import { list } from '../../kit/words.ts';
import { loadCluster, standingHelp, standingOptions } from '../load-cluster.ts';
import type { StandingCluster } from '../../simulation/scene/standing-cluster.ts';

const options = {
  format: { type: 'string', default: 'text' },
  ...standingOptions,
} as const;

export const evictCommand: Command = {
  help: `Usage: podium evict NAMESPACE/POD [PATH…] [options]

Answers as the API server answers an eviction: 200, 429 while a budget forbids it, 500 when several
budgets select the pod. A refusal comes with what would unblock it, and whether it is stuck.

POD is a pod of the manifests under each PATH (a file, a folder, or - for standard input) or of the
snapshot. The name of a workload selects one of its pods; NAMESPACE/ may be omitted if the name is
unique. Pods that exist only in manifests count as running and ready; if a gate holds them, or no
node fits, they are pending and no budget is asked. Budgets without a status get the one
that the disruption controller would write. Of a workload that a HorizontalPodAutoscaler scales, as
many pods are counted as the snapshot has, else the fewest that it keeps. A custom kind counts by
its scale; without its definition it is taken to have one.

Preemption by higher priorities and node pressure do not ask budgets; see podium simulate and
podium pressure.

Options:
  --snapshot FILE     the output of kubectl get pods,pdb,deployments,… -A -o yaml (or json)
  --format text|json  default text
  -h, --help          show this help

${standingHelp}
Exit codes: 0 granted, 1 refused, 2 could not run.

Examples:
  podium evict shop/catalog samples/online-shop
  kubectl get pods,pdb,replicasets,deployments,statefulsets -A -o yaml > cluster.yaml
  podium evict shop/catalog-5f8c9d6b74-c7rzt --snapshot cluster.yaml
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context);
    const format = oneOf('--format', values.format, ['text', 'json']);
    const [target, ...paths] = positionals;
    if (target === undefined) throw new UsageError('name a pod: NAMESPACE/POD');
    const parts = target.split('/');
    if (parts.includes('') || parts.length > 2) {
      throw new UsageError(`a pod is named NAMESPACE/POD, not '${target}'`);
    }
    const cluster = await loadCluster(paths, values, context, 'settled');
    const name = parts.at(-1)!;
    const namespace = parts.length === 2 ? parts[0]! : onlyNamespace(cluster, name);
    const pod = cluster.find(namespace, name);
    if (pod === undefined) throw new UsageError(absenceText(cluster, namespace, name));
    const verdict = judgeEviction(cluster, pod, Date.now());
    context.stdout.write(format === 'json' ? renderVerdictJson(verdict) : inert(renderVerdict(verdict, context)));
    return verdict.answer.allowed ? exitCode.success : exitCode.failure;
  },
};

/** A name alone is enough where one namespace has it. */
function onlyNamespace(cluster: StandingCluster, name: string): string {
  const [namespace = 'default', ...others] = cluster.namespacesWith(name);
  if (others.length === 0) return namespace;
  throw new UsageError(`${name} is in ${list([namespace, ...others], mostNamespaces)}: write NAMESPACE/POD`);
}

const mostNamespaces = 5;

function absenceText(cluster: StandingCluster, namespace: string, name: string): string {
  const empty = cluster.emptyWorkload(namespace, name);
  if (empty !== undefined) return `${empty.kind} ${namespace}/${name} has no replicas: there is no pod to evict`;
  const refusal = cluster.refusalOf(namespace, name);
  if (refusal !== '') return `${namespace}/${name} is refused, and has no pods: ${refusal}`;
  return `no pod ${namespace}/${name} is declared, and no workload of that name makes any`;
}
