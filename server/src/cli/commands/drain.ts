import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { nearestNames } from '../../util/nearest-names.ts';
import { dryRuns } from '../../disruption/drain-texts.ts';
import { parseDuration } from '../../kubernetes/go-duration.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { Node } from '../../kubernetes/objects.ts';
import { parseSelector } from '../../kubernetes/selector-text.ts';
import {
  drainNodes,
  type DrainReport,
  type DrainRequest,
  UnknownNodeError,
} from '../../simulation/drains/drain-nodes.ts';
import { unblockDrain } from '../../simulation/remedies/unblocking/unblock-drain.ts';
import { oneOf } from '../arguments.ts';
import { exitCode, UsageError, worked, type Command, type CommandContext } from '../command.ts';
import type { SimulationInput } from '../../simulation/cluster/input.ts';
import { endOfRun } from '../../simulation/scenario/simulate-scenario.ts';
import { parseInProject } from '../project.ts';
import { growthFor } from '../../language/session/growth.ts';
import { type DrainGrowth, growthAfterDrain } from '../../simulation/scenario/drain-growth.ts';
import { drainData, drainAnswer, isDrained } from '../drain/drain-answer.ts';
import { commandAgain } from '../terminal/shell.ts';
import { onceApplied } from '../../simulation/scenario/changed-workloads.ts';
import { loadAppliedInput } from '../applied-input.ts';
import { loadGrown, standingHelp, standingOptions } from '../load-cluster.ts';
import {
  type AnswerValues,
  nodeNamed,
  noNodeText,
  selectorOf,
  printAnswer,
  answerHelp,
  answerOptions,
} from '../answer/print-answer.ts';

const options = {
  ...answerOptions,
  ...standingOptions,
  'pod-selector': { type: 'string' },
  'ignore-daemonsets': { type: 'boolean', default: false },
  'delete-emptydir-data': { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  'disable-eviction': { type: 'boolean', default: false },
  'grace-period': { type: 'string', default: '-1' },
  'skip-wait-for-delete-timeout': { type: 'string', default: '0' },
  timeout: { type: 'string', default: '0s' },
  'dry-run': { type: 'string', default: 'none' },
  removable: { type: 'boolean', default: false },
} as const;

export const drainCommand: Command = {
  help: `Usage: podium drain NODE PATH… [options]
       podium drain --selector LABELS PATH… [options]

Simulates kubectl drain on the cluster of the manifests under each PATH (a file, a folder, or - for
standard input) and of the snapshot: what kubectl prints and refuses, the API server's answer to
each eviction, which pods race for the last disruption of a budget, what blocks the node and what
would unblock it, where the replacements land, which pods they evict, and what stays pending. Where
there are NodePools or node groups, it says which new nodes the pending ones come back on; NODE may
be one that they would add, as general+1.

With --selector all nodes that carry the labels are drained one after the other, by name, while
replacements become ready and budgets recover: the roll-out of a node upgrade, and where it hangs.
Of one that hangs it is said what all budgets that block would do if they were changed together, and
what comes of a drain for each node.
A replacement counts as ready as soon as it is placed; which pod wins a race is chance. The cluster
has settled before: pods that were terminating are gone, and what waits for a node or is only
written down is placed, as far as it finds room.

kubectl's own options:
  -l LABELS, --selector LABELS the nodes to drain, instead of NODE
  --pod-selector LABELS        evict only pods with these labels
  --ignore-daemonsets          pass over pods of DaemonSets
  --delete-emptydir-data       evict pods with emptyDir volumes, whose data is lost
  --force                      evict pods that declare no controller
  --disable-eviction           delete instead of evicting: no budget is asked
  --grace-period SECONDS       -1 for each pod's own
  --skip-wait-for-delete-timeout SECONDS
                               pass over pods that have been terminating for longer
  --timeout DURATION           give a node up after so long, as 90s or 5m; 0s (default): never
  --dry-run none|client|server client: say what would be evicted, and what each would be answered;
                               server: ask for each eviction alone, refused ones again until
                               --timeout

Options:
  --removable         not whether kubectl could drain NODE, but whether Karpenter or Cluster
                      Autoscaler would remove it: each pod and budget in the way, and whether the
                      rest would fit on the other nodes
  --snapshot FILE     the output of kubectl get nodes,pods,pdb,… -A -o yaml (or json)
  -h, --help          show this help

${answerHelp}  --show transcript            what kubectl prints, and what the API server answers

${standingHelp}
Exit codes: 0 drained (removable), 1 stopped or hangs (kept), 2 could not run.

Examples:
  podium drain general-c samples/online-shop --ignore-daemonsets
  podium drain --selector topology.kubernetes.io/zone=eu-west-1a samples/online-shop --ignore-daemonsets
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context);
    const selector = selectorOf(values);
    const podSelector = parseSelector(values['pod-selector'] ?? '');
    if (podSelector === null) throw new UsageError('--pod-selector=<pod_selector> must be a valid label selector');
    const [given, ...rest] = positionals;
    const first = given === undefined || selector !== null ? given : nodeNamed(given);
    if (selector === null && first === undefined) throw new UsageError('name a node, or a --selector');
    // Source: staging/src/k8s.io/kubectl/pkg/cmd/drain/drain.go (Complete)
    if (selector !== null && first !== undefined && first !== '-' && !existsSync(resolve(context.cwd, first))) {
      throw new UsageError(
        `cannot specify both a node name and a --selector option; no file or folder is called ${first}`,
      );
    }
    const paths = selector === null ? rest : positionals;
    const loaded = onceApplied(await loadAppliedInput(paths, { ...values, kubernetes: 'auto' }, context));
    const growth = await growthFor([loaded.workspace, loaded.snapshot]);
    // Only a node that is still to come has such a name.
    const input = first?.includes('+') === true ? (await loadGrown(loaded, context)).input : { ...loaded, growth };
    if (values.removable) {
      if (first === undefined || selector !== null) throw new UsageError('--removable is asked of one node');
      return await answerRemovable(input, first, values, context);
    }
    const choose = (nodes: readonly Node[]): readonly Node[] => {
      // Nodes that a what-if adds, which no API server would name so, are to take what the others have.
      const chosen = nodes.filter((node) =>
        selector === null
          ? nameOf(node) === first
          : selector.matches(node.metadata?.labels) && !nameOf(node).includes('+'),
      );
      if (chosen.length > 0) return chosen.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
      if (selector !== null) throw new UnknownNodeError(noNodeText(values, nodes));
      const near = nearestNames(first ?? '', nodes.map(nameOf)).slice(0, 3);
      const nearest = near.length === 0 ? '' : `; the nearest are ${near.join(', ')}`;
      throw new UnknownNodeError(`nodes "${first ?? ''}" not found${nearest}`);
    };
    const gracePeriod = secondsOf('--grace-period', values['grace-period']);
    const request: DrainRequest = {
      flags: {
        ignoreDaemonSets: values['ignore-daemonsets'],
        deleteEmptyDirData: values['delete-emptydir-data'],
        force: values.force,
        skipWaitForDeleteTimeout: secondsOf('--skip-wait-for-delete-timeout', values['skip-wait-for-delete-timeout']),
      },
      disableEviction: values['disable-eviction'],
      gracePeriodSeconds: gracePeriod < 0 ? undefined : gracePeriod,
      timeoutSeconds: durationOf('--timeout', values.timeout),
      dryRun: oneOf('--dry-run', values['dry-run'], dryRuns),
      podSelector,
      now: Date.now(),
    };
    let report: DrainReport;
    try {
      report = await worked(context, drainNodes(input, choose, request));
    } catch (error) {
      if (error instanceof UnknownNodeError) throw new UsageError(error.message, true);
      throw error;
    }
    const unblockers = await worked(context, unblockDrain(input, choose, request, report));
    const growsAfter = await worked(context, growthAfter(input, report, request));
    printAnswer(
      drainAnswer(
        report,
        unblockers,
        request,
        growsAfter,
        context.isAssistant ? undefined : commandAgain('drain', args),
      ),
      drainData(report, unblockers, growsAfter),
      values,
      context,
    );
    return isDrained(report, growsAfter) ? exitCode.success : exitCode.failure;
  },
};

/** Autoscalers are asked where a drain leaves pods pending. */
function* growthAfter(
  input: SimulationInput,
  { nodes, pending }: DrainReport,
  { dryRun, flags, disableEviction, gracePeriodSeconds }: DrainRequest,
): Generator<void, DrainGrowth | null> {
  if (pending.length === 0 || dryRun !== 'none') return null;
  const { ignoreDaemonSets = false, deleteEmptyDirData = false, force = false } = flags;
  const options = { ignoreDaemonSets, deleteEmptyDirData, force, disableEviction, gracePeriodSeconds };
  return yield* growthAfterDrain(
    input,
    nodes.map(({ name }) => name),
    options,
  );
}

/** Throws `UsageError`. */
async function answerRemovable(
  input: SimulationInput,
  name: string,
  values: AnswerValues,
  context: CommandContext,
): Promise<number> {
  const end = await worked(context, endOfRun(input, { kind: 'workspace' }, []));
  const { removalOf } = await import('../../simulation/growth/index.ts');
  const removal = removalOf(input, end, name);
  if (removal === undefined) throw new UsageError(`nodes "${name}" not found`, true);
  const { tool, isRemovable, lines } = removal;
  const verdict = isRemovable ? `${tool} would remove ${name}.` : `${tool} would not remove ${name}.`;
  const tone = isRemovable ? 'good' : 'bad';
  printAnswer({ verdict, tone, parts: [{ title: '', lines }] }, { node: name, ...removal }, values, context);
  return isRemovable ? exitCode.success : exitCode.failure;
}

function durationOf(option: string, text: string): number {
  const milliseconds = parseDuration(text);
  if (typeof milliseconds === 'number' && milliseconds >= 0) return milliseconds / 1000;
  throw new UsageError(`${option} must be a duration such as 90s or 5m, not '${text}'`);
}

function secondsOf(option: string, text: string): number {
  if (!/^-?\d+$/.test(text)) throw new UsageError(`${option} must be a whole number of seconds, not '${text}'`);
  return Number(text);
}
