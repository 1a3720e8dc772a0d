import { relative, resolve, sep } from 'node:path';
import { URI } from 'vscode-uri';
import { NodeFileProvider } from '../manifests/node-file-provider.ts';
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
}

/**
 * Reads files and folders as the language server reads a workspace, each file once; `-` is standard input. Of a folder
 * one file may be unreadable. Throws `UsageError` for a path that is not there.
 *
 * @param unreadable `refused`: a path that is there and cannot be read is as one that is not there
 */
export async function readFiles(
  paths: readonly string[],
  { cwd, stdin }: CommandContext,
  unreadable: 'refused' | 'listed' = 'refused',
): Promise<NamedFile[]> {
  const files = new Map<string, NamedFile>();
  for (const path of paths) {
    if (path === '-') {
      files.set('-', {
        uri: 'stdin:/manifests.yaml',
        label: namesOf(['-']),
        text: await readStandardInput(stdin),
        error: '',
      });
      continue;
    }
    const provider = new NodeFileProvider([resolve(cwd, path)], { pipePatience });
    for (const uri of await provider.find()) {
      if (files.has(uri)) continue;
      const { text, error = '' } = await provider.read(uri);
      const isRefused = unreadable === 'refused' || error === 'ENOENT';
      if (text === null && isRefused && uri === pathToUri(path, cwd)) throw refusal(path, error);
      files.set(uri, { uri, label: relative(cwd, URI.parse(uri).fsPath), text, error });
    }
  }
  return [...files.values()];
}

/** The text of one file, or of standard input. Throws `UsageError` when it cannot be read. */
export async function readFile(path: string, { cwd, stdin }: CommandContext): Promise<string> {
  if (path === '-') return readStandardInput(stdin);
  const { text, error = '' } = await new NodeFileProvider([], { pipePatience }).read(pathToUri(path, cwd));
  if (text === null) throw refusal(path, error);
  return text;
}

/** Why a path that was named cannot be read. */
export function refusal(path: string, error: string): UsageError {
  return new UsageError(error === 'ENOENT' ? `no such file or folder: ${path}` : `cannot read ${path} (${error})`);
}

/** The URI under which a path's objects are declared. */
export function pathToUri(path: string, cwd: string): string {
  return URI.file(resolve(cwd, path)).toString();
}

/** A URI as output names it: relative to the working directory, with `/`; `stdin` for standard input. */
export function displayPath(uri: string, cwd: string): string {
  const { scheme, fsPath } = URI.parse(uri);
  return scheme === 'file' ? relative(cwd, fsPath).split(sep).join('/') : scheme;
}

/** Paths as messages name them. */
export function namesOf(paths: readonly string[]): string {
  return paths.map((path) => (path === '-' ? 'standard input' : path)).join(', ');
}
