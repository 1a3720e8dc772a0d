import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  committedTextParamsSchema,
  committedTextRequest,
  type CommittedTextResult,
  type EarlierTextsParams,
  earlierTextsRequest,
  type EarlierTextsResult,
  repositoryChangedNotification,
} from '../../server/src/protocol.ts';
import { gitApi, type GitApi, type GitRepository } from './git-api.ts';

/** Answers what a file was at git HEAD, and says when that may have changed. */
export function provideCommittedTexts(client: BaseLanguageClient, log: vscode.LogOutputChannel): vscode.Disposable {
  const api = gitApi().catch((error: unknown) => {
    log.warn('Git is not available:', error);
    return null;
  });
  const request = client.onRequest(committedTextRequest, async (params: unknown): Promise<CommittedTextResult> => {
    const { uri } = committedTextParamsSchema.parse(params);
    return { text: await committedText(await api, vscode.Uri.parse(uri, true)) };
  });
  const earlier = client.onRequest(earlierTextsRequest, async ({ commit, inputs }: EarlierTextsParams) =>
    earlierTexts(await api, commit, new Set(inputs.map((uri) => vscode.Uri.parse(uri).toString()))),
  );
  let watch: vscode.Disposable | undefined;
  let disposed = false;
  void api.then((git) => {
    if (git === null || disposed) return;
    watch = onHeadMoved(git, () => {
      if (client.isRunning()) void client.sendNotification(repositoryChangedNotification);
    });
  });
  return new vscode.Disposable(() => {
    disposed = true;
    watch?.dispose();
    request.dispose();
    earlier.dispose();
  });
}

async function committedText(git: GitApi | null, uri: vscode.Uri, commit = 'HEAD'): Promise<string | null> {
  const repository = git?.getRepository(uri);
  if (repository === null || repository === undefined) return null;
  try {
    return await repository.show(commit, uri.fsPath);
  } catch {
    // A new file, or a repository without a commit.
    return null;
  }
}

/** Of those, and of parts of templates, also what is gone. */
const manifestName = /\.(?:ya?ml|json|tpl)$/i;

/** What changed manifests of the workspace folders, and other files, were in a commit; null without a repository. */
async function earlierTexts(
  git: GitApi | null,
  commit: string,
  inputs: ReadonlySet<string>,
): Promise<EarlierTextsResult> {
  if (git === null || git.repositories.length === 0) return null;
  const changed = new Map<string, vscode.Uri>();
  for (const repository of git.repositories) {
    const { untrackedChanges, workingTreeChanges } = repository.state;
    const hasCommit = repository.state.HEAD?.commit !== undefined;
    const since = hasCommit ? await repository.diffWith(commit) : [];
    const changes = [...since, ...untrackedChanges, ...workingTreeChanges];
    for (const { uri, originalUri, renameUri } of changes) {
      for (const each of [uri, originalUri, renameUri]) {
        if (each === undefined || !(manifestName.test(each.path) || inputs.has(each.toString()))) continue;
        if (vscode.workspace.getWorkspaceFolder(each) !== undefined) changed.set(each.toString(), each);
      }
    }
  }
  // What git cannot show was not there.
  return Promise.all(
    [...changed.values()].map(async (uri) => ({ uri: uri.toString(), text: await committedText(git, uri, commit) })),
  );
}

/** Calls back when a repository is opened or closed and when one gets another commit as its HEAD. */
function onHeadMoved(git: GitApi, moved: () => void): vscode.Disposable {
  const watched = new Map<GitRepository, vscode.Disposable>();
  const watch = (repository: GitRepository) => {
    let commit = repository.state.HEAD?.commit;
    const listener = repository.state.onDidChange(() => {
      const now = repository.state.HEAD?.commit;
      if (now === commit) return;
      commit = now;
      moved();
    });
    watched.set(repository, listener);
  };
  git.repositories.forEach(watch);
  const listeners = vscode.Disposable.from(
    git.onDidOpenRepository((repository) => {
      watch(repository);
      moved();
    }),
    git.onDidCloseRepository((repository) => {
      watched.get(repository)?.dispose();
      watched.delete(repository);
      moved();
    }),
  );
  return new vscode.Disposable(() => {
    listeners.dispose();
    for (const listener of watched.values()) listener.dispose();
  });
}
