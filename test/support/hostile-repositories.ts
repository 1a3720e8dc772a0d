import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A repository that would have a program run, and what that program would leave behind. */
export interface HostileRepository {
  readonly name: string;
  /** The folder that is opened, or handed to a command. */
  readonly folder: string;
  readonly canary: string;
  /** What makes git, as its user calls it, run that program. */
  readonly trap: readonly string[];
}

const pod = (name: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: main, image: app }] }\n`;

function git(folder: string, ...args: readonly string[]): string {
  const own = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgSign=false'];
  return execFileSync('git', [...own, ...args], { cwd: folder, stdio: 'pipe', encoding: 'utf8' }).trim();
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A repository with two commits and manifests that have changed since, are new, and are gone. */
function repository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  write(join(folder, 'pod.yaml'), pod('first'));
  write(join(folder, 'gone.yaml'), pod('gone'));
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'first');
  write(join(folder, 'pod.yaml'), pod('second'));
  git(folder, 'commit', '-q', '-a', '-m', 'second');
}

/** Edits that are not committed, made after everything that runs filters by itself. */
function edit(folder: string): void {
  write(join(folder, 'pod.yaml'), pod('third'));
  write(join(folder, 'new.yaml'), pod('new'));
  rmSync(join(folder, 'gone.yaml'), { force: true });
}

/** Removes from a repository the contents of all files, as in a partial clone, which git then fetches. */
function withoutBlobs(gitDirectory: string, work: string): void {
  for (const line of git(work, 'rev-list', '--objects', '--all').split('\n')) {
    const oid = line.split(' ')[0]!;
    if (git(work, 'cat-file', '-t', oid) !== 'blob') continue;
    rmSync(join(gitDirectory, 'objects', oid.slice(0, 2), oid.slice(2)), { force: true });
  }
}

const partialClone = (url: string, more: string): string =>
  `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ${url}\n` +
  `\tpromisor = true\n\tpartialCloneFilter = blob:none\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n${more}`;

type Kind = (folder: string, program: string) => string | undefined;

/** Each makes a repository and answers what is opened of it, where that is not the folder itself. */
const kinds: Readonly<Record<string, Kind>> = {
  sshCommand(folder, program) {
    repository(folder);
    appendFileSync(
      join(folder, '.git/config'),
      partialClone('ssh://host.invalid/x', `[core]\n\tsshCommand = ${program}\n[protocol "ssh"]\n\tallow = always\n`),
    );
    withoutBlobs(join(folder, '.git'), folder);
    edit(folder);
    return undefined;
  },
  ext(folder, program) {
    repository(folder);
    const url = `ext::${program} %S`;
    appendFileSync(join(folder, '.git/config'), partialClone(url, '[protocol "ext"]\n\tallow = always\n'));
    withoutBlobs(join(folder, '.git'), folder);
    edit(folder);
    return undefined;
  },
  uploadPack(folder, program) {
    repository(folder);
    const more = `\tuploadpack = ${program}\n[protocol "file"]\n\tallow = always\n`;
    appendFileSync(join(folder, '.git/config'), partialClone(`file://${folder}`, more));
    withoutBlobs(join(folder, '.git'), folder);
    edit(folder);
    return undefined;
  },
  fsmonitor(folder, program) {
    repository(folder);
    git(folder, 'config', 'core.fsmonitor', program);
    git(folder, 'config', 'core.untrackedCache', 'true');
    edit(folder);
    return undefined;
  },
  'filter.clean': (folder, program) => {
    filtered(folder, 'clean', program);
  },
  'filter.process': (folder, program) => {
    filtered(folder, 'process', program);
  },
  textconv(folder, program) {
    repository(folder);
    write(join(folder, '.gitattributes'), '*.yaml diff=evil\n');
    git(folder, 'config', 'diff.evil.textconv', program);
    edit(folder);
    return undefined;
  },
  'external diff'(folder, program) {
    repository(folder);
    write(join(folder, '.gitattributes'), '*.yaml diff=evil\n');
    git(folder, 'config', 'diff.external', program);
    git(folder, 'config', 'diff.evil.command', program);
    edit(folder);
    return undefined;
  },
  hooks(folder, program) {
    repository(folder);
    write(join(folder, 'kept.yaml'), pod('kept'));
    git(folder, 'add', '.');
    git(folder, 'commit', '-q', '-m', 'third');
    const hooks = join(folder, 'hooks');
    for (const name of [
      'post-index-change',
      'reference-transaction',
      'post-checkout',
      'pre-auto-gc',
      'fsmonitor-watchman',
    ]) {
      write(join(hooks, name), `#!/bin/sh\nexec '${program}'\n`);
      chmodSync(join(hooks, name), 0o755);
    }
    git(folder, 'config', 'core.hooksPath', hooks);
    edit(folder);
    // Git writes its index, and calls a hook for it, where a file has another time and is the same.
    utimesSync(join(folder, 'kept.yaml'), 1_000_000_000, 1_000_000_000);
    return undefined;
  },
  'embedded git folder': (folder, program) => embedded(folder, program, () => undefined),
  'embedded git folder with a commondir': (folder, program) =>
    embedded(folder, program, (inner) => {
      mkdirSync(join(inner, 'common'));
      for (const name of ['objects', 'refs', 'config']) renameSync(join(inner, name), join(inner, 'common', name));
      writeFileSync(join(inner, 'commondir'), 'common\n');
    }),
  'worktree redirection'(folder, program) {
    repository(folder);
    const elsewhere = `${folder}-elsewhere`;
    repository(elsewhere);
    write(join(elsewhere, '.gitattributes'), '*.yaml filter=evil\n');
    git(folder, 'config', 'core.worktree', elsewhere);
    appendFileSync(
      join(folder, '.git/config'),
      `[filter "evil"]\n\tclean = ${program}\n[core]\n\tfsmonitor = ${program}\n`,
    );
    edit(folder);
    return undefined;
  },
  'git file'(folder, program) {
    repository(folder);
    renameSync(join(folder, '.git'), join(folder, 'kept'));
    write(join(folder, '.git'), 'gitdir: kept\n');
    appendFileSync(
      join(folder, 'kept/config'),
      partialClone('ssh://host.invalid/x', `[core]\n\tfsmonitor = ${program}\n\tsshCommand = ${program}\n`),
    );
    withoutBlobs(join(folder, 'kept'), folder);
    edit(folder);
    return undefined;
  },
  'program in the folder'(folder, program) {
    repository(folder);
    edit(folder);
    for (const name of ['git', 'git.exe', 'bin/git']) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      cpSync(program, join(folder, name));
    }
    return undefined;
  },
};

function filtered(folder: string, which: string, program: string): undefined {
  repository(folder);
  write(join(folder, '.gitattributes'), '*.yaml filter=evil\n');
  git(folder, 'config', `filter.evil.${which}`, program);
  git(folder, 'config', 'filter.evil.required', 'true');
  edit(folder);
  return undefined;
}

/** What `git clone` brings: a folder among others that git takes for a repository. */
function embedded(folder: string, program: string, change: (inner: string) => void): string {
  const made = `${folder}-made`;
  repository(made);
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q');
  const inner = join(folder, 'deploy');
  cpSync(join(made, '.git'), inner, { recursive: true });
  rmSync(join(inner, 'hooks'), { recursive: true, force: true });
  writeFileSync(
    join(inner, 'config'),
    partialClone(
      'ssh://host.invalid/x',
      `[core]\n\tbare = false\n\tworktree = .\n\tsshCommand = ${program}\n\tfsmonitor = ${program}\n[protocol "ssh"]\n\tallow = always\n`,
    ),
  );
  for (const line of git(made, 'rev-list', '--objects', '--all').split('\n')) {
    const oid = line.split(' ')[0]!;
    if (git(made, 'cat-file', '-t', oid) === 'blob') rmSync(join(inner, 'objects', oid.slice(0, 2), oid.slice(2)));
  }
  write(join(inner, 'pod.yaml'), pod('inside'));
  change(inner);
  git(folder, 'add', '-f', '.');
  git(folder, 'commit', '-q', '-m', 'all of it');
  return inner;
}

/** Which question to git runs the program; those not named have it read a file of the last commit. */
const traps: Readonly<Record<string, readonly string[]>> = {
  fsmonitor: ['status'],
  'filter.clean': ['diff', 'HEAD'],
  'filter.process': ['diff', 'HEAD'],
  textconv: ['diff', 'HEAD'],
  'external diff': ['diff', 'HEAD'],
  hooks: ['status'],
  'worktree redirection': ['status'],
};

/** Makes one of each kind in a folder. */
export function makeHostileRepositories(folder: string): HostileRepository[] {
  return Object.keys(kinds).map((name) => makeHostileRepository(folder, name));
}

/** @param name the kind, by the setting that it abuses */
export function makeHostileRepository(folder: string, name: keyof typeof kinds): HostileRepository {
  const place = join(folder, name.replaceAll(' ', '-'));
  const canary = `${place}.canary`;
  const program = `${place}.program`;
  writeFileSync(program, `#!/bin/sh\ntouch '${canary}'\nexit 1\n`, { mode: 0o755 });
  const opened = kinds[name]!(place, program) ?? place;
  rmSync(canary, { force: true });
  const trap = traps[name] ?? ['cat-file', '-p', 'HEAD:pod.yaml'];
  return { name, folder: opened, canary, trap };
}

/** Whether the program has run since this was asked last. */
export function hasRun({ canary }: HostileRepository): boolean {
  const ran = existsSync(canary);
  rmSync(canary, { force: true });
  return ran;
}
