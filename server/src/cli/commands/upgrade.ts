import { type Minor, minors, newestMinor } from '../../util/minors.ts';
import type { Origin } from '../../kubernetes/objects.ts';
import type { SimulationInput } from '../../simulation/cluster/input.ts';
import { Inventory } from '../../simulation/cluster/inventory.ts';
import { upgradeOf } from '../../simulation/upgrade/upgrade.ts';
import { clusterHelp, clusterOptions, loadAppliedInput } from '../applied-input.ts';
import { oneOf } from '../arguments.ts';
import { exitCode, type CommandContext, UsageError, worked, type Command } from '../command.ts';
import { displayPath } from '../display-path.ts';
import { parseInProject } from '../project.ts';
import { answerHelp, answerOptions, printAnswer } from '../answer/print-answer.ts';
import { losesSomething, upgradeAnswer } from '../upgrade/render.ts';

const { selector: _selector, ...plainOptions } = answerOptions;

const options = {
  ...clusterOptions,
  ...plainOptions,
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

export const upgradeCommand: Command = {
  help: `Usage: podium upgrade PATH… [options]

Shows what moving a cluster from one version of Kubernetes to a newer one changes for the manifests
under each PATH (a file, a folder, or - for standard input): kinds that are no longer served, fields
that are read otherwise, refusals of the API server that come or end, and which pods the scheduler
places elsewhere, evicts or leaves pending, with the change of Kubernetes that decides it. What is
announced for a version behind these is listed as coming.

  --from VERSION               ${minors.slice(0, -1).join(', ')}; default: the version that simulations use,
                               or the one before --to where that is no older
  --to VERSION                 ${minors.slice(1).join(', ')}; default ${newestMinor}

${clusterHelp}
${answerHelp}  -h, --help                   show this help

Charts are rendered for the version that is left. Exit codes: 0 nothing is refused, evicted or left
pending by the upgrade, 1 something is, 2 could not run.

Examples:
  podium upgrade --from 1.35 --to 1.37 samples/online-shop
  podium upgrade deploy/ --snapshot cluster.yaml --format markdown
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context);
    const asked = values.from === undefined ? undefined : oneOf('--from', values.from, minors);
    const to = values.to === undefined ? newestMinor : oneOf('--to', values.to, minors.slice(1));
    const kubernetes = asked ?? values.kubernetes;
    const input = await loadAppliedInput(positionals, { ...values, kubernetes }, context);
    const from = asked ?? olderThan(to, input);
    if (minors.indexOf(from) >= minors.indexOf(to)) {
      throw new UsageError(`--to must be newer than ${from}, which --from names`);
    }
    const report = await worked(context, upgradeOf(input, from, to));
    printAnswer(upgradeAnswer(report, placesIn(context)), report, values, context);
    return losesSomething(report) ? exitCode.failure : exitCode.success;
  },
};

/** The version that simulations use; where it is no older, the one before. */
function olderThan(to: Minor, input: SimulationInput): Minor {
  const { minor } = new Inventory(input).kubernetes.release;
  const isOlder = minors.indexOf(minor) < minors.indexOf(to);
  return isOlder ? minor : (minors[minors.indexOf(to) - 1] ?? minor);
}

function placesIn({ cwd }: CommandContext): (origin: Origin) => string {
  return ({ uri, range }) => `${displayPath(uri, cwd)}:${range.start.line + 1}`;
}
