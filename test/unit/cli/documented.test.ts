import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import { commands as entries } from '../../../server/src/cli/commands/index.ts';
import { type Outcome, podium, projectFolder } from './run-podium.ts';

const commands = await Promise.all(entries.map(async ({ name, load }) => ({ name, help: (await load()).help })));

/** What the capitals of help and documentation stand for here, and in what the names of single options do. */
const stands: Readonly<Record<string, string>> = {
  '--ready-after TIME': '30s',
  '--by KEY': 'class',
  'bash|zsh|fish': 'bash',
  '--file FILE': 'samples/online-shop/apps/checkout.yaml',
  '--usage FILE': 'usage.txt',
  'FILE|-|NAMESPACE/POD=QUANTITY': 'usage.txt',
  'FILE|-': 'usage.txt',
  'NAMESPACE/POD=QUANTITY': 'shop/cart=900Mi',
  'NAMESPACE/POD': 'shop/catalog',
  'KIND/NAMESPACE/NAME': 'Deployment/shop/checkout',
  'COUNT[:CPU[:MEMORY[:PODS]]]': '2:8:32Gi:50',
  'CODE=LEVEL': 'budget-overlap=error',
  'SECTION[,SECTION…]': 'nodes,pods',
  'WHAT[,WHAT…]': 'budget',
  // A target needs a folder that has it.
  '--target NAME': 'staging deploy',
  '--context NAME': 'staging',
  '--output FILE': 'written.json',
  "'OPERATION at TIME'": "'drain node/general-a --ignore-daemonsets at 60s'",
  '--scenario FILE': 'samples/online-shop/upgrade.podium.yaml',
  '--against FILE': 'samples/online-shop/upgrade.podium.yaml',
  // What else is said of a chart that is installed needs one.
  '--values FILE': 'charts/web/values-prod.yaml charts/web',
  '--release NAME': 'web charts/web',
  '--namespace NAME': 'shop charts/web',
  OPERATION: "'cordon node/general-a'",
  GLOB: "'**/generated/**'",
  NUMBER: '7',
  SECONDS: '5',
  DURATION: '90s',
  LABELS: 'kubernetes.io/os=linux',
  COMMIT: 'HEAD',
  VERSION: '1.36',
  'CHART -f FILE': 'charts/web -f charts/web/values-prod.yaml',
  FILE: 'cluster.yaml',
  BASELINE: 'podium-baseline.json',
  'NAME[,NAME]': 'LimitPodHardAntiAffinityTopology',
  'NAME=true[,NAME=false]': 'HPAScaleToZero=true',
  'COUNT[:CPU[:MEMORY[:PODS]]][,KEY=VALUE][+COUNT…]': '2:8:32Gi:50,kubernetes.io/arch=amd64+1',
  WORKLOAD: 'shop/cart',
  POD: 'shop/storefront',
  'CPU:MEMORY[:PODS]': '4:16Gi',
  NODE: 'general-a',
  COMMAND: 'simulate',
  'FOLDER…': 'samples/online-shop',
  FOLDER: 'samples/online-shop',
  'PATH…': 'samples/online-shop',
  PATH: 'samples/online-shop',
  CHANGED: 'samples/online-shop',
  BEFORE: 'cluster.yaml',
};

/** Options that mean something only with another. */
const goesWith: Readonly<Record<string, string>> = {
  '--yes': '--fetch --yes',
  '--repin': '--fetch --repin',
  'simulate --prune': '--since HEAD --prune',
};

const placeholders = Object.keys(stands).sort((a, b) => b.length - a.length);

/** A pod is refused its eviction, and files have errors, without anything being wrong with how they were asked. */
const mayAnswerNo = /\bpodium (evict|drain|fit|threats|upgrade|check)\b|--fail-on/;

/** Of what speaks to an editor or an assistant, more is asked than a line. */
const plain = /^podium (?!lsp|mcp)(?:'[^']*'|[\w ./:=@,+-])+$/;

const message = (value: unknown): string => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...(value as object) });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

/** A whole session of an editor, for what starts the language server. */
const session = [
  { id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } },
  { id: 2, method: 'shutdown' },
  { method: 'exit' },
]
  .map(message)
  .join('');

/** Replaces placeholders, the longest first, and drops what may be left out. */
function filled(text: string): string {
  let line = text.replace(/ \[options\]/, '').replaceAll('[PATH…]', 'PATH…');
  for (const each of placeholders) {
    line = line.replaceAll(each, `${each.startsWith('--') ? `${each.split(' ')[0]!} ` : ''}${stands[each]!}`);
  }
  return line;
}

describe('what help and documentation say', () => {
  let folder: string;
  let path: string;
  let outside: string;

  /** A folder as the examples have it: the samples, an application of one's own, a repository, kubectl and helm. */
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'podium-documented-')));
    const write = async (name: string, text: string): Promise<void> => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    };
    const sample = join(projectFolder, 'samples');
    await cp(sample, join(folder, 'samples'), { recursive: true });
    await cp(join(projectFolder, 'docs/answers'), join(folder, 'docs/answers'), { recursive: true });
    const app =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web, namespace: shop }\nspec:\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec: { containers: [{ name: main, image: web }] }\n';
    await write('deploy/app.yaml', app);
    // The same in two versions, for what asks for one of them.
    await write('deploy/base/app.yaml', app.replaceAll('web', 'web-base'));
    await write('deploy/base/kustomization.yaml', 'resources: [app.yaml]\n');
    for (const target of ['staging', 'production']) {
      await write(`deploy/overlays/${target}/kustomization.yaml`, 'resources: [../../base]\n');
    }
    await write('charts/web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    await write('charts/web/values-prod.yaml', 'replicas: 3\n');
    await write('charts/web/templates/app.yaml', app);
    await write('cases.jsonl', `${JSON.stringify({ id: 'one', mode: 'cycle', objects: [] })}\n`);
    const pods =
      'NAMESPACE  NAME               CPU(cores)  MEMORY(bytes)\nshop       cart-6c9d7-b4n8x   5m          300Mi\n';
    await write('usage.txt', pods);
    const running = readdirSync(join(sample, 'online-shop/cluster')).map((name) =>
      readFileSync(join(sample, 'online-shop/cluster', name), 'utf8'),
    );
    const items = parseAllDocuments(running.join('---\n')).map((document) => document.toJS() as unknown);
    await write('bin/cluster.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await cp(join(folder, 'bin/cluster.json'), join(folder, 'cluster.yaml'));
    const own = join(folder, 'bin');
    await write(
      'bin/kubectl',
      ['#!/bin/sh', `[ "$1" = top ] && exec cat '${folder}/usage.txt'`, `exec cat '${own}/cluster.json'`, ''].join(
        '\n',
      ),
    );
    await write('bin/helm', `#!/bin/sh\nexec /bin/cat '${folder}/deploy/app.yaml'\n`);
    // A cluster is asked, and a chart rendered, by programs that do not lie in the folder that is worked on.
    outside = await realpath(await mkdtemp(join(tmpdir(), 'podium-kubectl-')));
    const asking = [
      '#!/bin/sh',
      '[ "$1" = config ] && exec echo staging',
      `[ "$3" = /version ] && exec echo '{"gitVersion":"v1.36.0"}'`,
      `exec echo '{"items":[]}'`,
      '',
    ];
    await writeFile(join(outside, 'kubectl'), asking.join('\n'), { mode: 0o755 });
    await cp(join(own, 'helm'), join(outside, 'helm'));
    await chmod(join(outside, 'helm'), 0o755);
    for (const name of ['kubectl', 'helm']) await chmod(join(own, name), 0o755);
    await write('.gitignore', 'bin/\n');
    const git = (...args: readonly string[]): Promise<unknown> =>
      promisify(execFile)('git', ['-c', 'user.name=Test', '-c', 'user.email=test@podium.example', ...args], {
        cwd: folder,
      });
    await git('init', '-q');
    await git('add', '.');
    await git('commit', '-q', '-m', 'Start');
    await git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const { installed } = await shipped();
    const { stdout } = await podium(['simulate', 'samples/online-shop', '--format', 'json'], { cwd: folder });
    await write('monday.json', stdout);
    await podium(['baseline', 'deploy'], { cwd: folder });
    path = [own, join(installed, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  });

  after(async () => {
    for (const made of [folder, outside]) await rm(made, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Runs a line as a person would who copies it: by a shell, but where all that it would do is to split it into words. */
  function typed(line: string): Promise<Outcome> {
    const PATH = /podium snapshot|charts\/web/.test(line) ? [outside, path].join(delimiter) : path;
    if (plain.test(line)) {
      const [, ...words] = line.match(/(?:'[^']*'|[^' ])+/g) ?? [];
      return podium(
        words.map((word) => word.replaceAll("'", '')),
        { cwd: folder, env: { PATH } },
      );
    }
    return new Promise((resolve, reject) => {
      const child = spawn('sh', ['-c', line], { cwd: folder, env: { ...process.env, PATH, COLUMNS: '100' } });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child.on('error', reject);
      child.on('close', (code) => {
        resolve({ code, stdout, stderr });
      });
      child.stdin.on('error', () => undefined);
      // An editor keeps the connection open until the server has gone.
      if (line.includes('podium lsp')) child.stdin.write(session);
      else child.stdin.end();
    });
  }

  /** What came of each line: many are written in several places, and none changes what the next one reads. */
  const outcomes = new Map<string, Promise<Outcome>>();

  async function works(line: string): Promise<void> {
    const words = filled(line).replace(/ +#.*$/, '');
    const outcome = outcomes.get(words) ?? typed(words);
    outcomes.set(words, outcome);
    const { code, stderr } = await outcome;
    assert.ok(code === 0 || (code === 1 && mayAnswerNo.test(line)), `exit code ${code}: ${stderr}`);
    // It says whom it asks before it does, and what has come of it. The tools of this test are scripts, which have no sandbox.
    // They lie in the folder that is worked on, too, from which nothing is run: charts there have none.
    const said = stderr
      .replace(/^podium: .* ran without a sandbox .*\n/gm, '')
      .replace(/^podium check: not checked: .*\binstalled\b.*\n/gm, '');
    assert.equal(/^podium (snapshot|baseline)|--fetch/.test(line) ? '' : said, '');
  }

  for (const { name, help } of commands) {
    const [usage = ''] = help.split('\n');
    it(usage, () => works(usage.replace('Usage: ', '')));
    for (const example of help.split('Examples:\n')[1]?.trimEnd().split('\n') ?? []) {
      it(`podium ${name} --help: ${example.trim()}`, () => works(example.trim()));
    }
    // `--option VALUE`, where the value may be words to choose from.
    for (const [, option = '', value = ''] of help.matchAll(
      /^ {2}(?:-\w, )?(--[a-z-]+)(?: ('[^']+'|[^\s]+))?(?: |$)/gm,
    )) {
      const given = stands[`${option} ${value}`] ?? stands[value];
      const words = value === '' ? [''] : given === undefined ? value.split('|') : [given];
      for (const word of words) {
        const base = filled(usage.replace('Usage: ', ''));
        const rest =
          base.includes(` ${option} `) || option === '--stdio'
            ? ''
            : ` ${goesWith[`${name} ${option}`] ?? goesWith[option] ?? option} ${word}`.trimEnd();
        it(`podium ${name} ${option} ${word}`.trimEnd(), () => {
          assert.ok(given !== undefined || !/[A-Z]/.test(word), `say in this file what ${value} stands for`);
          return works(`${base.replace(/ [<>].*/, '')}${rest}`);
        });
      }
    }
  }

  it('podium COMMAND --help, for every command that the overview lists', async () => {
    const { stdout } = await podium(['--help']);
    const listed = [...stdout.matchAll(/^ {2}podium ([a-z]+) /gm)].map(([, name]) => name);
    assert.deepEqual(
      listed,
      commands.map(({ name }) => name),
    );
    for (const { name, help } of commands) assert.equal((await podium([name, '--help'])).stdout, help);
  });

  const documents = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md']
    .concat(
      readdirSync(join(projectFolder, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
    )
    .concat(
      readdirSync(join(projectFolder, 'samples'), { recursive: true, encoding: 'utf8' }).map((name) =>
        join('samples', name),
      ),
    )
    .filter((name) => name.endsWith('.md') && existsSync(join(projectFolder, name)));
  const texts = documents.map((name) => [name, readFileSync(join(projectFolder, name), 'utf8')] as const);

  for (const [name, text] of texts) {
    const blocks = [...text.matchAll(/^```(?:sh|bash|shell|console)\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
    const lines = blocks.flatMap((block) => block.split('\n')).map((line) => line.replace(/^\$ /, ''));
    const inline = [...text.matchAll(/`(podium [^`\n]+)`/g)].map(([, line = '']) => line);
    for (const line of new Set([...lines, ...inline].filter((each) => /\bpodium [a-z-]/.test(each)))) {
      // A command alone is its name, not a call of it.
      const isName = /^podium [a-z]+$/.test(line);
      it(`${name}: ${line}`, () => works(isName ? `${line} --help` : line));
    }
  }

  it('names only scripts and packages that there are', async () => {
    const { scripts } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const { folder: packages } = await shipped();
    for (const [name, text] of texts) {
      for (const [, script = ''] of text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)) {
        assert.ok(script in scripts, `${name}: ${script}`);
      }
      for (const [file] of text.matchAll(/\bpodium[\w-]*-\d+\.\d+\.\d+\.(?:vsix|tgz|cdx\.json)/g)) {
        assert.ok(existsSync(join(packages, file)), `${name}: ${file}`);
      }
      assert.doesNotMatch(text, /npx podium\b(?!-)/, name);
    }
  });
});
