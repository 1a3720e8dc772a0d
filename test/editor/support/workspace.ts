import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sample } from '../../../scripts/lib/paths.mjs';

/** A folder to open in VS Code, which a test may change. */
export interface Workspace {
  readonly folder: string;
  remove(): void;
}

const makers = {
  /** The sample workspace, committed to a git repository. */
  'kubernetes-workspace': (folder: string) => {
    cpSync(sample, folder, { recursive: true });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@podium.example', ...args], { cwd: folder });
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '--message=Start');
  },
  /** YAML and JSON, and nothing of Kubernetes. */
  'plain-workspace': (folder: string) => {
    writeFileSync(join(folder, 'compose.yaml'), 'services:\n  web:\n    image: nginx\n');
    writeFileSync(join(folder, 'package.json'), '{ "name": "plain", "kind": "of" }\n');
  },
} as const;

export type WorkspaceName = keyof typeof makers;

export const workspaceNames = Object.keys(makers) as readonly WorkspaceName[];

export function makeWorkspace(name: WorkspaceName): Workspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-workspace-')));
  makers[name](folder);
  return {
    folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
