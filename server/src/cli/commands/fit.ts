import { UnknownObjectError } from '../../simulation/index.ts';
import { fit, type FitReport, NoReplicasError } from '../../simulation/capacity/fit.ts';
import { headroomFor } from '../../simulation/scenario/headroom.ts';
import { nodesNeeded } from '../../simulation/capacity/nodes-needed.ts';
import { parseNodeModel } from '../../simulation/operations/parse-operation.ts';
import { type GrownInput, nextNode, withGrownNodes } from '../../simulation/scenario/with-grown-nodes.ts';
import { growthFor } from '../../language/session/growth.ts';
import { onceApplied } from '../../simulation/scenario/changed-workloads.ts';
import { clusterHelp, clusterOptions, loadAppliedInput } from '../applied-input.ts';
import { exitCode, UsageError, worked, type Command } from '../command.ts';
import { parseInProject } from '../project.ts';
import { fitsOne, fitAnswer } from '../fit/render.ts';
import {
  declaredPods,
  noPodText,
  selectorOf,
  printAnswer,
  combined,
  answerHelp,
  answerOptions,
} from '../answer/print-answer.ts';
import { count } from '../../util/words.ts';
import { workloadsWith } from '../../simulation/operations/workloads-with.ts';

/** Each costs a whole run. */
const mostSelected = 20;

const options = {
  ...clusterOptions,
  ...answerOptions,
  like: { type: 'string' },
  headroom: { type: 'boolean', default: false },
} as const;

export const fitCommand: Command = {
  help: `Usage: podium fit WORKLOAD PATH… [options]
       podium fit --selector LABELS PATH… [options]

Runs the scheduler over the manifests under each PATH (a file, a folder, or - for standard input),
and then adds one replica after the other: how many fit without evictions, how many by evicting
lower priorities within budgets, and how many by breaking budgets; what stops the next one, which
pods it would evict, which node an autoscaler would add for it where the files have NodePools or
node groups, and how many the quotas of its namespace allow. WORKLOAD is
KIND/NAMESPACE/NAME or NAMESPACE/NAME, or NAME alone if it is unique.

Up to 20,000 replicas are looked for; fewer where affinity, spreading or volumes need each replica
to be decided by itself, and the answer says so.

  -l LABELS, --selector LABELS each workload whose pods have the labels, up to ${mostSelected}
  --like NODE                  how many more nodes like NODE, or of CPU:MEMORY[:PODS], it takes
                               until everything that is pending runs: real runs, up to 4,096 nodes
  --headroom                   how many placeholder pods of which priority have to wait for WORKLOAD,
                               or what a CapacityBuffer has to hold, so that it evicts no other pods

${clusterHelp}
${answerHelp}  -h, --help                   show this help

Exit codes: 0 one more fits without evictions, 1 none does or a quota allows none, 2 could not run.

Examples:
  podium fit Deployment/shop/cart samples/online-shop
  podium fit shop/checkout samples/online-shop --like general-a
  podium fit shop/checkout samples/online-shop --headroom
  podium fit shop/web deploy/ --snapshot cluster.yaml --like 4:32Gi
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context);
    const selector = selectorOf(values);
    const workload = selector === null ? positionals[0] : undefined;
    const paths = selector === null ? positionals.slice(1) : positionals;
    if (workload === undefined && selector === null) {
      throw new UsageError('name a workload: KIND/NAMESPACE/NAME, or a --selector');
    }
    const like = values.like === undefined ? null : parseNodeModel(values.like);
    if (values.like !== undefined && like === null) {
      throw new UsageError(`--like must be a node, or CPU:MEMORY[:PODS], not '${values.like}'`);
    }
    const loaded = onceApplied(await loadAppliedInput(paths, values, context));
    const growth = await growthFor([loaded.workspace, loaded.snapshot]);
    const growing = { ...loaded, growth };
    const grown: GrownInput = await worked(context, withGrownNodes(growing));
    const { input, comes } = grown;
    const asked = selector === null ? [workload ?? ''] : workloadsWith(input, selector).slice(0, mostSelected);
    if (values.headroom && asked.length > 1) throw new UsageError('--headroom is asked of one workload');
    if (asked.length === 0) throw new UsageError(noPodText(values, declaredPods(input)), true);
    try {
      const needed = like === null ? null : await worked(context, nodesNeeded(input, like));
      const reports: FitReport[] = [];
      for (const each of asked) reports.push(await worked(context, fit(input, each)));
      const [first, ...others] = reports;
      if (first !== undefined && others.length === 0) {
        // Whom it evicts before a node comes: those that come for it are no headroom.
        const headroom = values.headroom ? await worked(context, headroomFor(growing, first.workload)) : null;
        const next = await worked(context, nextNode(input, first));
        const data = {
          ...first,
          nodesNeeded: needed,
          ...(headroom === null ? {} : { headroom }),
          ...(next === undefined ? {} : { nextNode: next }),
        };
        printAnswer(fitAnswer(first, needed, headroom, { comes, next }), data, values, context);
      } else {
        const room = reports.filter(fitsOne).length;
        const verdict = `${room === reports.length ? 'One more pod of each fits' : `One more pod fits of ${room}`} of ${count(reports.length, 'workload')}, without evictions.`;
        const all = reports.map((report) => fitAnswer(report, needed, null, { comes }));
        printAnswer(
          combined(verdict, room === reports.length ? 'good' : 'bad', all),
          { workloads: reports, nodesNeeded: needed },
          values,
          context,
        );
      }
      return reports.every(fitsOne) ? exitCode.success : exitCode.failure;
    } catch (error) {
      const isUsage = error instanceof UnknownObjectError || error instanceof NoReplicasError;
      throw isUsage ? new UsageError(error.message, true) : error;
    }
  },
};
