import { printableLines } from '../terminal/text.ts';
import { jsonText } from '../terminal/json.ts';
import { runToEnd } from '../../kit/steps.ts';
import { parseArguments, oneOf } from '../arguments.ts';
import { exitCode, UsageError, type Command, type CommandContext } from '../command.ts';
import { clusterHelp, clusterOptions, clusterSettings, inCluster } from '../applied-input.ts';
import { loadApplied, loadChangedManifests } from '../load-manifests.ts';
import { namesOf, pathToUri } from '../read-files.ts';
import { applyWhatIf, parseWhatIf } from '../what-if.ts';
import { failsOn, parseCauses } from '../report/fail-on.ts';
import { reportMarkdown } from '../../contract/markdown.ts';
import { renderSummary, renderTable, type Section, sections, type TableOptions } from '../report/table.ts';
import type { Report } from '../../contract/report.ts';
import {
  findRemedies,
  notComparedFiles,
  simulate,
  simulateChange,
  UnknownScenarioError,
  type Scenario,
  type SimulationInput,
  type SimulationOptions,
} from '../../simulation/index.ts';

const options = {
  ...clusterOptions,
  format: { type: 'string', default: 'table' },
  file: { type: 'string' },
  workload: { type: 'string' },
  since: { type: 'string' },
  'what-if': { type: 'string', multiple: true },
  seed: { type: 'string' },
  show: { type: 'string' },
  summary: { type: 'boolean' },
  'fail-on': { type: 'string' },
} as const;

export const simulateCommand: Command = {
  name: 'simulate',
  summary: 'show who lands where, who is evicted for whom, and why the rest is pending',
  help: `Usage: podium simulate PATH… [options]

Reads the YAML and JSON manifests under each PATH (a file, a folder, or - for standard input), runs
the scheduler over them, and prints the outcome. Pods with a nodeName run; everything else arrives.

What arrives:
  (nothing said)               every pending pod, highest priority first
  --file FILE                  the workloads of one file; everything else is placed first
  --workload KIND/NAMESPACE/NAME
                               one workload; everything else is placed first

  --since COMMIT               every pending pod, compared with the manifests at a git commit: who
                               is newly evicted, pending or moved by the change
  --what-if OPERATION          every pending pod after an operation, compared with the run without
                               it; may be repeated, each applies to what the one before made.
                               Names are KIND/NAMESPACE/NAME, or node/NAME:
                                 cordon NODE, uncordon NODE, remove NODE|BUDGET,
                                 add COUNT nodes like NODE, add COUNT nodes CPU:MEMORY[:PODS],
                                 label NODE KEY=VALUE|KEY-, taint NODE KEY[=VALUE]:EFFECT|KEY-,
                                 scale NAME REPLICAS, priority NAME CLASS, ungate NAME,
                                 request NAME cpu=200m, tolerate NAME KEY[=VALUE][:EFFECT],
                                 class CLASS value=NUMBER|preemptionPolicy=Never,
                                 budget NAME minAvailable=1|maxUnavailable=1,
                                 delete NAME, finish NAME

${clusterHelp}
Output:
  --format table|markdown|json json is the whole report, one object; markdown is for comments on
                               pull requests, at most 60,000 bytes; default table
  --show SECTION[,SECTION…]    of the table, besides the answer: nodes, steps, pods, decisions,
                               assumptions, or all
  --summary                    the headline, its cause and the balance, nothing else
  --fail-on WHAT[,WHAT…]       exit with 1 if there is any: evicted, budget, pending, refused, down;
                               with --since and --what-if only if it is new
  --seed NUMBER                draw among equally good nodes instead of taking the first by name
  -h, --help                   show this help

Colour is used on a terminal, and not when NO_COLOR is set. COLUMNS says how wide lines may be.

Exit codes: 0 simulated, also when pods stay pending; 1 with --fail-on; 2 could not run.

Examples:
  podium simulate samples/online-shop
  podium simulate . --workload Deployment/shop/checkout
  podium simulate . --since origin/main --fail-on evicted,budget
  podium simulate samples/online-shop --what-if 'add 1 node like general-a'
  podium simulate . --show nodes,steps
  kubectl get nodes,pods,priorityclasses,pdb -A -o yaml > cluster.yaml
  podium simulate deploy/ --snapshot cluster.yaml --format json
`,

  async run(args, context) {
    const { values, positionals } = parseArguments(args, options);
    const format = oneOf('--format', values.format, ['table', 'markdown', 'json']);
    if (positionals.length === 0) throw new UsageError('name at least one file or folder');
    if ([values.file, values.workload, values.since].filter((value) => value !== undefined).length > 1) {
      throw new UsageError('--file, --workload and --since exclude each other');
    }
    if (values['what-if'] !== undefined && (values.file ?? values.workload ?? values.since) !== undefined) {
      throw new UsageError('--what-if cannot be combined with --file, --workload or --since');
    }
    const whatIfs = parseWhatIf(values['what-if'] ?? []);
    const settings = clusterSettings(values);
    const show = parseSections(values.show);
    const causes = parseCauses(values['fail-on']);
    const scenario = scenarioOf(values.file, values.workload, context);
    const seed = values.seed === undefined ? undefined : parseSeed(values.seed);

    const {
      now: workspace,
      earlier,
      notCompared,
    } = values.since === undefined
      ? { now: await loadApplied(positionals, context, values), earlier: null, notCompared: 0 }
      : await loadChangedManifests(positionals, context, values, values.since);
    const input: SimulationInput = {
      ...(await inCluster(workspace, values, settings, context)),
      missing: notComparedFiles(notCompared),
    };
    if (workspace.objects.length + (earlier?.objects.length ?? 0) === 0) {
      throw new UsageError(`no Kubernetes manifests in ${namesOf(positionals)}`);
    }
    const simulationOptions = seed === undefined ? {} : { seed };
    const compared: Compared | null =
      earlier !== null && values.since !== undefined
        ? { earlier: { ...input, workspace: earlier.objects }, now: input, since: `git ${values.since}` }
        : whatIfs.length > 0
          ? { earlier: input, now: applyWhatIf(input, whatIfs, context.stderr), since: 'the run without the what-if' }
          : null;
    const answered =
      compared === null
        ? simulateOrRefuse(input, scenario, simulationOptions)
        : runToEnd(simulateChange(compared.earlier, compared.now, compared.since, simulationOptions));
    const report =
      values.summary === true
        ? answered
        : {
            ...answered,
            remedies: runToEnd(findRemedies(answered, compared?.now ?? input, scenario, simulationOptions)),
          };
    context.stdout.write(render(report, values.summary === true ? 'summary' : format, { ...context, show }));
    return causes.some((cause) => failsOn(report, cause)) ? exitCode.failure : exitCode.success;
  },
};

/** Two states of a workspace, and what the earlier one is called. */
interface Compared {
  readonly earlier: SimulationInput;
  readonly now: SimulationInput;
  readonly since: string;
}

function render(report: Report, format: 'table' | 'markdown' | 'json' | 'summary', options: TableOptions): string {
  switch (format) {
    case 'json':
      return `${jsonText(report)}\n`;
    case 'markdown':
      return printableLines(reportMarkdown(report));
    case 'summary':
      return renderSummary(report, options);
    case 'table':
      return renderTable(report, options);
  }
}

function parseSections(words: string | undefined): ReadonlySet<Section> {
  const named = words?.split(',') ?? [];
  return new Set(named.flatMap((word) => (word === 'all' ? sections : [oneOf('--show', word, [...sections])])));
}

function simulateOrRefuse(input: SimulationInput, scenario: Scenario, options: SimulationOptions): Report {
  try {
    return runToEnd(simulate(input, scenario, options));
  } catch (error) {
    if (error instanceof UnknownScenarioError) throw new UsageError(error.message);
    throw error;
  }
}

function scenarioOf(file: string | undefined, workload: string | undefined, context: CommandContext): Scenario {
  if (file !== undefined) return { kind: 'file', uri: pathToUri(file, context.cwd) };
  if (workload === undefined) return { kind: 'workspace' };
  const [workloadKind, namespace, name, ...rest] = workload.split('/');
  if (workloadKind === undefined || namespace === undefined || name === undefined || name === '' || rest.length > 0) {
    throw new UsageError(`--workload must be KIND/NAMESPACE/NAME, not '${workload}'`);
  }
  return { kind: 'workload', workloadKind, namespace, name };
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed) || text.trim() === '') {
    throw new UsageError(`--seed must be a whole number, not '${text}'`);
  }
  return seed;
}
