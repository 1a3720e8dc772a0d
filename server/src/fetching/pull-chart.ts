import { say } from '../util/say.ts';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { homeFolder } from '../processes/home-folder.ts';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';
import { asMap, asText, readData } from '../manifests/read-data.ts';
import { safePath } from '../processes/find-program.ts';
import { memoryOf } from '../processes/memory-of.ts';
import { ProgramError, runProgram } from '../processes/run-program.ts';
import { isDigest, isLoopback, type RemoteChart } from '../sources/files/remote.ts';
import { isInside } from '../sources/files/paths.ts';
import { FetchError, ownWords } from './failure.ts';
import type { Content } from './storage.ts';
import { unpackChart } from './unpack-chart.ts';

/** Milliseconds; the index of a large repository has 20 MB. */
const timeout = 120_000;
const maxArchiveBytes = 32 * 1024 * 1024;
/** Helm reads what it is sent into its memory, to the end. An index of 20 MB takes 250 MB. */
const maxMemory = 2 * 1024 * 1024 * 1024;

/** Has the user's helm pull a chart, and unpacks it. Rejects with `FetchError`. */
export async function pullChart(
  { repository, name, version }: RemoteChart,
  folder: string,
  workedOn: readonly string[],
  signal: AbortSignal,
): Promise<Content> {
  const archives = join(folder, 'archives');
  const home = join(folder, 'helm');
  await mkdir(archives);
  await mkdir(home);
  const isRegistry = repository.startsWith('oci:');
  const reference = isDigest(version) ? `@${version}` : '';
  const args = isRegistry ? ['pull', `${repository}/${name}${reference}`] : ['pull', name, `--repo=${repository}`];
  if (version !== '' && reference === '') args.push(`--version=${version}`);
  if (isRegistry && isLoopback(repository)) args.push('--plain-http');
  args.push(`--destination=${archives}`);
  try {
    await runProgram({
      program: 'helm',
      args,
      folder: archives,
      workedOn,
      environment: environmentOf(home, workedOn),
      maxBytes: 1024 * 1024,
      timeout,
      signal,
      guard: async (pid) => ((await memoryOf(pid)) > maxMemory ? say`it is sent more than it can hold` : null),
    });
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    throw new FetchError(helmWords(error));
  }
  const archive = (await readdir(archives)).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) throw new FetchError(say`helm has written no archive`);
  const path = join(archives, archive);
  if ((await stat(path)).size > maxArchiveBytes) {
    throw new FetchError(say`the archive is larger than ${maxArchiveBytes / 1024 / 1024} MiB`);
  }
  const chart = join(folder, 'chart');
  await mkdir(chart);
  await unpackChart(path, chart);
  const about = asMap(readData(await readFile(join(chart, 'Chart.yaml'), 'utf8').catch(() => '')).value);
  const resolved = asText(about['version']);
  const wanted = name.slice(name.lastIndexOf('/') + 1);
  if (asText(about['name']) !== wanted || !/^v?\d[\w.+-]{0,100}$/.test(resolved)) {
    throw new FetchError(say`the archive holds no chart ${wanted} with a version`);
  }
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  return { folder: chart, file: '', sha256, resolved, pin: `chart ${repository} ${name} ${resolved}` };
}

/**
 * What helm sees: no configuration, repositories, plugins or cache but its own empty ones. Of the user's it has what
 * logs in to registries, which says for each password to which host it goes; and where the way out is.
 */
function environmentOf(home: string, workedOn: readonly string[]): NodeJS.ProcessEnv {
  const { env } = process;
  const kept = Object.entries(env).filter(([name]) => ofTheUser.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: safePath(workedOn),
    LC_ALL: 'C',
    TMPDIR: home,
    TEMP: home,
    TMP: home,
    KUBECONFIG: join(home, 'none'),
    HELM_CACHE_HOME: join(home, 'cache'),
    HELM_CONFIG_HOME: join(home, 'config'),
    HELM_DATA_HOME: join(home, 'data'),
    HELM_PLUGINS: join(home, 'none'),
    HELM_REGISTRY_CONFIG: ownFile(registryConfiguration(env), workedOn) ?? join(home, 'registry.json'),
    DOCKER_CONFIG: ownFile(set(env['DOCKER_CONFIG']) ?? join(homeFolder(), '.docker'), workedOn) ?? join(home, 'none'),
    // Without encryption nobody is asked but this machine, which Go's proxies do not stand before.
    HTTP_PROXY: 'http://127.0.0.1:9',
    http_proxy: 'http://127.0.0.1:9',
  };
}

/** Programs that hold passwords need the user's home and session. */
const ofTheUser =
  /^(?:HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|SYSTEMROOT|USER|LOGNAME|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|GNUPGHOME|HTTPS_PROXY|NO_PROXY|SSL_CERT_FILE|SSL_CERT_DIR)$/i;

/** Source: helm, pkg/cli/environment.go and pkg/helmpath/lazypath.go */
function registryConfiguration(env: NodeJS.ProcessEnv): string {
  const { HELM_REGISTRY_CONFIG: file, HELM_CONFIG_HOME: own, XDG_CONFIG_HOME: shared, APPDATA: roaming } = env;
  if (file) return file;
  const defaults: Readonly<Record<string, string>> = {
    win32: join(roaming ?? homeFolder(), 'helm'),
    darwin: join(homeFolder(), 'Library', 'Preferences', 'helm'),
  };
  const others = defaults[process.platform] ?? join(homeFolder(), '.config', 'helm');
  const folder = set(own) ?? (shared ? join(shared, 'helm') : others);
  return join(folder, 'registry', 'config.json');
}

/** A variable that is empty is none. */
function set(variable: string | undefined): string | undefined {
  return variable === '' ? undefined : variable;
}

/** Null for what may have been put there by whoever has written what is worked on. */
function ownFile(path: string, workedOn: readonly string[]): string | null {
  return isAbsolute(path) && !workedOn.some((folder) => isInside(path, folder) && !isInside(homeFolder(), folder))
    ? path
    : null;
}

function helmWords({ failure, stderr, message }: ProgramError): string {
  if (failure !== 'failed') return failure === 'not-found' ? message : `helm: ${message}`;
  const lines = stderr.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^(?:level=|time=|WARNING)/.test(line));
  const start = lines.findIndex((line) => line.startsWith('Error: '));
  const words = lines
    .slice(Math.max(start, 0))
    .join(' ')
    .replace(/^Error: /, '');
  return ownWords(words === '' ? message : words);
}
