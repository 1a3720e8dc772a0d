import { readdirSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { URI } from 'vscode-uri';
import { runToEnd } from '../util/steps.ts';
import { editorLimits } from '../manifests/limits.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import { NodeFileProvider } from '../manifests/node-file-provider.ts';
import { readSnapshot } from '../manifests/read-snapshot.ts';
import { fileSource } from '../manifests/file-source.ts';
import { type TextSource, textSource } from '../manifests/text-source.ts';
import { didYouMean } from './arguments.ts';
import { type CommandContext, UsageError } from './command.ts';
import { readStandardInput } from './standard-input.ts';

/** How long a pipe that a shell hands over (`<(kubectl get …)`) may send nothing, in milliseconds. */
const pipePatience = 60_000;

/** A file that the command line names, or one of a folder that it names. */
export interface NamedFile {
  readonly uri: string;
  /** What messages call it. */
  readonly label: string;
  readonly text: string | null;
  /** Why there is no text. */
  readonly error: string;
  /** What is too large for one that is edited, and was read piece by piece: then there is no text. */
  readonly file?: ManifestFile;
}

/**
 * Reads files and folders as the language server reads a workspace, each file once; `-` is standard input. Of a folder
 * one file may be unreadable. Throws `UsageError` for a path that is not there.
 *
 * @param unreadable `refused`: a path that is there and cannot be read is as one that is not there
 */
export async function readFiles(
  paths: readonly string[],
  context: CommandContext,
  unreadable: 'refused' | 'listed' = 'refused',
): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for await (const file of readEach(paths, context, unreadable)) files.push(file);
  return files;
}

/** As `readFiles`, one after the other, so that nobody need have all texts at once. */
export async function* readEach(
  paths: readonly string[],
  { cwd, stdin }: CommandContext,
  unreadable: 'refused' | 'listed' = 'refused',
): AsyncGenerator<NamedFile> {
  const known = new Set<string>();
  const mayBeLarge = unreadable === 'refused';
  for (const path of paths) {
    if (path === '-') {
      if (known.has(path)) continue;
      known.add(path);
      const input = { uri: 'stdin:/manifests.yaml', label: namesOf(['-']), error: '' };
      const text = await readStandardInput(stdin);
      yield mayBeLarge && isLarge(text)
        ? await readLarge(path, cwd, input, () => Promise.resolve(textSource(text)))
        : { ...input, text };
      continue;
    }
    const provider = new NodeFileProvider([resolve(cwd, path)], { pipePatience });
    for (const uri of await provider.find()) {
      if (known.has(uri)) continue;
      known.add(uri);
      const isNamed = uri === pathToUri(path, cwd);
      const { text, error = '' } = await (isNamed && mayBeLarge ? small : provider).read(uri);
      if (isNamed && mayBeLarge && (error === 'too large' || (text !== null && isLarge(text)))) {
        yield await readLarge(path, cwd, { uri, label: path, error }, () => fileSource(uri));
        continue;
      }
      const isRefused = unreadable === 'refused' || error === 'ENOENT';
      if (text === null && isRefused && isNamed) throw refusal(path, error, cwd);
      yield { uri, label: relative(cwd, URI.parse(uri).fsPath), text, error };
    }
  }
}

/** Whether a text is too large for one that is edited; one of JSON is one document, as `kubectl get -o json` prints it. */
function isLarge(text: string): boolean {
  const { fileLength, documentLength } = editorLimits;
  return text.length > fileLength || (text.length > documentLength && text.trimStart().startsWith('{'));
}

/** Does not read what is too large for a file that is edited. */
const small = new NodeFileProvider([], { maxBytes: editorLimits.fileLength, pipePatience });

/** A file that is named and is too large for one that is edited, as what kubectl prints of a cluster may be. */
async function readLarge(
  path: string,
  cwd: string,
  named: Omit<NamedFile, 'text'>,
  open: () => Promise<TextSource>,
): Promise<NamedFile> {
  const outcome = (await readSnapshot(named.uri, open, runToEnd))!;
  if ('file' in outcome) return { ...named, text: null, file: outcome.file };
  if ('unreadable' in outcome) throw refusal(path, outcome.unreadable, cwd);
  throw new UsageError(`${namesOf([path])} ${outcome.fault.message.replace(/\.$/, '')}`, true);
}

/** The text of one file, or of standard input. Throws `UsageError` when it cannot be read. */
export async function readFile(path: string, { cwd, stdin }: CommandContext): Promise<string> {
  if (path === '-') return readStandardInput(stdin);
  const { text, error = '' } = await new NodeFileProvider([], { pipePatience }).read(pathToUri(path, cwd));
  if (text === null) throw refusal(path, error, cwd);
  return text;
}

/** Why a path that was named cannot be read. */
export function refusal(path: string, error: string, cwd: string): UsageError {
  return new UsageError(
    error === 'ENOENT' ? `no such file or folder: ${path}${nearPath(path, cwd)}` : `cannot read ${path} (${error})`,
    true,
  );
}

/** What is called nearly so in the folder that should have it; where that is not there, nearly as the folder. */
function nearPath(path: string, cwd: string): string {
  const folder = dirname(path);
  if (folder === path) return '';
  try {
    return didYouMean(basename(path), readdirSync(resolve(cwd, folder)), folder === '.' ? '' : `${folder}/`);
  } catch {
    return nearPath(folder, cwd);
  }
}

/** The URI under which a path's objects are declared. */
export function pathToUri(path: string, cwd: string): string {
  return URI.file(resolve(cwd, path)).toString();
}

/** Paths as messages name them. */
export function namesOf(paths: readonly string[]): string {
  return paths.map((path) => (path === '-' ? 'standard input' : path === '.' ? 'this folder' : path)).join(', ');
}
