import * as vscode from 'vscode';

/**
 * The part of the API of VS Code's built-in git extension that we use.
 * Source: microsoft/vscode, extensions/git/src/api/git.d.ts (version 1)
 */
export interface GitApi {
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
  getRepository(uri: vscode.Uri): GitRepository | null;
}

export interface GitRepository {
  readonly state: {
    readonly HEAD: { readonly commit?: string } | undefined;
    /** New files that git does not know yet are here or among the changes of the working tree, as a setting says. */
    readonly untrackedChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    /** Also fires when nothing but the working tree has changed. */
    readonly onDidChange: vscode.Event<void>;
  };
  /** What differs between a commit and the working tree, staged or not; new files that git does not know are left out. */
  diffWith(ref: string): Promise<readonly GitChange[]>;
  /** Branches, those of remotes, and tags. */
  getRefs(query: object): Promise<readonly { readonly name?: string }[]>;
  log(options: { readonly maxEntries: number }): Promise<readonly GitCommit[]>;
  /** Rejects when the file is not in that version. */
  show(ref: string, path: string): Promise<string>;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly authorDate?: Date;
}

export interface GitChange {
  readonly uri: vscode.Uri;
  /** Differ from `uri` when the file was renamed. */
  readonly originalUri: vscode.Uri;
  readonly renameUri: vscode.Uri | undefined;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** The API, or null where there is no git, or it is switched off. */
export async function gitApi(): Promise<GitApi | null> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return null;
  const git = await extension.activate();
  return git.enabled ? git.getAPI(1) : null;
}
