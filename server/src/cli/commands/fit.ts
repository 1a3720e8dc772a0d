import { inert } from '../terminal/text.ts';
import { UnknownObjectError } from '../../simulation/index.ts';
import { fit, NoReplicasError } from '../../simulation/scenario/fit.ts';
import { nodesNeeded } from '../../simulation/scenario/nodes-needed.ts';
import { parseNodeModel } from '../../simulation/scenario/parse-operation.ts';
import { clusterHelp, clusterOptions, loadAppliedInput } from '../applied-input.ts';
import { oneOf } from '../arguments.ts';
import { exitCode, UsageError, worked, type Command } from '../command.ts';
import { parseInProject } from '../project.ts';
import { renderFit, renderFitJson } from '../fit/render.ts';

const options = {
  ...clusterOptions,
  format: { type: 'string', default: 'text' },
  like: { type: 'string' },
} as const;

export const fitCommand: Command = {
  help: `Usage: podium fit WORKLOAD PATH… [options]

Runs the scheduler over the manifests under each PATH (a file, a folder, or - for standard input),
and then adds one replica after the other: how many fit without evictions, how many by evicting
lower priorities within budgets, and how many by breaking budgets; what stops the next one, which
pods it would evict, and how many the quotas of its namespace allow. WORKLOAD is
KIND/NAMESPACE/NAME or NAMESPACE/NAME, or NAME alone if it is unique.

Up to 20,000 replicas are looked for; fewer where affinity, spreading or volumes need each replica
to be decided by itself, and the answer says so.

  --like NODE                  how many more nodes like NODE, or of CPU:MEMORY[:PODS], it takes
                               until everything that is pending runs: real runs, up to 4,096 nodes

${clusterHelp}
Output:
  --format text|json           default text
  -h, --help                   show this help

Exit codes: 0 one more fits without evictions, 1 none does or a quota allows none, 2 could not run.

Examples:
  podium fit Deployment/shop/cart samples/online-shop
  podium fit shop/checkout samples/online-shop --like general-a
  podium fit shop/web deploy/ --snapshot cluster.yaml --like 4:32Gi
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context);
    const format = oneOf('--format', values.format, ['text', 'json']);
    const [workload, ...paths] = positionals;
    if (workload === undefined) throw new UsageError('name a workload: KIND/NAMESPACE/NAME');
    const like = values.like === undefined ? null : parseNodeModel(values.like);
    if (values.like !== undefined && like === null) {
      throw new UsageError(`--like must be a node, or CPU:MEMORY[:PODS], not '${values.like}'`);
    }
    const input = await loadAppliedInput(paths, values, context);
    try {
      const report = await worked(context, fit(input, workload));
      const needed = like === null ? null : await worked(context, nodesNeeded(input, like));
      context.stdout.write(
        format === 'json' ? renderFitJson(report, needed) : inert(renderFit(report, needed, context)),
      );
      return report.free.count > 0 && report.quotas.every(({ more }) => more > 0) ? exitCode.success : exitCode.failure;
    } catch (error) {
      if (error instanceof UnknownObjectError || error instanceof NoReplicasError) throw new UsageError(error.message);
      throw error;
    }
  },
};
