import { runToEnd } from '../util/steps.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import { readSnapshot as readInPieces } from '../manifests/read-snapshot.ts';
import { handedOver } from '../manifests/node-file-provider.ts';
import { fileSource } from '../manifests/file-source.ts';
import { type TextSource, textSource } from '../manifests/text-source.ts';
import { type CommandContext, UsageError } from './command.ts';
import { namesOf, pathToUri, readFile, refusal } from './read-files.ts';
import { standardInputSource } from './standard-input.ts';

/** The cluster snapshot of `--snapshot`. Throws `UsageError` when it cannot be read, or is nothing to rest an answer on. */
export async function readSnapshot(path: string, context: CommandContext): Promise<ManifestFile> {
  const { cwd, stdin } = context;
  const isFile = path !== '-';
  const uri = isFile ? pathToUri(path, cwd) : 'stdin:/snapshot.yaml';
  const open = async (): Promise<TextSource> => {
    if (!isFile) return standardInputSource(stdin);
    return handedOver.test(path) ? textSource(await readFile(path, context)) : fileSource(uri);
  };
  const outcome = (await readInPieces(uri, open, runToEnd))!;
  if ('file' in outcome) return outcome.file;
  if ('fault' in outcome) {
    throw new UsageError(`the cluster snapshot ${namesOf([path])} ${outcome.fault.message.replace(/\.$/, '')}`, true);
  }
  throw isFile ? refusal(path, outcome.unreadable, cwd) : new UsageError(`standard input ${outcome.unreadable}`, true);
}
