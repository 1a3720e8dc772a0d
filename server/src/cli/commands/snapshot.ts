import { resolve } from 'node:path';
import { askedKinds } from '../../capture/asked-kinds.ts';
import { Kubectl, KubectlError } from '../../capture/kubectl.ts';
import { takeSnapshot } from '../../capture/take-snapshot.ts';
import { describeSnapshot, writeSnapshot } from '../../capture/write-snapshot.ts';
import { foundSnapshotName } from '../../manifests/file-provider.ts';
import { list } from '../../util/words.ts';
import { didYouMean, parseArguments } from '../arguments.ts';
import { exitCode, UsageError, type Command } from '../command.ts';

const options = {
  context: { type: 'string' },
  output: { type: 'string', short: 'o', default: '-' },
} as const;

export const snapshotCommand: Command = {
  help: `Usage: podium snapshot [options]

Saves the scheduling-relevant state of a cluster, using your own kubectl and its kubeconfig, in the
form of kubectl get -o json. The context is printed before its cluster is asked.
The kinds are a fixed list:
${wrapped(askedKinds.map(({ resource }) => resource))}
Secrets and ConfigMaps are never requested. Environment variables, commands, probes, annotations
(but a few of Kubernetes itself), managed fields, messages and parameters are removed before anything is
written. If the cluster refuses a kind, the output says what follows from it; without nodes or pods
nothing is written.

kubectl is taken from PATH and never from the working folder; nor is its kubeconfig.
Use the file with --snapshot FILE, or name it in the setting podium.cluster.snapshot. One
called ${foundSnapshotName} in the folder that is worked on is found automatically.

Options:
  --context NAME         of the contexts of the kubeconfig; default its current one
  -o, --output FILE      where to write; default standard output
  -h, --help             show this help

Exit codes: 0 written, also when kinds are refused; 2 could not run.

Examples:
  podium snapshot -o ${foundSnapshotName}
  podium snapshot --context staging -o staging.json
  podium simulate deploy --snapshot staging.json
`,

  async run(args, context) {
    const { values, positionals } = parseArguments(args, options);
    if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`);
    const { output } = values;
    try {
      const kubectl = new Kubectl([context.cwd]);
      const name = await contextOf(kubectl, values.context);
      context.stderr.write(`podium: asking the context ${name} with ${kubectl.path}\n`);
      const taken =
        output === '-'
          ? await takeSnapshot(kubectl, name, (text) => written(context.stdout, text), Date.now())
          : await writeSnapshot(resolve(context.cwd, output), (write) =>
              takeSnapshot(kubectl, name, write, Date.now()),
            );
      const { missing, summary } = describeSnapshot(taken, output === '-' ? 'wrote' : `wrote ${output}:`);
      const hint = `${output} holds no secrets, but names, labels, images and amounts of what runs in your cluster`;
      const lines = [...missing, summary, ...(output === '-' ? [] : [hint])];
      for (const line of lines) context.stderr.write(`podium: ${line}\n`);
    } catch (error) {
      if (error instanceof KubectlError) throw new UsageError(error.message.replace(/[.]$/, ''), true);
      throw error;
    }
    return exitCode.success;
  },
};

async function contextOf(kubectl: Kubectl, wanted: string | undefined): Promise<string> {
  const contexts = await kubectl.contexts();
  const name = wanted ?? (await kubectl.currentContext());
  const known = contexts.length === 0 ? 'the kubeconfig has none' : `there are ${list(contexts, 20)}`;
  if (name === null) throw new UsageError(`no context is current; name one with --context: ${known}`, true);
  if (!contexts.includes(name)) {
    throw new UsageError(`there is no context '${name}'${didYouMean(name, contexts)} (${known})`, true);
  }
  return name;
}

function written(stdout: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (stdout.write(text)) resolve();
    else stdout.once('drain', resolve);
  });
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  let line = ' ';
  for (const [index, word] of words.entries()) {
    const text = ` ${word}${index < words.length - 1 ? ',' : '.'}`;
    if (line.length + text.length > 98) {
      lines.push(line);
      line = ' ';
    }
    line += text;
  }
  return [...lines, line].join('\n');
}
