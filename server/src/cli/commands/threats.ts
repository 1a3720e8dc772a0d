import { UnknownObjectError } from '../../simulation/index.ts';
import { isThreatened, threatsTo } from '../../simulation/scenario/threats-to-pod.ts';
import { clusterHelp, clusterOptions, loadAppliedInput } from '../applied-input.ts';
import { exitCode, UsageError, type Command } from '../command.ts';
import { loadGrown } from '../load-cluster.ts';
import { parseInProject } from '../project.ts';
import { threatsAnswer } from '../threats/render.ts';
import { declaredPods, noPodText, selectorOf, printAnswer, answerHelp, answerOptions } from '../answer/print-answer.ts';

const options = { ...clusterOptions, ...answerOptions } as const;

export const threatsCommand: Command = {
  help: `Usage: podium threats POD PATH… [options]
       podium threats --selector LABELS PATH… [options]

Runs the scheduler over the manifests under each PATH (a file, a folder, or - for standard input),
and then tries one more pod of every workload on the node of POD: which of them would evict it,
which the scheduler would let do so next, which budgets that breaks, the classes that outrank it,
up to which priority others cannot touch it, and which priority would make it safe from these
workloads. Nodes that NodePools and node groups would add for pending pods are there already.

POD is NAMESPACE/NAME or KIND/NAMESPACE/NAME of a pod, or of the workload that makes it; or NAME
alone where only one is called so. With -l LABELS, --selector LABELS: the pods with these labels.

${clusterHelp}
${answerHelp}  -h, --help                   show this help

Exit codes: 0 no declared workload would evict it now, 1 one would, 2 could not run.

Examples:
  podium threats shop/storefront samples/online-shop
  podium threats pod/shop/cart-7b6d4f9c58-lw4nq samples/online-shop --format json
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context);
    const selector = selectorOf(values);
    const pod = selector ?? positionals[0];
    const paths = selector === null ? positionals.slice(1) : positionals;
    if (pod === undefined) throw new UsageError('name a pod: NAMESPACE/NAME, or a --selector');
    const { input } = await loadGrown(await loadAppliedInput(paths, values, context), context);
    try {
      const reports = threatsTo(input, pod);
      printAnswer(threatsAnswer(reports), { pods: reports }, values, context);
      return reports.some(isThreatened) ? exitCode.failure : exitCode.success;
    } catch (error) {
      if (error instanceof UnknownObjectError) {
        throw new UsageError(selector === null ? error.message : noPodText(values, declaredPods(input)), true);
      }
      throw error;
    }
  },
};
