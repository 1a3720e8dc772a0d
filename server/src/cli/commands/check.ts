import { inert } from '../terminal/text.ts';
import { comparedMinor } from '../../util/minors.ts';
import { hides, type Unseen } from '../../kubernetes/unseen.ts';
import { unseenSummary } from '../../simulation/report/unseen.ts';
import type { ManifestProblemCode } from '../../manifests/manifest.ts';
import { rulesByCode } from '../../language/rules/registry.ts';
import {
  defaultSettings,
  kubernetesVersions,
  type RuleSetting,
  ruleSettings,
  type Settings,
} from '../../language/settings/settings.ts';
import { parseAdmissionPlugins, parseFeatureGates } from '../api-server-options.ts';
import { didYouMean, oneOf, type parseArguments } from '../arguments.ts';
import { Baseline } from '../../language/known/baseline.ts';
import { checkFiles, type CheckRequest } from '../check/check-files.ts';
import { readFile } from '../read-files.ts';
import type { CheckResult, Problem } from '../check/check-result.ts';
import { renderGithub } from '../check/github.ts';
import { renderGitlab } from '../check/gitlab.ts';
import { checkData } from '../check/json.ts';
import { jsonText } from '../terminal/json.ts';
import { cutToRows } from '../answer/print-answer.ts';
import { renderSarif } from '../check/sarif.ts';
import { renderText } from '../check/text.ts';
import { sourceHelp, sourceOptions } from '../read-sources.ts';
import { exitCode, UsageError, type Command, type CommandContext } from '../command.ts';
import { parseInProject } from '../project.ts';

/** Of `podium baseline`, too. */
export const judgingOptions = {
  severity: { type: 'string', multiple: true },
  snapshot: { type: 'string' },
  'feature-gates': { type: 'string' },
  context: { type: 'string', multiple: true },
  kubernetes: { type: 'string', default: 'auto' },
  'admission-plugins': { type: 'string' },
  ...sourceOptions,
} as const;

const options = {
  ...judgingOptions,
  format: { type: 'string', default: 'text' },
  since: { type: 'string' },
  baseline: { type: 'string' },
  'fail-on': { type: 'string' },
} as const;

/** Problems that mean that something was not checked, however grave they are said to be. */
const leftOut: ReadonlySet<string> = new Set<ManifestProblemCode>([
  'document-too-deep',
  'document-too-large',
  'too-many-documents',
  'file-too-large',
  'unreadable-file',
  'podium-failed',
]);

const formats = ['text', 'json', 'sarif', 'github', 'gitlab'] as const;

export const checkCommand: Command = {
  help: `Usage: podium check PATH… [options]

Prints the problems that the editor shows, for every YAML and JSON file under each PATH (a file, a
folder, or - for standard input). Files are checked together: a class or a budget in one file is
known in all. Each file is compared with its version at git HEAD, as the editor does. In a pull
request, name the commit that it changes: --since origin/main.

Options:
  --format text|json|sarif|github|gitlab
                         output: for people; as one JSON object (ranges count from 0); as a
                         SARIF 2.1.0 log; as annotations of GitHub Actions; as a Code Quality
                         report of GitLab. Default text
  --severity CODE=LEVEL  the severity of a rule: error, warning, information, hint or off
                         (as the setting podium.rules.CODE; may be repeated)
  --snapshot FILE        the cluster: the output of podium snapshot or kubectl get … -A -o yaml
  --kubernetes ${kubernetesVersions.join('|')}
                         the version to validate with. auto, the default, is the version that the
                         snapshot names, else that of the newest kubelet, else ${comparedMinor}
  --admission-plugins NAME[,NAME]
                         admission plugins that are enabled in addition to the defaults:
                         LimitPodHardAntiAffinityTopology
  --feature-gates NAME=true[,NAME=false]
                         feature gates that differ from the defaults; those in files of
                         Talos, kubeadm, kind and k3s are found
  --since COMMIT         compare with this commit instead of HEAD, as in a pull request, whose files
                         are those of HEAD; problems that it already has are listed and do not fail
  --baseline BASELINE    a file written by podium baseline: problems in it do not fail
  --fail-on unseen       exit with 1 if anything could not be seen, whatever the reason
  --context PATH         files that are used but not checked (may be repeated)
${sourceHelp}  -h, --help             show this help

Kustomizations, charts and objects of Flux and Argo CD are rendered with your own kubectl (or
kustomize) and helm, in every target. Problems are reported in the file you would edit to fix them.
What cannot be rendered is counted; if it fails, takes too long or lacks its tool, the exit code
is 1.

Comments turn a rule off, as in the editor: # podium-disable-next-line CODE, # podium-disable CODE.

With --since and --baseline only new problems count.
Exit codes: 0 no errors, 1 errors or something that could not be checked, 2 could not run.

Examples:
  podium check deploy/
  podium check . --since origin/main
  podium check . --baseline podium-baseline.json
  podium check deploy/app.yaml --context deploy/ --severity budget-overlap=error
  helm template chart/ | podium check - --format github
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context, rulesByCode);
    const format = oneOf('--format', values.format, formats);
    const failsOn = values['fail-on'] === undefined ? undefined : oneOf('--fail-on', values['fail-on'], ['unseen']);
    if (positionals.length === 0) throw new UsageError('name at least one file or folder');
    if (values.since !== undefined && values.baseline !== undefined) {
      throw new UsageError('--since and --baseline exclude each other');
    }
    const request = {
      ...checkRequest(positionals, values),
      since: values.since,
      baseline: values.baseline === undefined ? undefined : await readBaseline(values.baseline, context),
    };
    const result = await checkFiles(request, context);
    for (const reason of result.uncommitted) {
      context.stderr.write(`podium check: committed versions are not known: ${reason}\n`);
    }
    const hidden = result.unseen.filter(
      (one) => one.hasFailed === true || one.lacksTool !== undefined || (failsOn === 'unseen' && hides(one)),
    );
    context.structured?.(cutToRows(checkData(result)));
    context.stdout.write(render(format, result, hidden, context));
    for (const line of unseenSummary(hidden)) context.stderr.write(`podium check: not checked: ${line}\n`);
    const isFailure = ({ severity, code }: Problem): boolean => severity === 'error' || leftOut.has(code);
    return hidden.length > 0 || result.problems.some(isFailure) ? exitCode.failure : exitCode.success;
  },
};

/** What the arguments ask for. Throws `UsageError`. */
export function checkRequest(
  paths: readonly string[],
  values: ReturnType<typeof parseArguments<typeof judgingOptions>>['values'] & Pick<Settings, 'folders'>,
): CheckRequest {
  return {
    paths,
    context: values.context ?? [],
    snapshot: values.snapshot,
    sources: values,
    settings: {
      ...defaultSettings,
      kubernetes: {
        version: oneOf('--kubernetes', values.kubernetes, kubernetesVersions),
        featureGates: parseFeatureGates(values['feature-gates']),
      },
      admissionPlugins: parseAdmissionPlugins(values['admission-plugins']),
      rules: parseSeverities(values.severity ?? []),
      folders: values.folders,
    },
  };
}

/** Throws `UsageError` for a file that is no baseline. */
export async function readBaseline(path: string, context: CommandContext): Promise<Baseline> {
  const text = await readFile(path, context);
  try {
    return Baseline.parse(text, path);
  } catch (error) {
    throw new UsageError(`${path} ${error instanceof Error ? error.message : String(error)}`, true);
  }
}

function render(
  format: (typeof formats)[number],
  result: CheckResult,
  hidden: readonly Unseen[],
  context: CommandContext,
): string {
  switch (format) {
    case 'text':
      return inert(renderText(result, hidden, context.colour));
    case 'json':
      return `${jsonText(checkData(result))}\n`;
    case 'sarif':
      return renderSarif(result, context.version(), context.rulePage);
    case 'gitlab':
      return renderGitlab(result);
    case 'github':
      return renderGithub(result);
  }
}

/** Reads `CODE=LEVEL` words. Throws `UsageError`. */
function parseSeverities(words: readonly string[]): ReadonlyMap<string, RuleSetting> {
  return new Map(
    words.map((word) => {
      const [code = '', level, ...rest] = word.split('=');
      if (level === undefined || rest.length > 0) throw new UsageError(`--severity must be CODE=LEVEL, not '${word}'`);
      if (!rulesByCode.has(code)) {
        throw new UsageError(`--severity: no rule '${code}'${didYouMean(code, rulesByCode.keys())}`);
      }
      return [code, oneOf('--severity: the level', level, ruleSettings)];
    }),
  );
}
