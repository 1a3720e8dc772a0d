import { jsonText } from '../terminal/json.ts';
import { inert, printable } from '../terminal/text.ts';
import { resolve } from 'node:path';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { NodeFileProvider } from '../../manifests/node-file-provider.ts';
import { parseManifestFile } from '../../manifests/parse-manifest-file.ts';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import type { Refusal } from '../../sources/files/source.ts';
import { isInTarget } from '../../sources/targets/targets.ts';
import { toolVersion } from '../../sources/tools/tools.ts';
import { oneOf } from '../arguments.ts';
import { exitCode, UsageError, type Command, type CommandContext } from '../command.ts';
import { parseInProject } from '../project.ts';
import { fetchRemotes } from '../fetch-remotes.ts';
import { namesOf } from '../read-files.ts';
import { displayedPath, readSources, type ReadSources, sourceHelp, sourceOptions } from '../read-sources.ts';

const options = {
  ...sourceOptions,
  fetch: { type: 'boolean', default: false },
  yes: { type: 'boolean', short: 'y', default: false },
  repin: { type: 'boolean', default: false },
  format: { type: 'string', default: 'text' },
} as const;

export const sourcesCommand: Command = {
  help: `Usage: podium sources PATH… [options]

Lists the kustomizations, charts, and objects of Flux and Argo CD under each PATH (a folder), with
the number of objects that each renders to, or the reason why it cannot be rendered. They are
rendered with the kubectl (or kustomize) and helm from PATH, never from the folders that are worked
on, without network and without plugins.

Overlays of one base, and value files of one chart, are alternatives: a target takes one of each.

Charts and bases that are not under PATH are fetched by --fetch and by nothing else. It lists what
would be fetched from where, asks, and fetches with your own helm and git, into a folder of Podium's
own (podium/fetched below XDG_CACHE_HOME or ~/.cache). All commands render with what is there,
without network. Versions and tags are kept by their content: one that has changed is refused.

Options:
${sourceHelp}  --fetch                fetch what is remote, when you have said yes
  -y, --yes              with --fetch: do not ask for confirmation
  --repin                with --fetch: take what has changed under the same version, tag or address
  --format text|json     how to print; default text
  -h, --help             show this help

Exit codes: 0 listed, also what cannot be rendered; 1 with --fetch: not everything is fetched;
2 could not run.

Examples:
  podium sources .
  podium sources deploy --target staging
  podium sources . --fetch --yes
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context);
    const format = oneOf('--format', values.format, ['text', 'json']);
    if (positionals.length === 0) throw new UsageError('name at least one folder');
    const plain = await readPlain(positionals, context);
    if (plain.length === 0) throw new UsageError(`no YAML files in ${namesOf(positionals)}`, true);
    if (!values.fetch && (values.yes || values.repin)) throw new UsageError('--yes and --repin are for --fetch');
    const read = (): Promise<ReadSources> => readSources(positionals, plain, values, context, ({ all }) => all);
    const { found, isComplete } = values.fetch
      ? await fetchRemotes(read, positionals, values, context)
      : { found: await read(), isComplete: true };
    const listing = await listingOf(found, positionals, context);
    context.stdout.write(format === 'json' ? `${jsonText(listing)}\n` : inert(textOf(listing)));
    return isComplete ? exitCode.success : exitCode.failure;
  },
};

async function readPlain(paths: readonly string[], { cwd }: CommandContext): Promise<ManifestFile[]> {
  const provider = new NodeFileProvider(paths.map((path) => resolve(cwd, path)));
  const files: ManifestFile[] = [];
  for (const uri of await provider.find()) {
    const { text } = await provider.read(uri);
    if (text !== null) files.push(parseManifestFile(uri, text));
  }
  return files;
}

interface Listing {
  readonly tools: readonly { readonly program: string; readonly path: string; readonly version: string }[];
  /** Names of those that ran without a sandbox of the operating system. */
  readonly withoutSandbox: readonly string[];
  readonly targets: readonly { readonly name: string; readonly objects: number; readonly workloads: number }[];
  readonly sources: readonly ListedSource[];
}

interface ListedSource {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly line: number;
  readonly targets: readonly string[];
  readonly objects: number;
  readonly workloads: number;
  /** Null for what was rendered. */
  readonly refusal: {
    readonly why: string;
    readonly message: string;
    readonly path: string;
    readonly line: number;
  } | null;
  /** What it was rendered without; null for what was rendered whole. */
  readonly leftOut: ListedSource['refusal'];
  readonly notes: readonly string[];
}

async function listingOf(found: ReadSources, paths: readonly string[], { cwd }: CommandContext): Promise<Listing> {
  const { applied, targets, tools, withoutSandbox } = found;
  const roots = paths.map((path) => resolve(cwd, path));
  const named = targets.all.filter(({ name }) => name !== '');
  const used = [tools.kustomize, tools.helm].filter((tool) => tool !== null);
  return {
    tools: await Promise.all(used.map(async (tool) => ({ ...tool, version: await toolVersion(tool, roots) }))),
    withoutSandbox,
    targets: named.map((target) => {
      const objects = found
        .rendered(target)
        .files.flatMap(({ documents }) => documents.flatMap(({ document }) => document.objects));
      return {
        name: target.name,
        objects: objects.length,
        workloads: objects.filter(({ kind }) => isWorkloadKind(kind)).length,
      };
    }),
    sources: applied.sources.map((each) => ({
      name: each.source.name,
      kind: each.source.kind,
      path: displayedPath(each.source.place.file, cwd),
      line: each.source.place.line + 1,
      targets: named.filter((target) => isInTarget(target, each)).map(({ name }) => name),
      objects: each.made.length,
      workloads: each.made.filter(({ object }) => isWorkloadKind(object.kind)).length,
      refusal: placed(each.refusal, cwd),
      leftOut: each.refusal === null ? placed(each.source.leftOut ?? null, cwd) : null,
      notes: each.notes,
    })),
  };
}

function placed(refusal: Refusal | null, cwd: string): ListedSource['refusal'] {
  if (refusal === null) return null;
  const { why, message, place } = refusal;
  return { why, message, path: displayedPath(place.file, cwd), line: place.line + 1 };
}

function textOf({ tools, targets, sources }: Listing): string {
  const lines: string[] = [];
  const width = Math.max(0, ...sources.map(({ name }) => Math.min(name.length, longestName)));
  for (const { name, objects, workloads, targets: of, refusal, leftOut, notes } of sources) {
    // What no target names is part of what is applied where none is chosen.
    const isOfAll = of.length === 0 || of.length === targets.length;
    const made = `${many(objects, 'object')}, ${many(workloads, 'workload')}${isOfAll ? '' : ` [${of.join(', ')}]`}`;
    const why = ({ message, path, line }: NonNullable<typeof refusal>): string => `${message} (${path}:${line})`;
    const text = refusal === null ? made : `not rendered: ${why(refusal)}`;
    const below = [...notes, ...(leftOut === null ? [] : [`in part: ${why(leftOut)}`])];
    lines.push(
      ...[`${name.padEnd(width)}  ${text}`, ...below.map((note) => `${' '.repeat(width)}  ${note}`)].map(printable),
    );
  }
  if (sources.length === 0) {
    lines.push('Nothing makes objects of these files; manifests are applied as they are written.');
  }
  if (targets.length > 0) {
    lines.push('', 'Targets:');
    for (const { name, objects, workloads } of targets) {
      lines.push(printable(`  ${name}: ${many(objects, 'object')}, ${many(workloads, 'workload')}`));
    }
  }
  const rendered = sources.filter(({ refusal }) => refusal === null).length;
  lines.push('', `${rendered} of ${many(sources.length, 'source')} rendered.`);
  if (tools.length > 0) {
    lines.push(printable(`With ${tools.map(({ path, version }) => `${path} ${version}`).join(' and ')}.`));
  }
  return `${lines.join('\n')}\n`;
}

const longestName = 50;

function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
