import { didYouMean } from '../arguments.ts';
import { UsageError, exitCode, type Command } from '../command.ts';
import { commands } from './index.ts';

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
  async run(args, { stdout }) {
    const [asked = '', ...others] = args;
    const shell = shells.find((each) => each === asked);
    if (shell === undefined || others.length > 0) {
      throw new UsageError(`name a shell: ${shells.join(', ')}${asked === '' ? '' : didYouMean(asked, shells)}`);
    }
    const all = await Promise.all(
      commands.map(async ({ name, summary, load }) => ({ name, summary, options: optionsIn((await load()).help) })),
    );
    stdout.write(shell === 'fish' ? fishScript(all) : bashScript(all, shell === 'zsh'));
    return exitCode.success;
  },
};

interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
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
