import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from './paths.mjs';

const windows = process.platform === 'win32';

/**
 * Runs a program to its end. Resolves to its exit code; a program that cannot be started or dies of a signal counts
 * as 1. Output goes to ours, or is collected with `capture: true`. `cpu` is the seconds that processors worked for it,
 * and for what it started and waited for; 0 where the system does not tell.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, capture?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string, cpu: number }>}
 */
export function run(command, args, { cwd = root, env = {}, capture = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: capture ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      windowsHide: true,
    });
    running.add(child);
    let output = '';
    const collect = (/** @type {Buffer} */ bytes) => (output += bytes.toString());
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', (error) => {
      running.delete(child);
      resolve({ code: 1, output: error.message, cpu: 0 });
    });
    let cpu = 0;
    child.once('exit', () => (cpu = worked()));
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output, cpu });
    });
  });
}

/** What processors have worked for all programs that had ended when the last one did, in ticks. */
let before = 0;
const ticksPerSecond = 100;

/** Seconds of the program that has just ended: the system adds them up when it has. */
function worked() {
  if (process.platform !== 'linux') return 0;
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number);
  const ticks = user + system - before;
  before = user + system;
  return ticks / ticksPerSecond;
}

/**
 * @typedef {object} Started a program that goes on until it is stopped
 * @property {import('node:child_process').ChildProcess} child
 * @property {Promise<unknown>} ended
 * @property {() => Promise<void>} stop also ends everything the program started
 */

/** Programs of `run` that have not ended. They share our terminal and so get its Ctrl+C themselves. */
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Programs of `start`. They lead process groups of their own and must be ended by us. */
/** @type {Set<Started>} */
const groups = new Set();

/**
 * Starts a program without waiting for its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, stdio?: import('node:child_process').StdioOptions, beforeStop?: () => void }} [options]
 *   `beforeStop` ends what has left the program's process group
 * @returns {Started}
 */
export function start(command, args, { cwd = root, env = {}, stdio = ['ignore', 'pipe', 'pipe'], beforeStop } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio,
    // The leader of a process group takes its children with it. Windows has no groups; taskkill walks the tree.
    detached: !windows,
    windowsHide: true,
  });
  const ended = new Promise((resolve) => {
    child.once('error', resolve);
    child.once('close', resolve);
  });
  const stop = () => {
    beforeStop?.();
    return stopGroup(child, ended);
  };
  const group = { child, ended, stop };
  groups.add(group);
  void ended.then(() => groups.delete(group));
  return group;
}

/**
 * Ends a process tree: politely first, by force after a grace period.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<unknown>} ended
 */
async function stopGroup(child, ended) {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null) return;
  if (windows) {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  } else {
    signalGroup(pid, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), 3000);
    await ended;
    clearTimeout(timer);
    // The leader is gone; whoever of its group ignored the request is not asked again.
    signalGroup(pid, 'SIGKILL');
  }
  await ended;
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

/** Ends everything that `start` started. */
export async function stopAll() {
  await Promise.all([...groups].map((group) => group.stop()));
}

/** Ctrl+C, `kill` and a closed terminal end what we started, then us. */
export function stopOnSignals() {
  let stopping = false;
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      for (const child of running) child.kill(signal);
      void stopAll().then(() => process.exit(code));
    });
  }
}
