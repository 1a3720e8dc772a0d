import { snapshotLimits } from '../manifests/limits.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import { parseManifestFile } from '../manifests/parse-manifest-file.ts';
import { snapshotFault } from '../manifests/snapshot-fault.ts';
import { type CommandContext, UsageError } from './command.ts';
import { namesOf, pathToUri, readFile } from './read-files.ts';

/** The cluster snapshot of `--snapshot`. Throws `UsageError` when it cannot be read, or is nothing to rest an answer on. */
export async function readSnapshot(path: string, context: CommandContext): Promise<ManifestFile> {
  const text = await readFile(path, context);
  const uri = path === '-' ? 'stdin:/snapshot.yaml' : pathToUri(path, context.cwd);
  const file = parseManifestFile(uri, text, null, undefined, snapshotLimits);
  const fault = snapshotFault(file, text);
  if (fault !== null) throw new UsageError(`the cluster snapshot ${namesOf([path])} ${fault.replace(/\.$/, '')}`);
  return file;
}
