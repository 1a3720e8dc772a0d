/**
 * Bundles what is shipped and what the editor tests run.
 *
 *   node esbuild.mjs            minified bundles in dist/, with their sizes; fails above the bars
 *   node esbuild.mjs --dev      readable, with source maps
 *   node esbuild.mjs --watch    as --dev, and again after every change
 *   node esbuild.mjs --tests    the suites that run inside VS Code, in .cache/test-editor/
 *   node esbuild.mjs --out=DIR  into another folder than dist/
 *
 * Beside the minified bundles it writes whose work is in them: THIRD-PARTY-NOTICES, and sbom.cdx.json.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { argv, exit } from 'node:process';
import * as esbuild from 'esbuild';
import { billOfMaterials, bundledPackages, thirdPartyNotices } from './scripts/lib/bundled.mjs';

const flags = new Set(argv.slice(2));
const watch = flags.has('--watch');
const dev = watch || flags.has('--dev');
const out = argv.find((flag) => flag.startsWith('--out='))?.slice('--out='.length) ?? 'dist';

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  minify: !dev,
  sourcemap: dev ? 'linked' : false,
  legalComments: 'none',
  // Other languages in their own letters, which take a third of the room.
  charset: 'utf8',
  metafile: true,
  logLevel: 'warning',
};

/** @type {import('esbuild').BuildOptions} */
const forNode = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Prefer the ES modules of packages that ship both, so that unused exports are dropped.
  mainFields: ['module', 'main'],
};

/** @type {import('esbuild').BuildOptions} */
const forBrowser = { ...common, platform: 'browser', target: 'es2022', format: 'esm' };

/**
 * What is a bundle of its own stays one, wherever it is imported.
 *
 * @type {(filter: RegExp, path: string) => import('esbuild').Plugin}
 */
const apart = (filter, path) => ({
  name: path,
  setup: ({ onResolve }) => {
    onResolve({ filter }, ({ kind }) => (kind === 'entry-point' ? undefined : { path, external: true }));
  },
});

/**
 * Leaves out parts of the MCP SDK that would be half of the bundle: what it judges answers of users with, as nobody is
 * asked for any, and what reads schemas of zod 3, as those of Podium's tools are of zod 4.
 *
 * @type {import('esbuild').Plugin}
 */
const withoutUnused = {
  name: 'without-unused',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]zod[\\/]v3[\\/]index\.js$/ }, () => ({ contents: 'export {};', loader: 'js' }));
    onLoad({ filter: /[\\/]zod-to-json-schema[\\/]dist[\\/]esm[\\/]index\.js$/ }, () => ({
      contents: `export function zodToJsonSchema() {
        throw new Error('a schema of zod 3');
      }`,
      loader: 'js',
    }));
    onLoad({ filter: /[\\/]sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: `export class AjvJsonSchemaValidator {
        getValidator() {
          throw new Error('no answer of a user is asked for');
        }
      }`,
      loader: 'js',
    }));
  },
};

/** Source → output, without its ending: the texts of the server in other languages, of which both servers load one. */
const languages = Object.fromEntries(
  ['server', 'shared'].flatMap((part) =>
    ['ja', 'ru', 'zh-cn'].map((language) => [`texts/${part}.${language}`, `l10n/${part}.${language}.json`]),
  ),
);

/**
 * Leaves texts in other languages to their own bundles.
 *
 * @param {string} way from the server to the folder of all bundles
 * @returns {import('esbuild').Plugin}
 */
const languagesApart = (way) => ({
  name: 'languages-apart',
  setup: ({ onLoad, onResolve }) => {
    const file = /[\\/]l10n[\\/]((?:server|shared)\.[\w-]+)\.json$/;
    onResolve({ filter: file }, ({ path }) => ({
      path: `${way}/texts/${file.exec(path)?.[1]}.mjs`,
      external: true,
    }));
    // They are modules then, and no JSON.
    onLoad({ filter: /[\\/]languages\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(", { with: { type: 'json' } }", ''),
      loader: 'ts',
    }));
  },
});

/** @type {{ readonly shortKey: (english: string) => string }} */
const { shortKey } = await import(
  `data:text/javascript,${encodeURIComponent(esbuild.transformSync(readFileSync('server/src/util/short-key.ts', 'utf8'), { loader: 'ts' }).code)}`
);

/**
 * The texts of the server in other languages, as lists: their keys, which are the same for all, are bundled once.
 *
 * @type {import('esbuild').Plugin}
 */
const languageTexts = {
  name: 'language-texts',
  setup: ({ onResolve, onLoad }) => {
    /** @type {(path: string) => Record<string, unknown>} */
    const textsIn = (path) => JSON.parse(readFileSync(path, 'utf8'));
    const ofEveryLanguage = (/** @type {string} */ part) =>
      ['ja', 'ru', 'zh-cn'].map((language) => textsIn(`${part}.${language}.json`));
    const keysOf = (/** @type {string} */ part) =>
      [...new Set(ofEveryLanguage(part).flatMap((texts) => Object.keys(texts)))].sort();
    const keys = 'podium-text-keys:';
    onResolve({ filter: /^podium-text-keys:/ }, ({ path }) => ({ path, namespace: 'text-keys' }));
    onLoad({ filter: /^podium-text-keys:/, namespace: 'text-keys' }, ({ path }) => ({
      contents: keysOf(path.slice(keys.length)).map(shortKey).join(' '),
      loader: 'text',
    }));
    onLoad({ filter: /[\\/]l10n[\\/](?:server|shared)\.[\w-]+\.json$/ }, ({ path }) => {
      const part = path.replace(/\.[\w-]+\.json$/, '');
      const own = textsIn(path);
      // A text that this language lacks is 0, and stays English.
      const texts = JSON.stringify(keysOf(part).map((key) => own[key] ?? 0));
      const contents = `import keys from ${JSON.stringify(keys + part)};const texts=${texts};
export default Object.fromEntries(keys.split(' ').map((key,at)=>[key,texts[at]]).filter(([,text])=>text!==0));`;
      return { contents, loader: 'js' };
    });
  },
};

/**
 * What packages of the protocol give a browser only, in a bundle that is for Node as well.
 *
 * @type {import('esbuild').Plugin}
 */
const browserParts = {
  name: 'browser-parts',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^vscode-[\w-]+\/browser$/ }, async ({ path, kind, importer, resolveDir }) => {
      const found = await resolve(dirname(path), { kind, importer, resolveDir });
      return { ...found, path: join(found.path, '../../browser/main.js') };
    });
  },
};

/** What each minor of Kubernetes after the first may add to what is loaded: the minors share what is the same. */
const bytesPerMinor = 60_000;

/** What the server always loads. */
const bytesOfServer = 700_000;

/** What the rules load besides, without what the minors after the first add. What the server leaves, they may take. */
const bytesOfRules = 285_000;

/**
 * @typedef {object} Product
 * @property {import('esbuild').BuildOptions} options `entryPoints` as output path in the folder → source
 * @property {Readonly<Record<string, number>>} limits Output, or source of a chunk → bytes that it, with what it always
 *   loads, stays below
 */

/** Packages that are CommonJS ask for Node's modules with `require`. A browser has none. */
const ownRequire = "const require=globalThis.process?.getBuiltinModule?.('module').createRequire(import.meta.url);";

/** @type {readonly Product[]} */
const products = [
  {
    // What VS Code loads at the start; the language client comes with the language server, when that is started, and
    // commands that reach beyond this machine when the first of them is called, and the side bar when somebody looks.
    limits: { 'client.cjs': 100_000, 'client-on-request.cjs': 100_000, 'client-overview.cjs': 100_000 },
    options: {
      ...forNode,
      entryPoints: {
        client: 'client/src/extension.ts',
        'client-on-request': 'client/src/on-request/index.ts',
        'client-overview': 'client/src/overview/index.ts',
      },
      external: ['vscode'],
      outExtension: { '.js': '.cjs' },
      plugins: [
        apart(/^\.\/server-process\.ts$/, './language-client.cjs'),
        apart(/^\.\/index\.ts$/, './assistants.cjs'),
        apart(/\/on-request\/(?:index|choose-sources|compare-with|export-report)\.ts$/, './client-on-request.cjs'),
        apart(/\/overview\/index\.ts$/, './client-overview.cjs'),
      ],
    },
  },
  {
    limits: { 'language-client.cjs': 490_000 },
    options: {
      ...forNode,
      entryPoints: { 'language-client': 'client/src/server-process.ts' },
      external: ['vscode'],
      outExtension: { '.js': '.cjs' },
    },
  },
  {
    // What the extension loads when an assistant asks.
    limits: { 'assistants.cjs': 10_000 },
    options: {
      ...forNode,
      entryPoints: { assistants: 'client/src/assistants/index.ts' },
      external: ['vscode'],
      outExtension: { '.js': '.cjs' },
    },
  },
  {
    // The server and the command line share their code. The server loads the rules with the first open manifest, and
    // the engine when somebody asks what would happen.
    // So does the server in a worker of a browser, of which nothing reaches Node.
    limits: {
      'server/src/serve.ts': bytesOfServer,
      'server/src/serve-web.ts': bytesOfServer,
      // It judges many small changes in hooks and in CI: nothing of the engine is loaded for it.
      'server/src/cli/commands/check.ts': 1_172_000,
    },
    options: {
      ...forNode,
      entryPoints: {
        server: 'server/src/main.ts',
        podium: 'server/src/cli/main.ts',
        'web/server': 'server/src/main-web.ts',
      },
      format: 'esm',
      splitting: true,
      outExtension: { '.js': '.mjs' },
      chunkNames: 'chunks/[name]-[hash]',
      banner: { js: ownRequire },
      // The package's ES modules, of which only what is used is bundled; for Node it names its CommonJS ones.
      alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
      // As seen from the chunk of the command that loads it.
      plugins: [apart(/\/mcp\/serve\.ts$/, '../mcp.mjs'), languagesApart('..'), browserParts],
    },
  },
  {
    // For conformance tests and scripts; no package has it.
    limits: {},
    options: {
      ...forNode,
      entryPoints: { decide: 'server/src/cli/decide/main.ts' },
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
      alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
    },
  },
  {
    // What assistants speak, with the library of their protocol: apart, so that nothing of it is in what others load.
    limits: { 'mcp.mjs': 200_000 },
    options: {
      ...forNode,
      entryPoints: { mcp: 'server/src/cli/mcp/serve.ts' },
      plugins: [withoutUnused],
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    },
  },
  {
    // The extension in a browser, which loads one file and no others.
    limits: { 'web/extension.js': 600_000 },
    options: {
      ...forBrowser,
      format: 'cjs',
      entryPoints: { 'web/extension': 'client/src/web/extension.ts' },
      external: ['vscode'],
    },
  },
  {
    limits: {},
    options: { ...forBrowser, format: 'iife', entryPoints: { 'web/worker': 'client/src/web/worker.ts' } },
  },
  {
    limits: {},
    options: {
      ...forBrowser,
      entryPoints: languages,
      splitting: true,
      outExtension: { '.js': '.mjs' },
      chunkNames: 'texts/[name]-[hash]',
      plugins: [languageTexts],
    },
  },
  {
    limits: {},
    options: {
      ...forBrowser,
      entryPoints: { 'webview/main': 'client/webview/main.tsx' },
      jsx: 'automatic',
      jsxImportSource: 'preact',
    },
  },
];

/** @type {readonly Product[]} */
const tests = [
  {
    limits: {},
    options: {
      ...forNode,
      minify: false,
      sourcemap: 'inline',
      entryPoints: {
        'kubernetes-workspace': 'test/editor/kubernetes-workspace/index.ts',
        'plain-workspace': 'test/editor/plain-workspace/index.ts',
        activation: 'test/bench/activation/inside-editor.ts',
      },
      // Mocha finds files of its own at run time.
      external: ['vscode', 'mocha'],
      outExtension: { '.js': '.cjs' },
    },
  },
];

const folder = flags.has('--tests') ? '.cache/test-editor' : out;
/** @type {import('esbuild').Metafile[]} */
const metafiles = [];
let tooLarge = false;

/**
 * The bytes of an output and of the chunks that it imports, and they import; not of what it loads on demand.
 *
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {string} path
 */
function loadedBytes(outputs, path, seen = new Set()) {
  if (seen.has(path) || !(path in outputs)) return 0;
  seen.add(path);
  const needed = outputs[path].imports.filter(({ kind }) => kind === 'import-statement');
  return needed.reduce((sum, each) => sum + loadedBytes(outputs, each.path, seen), outputs[path].bytes);
}

/** @param {string} name @param {string} size @param {number} bytes @param {number} [limit] */
function printSize(name, size, bytes, limit = Infinity) {
  const over = !dev && bytes >= limit;
  tooLarge ||= over;
  console.log(`${name.padEnd(40)} ${size}${over ? `  over the bar of ${limit / 1000} kB` : ''}`);
}

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1).padStart(8)} kB`;

/**
 * What the files of each minor after the first weigh, and the server with its rules.
 *
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
function printMinors(outputs) {
  /** @type {Map<string, number>} */
  const minors = new Map();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, major, minor] = /\/kubernetes\/(?:api|releases)\/v(\d+)[.-](\d+)\.ts$/.exec(path) ?? [];
      if (minor === undefined) continue;
      const name = `${major}.${minor}`;
      minors.set(name, (minors.get(name) ?? 0) + bytesInOutput);
    }
  }
  const further = [...minors].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).slice(1);
  for (const [name, bytes] of further) {
    printSize(`Kubernetes ${name} beyond the minor before`, kilobytes(bytes), bytes, bytesPerMinor);
  }
  const outputOf = (/** @type {string} */ source) =>
    Object.keys(outputs).find((path) => outputs[path].entryPoint === source) ?? '';
  const loaded = new Set();
  const sources = ['server/src/serve.ts', 'server/src/language/checks/index.ts'];
  const bytes = sources.reduce((sum, source) => sum + loadedBytes(outputs, outputOf(source), loaded), 0);
  const limit = bytesOfServer + bytesOfRules + bytesPerMinor * further.length;
  printSize('the server with its rules', kilobytes(bytes), bytes, limit);
}

/** @param {import('esbuild').Metafile} metafile @param {Product['limits']} limits */
function printSizes({ outputs }, limits) {
  for (const [path, { bytes, entryPoint }] of Object.entries(outputs)) {
    if (path.endsWith('.map') || entryPoint === undefined) continue;
    const loaded = loadedBytes(outputs, path);
    const name = relative(folder, path);
    printSize(
      name,
      `${kilobytes(loaded)}${loaded === bytes ? '' : ' with its chunks'}`,
      loaded,
      limits[name] ?? limits[entryPoint],
    );
  }
  if ('server/src/serve.ts' in limits) printMinors(outputs);
}

// Names of chunks change with their content: those of an earlier build must not stay behind.
rmSync(folder, { recursive: true, force: true });
await Promise.all(
  (flags.has('--tests') ? tests : products).map(async ({ options, limits }) => {
    const context = await esbuild.context({ ...options, outdir: folder });
    if (watch) {
      await context.watch();
      return;
    }
    try {
      const { metafile } = await context.rebuild();
      metafiles.push(metafile);
      printSizes(metafile, limits);
    } finally {
      await context.dispose();
    }
  }),
).catch((/** @type {Error} */ error) => {
  // esbuild has printed what is wrong with our sources; anything else must be seen.
  if (!('errors' in error)) console.error(error);
  exit(1);
});

const chunks = join(folder, 'chunks');
for (const name of existsSync(chunks) ? readdirSync(chunks) : []) {
  const text = readFileSync(join(chunks, name), 'utf8');
  const own = text.replace(ownRequire, '');
  // Nearly all do without, and each would make one when it is loaded.
  if (name.endsWith('.mjs') && !/\brequire\b/.test(own)) writeFileSync(join(chunks, name), own);
}
const commandLine = join(folder, 'podium.mjs');
if (existsSync(commandLine)) chmodSync(commandLine, 0o755);
if (!dev && !flags.has('--tests')) {
  const packages = bundledPackages(metafiles);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), thirdPartyNotices(packages));
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(packages), null, 2)}\n`);
}
if (tooLarge) exit(1);
