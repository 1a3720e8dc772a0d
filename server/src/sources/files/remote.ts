import { say } from '../../util/say.ts';
import { posix } from 'node:path';
import { list } from '../../util/words.ts';

/** A chart of a repository, or of a registry (`oci://`). */
export interface RemoteChart {
  readonly kind: 'chart';
  /** Without a slash at its end. */
  readonly repository: string;
  readonly name: string;
  /** A version or a range of them, of a registry also a digest; empty for the newest. */
  readonly version: string;
}

/** A git repository at a branch, a tag or a commit, or at the newest tag of a range (`semver:1.x`); empty for its default branch. */
export interface RemoteTree {
  readonly kind: 'git';
  readonly url: string;
  readonly ref: string;
}

export interface RemoteFile {
  readonly kind: 'file';
  readonly url: string;
}

/** Something that Podium does not fetch, whoever asks. */
export interface NotFetched {
  readonly kind: 'not-fetched';
  /** What it is, without passwords. */
  readonly what: string;
  /** A sentence without a full stop. */
  readonly why: string;
}

export type Fetchable = RemoteChart | RemoteTree | RemoteFile;

/** Something that a source needs and that does not lie in the workspace. */
export type Remote = Fetchable | NotFetched;

/** The same for the same thing; never holds a password. */
export function remoteKey(remote: Fetchable): string {
  if (remote.kind === 'chart') return `chart ${remote.repository} ${remote.name} ${remote.version}`.trimEnd();
  return remote.kind === 'git' ? `git ${remote.url} ${remote.ref}`.trimEnd() : `file ${remote.url}`;
}

/** What people call it: `podinfo 6.3.5`. */
export function remoteName(remote: Remote): string {
  if (remote.kind === 'not-fetched') return remote.what;
  if (remote.kind === 'chart') return `${remote.name} ${remote.version === '' ? '(newest)' : remote.version}`;
  if (remote.kind === 'git') return remote.ref === '' ? 'default branch' : remote.ref;
  return posix.basename(new URL(remote.url).pathname);
}

/** Where it comes from. */
export function remoteAddress(remote: Fetchable): string {
  return remote.kind === 'chart' ? remote.repository : remote.url;
}

/** Whether it can be another thing tomorrow: a range of versions, a branch, a tag, an address. */
export function floats(remote: Fetchable): boolean {
  if (remote.kind === 'chart') {
    return !isDigest(remote.version) && !/^v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(remote.version);
  }
  return remote.kind === 'file' || !/^[0-9a-f]{40}$/.test(remote.ref);
}

/** What a registry calls one content. Source: the OCI image specification, descriptor.md */
export function isDigest(version: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(version);
}

export function remoteChart(repository: string, name: string, version: string): Remote {
  const what = `${name} ${version}`.trim();
  const url = withoutEndingSlashes(repository);
  const why =
    addressFault(url, ['https:', 'oci:']) ??
    (/^[A-Za-z0-9][\w.-]{0,200}(?:\/[A-Za-z0-9][\w.-]{0,200}){0,8}$/.test(name)
      ? null
      : say`its name is none of a chart`) ??
    ((url.startsWith('oci:') && isDigest(version)) || /^[\w.+*^~<>=|, -]{0,100}$/.test(version)
      ? null
      : say`its version is neither a version nor a range of them`);
  return why === null ? { kind: 'chart', repository: url, name, version } : notFetched(what, repository, why);
}

export function remoteTree(url: string, ref: string): Remote {
  const wanted = ref === 'HEAD' ? '' : ref;
  const isName = wanted === '' || (/^\w[\w./+@-]{0,200}$/.test(wanted) && !/\.\.|@\{|\/\/|\.lock$|[./]$/.test(wanted));
  const why = gitFault(url) ?? (isName ? null : say`it is neither a branch nor a tag nor a commit`);
  return why === null ? { kind: 'git', url: withoutEndingSlashes(url), ref: wanted } : notFetched(wanted, url, why);
}

/** A git repository at the newest of its tags that a range of versions takes. */
export function remoteTagRange(url: string, range: string): Remote {
  const isRange = /^[\w.+*^~<>=!|, -]{1,100}$/.test(range);
  const why = gitFault(url) ?? (isRange ? null : say`it is no range of versions`);
  const ref = `${rangeMark}${range}`;
  return why === null ? { kind: 'git', url: withoutEndingSlashes(url), ref } : notFetched(range, url, why);
}

/** No name of a branch or tag has a colon. */
export const rangeMark = 'semver:';

export function remoteFile(url: string): Remote {
  const why = addressFault(url, ['https:'], true);
  return why === null ? { kind: 'file', url } : notFetched('', url, why);
}

export function notFetched(what: string, address: string, why: string): NotFetched {
  const at = withoutPassword(address);
  return { kind: 'not-fetched', what: what === '' || at === '' ? what + at : say`${what} of ${at}`, why };
}

/** Whether an address names this machine: the only one that is asked without encryption. */
export function isLoopback(url: string): boolean {
  return /^[a-z]+:\/\/(?:127\.0\.0\.1|localhost)(?::\d{1,5})?(?:\/|$)/.test(url);
}

/** As `git@host:path`, which ssh takes. */
const secureCopy = /^[A-Za-z0-9][\w.-]{0,60}@[A-Za-z0-9][A-Za-z0-9.-]{0,250}:[\w~][\w./~-]{0,500}$/;

function gitFault(url: string): string | null {
  return secureCopy.test(url) ? null : addressFault(url, ['https:', 'ssh:']);
}

/** Why an address is not asked; null when nothing is known against it. */
function addressFault(written: string, protocols: readonly string[], mayHaveQuery = false): string | null {
  if (written === '') return say`its address is not known`;
  if (written.includes('${') || written.includes('{{')) return say`its address is filled in later`;
  // A URL would drop line breaks, and take backslashes for slashes.
  if (!/^[\x21-\x7e]{1,2000}$/.test(written) || written.includes('\\')) return say`its address is none`;
  let url: URL;
  try {
    url = new URL(written);
  } catch {
    return say`its address is none`;
  }
  const isKnown = protocols.includes(url.protocol) || (url.protocol === 'http:' && isLoopback(written));
  const known = list(protocols.map((protocol) => protocol.slice(0, -1)));
  if (!isKnown) {
    return protocols.length === 1 ? say`only ${known} is fetched from` : say`only ${known} are fetched from`;
  }
  if (url.password !== '' || (url.protocol !== 'ssh:' && url.username !== '')) {
    return say`its address has a password in it`;
  }
  if (!/^[A-Za-z0-9]$|^[A-Za-z0-9][A-Za-z0-9.-]{0,250}[A-Za-z0-9]$|^\[[0-9a-f:.]+\]$/i.test(url.hostname)) {
    return say`its address has no host`;
  }
  if (!/^[\w.-]*$/.test(url.username) || url.username.startsWith('-')) return say`its address has no user`;
  if (url.hash !== '' || (!mayHaveQuery && url.search !== '')) return say`its address has a query`;
  return null;
}

/** An address as it is told: reports are handed on, and what stands before the host may be a password. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/@]*@(?=[^/@])/g, '//***@').replace(/^[^/@:]*:[^/@]*@/, '***@');
}

/** An entry of a kustomization that is remote, and the path in it that is meant. */
export interface RemoteEntry {
  readonly remote: Remote;
  /** Within a git repository; empty for all of it. */
  readonly path: string;
}

/**
 * What kustomize would fetch for an entry: a file where the address names one, else a git repository.
 * Source: api/internal/git/repospec.go (parseGitURL), api/internal/loader/fileloader.go
 *
 * @param mayBeFolder whether the field takes folders
 */
export function remoteOfEntry(written: string, mayBeFolder: boolean): RemoteEntry {
  const entry = written.replace(/^git::/, '');
  const isForced = entry !== written;
  if (!isForced && /^https?:/.test(entry) && (!mayBeFolder || namesFile(entry))) {
    return { remote: remoteFile(entry), path: '' };
  }
  const [address = '', query = ''] = entry.split('?', 2);
  const values = new URLSearchParams(query);
  const { repository, path } = repositoryOf(address);
  const inner = posix.normalize(path === '' ? '.' : path).replace(/\/$/, '');
  const ref = values.get('ref') ?? values.get('version') ?? '';
  if (inner.startsWith('..') || inner.startsWith('/')) {
    return { remote: notFetched(path, repository, say`it leads out of the repository`), path: '' };
  }
  return { remote: remoteTree(repository, ref), path: inner === '.' ? '' : inner };
}

function namesFile(url: string): boolean {
  const [address = '', query = ''] = url.split('?', 2);
  if (/(?:^|&)(?:ref|version)=/.test(query) || /\.git(?:\/|$)/.test(address)) return false;
  return /\.(?:ya?ml|json)$/i.test(address) && !address.replace(/^https?:\/\//, '').includes('//');
}

/** Cuts the address of a repository from the path in it. */
function repositoryOf(written: string): { readonly repository: string; readonly path: string } {
  const address = written
    .replace(/^(?:www\.)?github\.com[/:]/i, 'https://github.com/')
    .replace(/^gh:/, 'https://github.com/');
  const host = /^(?:[a-z+]+:\/\/[^/]*\/|[^/@]+@[^/:]+[:/])/i.exec(address)?.[0] ?? '';
  const rest = address.slice(host.length);
  for (const [mark, kept] of [
    ['//', 0],
    ['.git', 4],
  ] as const) {
    const at = rest.indexOf(mark);
    if (at > 0) return { repository: host + rest.slice(0, at + kept), path: rest.slice(at + kept).replace(/^\/+/, '') };
  }
  const steps = rest.split('/');
  const git = steps.indexOf('_git');
  const length = git > 0 ? git + 2 : 2;
  return { repository: host + steps.slice(0, length).join('/'), path: steps.slice(length).join('/') };
}

/** Step by step, as a pattern for it looks at each slash of a long row again. */
function withoutEndingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
