/** The VS Code that the user has installed. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { cache, root } from './paths.mjs';
import { start } from './processes.mjs';

const windows = process.platform === 'win32';

/** The command that opens VS Code, or null when there is none or no display to open it on. */
export function findDesktop() {
  const { DISPLAY, WAYLAND_DISPLAY, PATH = '' } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return null;
  const folders = PATH.split(delimiter);
  if (windows) {
    // `code.cmd` would need a shell; the program it starts lies one folder up.
    const found = folders.find((folder) => existsSync(join(folder, 'code.cmd')));
    const program = found === undefined ? '' : join(dirname(found), 'Code.exe');
    return existsSync(program) ? program : null;
  }
  if (process.platform === 'darwin') folders.push('/Applications/Visual Studio Code.app/Contents/Resources/app/bin');
  return folders.map((folder) => join(folder, 'code')).find((path) => existsSync(path)) ?? null;
}

/**
 * Opens a window on a folder with the extension of this project. It has a profile of its own, so that it is a process
 * of its own, which can be ended, and the user's other windows and settings are left alone.
 *
 * @param {string} command
 * @param {{ folder: string, open: string }} window
 */
export function openDesktop(command, { folder, open }) {
  const data = join(cache, 'desktop');
  const lock = join(data, 'code.lock');
  rmSync(lock, { force: true });
  const user = join(data, 'User');
  mkdirSync(user, { recursive: true });
  const settings = join(user, 'settings.json');
  if (!existsSync(settings))
    writeFileSync(settings, '{ "security.workspace.trust.enabled": false, "workbench.startupEditor": "none" }\n');
  const args = [
    '--new-window',
    '--wait',
    '--skip-welcome',
    '--user-data-dir',
    data,
    '--extensionDevelopmentPath',
    root,
    folder,
    open,
  ];
  // The command starts the window in a process group of its own; VS Code writes that process's id down.
  const beforeStop = () => {
    const pid = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    if (!Number.isInteger(pid) || pid <= 1) return;
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It has ended.
    }
  };
  return start(command, args, { stdio: 'ignore', beforeStop });
}
