import { oneOf, parseArguments } from '../arguments.ts';
import { clusterHelp, clusterOptions } from '../applied-input.ts';
import { exitCode, UsageError, worked, type Command, type CommandContext } from '../command.ts';
import { loadScenario, type LoadedScenario, parseEvents, parseWhatIfs } from '../events.ts';
import { answerData } from '../mcp/answer-data.ts';
import { parseInProject } from '../project.ts';
import { namesOf, pathToUri } from '../read-files.ts';
import { failureReason, has, parseCauses } from '../report/fail-on.ts';
import { workloadsWithScheduling } from '../report/scheduling.ts';
import { type Section, sections } from '../report/table.ts';
import { isSavedReport, loadInputs, type LoadedInputs, loadReport } from '../simulate/load-inputs.ts';
import { decisionsToPrint, render, withLosses } from '../simulate/print-report.ts';
import { type AskedRun, type Before, simulateAgainst, simulateOrRefuse } from '../simulate/run-simulation.ts';
import { jsonText } from '../terminal/json.ts';
import { commandAgain } from '../terminal/shell.ts';
import { inert, printable } from '../terminal/text.ts';
import { hides } from '../../kubernetes/unseen.ts';
import type { Remedy } from '../../report-model/remedy.ts';
import type { WholeReport } from '../../report-model/report.ts';
import { unseenSummary } from '../../simulation/report/unseen.ts';
import {
  capacityOf,
  endOfRun,
  isLarge,
  manifestsOf,
  type SavedManifests,
  type Scenario,
  type ScenarioEvent,
  type SimulationInput,
  type SimulationOptions,
  sizeText,
  whatWouldHelp,
  workloadScenario,
} from '../../simulation/index.ts';
import { gitName } from '../../util/words.ts';

const options = {
  ...clusterOptions,
  format: { type: 'string', default: 'table' },
  file: { type: 'string' },
  workload: { type: 'string' },
  since: { type: 'string' },
  prune: { type: 'boolean' },
  'what-if': { type: 'string', multiple: true },
  event: { type: 'string', multiple: true },
  scenario: { type: 'string' },
  against: { type: 'string' },
  autoscaled: { type: 'string' },
  autoscale: { type: 'string' },
  'no-autoscale': { type: 'boolean' },
  'ready-after': { type: 'string' },
  seed: { type: 'string' },
  show: { type: 'string' },
  by: { type: 'string' },
  decisions: { type: 'boolean' },
  summary: { type: 'boolean' },
  'fail-on': { type: 'string' },
} as const;

export const simulateCommand: Command = {
  help: `Usage: podium simulate PATH… [options]

Reads the YAML and JSON manifests under each PATH (a file, a folder, or - for standard input), runs
the scheduler over them, and prints the outcome. Pods with a nodeName run; all others are scheduled.

What is scheduled:
  (nothing said)               every pending pod, highest priority first
  --file FILE                  the workloads of one file; everything else is placed first
  --workload KIND/NAMESPACE/NAME
                               one workload; everything else is placed first

  --since COMMIT               what a change does: the manifests at a git commit run, every pod
                               that finds a place, and what has changed since is applied to them
                               as kubectl apply does it, workloads are rolled out
  --prune                      with --since or --against: what is not written any more is
                               removed, and does not stay; what Helm, Flux (prune: true) or
                               Argo CD (automated pruning) applies is removed anyway
  --what-if OPERATION          what an operation does to a cluster in which the manifests run; may
                               be repeated, each applies to what the one before made.
                               Names are KIND/NAMESPACE/NAME, or node/NAME:
                                 cordon NODE, uncordon NODE, remove NODE|BUDGET,
                                 add COUNT nodes like NODE [CPU:MEMORY[:PODS]] [KEY=VALUE],
                                 add COUNT nodes CPU:MEMORY[:PODS] [KEY=VALUE],
                                 label NODE KEY=VALUE|KEY-, taint NODE KEY[=VALUE]:EFFECT|KEY-,
                                 scale NAME REPLICAS, priority NAME CLASS, ungate NAME,
                                 request NAME cpu=200m, tolerate NAME KEY[=VALUE][:EFFECT],
                                 class CLASS value=NUMBER|preemptionPolicy=Never,
                                 budget NAME minAvailable=1|maxUnavailable=1,
                                 limit nodepool/NAME cpu=100, limit GROUP nodes=5,
                                 delete NAME, finish NAME, arrive NAME,
                                 pressure NODE NAME=MEMORY…, drain NODE with kubectl's flags,
                                 fail NODE (its kubelet ends), unready NAME (its new pods stay so)
  --event 'OPERATION at TIME'  an operation while the cluster runs, as 'drain node/a at 60s',
                               compared with the run without it; without a time it comes once
                               everything before it has settled. May be repeated
  --scenario FILE              a file *.podium.yaml: a cluster and its events; no PATH is
                               needed then
  --against FILE               compare with the run of this scenario, not with that without events,
                               or with what was deployed when a report was saved with
                               --format json (of any name but *.yaml)
  --autoscaled minimum|maximum|present
                               the size of what a HorizontalPodAutoscaler scales; default as
                               it is written
  --autoscale SECONDS          how long a node takes that Karpenter or Cluster Autoscaler adds for
                               pods that stay pending, where there are NodePools or node groups;
                               default 60
  --no-autoscale               no node is added
  --ready-after TIME           how long new pods of a roll-out run before they are ready, as 30s;
                               default the initial delay of their readiness probe

${clusterHelp}
Output:
  --format table|markdown|json|html
                               json is the whole report, one object; markdown is for comments on
                               pull requests, at most 60,000 bytes; html is the page of the
                               editor as one file, for any browser; default table
  --show SECTION[,SECTION…]    of the table, besides the answer: nodes, steps, timeline, pods,
                               decisions, capacity (how many more replicas fit), assumptions,
                               or all; what capacity finds is in json and html too. Of a
                               comparison, answer: the lines of the run with the change
  --by KEY                     show evicted pods in a table, by namespace, class, workload, pool,
                               zone or a label of workloads, such as team; above eight workloads
                               that is done by namespace
  --decisions                  in json every decision whole: without it those past two million
                               characters have no nodes, candidates and scores; in the table as
                               with --show decisions
  --summary                    the headline, its cause and the balance, nothing else
  --fail-on WHAT[,WHAT…]       exit with 1 if there is any: evicted, budget, pending, refused,
                               down, blocked; in a comparison only if it is new. unseen: if
                               anything could not be seen. A source that fails or takes too long
                               exits with 1 in any case
  --seed NUMBER                draw among equally good nodes instead of taking the first by name
  -h, --help                   show this help

Colour is used on a terminal, and not when NO_COLOR is set; FORCE_COLOR=1 asks for it elsewhere.
COLUMNS says how wide lines may be.

Exit codes: 0 simulated; 1 with --fail-on, or not as the scenario expects; 2 could not run.

Examples:
  podium simulate samples/online-shop
  podium simulate . --workload Deployment/shop/checkout
  podium simulate . --since origin/main --fail-on evicted,budget
  podium simulate . --against monday.json --fail-on evicted
  podium simulate samples/online-shop --what-if 'add 1 node like general-a'
  podium simulate . --show nodes,steps
  podium simulate samples/online-shop --format html > report.html
  podium simulate samples/online-shop --event 'drain node/general-a --ignore-daemonsets at 60s'
  podium simulate charts/web -f charts/web/values-prod.yaml --namespace shop
  kubectl get nodes,pods,priorityclasses,pdb -A -o yaml > cluster.yaml
  podium simulate deploy/ --snapshot cluster.yaml --format json
`,

  async run(args, context) {
    const { scenario: named } = parseArguments(args, options).values;
    const file = named === undefined ? null : await loadScenario(named, context);
    const { values, positionals } = await parseInProject(args, options, context, undefined, file?.paths);
    const format = oneOf('--format', values.format, ['table', 'markdown', 'json', 'html']);
    const { since } = values;
    if (values.file !== undefined && values.workload !== undefined) {
      throw new UsageError('--file and --workload exclude each other');
    }
    if (values.prune === true && since === undefined && values.against === undefined) {
      throw new UsageError('--prune is for --since and --against');
    }
    if (since !== undefined && values.against !== undefined) {
      throw new UsageError('--since and --against exclude each other');
    }
    const whatIfs = parseWhatIfs(values['what-if'] ?? []);
    const given = [...whatIfs, ...parseEvents('--event', values.event ?? [])];
    const saved = isSavedReport(values.against) ? await loadReport(values.against, context) : null;
    const against = values.against === undefined || saved !== null ? null : await loadScenario(values.against, context);
    if (positionals.length === 0 && file === null) throw new UsageError('name at least one file or folder');
    const show = parseSections(values.show, values.decisions === true);
    const causes = parseCauses(values['fail-on']);
    const seed = values.seed === undefined ? undefined : parseSeed(values.seed);
    let isTold = false;
    let progress = (): string => '';
    const simulationOptions: SimulationOptions = {
      ...(seed === undefined ? {} : { seed }),
      ...(context.progress === undefined ? {} : { progress: (text: () => string) => (progress = text) }),
      begins: (size) => {
        if (isTold || !isLarge(size)) return;
        isTold = true;
        context.stderr.write(`podium: ${sizeText(size)}; Ctrl+C ends it\n`);
      },
    };

    const inputOf = (scenario: LoadedScenario | null): Promise<LoadedInputs> =>
      loadInputs(positionals.length > 0 ? positionals : (scenario?.paths ?? []), values, scenario, context);
    const { earlier, input, pruned, scenario: open } = await inputOf(file);
    const events = [...(file?.file.events ?? []), ...given];
    const scenario = open ?? scenarioOf(values.file, values.workload ?? file?.file.workload, context);
    const before: Before | null =
      earlier !== null
        ? { input: earlier, events: [], since: gitName(since ?? '') }
        : against !== null
          ? {
              input: (await inputOf(against)).input,
              events: against.file.events,
              since: namesOf([values.against ?? '']),
            }
          : events.length > 0
            ? {
                input,
                events: [],
                since: `the run without the ${whatIfs.length === events.length ? 'what-if' : 'events'}`,
              }
            : null;
    const asked: AskedRun = {
      input,
      prunes: values.prune === true || pruned,
      scenario,
      events,
      questions: file?.file.questions ?? [],
      placeOf: (text) => file?.placeOf(text) ?? '',
    };
    const { report: answered, input: applied } = await worked(
      context,
      saved === null
        ? simulateOrRefuse(asked, before, simulationOptions)
        : simulateAgainst(saved, namesOf([values.against ?? '']), asked, simulationOptions),
      () => progress(),
    );
    const isOfWhatIf = new Set(whatIfs.map(({ text }) => text));
    const idle = answered.events.filter(({ told }) => told.some((line) => line.startsWith('no effect')));
    for (const { text } of idle.slice(0, idleShown)) {
      const option = isOfWhatIf.has(text) ? '--what-if' : '--event';
      context.stderr.write(`podium: ${option} '${text}': no effect\n`);
    }
    if (idle.length > idleShown) context.stderr.write(`podium: ${idle.length - idleShown} more have no effect\n`);
    const fixed = file?.file.events.length ?? 0;
    const remedies =
      values.summary === true
        ? null
        : await worked(
            context,
            whatWouldHelp(answered, applied, scenario, events, simulationOptions, fixed),
            () => 'Trying what would help',
          ).then((all) => all.filter(isTried));
    const capacity = show.has('capacity')
      ? await worked(context, roomLeft(applied, scenario, events, simulationOptions))
      : null;
    const command = context.isAssistant ? {} : { command: commandAgain('simulate', args) };
    const report = withLosses({ ...answered, ...command, remedies, capacity }, values.by);
    context.structured?.(answerData(report));
    const form = values.summary === true ? 'summary' : format;
    const asJson = (): string => {
      const saved: WholeReport & { readonly manifests: SavedManifests } = {
        ...report,
        workloads: workloadsWithScheduling(report, applied),
        manifests: manifestsOf(input, events),
      };
      return `${jsonText({ ...saved, decisions: decisionsToPrint(report, values.decisions === true, context) })}\n`;
    };
    const rendered = form === 'json' ? asJson() : render(report, form, { ...context, show, ...command });
    context.stdout.write(await rendered);
    // What was not seen may hide any of it.
    const isHidden = causes.length > 0 && report.unseen.some(({ hasFailed }) => hasFailed === true);
    const failing = causes.filter((cause) => has(report, cause));
    const unmet = report.questions.filter(({ isMet }) => isMet === false);
    if (failing.length + unmet.length === 0 && !isHidden) return exitCode.success;
    const output = form === 'table' || form === 'summary' ? context.stdout : context.stderr;
    for (const { text, answer } of unmet) output.write(`${inert(printable(`not as expected: ${text}: ${answer}`))}\n`);
    for (const cause of failing) output.write(`${inert(printable(failureReason(report, cause)))}\n`);
    const hidden = report.unseen.filter((one) => one.hasFailed === true || (causes.includes('unseen') && hides(one)));
    for (const line of unseenSummary(hidden)) context.stderr.write(`podium simulate: not seen: ${line}\n`);
    return exitCode.failure;
  },
};

/** An editor runs the others when they are pressed. */
const isTried = ({ whatIf, figures }: Remedy): boolean => whatIf.length === 0 || figures !== null;

/** Each workload of a large cluster takes a second. */
const mostMeasured = 200;

/** How many more replicas there is room for, of so many workloads. */
function* roomLeft(
  input: SimulationInput,
  scenario: Scenario,
  events: readonly ScenarioEvent[],
  options: SimulationOptions,
): Generator<void, NonNullable<WholeReport['capacity']>> {
  const end = yield* endOfRun(input, scenario, events, options);
  return yield* capacityOf(end, [...end.simulated.workloads.keys()].slice(0, mostMeasured));
}

/** More events without effect are counted. */
const idleShown = 20;

function parseSections(words: string | undefined, decisions: boolean): ReadonlySet<Section> {
  const named = [...(words?.split(',') ?? []), ...(decisions ? ['decisions'] : [])];
  return new Set(named.flatMap((word) => (word === 'all' ? sections : [oneOf('--show', word, [...sections])])));
}

function scenarioOf(file: string | undefined, workload: string | undefined, context: CommandContext): Scenario {
  if (file !== undefined) return { kind: 'file', uri: pathToUri(file, context.cwd) };
  if (workload === undefined) return { kind: 'workspace' };
  const scenario = workloadScenario(workload);
  if (scenario === null) throw new UsageError(`--workload must be KIND/NAMESPACE/NAME, not '${workload}'`);
  return scenario;
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed) || text.trim() === '') {
    throw new UsageError(`--seed must be a whole number, not '${text}'`);
  }
  return seed;
}
