import { relative, sep } from 'node:path';
import { URI } from 'vscode-uri';
import type { PlacedAt } from '../../report-model/markdown.ts';
import { displayPath } from '../display-path.ts';

/** Where the files of a folder can be looked at. */
export interface WebFolder {
  readonly folder: string;
  /** Paths follow it. */
  readonly url: string;
}

/**
 * Of what a runner has checked out: it says so itself.
 * Source: docs.github.com, "Variables reference"; docs.gitlab.com, "Predefined CI/CD variables reference"
 */
export function webFolder(env: Readonly<Record<string, string | undefined>>): WebFolder | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_SHA: sha, GITHUB_WORKSPACE: work } = env;
  const { CI_PROJECT_URL: project, CI_COMMIT_SHA: commit, CI_PROJECT_DIR: folder } = env;
  const found =
    server && repository && sha && work
      ? { folder: work, url: `${server}/${repository}/blob/${sha}` }
      : project && commit && folder
        ? { folder, url: `${project}/-/blob/${commit}` }
        : undefined;
  return found !== undefined && /^https?:\/\//.test(found.url) ? found : undefined;
}

/** Where something is written, for Markdown. */
export function placedAt(cwd: string, web: WebFolder | undefined): PlacedAt {
  return ({ uri, range }) => {
    const line = range.start.line + 1;
    const text = `${displayPath(uri, cwd)}:${line}`;
    const { scheme, fsPath } = URI.parse(uri);
    const inside = web === undefined || scheme !== 'file' ? '..' : relative(web.folder, fsPath);
    if (web === undefined || inside.startsWith('..')) return { text };
    return { text, url: `${web.url}/${inside.split(sep).map(encodeURIComponent).join('/')}#L${line}` };
  };
}
