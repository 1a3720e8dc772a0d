import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sample } from '../../../scripts/lib/paths.mjs';

/** A folder to open in VS Code, which a test may change. */
export interface Workspace {
  readonly folder: string;
  remove(): void;
}

interface Maker {
  /** Name of the folder, which the window shows. */
  readonly folder: string;
  fill(folder: string): void;
}

/** The sample workspace, committed to a git repository. */
const shop: Maker = {
  folder: 'online-shop',
  fill: (folder) => {
    cpSync(sample, folder, { recursive: true });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@podium.example', ...args], { cwd: folder });
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '--message=Start');
  },
};

/** YAML and JSON, and nothing of Kubernetes. */
const plain: Maker = {
  folder: 'plain',
  fill: (folder) => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'compose.yaml'), 'services:\n  web:\n    image: nginx\n');
    writeFileSync(join(folder, 'package.json'), '{ "name": "plain", "kind": "of" }\n');
  },
};

const makers = { 'kubernetes-workspace': shop, 'plain-workspace': plain };

export type WorkspaceName = keyof typeof makers;

export const workspaceNames = Object.keys(makers) as readonly WorkspaceName[];

export function makeWorkspace(name: WorkspaceName): Workspace {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'podium-workspace-')));
  const folder = join(parent, makers[name].folder);
  makers[name].fill(folder);
  return {
    folder,
    remove: () => {
      rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
