import { nameOf, namespaceOf } from '../../kubernetes/names.ts';
import { didYouMean } from '../arguments.ts';
import { exitCode, UsageError, type Command, worked } from '../command.ts';
import { parseInProject } from '../project.ts';
import { type EvictionVerdict, judgeEviction } from '../evict/judge-eviction.ts';
import { evictionAnswer, verdictData } from '../evict/render.ts';
import { commandAgain } from '../terminal/shell.ts';
import { count, grouped, list } from '../../util/words.ts';
import { noPodText, selectorOf, printAnswer, combined, answerHelp, answerOptions } from '../answer/print-answer.ts';
import { loadCluster, standingHelp, standingOptions } from '../load-cluster.ts';
import type { SimulationInput } from '../../simulation/cluster/input.ts';
import { unblockEviction } from '../../simulation/remedies/unblocking/unblock-eviction.ts';
import type { StandingCluster, StandingPod } from '../../simulation/cluster/standing-cluster.ts';

const options = {
  ...answerOptions,
  ...standingOptions,
} as const;

export const evictCommand: Command = {
  help: `Usage: podium evict NAMESPACE/POD [PATH…] [options]
       podium evict --selector LABELS [PATH…] [options]

Answers as the API server answers an eviction: 200, 429 while a budget forbids it, 500 when several
budgets select the pod. A refusal comes with what would unblock it, and whether it is stuck.
Of one pod each change of replicas or of a budget that helps was tried, and is a command.

POD is a pod of the manifests under each PATH (a file, a folder, or - for standard input) or of the
snapshot. The name of a workload selects one of its pods; NAMESPACE/ may be omitted if the name is
unique. Pods that exist only in manifests count as running and ready; if a gate holds them, or no
node fits, they are pending and no budget is asked. Nodes that NodePools and node groups would add
for pending pods are there already. Pods that a NoExecute taint of their node evicts are on their
way out. Budgets without a status get the one that the disruption controller would write. Of a
workload that a HorizontalPodAutoscaler scales, as many pods are counted as the snapshot has, else
the fewest that it keeps. A custom kind counts by its scale; without its definition it is taken to
have one.

Preemption by higher priorities and node pressure do not ask budgets; see podium simulate and
podium pressure.

Options:
  --snapshot FILE     the output of kubectl get pods,pdb,deployments,… -A -o yaml (or json)
  -l LABELS, --selector LABELS
                      each pod with these labels, as if it alone were evicted
  -h, --help          show this help

${answerHelp}
${standingHelp}
Exit codes: 0 granted, 1 refused, 2 could not run.

Examples:
  podium evict shop/catalog samples/online-shop
  kubectl get pods,pdb,replicasets,deployments,statefulsets -A -o yaml > cluster.yaml
  podium evict shop/catalog-5f8c9d6b74-c7rzt --snapshot cluster.yaml
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context);
    const selector = selectorOf(values);
    const target = selector === null ? positionals[0] : undefined;
    const paths = selector === null ? positionals.slice(1) : positionals;
    if (target === undefined && selector === null) {
      throw new UsageError('name a pod: NAMESPACE/POD, or a --selector');
    }
    const parts = target?.split('/') ?? [];
    if (parts.includes('') || parts.length > 2) {
      throw new UsageError(`a pod is named NAMESPACE/POD, not '${target ?? ''}'`);
    }
    const { input, cluster } = await loadCluster(paths, values, context);
    const pods =
      selector === null
        ? [podNamed(cluster, parts)]
        : [...cluster.pods, ...cluster.leaving].filter(({ pod }) => selector.matches(pod.metadata?.labels));
    if (pods.length === 0) {
      const all = cluster.pods.map(({ pod }) => pod);
      throw new UsageError(noPodText(values, all), true);
    }
    const verdicts = pods.map((pod) => judgeEviction(cluster, pod, Date.now()));
    const refused = verdicts.filter(({ answer }) => !answer.allowed).length;
    const [first, ...others] = verdicts;
    if (first !== undefined && others.length === 0) {
      const unblockedBy = await worked(context, unblockedWith(input, first));
      const command = context.isAssistant ? undefined : commandAgain('evict', args);
      printAnswer(evictionAnswer(first, unblockedBy, command), verdictData(first, unblockedBy), values, context);
    } else {
      const verdict = `${refused === 0 ? 'None' : grouped(refused)} of ${count(pods.length, 'pod')} ${refused > 1 ? 'are' : 'is'} refused, each asked for alone.`;
      const all = combined(
        verdict,
        refused === 0 ? 'good' : 'bad',
        verdicts.map((each) => evictionAnswer(each)),
      );
      printAnswer(all, { pods: verdicts.map((each) => verdictData(each)) }, values, context);
    }
    return refused === 0 ? exitCode.success : exitCode.failure;
  },
};

function unblockedWith(
  input: SimulationInput,
  { subject: { pod }, answer, remedy }: EvictionVerdict,
): Generator<void, readonly string[]> {
  const budgets = answer.allowed ? [] : answer.blocking;
  return unblockEviction(input, pod, remedy?.stuck === true ? remedy.kind : 'retry', budgets, (cluster) => {
    const same = cluster.find(namespaceOf(pod), nameOf(pod));
    return same !== undefined && judgeEviction(cluster, same, Date.now()).answer.allowed;
  });
}

function podNamed(cluster: StandingCluster, parts: readonly string[]): StandingPod {
  const name = parts.at(-1)!;
  const namespace = parts.length === 2 ? parts[0]! : onlyNamespace(cluster, name);
  const pod = cluster.find(namespace, name);
  if (pod === undefined) throw new UsageError(absenceText(cluster, namespace, name), true);
  return pod;
}

/** A name alone is enough where one namespace has it. */
function onlyNamespace(cluster: StandingCluster, name: string): string {
  const [namespace = 'default', ...others] = cluster.namespacesWith(name);
  if (others.length === 0) return namespace;
  throw new UsageError(`${name} is in ${list([namespace, ...others], mostNamespaces)}: write NAMESPACE/POD`, true);
}

const mostNamespaces = 5;

function absenceText(cluster: StandingCluster, namespace: string, name: string): string {
  const empty = cluster.emptyWorkload(namespace, name);
  if (empty !== undefined) return `${empty.kind} ${namespace}/${name} has no replicas: there is no pod to evict`;
  const refusal = cluster.refusalOf(namespace, name);
  if (refusal !== '') return `${namespace}/${name} is refused, and has no pods: ${refusal}`;
  const known = cluster.pods.flatMap(({ pod, workload }) =>
    [nameOf(pod), workload.name].map((each) => `${namespaceOf(pod)}/${each}`),
  );
  const near = didYouMean(`${namespace}/${name}`, new Set(known));
  return `no pod ${namespace}/${name} is declared, and no workload of that name makes any${near}`;
}
