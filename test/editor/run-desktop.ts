/** Runs the suites of the extension host in a desktop VS Code, one window for each. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, exit, stderr } from 'node:process';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { cache } from '../../scripts/lib/paths.mjs';
import { shipped } from '../../scripts/lib/shipped.mjs';
import { makeWorkspace, workspaceNames } from './support/workspace.ts';

async function findVscode(): Promise<string> {
  const installed = env['VSCODE_EXECUTABLE'] ?? '';
  if (installed !== '') return installed;
  return downloadAndUnzipVSCode({ cachePath: join(cache, 'desktop-test') });
}

let vscodeExecutablePath;
try {
  vscodeExecutablePath = await findVscode();
} catch (error) {
  stderr.write(
    `No desktop VS Code: ${error instanceof Error ? error.message : String(error)}. VSCODE_EXECUTABLE names one.\n`,
  );
  exit(1);
}

const { extension } = await shipped();
let worst = 0;
for (const name of workspaceNames) {
  const workspace = makeWorkspace(name);
  const data = mkdtempSync(join(tmpdir(), 'podium-vscode-'));
  try {
    const code = await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: extension,
      extensionTestsPath: join(cache, 'test-editor', `${name}.cjs`),
      launchArgs: [
        workspace.folder,
        '--user-data-dir',
        data,
        '--disable-extensions',
        '--disable-workspace-trust',
        '--skip-welcome',
      ],
    });
    worst = Math.max(worst, code);
  } catch {
    // The suite has printed what failed.
    worst = 1;
  } finally {
    workspace.remove();
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
}
exit(worst);
