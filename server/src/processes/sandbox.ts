import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { findProgram, type WorkedOn } from './find-program.ts';
import { atOwnEnd } from './own-end.ts';
import { ownFolder } from './own-folder.ts';

/** What a confined program may take. */
export interface Limits {
  /** Bytes. */
  readonly memory: number;
  /** Processor time, in seconds. */
  readonly seconds: number;
  /** The largest file that it may write, in bytes. */
  readonly fileSize: number;
}

/**
 * What a program is confined by: the operating system, so that it has no network and sees nothing but the folder of this
 * process, itself and its libraries; or limits alone.
 */
export interface Sandbox {
  readonly kind: 'namespaces' | 'seatbelt' | 'none';
  /** A path in the folder of this process, as the program sees it. */
  inside(path: string): string;
  confine(limits: Limits): (path: string, args: readonly string[]) => readonly string[];
  /** Whether what was printed on standard error says that the sandbox itself has failed. */
  hasFailed(stderr: string): boolean;
}

const sh = '/bin/sh';

/** Tests of what holds where the system has no sandbox. Nothing that a repository says comes here. */
const isOff = (): boolean => process.env['PODIUM_TEST_WITHOUT_SANDBOX'] === '1';

const known = new Map<string, Promise<Sandbox>>();

/** The best sandbox for a program that this system has, tried once and remembered. */
export async function sandboxFor(program: string, workedOn: WorkedOn): Promise<Sandbox> {
  let sandbox = isOff() ? Promise.resolve(limitsOnly) : known.get(program);
  if (sandbox === undefined) known.set(program, (sandbox = findSandbox(program, workedOn)));
  return sandbox;
}

/** From now on a program runs without one: its sandbox could be made, and the program did not run in it. */
export function withoutSandbox(program: string): void {
  known.set(program, Promise.resolve(limitsOnly));
}

async function findSandbox(program: string, workedOn: WorkedOn): Promise<Sandbox> {
  if (process.platform === 'linux') return (await namespaces(program, workedOn)) ?? limitsOnly;
  if (process.platform === 'darwin') return (await seatbelt(program, workedOn)) ?? limitsOnly;
  return limitsOnly;
}

/** Addresses that the runtime of Go takes before it needs any memory, in bytes: 400,000 kB are too few to start. */
const reserved = 768 * 1024 * 1024;

/** A shell sets what it and what it becomes may take. What a system does not know is left out. */
function limiting({ memory, seconds, fileSize }: Limits): string {
  return [
    'ulimit -c 0',
    `ulimit -t ${seconds}`,
    `ulimit -v ${Math.floor((memory + reserved) / 1024)}`,
    // In blocks of 512 bytes; shells that count in 1024 allow twice as much.
    `ulimit -f ${Math.floor(fileSize / 512)}`,
    // The shell's complaint is none of the program's.
  ]
    .map((line) => `${line} 2>/dev/null\n`)
    .join('');
}

/**
 * Runs a program, and ends it when the pipe at 3 is closed, which happens when this process ends, in whatever way. Its
 * standard input is empty, as it runs in the background.
 */
const lifeline = `
"$@" 3<&- &
program=$!
( read -r _ <&3; kill -9 $program ) >/dev/null 2>&1 &
watch=$!
exec 3<&-
wait $program
code=$?
kill -9 $watch 2>/dev/null
exit $code
`;

const limitsOnly: Sandbox = {
  kind: 'none',
  inside: (path) => path,
  confine: (limits) => (path, args) =>
    process.platform === 'win32' ? [path, ...args] : [sh, '-c', limiting(limits) + lifeline, sh, path, ...args],
  hasFailed: () => false,
};

/**
 * Mounts the program and its libraries into the folder of this process, to be read alone, and says so, then waits until this process ends:
 * the first process of a namespace takes all others with it.
 */
const holding = `
mount=$1; root=$2; program=$3; at=$4
shift 4
"$mount" --bind "$program" "$at" || exit 1
"$mount" -o remount,bind,ro "$at" 2>/dev/null
for library do
  "$mount" --rbind "$library" "$root$library" || exit 1
  "$mount" -o remount,bind,ro "$root$library" 2>/dev/null
done
echo ready
read -r _
`;

/** Where systems keep their own programs, NixOS last; a user's `PATH` need not name them. */
const systemFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

function systemProgram(name: string, workedOn: WorkedOn): string | undefined {
  const found = systemFolders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  return found ?? findProgram(name, workedOn);
}

let programs = 0;

/**
 * User, mount, network and process namespaces of Linux, made by util-linux without privileges. They are made once and
 * entered for each run, which costs less than making them. Null where they cannot be had: in containers that forbid it,
 * and where AppArmor restricts them (Ubuntu since 23.10).
 */
async function namespaces(program: string, workedOn: WorkedOn): Promise<Sandbox | null> {
  const linking = linkingOf(program);
  const [unshare, nsenter, mount] = ['unshare', 'nsenter', 'mount'].map((name) => systemProgram(name, workedOn));
  // A script may start anything, which is not there.
  if (linking === null || unshare === undefined || nsenter === undefined || mount === undefined) return null;
  const root = ownFolder();
  const at = `/tools/${programs++}`;
  mkdirSync(join(root, 'tools'), { recursive: true });
  writeFileSync(join(root, at), '');
  const libraries = linking === 'static' ? [] : systemLibraries(root);
  const args = ['--user', '--map-root-user', '--mount', '--net', '--pid', '--fork', '--kill-child'];
  const holder = spawn(unshare, [...args, sh, '-c', holding, sh, mount, root, program, join(root, at), ...libraries], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    cwd: root,
    detached: true,
  });
  if (!(await isReady(holder))) return null;
  const { pid } = holder;
  const seen = `/proc/${pid}/root${root}`;
  const entering = [`--target=${pid}`, '--user', '--mount', '--net', `--pid=/proc/${pid}/ns/pid_for_children`];
  holder.once('exit', () => known.delete(program));
  return {
    kind: 'namespaces',
    inside: (path) => `/${relative(root, path)}`,
    confine: (limits) => (_, given) => [
      ...[sh, '-c', `${limiting(limits)}exec "$@"`, sh],
      ...[nsenter, ...entering, `--root=${seen}`, `--wd=${seen}`, '--', at, ...given],
    ],
    hasFailed: (stderr) => /^nsenter: |error while loading shared libraries/m.test(stderr),
  };
}

/** How long it may take to make a sandbox, in milliseconds. */
const patience = 10_000;

/** Whether what holds a sandbox says that it is made. It keeps this process from nothing, and ends with it. */
async function isReady(holder: ChildProcess): Promise<boolean> {
  const isEnded = atOwnEnd(() => holder.kill('SIGKILL'));
  const ready = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => {
      resolve(false);
    }, patience);
    holder.once('error', () => {
      resolve(false);
    });
    holder.once('exit', () => {
      clearTimeout(timer);
      isEnded();
      resolve(false);
    });
    holder.stdout?.once('data', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  if (!ready) holder.kill('SIGKILL');
  holder.stdin?.on('error', () => undefined);
  holder.unref();
  for (const pipe of [holder.stdin, holder.stdout]) (pipe as (Readable | Writable) & { unref(): void }).unref();
  return ready;
}

/** How an executable finds its libraries; null for a script. Source: elf(5), `PT_INTERP` */
function linkingOf(program: string): 'static' | 'dynamic' | null {
  const head = Buffer.alloc(4096);
  const file = openSync(program, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  if (head.toString('latin1', 0, 4) !== '\x7fELF') return null;
  // Where it is not of 64 bits in little-endian order, libraries that it does not need do no harm.
  if (head[4] !== 2 || head[5] !== 1) return 'dynamic';
  const start = Number(head.readBigUInt64LE(32));
  const size = head.readUInt16LE(54);
  for (let index = 0; index < head.readUInt16LE(56); index++) {
    const entry = start + index * size;
    if (entry + 4 > head.length || head.readUInt32LE(entry) === 3) return 'dynamic';
  }
  return 'static';
}

/** Where systems keep libraries. What is a link there is the same link in the sandbox. */
function systemLibraries(root: string): string[] {
  const mounted: string[] = [];
  for (const path of [
    '/lib',
    '/lib32',
    '/lib64',
    '/usr/lib',
    '/usr/lib32',
    '/usr/lib64',
    '/usr/local/lib',
    '/nix/store',
  ]) {
    try {
      const link = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
      mkdirSync(join(root, dirname(path)), { recursive: true });
      if (link === null) {
        mkdirSync(join(root, path), { recursive: true });
        mounted.push(path);
      } else {
        symlinkSync(link, join(root, path));
      }
    } catch {
      // Not there, or there already.
    }
  }
  return mounted;
}

/**
 * A profile of macOS, under which everything is forbidden but what a program needs to start. Of two rules the later one
 * counts. The system looks at where links lead, so both paths have none in them.
 */
export function seatbeltProfile(program: string, root: string): string {
  const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return `(version 1)
(deny default)
(import "system.sb")
(deny network*)
(allow process-exec (literal ${quoted(program)}))
(allow file-read* (literal ${quoted(program)}) (subpath ${quoted(root)}))
(allow file-write* (subpath ${quoted(root)}))
(allow file-read-metadata)
`;
}

/** macOS: `sandbox-exec`. */
async function seatbelt(program: string, workedOn: WorkedOn): Promise<Sandbox | null> {
  const path = systemProgram('sandbox-exec', workedOn);
  if (path === undefined) return null;
  const given = [path, '-p', seatbeltProfile(realpathSync(program), ownFolder()), program];
  const sandbox: Sandbox = {
    kind: 'seatbelt',
    inside: (each) => each,
    confine: (limits) => (_, args) => [sh, '-c', limiting(limits) + lifeline, sh, ...given, ...args],
    hasFailed: (stderr) => /^sandbox-exec: /m.test(stderr),
  };
  // Profiles are private to the system: whether this one lets the program start is seen when it does.
  const tried = spawn(path, [...given.slice(1), 'help'], { stdio: 'ignore', env: {}, cwd: ownFolder() });
  const code = await new Promise<number | null>((resolve) => {
    tried.once('error', () => {
      resolve(null);
    });
    tried.once('exit', resolve);
  });
  return code === 0 ? sandbox : null;
}
