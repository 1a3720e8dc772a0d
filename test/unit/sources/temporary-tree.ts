import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'mocha';

export interface TemporaryTree {
  /** Absolute path of the folder, which is another in each test. */
  readonly root: string;
  write(files: Readonly<Record<string, string>>): void;
}

/** A folder that is there for each test of a file, and gone after it. */
export function temporaryTree(): TemporaryTree {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'podium-sources-')));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });
  return {
    get root() {
      return root;
    },
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
  };
}
