import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { compareText } from '../../util/words.ts';
import { nameOf } from '../../kubernetes/names.ts';
import { Inventory } from '../../simulation/cluster/inventory.ts';
import { collectWorkloads } from '../../simulation/cluster/workload-set.ts';
import { loadAppliedInput } from '../applied-input.ts';
import { didYouMean } from '../arguments.ts';
import { UsageError, exitCode, type Command, type CommandContext } from '../command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completionCommand: Command = {
  help: `Usage: podium completion ${shells.join('|')}
       podium completion names COMMAND [PATH…]

Prints what completes commands, options, files and the names in them in a shell. With names: what
COMMAND may be asked about, one a line, from the manifests under each PATH or the working folder.

  bash   source <(podium completion bash)
  zsh    source <(podium completion zsh)
  fish   podium completion fish | source

Options:
  -h, --help  show this help
`,
  async run(args, context) {
    const [asked = '', ...others] = args;
    if (asked === 'names') {
      const names = await namesFor(others[0] ?? '', others.slice(1), context);
      for (const name of names.filter((each) => safeName.test(each))) context.stdout.write(`${name}\n`);
      return exitCode.success;
    }
    const shell = shells.find((each) => each === asked);
    if (shell === undefined || others.length > 0) {
      throw new UsageError(`name a shell: ${shells.join(', ')}${asked === '' ? '' : didYouMean(asked, shells)}`);
    }
    const all: Completed[] = [];
    for (const [, name = '', summary = ''] of (await helpOf([], context)).matchAll(/^ {2}podium ([a-z]+) +(.+)$/gm)) {
      all.push({ name, summary, options: optionsIn(await helpOf([name], context)) });
    }
    context.stdout.write(shell === 'fish' ? fishScript(all) : bashScript(all, shell === 'zsh'));
    return exitCode.success;
  },
};

/**
 * Names as the API server takes them. bash expands what is completed, so that any other name might run a command.
 */
const safeName = /^[A-Za-z0-9][\w./-]*$/;

/** What a command is asked about: of manifests as they are written, as nobody waits for a rendering. */
async function namesFor(
  command: string,
  words: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const named = words.filter((word) => existsSync(resolve(context.cwd, word)));
  const paths = named.length === 0 ? ['.'] : named;
  const silent = { ...context, stderr: { write: () => true } };
  try {
    const input = await loadAppliedInput(paths, { kubernetes: 'auto', 'no-render': true }, silent);
    const inventory = new Inventory(input);
    const nodes = inventory.objects('Node');
    if (command === 'drain' || command === 'pressure') return nodes.map(nameOf).sort(compareText);
    const workloads = collectWorkloads(inventory, nodes).filter(({ declared }) => declared !== undefined);
    const withKind = command === 'fit' || command === 'simulate';
    return [
      ...new Set(workloads.map(({ kind, namespace, name }) => `${withKind ? `${kind}/` : ''}${namespace}/${name}`)),
    ].sort(compareText);
  } catch (error) {
    // Nothing completes where nothing can be read.
    if (error instanceof UsageError) return [];
    throw error;
  }
}

interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
}

/** What the program says of its commands, or of one. */
async function helpOf(args: readonly string[], context: CommandContext): Promise<string> {
  const parts: string[] = [];
  const stdout = new Writable({
    write: (chunk: Buffer | string, _encoding, done) => {
      parts.push(chunk.toString());
      done();
    },
  });
  await context.run([...args, '--help'], { ...context, stdout });
  return parts.join('');
}

/** As its help lists them. */
function optionsIn(help: string): readonly string[] {
  return [
    ...new Set([...help.matchAll(/^ {2}(?:-\w(?: [A-Z]+)?, )?(--[a-z][a-z-]*)/gm)].map(([, option = '']) => option)),
  ];
}

function bashScript(all: readonly Completed[], isZsh: boolean): string {
  const cases = all.map(({ name, options }) => `      ${name}) words='${options.join(' ')}' ;;`);
  return `${isZsh ? 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n' : ''}_podium() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${all.map(({ name }) => name).join(' ')} --help --version'
  elif [ "\${current#-}" != "$current" ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
  else
    case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
      'simulate --workload') words="$(podium completion names simulate "\${COMP_WORDS[@]:2}" 2>/dev/null)" ;;
      'drain drain'|'pressure pressure'|'evict evict'|'fit fit'|'threats threats')
        words="$(podium completion names "\${COMP_WORDS[1]}" 2>/dev/null)" ;;
      *)
        COMPREPLY=($(compgen -f -- "$current"))
        return ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _podium podium
`;
}

function fishScript(all: readonly Completed[]): string {
  const lines = all.flatMap(({ name, summary, options }) => [
    `complete -c podium -n __fish_use_subcommand -f -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
    ...options.map(
      (option) => `complete -c podium -n '__fish_seen_subcommand_from ${name}' -l ${option.slice('--'.length)}`,
    ),
  ]);
  const names = ['drain', 'pressure', 'evict', 'fit', 'threats'].map(
    (name) =>
      `complete -c podium -n '__fish_seen_subcommand_from ${name}; and test (count (commandline -opc)) -eq 2' -f -a '(podium completion names ${name} 2>/dev/null)'`,
  );
  const workloads = `complete -c podium -n '__fish_seen_subcommand_from simulate' -l workload -x -a '(podium completion names simulate 2>/dev/null)'`;
  return `${[...lines, ...names, workloads].join('\n')}\n`;
}
