import { Writable } from 'node:stream';
import { didYouMean } from '../arguments.ts';
import { UsageError, exitCode, type Command, type CommandContext } from '../command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completionCommand: Command = {
  help: `Usage: podium completion ${shells.join('|')}

Prints what completes commands, options and files in a shell.

  bash   source <(podium completion bash)
  zsh    source <(podium completion zsh)
  fish   podium completion fish | source

Options:
  -h, --help  show this help
`,
  async run(args, context) {
    const [asked = '', ...others] = args;
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
  return [...new Set([...help.matchAll(/^ {2}(?:-\w, )?(--[a-z][a-z-]*)/gm)].map(([, option = '']) => option))];
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
    COMPREPLY=($(compgen -f -- "$current"))
    return
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
  return `${lines.join('\n')}\n`;
}
