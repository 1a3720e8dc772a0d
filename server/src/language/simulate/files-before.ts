import { say } from '../../util/say.ts';
import { type Edit, editsOf } from '../../util/edits.ts';
import type { CancellationToken } from 'vscode-languageserver';
import { runInSlices } from '../../util/run-in-slices.ts';
import { editorLimits } from '../../manifests/limits.ts';
import { isManifestName } from '../../manifests/file-provider.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { readManifestFile } from '../../manifests/parse-manifest-file.ts';
import { notComparedFiles, notComparedSources } from '../../simulation/cluster/input.ts';
import { canonicalUri } from '../../manifests/workspace-index.ts';
import { GitError } from '../../processes/git-error.ts';
import type { Session } from '../session/session.ts';
import type { EarlierTexts, FilesBefore } from '../session/simulations.ts';

/** What was applied in a commit. Rejects with `GitError` where git does not know it. */
export async function filesBefore(session: Session, commit: string, token: CancellationToken): Promise<FilesBefore> {
  const { texts, notCompared } = await textsBefore(session, commit);
  const plain = (await runInSlices(earlierFiles(session.index.files(), texts), () => true))!;
  const [target] = session.rendering.targets;
  const compared =
    target === undefined || session.rendering.applied === undefined
      ? { now: null, earlier: plain, notRendered: [], pruned: new Set<string>(), idle: new Set<string>() }
      : await session.rendering.applied.comparedWith(target, plain, texts, token);
  const edits: Edit[] = [];
  for (const [uri, text] of texts) {
    const now = isManifestName(uri)
      ? session.index
          .file(uri)
          ?.documents.map(({ document }) => document.text)
          .join('')
      : await session.savedText(uri);
    edits.push(...editsOf(uri, text ?? '', now ?? ''));
  }
  const { earlier: files } = compared;
  const now = compared.now === target?.applied() ? null : compared.now;
  const missing = [
    ...notComparedFiles(notCompared.length),
    ...notComparedSources(
      compared.notRendered.map(({ source: { name }, refusal }) => ({ name, why: refusal?.message ?? '' })),
    ),
  ];
  const counting = edits.filter(({ uri }) => !compared.idle.has(uri));
  return { now, files, missing, pruned: compared.pruned, edits: counting };
}

/** What files were in a commit, unsaved changes included. Rejects with `GitError` where git does not know it. */
export async function textsBefore(session: Session, commit: string): Promise<EarlierTexts> {
  // What begins with a dash is an option to git, whoever runs it.
  if (/^-|\p{Cc}/u.test(commit)) throw new GitError(say`no such commit: ${commit}`);
  const changed = await session.surroundings.earlierTexts(commit, session.rendering.applied?.otherInputs ?? []);
  const texts = new Map([...changed.texts].map(([uri, text]) => [canonicalUri(uri), text]));
  // What has not changed on disk since is there as it was, whatever an editor holds of it.
  for (const uri of session.openFiles.uris) {
    if (texts.has(canonicalUri(uri))) continue;
    const text = await session.savedText(uri);
    if (text !== null) texts.set(canonicalUri(uri), text);
  }
  for (const line of changed.notCompared) session.log.warn(`Not compared: ${line}.`);
  return { texts, notCompared: changed.notCompared };
}

/** The files as they were, in the order in which they are; those that are gone come last. */
function* earlierFiles(files: readonly ManifestFile[], texts: EarlierTexts['texts']): Generator<void, ManifestFile[]> {
  const gone = new Map([...texts].filter(([uri]) => isManifestName(uri)));
  const earlier: ManifestFile[] = [];
  for (const file of files) {
    const text = gone.get(file.uri);
    gone.delete(file.uri);
    if (text === undefined) earlier.push(file);
    else if (text !== null) earlier.push(yield* readManifestFile(file.uri, text, null, file, editorLimits));
  }
  for (const [uri, text] of gone) {
    if (text !== null) earlier.push(yield* readManifestFile(uri, text, null, undefined, editorLimits));
  }
  return earlier;
}
