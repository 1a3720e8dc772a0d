import { exitCode, UsageError, type Command, type CommandContext } from '../command.ts';
import { didYouMean } from '../arguments.ts';
import { parseInProject } from '../project.ts';
import type { Quantity } from '../../kubernetes/quantity.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { loadCluster, standingHelp, standingOptions } from '../load-cluster.ts';
import { rankNode } from '../pressure/rank-node.ts';
import { type MemoryUsage, readUsage, readUsageWord } from '../pressure/read-usage.ts';
import { namesOf, readFile } from '../read-files.ts';
import { rankingData, rankingAnswer } from '../pressure/render.ts';
import { count, list } from '../../util/words.ts';
import {
  nodeNamed,
  noNodeText,
  selectorOf,
  printAnswer,
  combined,
  answerHelp,
  answerOptions,
} from '../answer/print-answer.ts';

const options = {
  ...answerOptions,
  ...standingOptions,
  usage: { type: 'string', multiple: true },
} as const;

export const pressureCommand: Command = {
  help: `Usage: podium pressure NODE [PATH…] --usage FILE|-|NAMESPACE/POD=QUANTITY [options]
       podium pressure --selector LABELS [PATH…] --usage … [options]

Ranks the pods of a node as the kubelet does under memory pressure: those over their request first,
then by priority, then by how far usage is over the request. Pods that share a number are equals,
and any of them may go first. Critical pods have their place and are passed over. Budgets are not
asked.

The pods are those with that spec.nodeName in the manifests under each PATH (a file, a folder, or -
for standard input) or in the snapshot, and those that the scheduler places there. Nodes that
NodePools and node groups would add for pending pods are there, too. Pods that a NoExecute taint of
the node evicts are left out.

Options:
  --usage FILE|-      what pods use: the output of kubectl top pod -A, or a line
                      NAMESPACE/POD=QUANTITY for each pod; - is standard input
  --usage NAMESPACE/POD=QUANTITY
                      what one pod uses; wins over the file (may be repeated)
  --snapshot FILE     the output of kubectl get nodes,pods,priorityclasses -A -o yaml (or json)
  -l LABELS, --selector LABELS
                      the nodes with these labels
  -h, --help          show this help

${answerHelp}
A pod without usage is one of which the node has no statistics: such pods go first of all.

${standingHelp}
Exit codes: 0 ranked, 2 could not run.

Examples:
  kubectl get nodes,pods -A -o yaml > cluster.yaml
  kubectl top pod -A | podium pressure general-a --snapshot cluster.yaml --usage -
  podium pressure general-a samples/online-shop --usage shop/cart-7b6d4f9c58-lw4nq=900Mi
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context);
    const selector = selectorOf(values);
    const [first] = positionals;
    const node = selector === null && first !== undefined ? nodeNamed(first) : undefined;
    const paths = selector === null ? positionals.slice(1) : positionals;
    if (node === undefined && selector === null) throw new UsageError('name a node, or a --selector');
    const given = values.usage ?? [];
    if (given.length === 0) throw new UsageError('say what pods use: --usage FILE, - or NAMESPACE/POD=QUANTITY');
    if (given.includes('-') && paths.includes('-')) throw new UsageError('standard input is either manifests or usage');
    const usage = await loadUsage(given, context);
    const { cluster } = await loadCluster(paths, values, context);
    const known = new Set([...cluster.pods, ...cluster.leaving].map((each) => keyOf(each.pod)));
    for (const { pod } of given.filter(isPod).map((word) => readUsageWord(word, '--usage'))) {
      if (known.has(pod)) continue;
      const own = [...known].filter((name) => name.startsWith(`${pod}-`));
      const near = own.length === 0 ? didYouMean(pod, known) : `; did you mean ${list(own)}?`;
      throw new UsageError(`--usage: no pod ${pod} is declared${near}`, true);
    }
    const nodes = node === undefined ? cluster.nodesWith(selector!) : [node];
    if (nodes.length === 0) throw new UsageError(noNodeText(values, cluster.nodes()), true);
    const rankings = nodes.map((each) => rankNode(cluster, each, usage));
    const [ranking, ...others] = rankings;
    if (ranking !== undefined && others.length === 0) {
      if (ranking.groups.length === 0 && !cluster.nodeNames.has(ranking.node)) {
        throw new UsageError(
          `no node ${ranking.node} is declared, and no pod runs on it${didYouMean(ranking.node, cluster.nodeNames)}`,
          true,
        );
      }
      printAnswer(rankingAnswer(ranking), rankingData(ranking), values, context);
    } else {
      const verdict = `Which pods go first under memory pressure on ${count(nodes.length, 'node')}.`;
      printAnswer(
        combined(verdict, 'plain', rankings.map(rankingAnswer)),
        { nodes: rankings.map(rankingData) },
        values,
        context,
      );
    }
    return exitCode.success;
  },
};

/** `NAMESPACE/POD=QUANTITY`, and no file. */
function isPod(word: string): boolean {
  return word.includes('=');
}

/** Files first, so that single pods win over them. */
async function loadUsage(given: readonly string[], context: CommandContext): Promise<MemoryUsage> {
  const usage = new Map<string, Quantity>();
  for (const file of given.filter((word) => !isPod(word))) {
    for (const [pod, memory] of readUsage(await readFile(file, context), namesOf([file]))) {
      usage.set(pod, memory);
    }
  }
  for (const word of given.filter(isPod)) {
    const { pod, memory } = readUsageWord(word, '--usage');
    usage.set(pod, memory);
  }
  return usage;
}
