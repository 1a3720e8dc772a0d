import { resolve } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { count } from '../../util/words.ts';
import { baselineOf } from '../check/check-files.ts';
import { rulesByCode } from '../../language/rules/registry.ts';
import { exitCode, UsageError, type Command } from '../command.ts';
import { parseInProject } from '../project.ts';
import { checkRequest, judgingOptions, readBaseline } from './check.ts';

const options = {
  ...judgingOptions,
  output: { type: 'string', short: 'o', default: 'podium-baseline.json' },
  prune: { type: 'boolean', default: false },
} as const;

export const baselineCommand: Command = {
  help: `Usage: podium baseline PATH… [options]

Records the problems that podium check finds today, so that podium check --baseline fails for new
ones only. A problem is recognised by its rule, its file, its object and its place in the object, so
that it stays known while other lines are edited. The file has a line for each problem; commit it.

Options:
  -o, --output FILE      where to write; default podium-baseline.json
  --prune                add nothing; only remove problems that are gone
  -h, --help             show this help

and these options of podium check: --severity, --snapshot, --kubernetes,
--admission-plugins, --context, --target, --exclude, -f, --release, --namespace, --no-render.

Exit codes: 0 written, 2 could not run.

Examples:
  podium baseline .
  podium check . --baseline podium-baseline.json
  podium baseline . --prune
`,

  async run(args, context) {
    const { values, positionals } = await parseInProject(args, options, context, rulesByCode);
    if (positionals.length === 0) throw new UsageError('name at least one file or folder');
    const known = values.prune ? await readBaseline(values.output, context) : undefined;
    const found = await baselineOf(checkRequest(positionals, values), context);
    const baseline = known === undefined ? found : known.intersection(found);
    try {
      await writeFile(resolve(context.cwd, values.output), baseline.toText());
    } catch (error) {
      throw new UsageError(
        `cannot write ${values.output}: ${error instanceof Error ? error.message : String(error)}`,
        true,
      );
    }
    const gone = known === undefined ? 0 : known.size - baseline.size;
    const left = gone === 0 ? '' : `; ${count(gone, 'problem')} taken out`;
    context.stderr.write(`podium: wrote ${values.output}: ${count(baseline.size, 'known problem')}${left}\n`);
    return exitCode.success;
  },
};
