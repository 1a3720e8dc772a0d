import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sample } from '../../../scripts/lib/paths.mjs';
import { overlayFiles } from './overlay-files.ts';

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

/** A base with two overlays, a chart, and a cluster that is full enough for one of the overlays. */
const overlays: Maker = {
  folder: 'web-shop',
  fill: (folder) => {
    for (const [path, text] of Object.entries(overlayFiles)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  },
};

/** Of those there is a suite each that runs in the extension host. */
const suites = { 'kubernetes-workspace': shop, 'plain-workspace': plain };

const makers = { ...suites, overlays };

export type WorkspaceName = keyof typeof makers;

export const workspaceNames = Object.keys(suites) as readonly (keyof typeof suites)[];

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
