/**
 * Bundles what is shipped and what the editor tests run.
 *
 *   node esbuild.mjs            minified bundles in dist/, with their sizes; fails above the bars
 *   node esbuild.mjs --dev      readable, with source maps
 *   node esbuild.mjs --watch    as --dev, and again after every change
 *   node esbuild.mjs --tests    the suites that run inside VS Code, in .cache/test-editor/
 */
import { chmodSync, existsSync } from 'node:fs';
import { argv, exit } from 'node:process';
import * as esbuild from 'esbuild';
import { leaveOutUnreachable } from './scripts/lib/leave-out.mjs';

const flags = new Set(argv.slice(2));
const watch = flags.has('--watch');
const dev = watch || flags.has('--dev');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  minify: !dev,
  sourcemap: dev ? 'linked' : false,
  legalComments: 'none',
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
const withServer = {
  ...forNode,
  // The package's ES modules, of which only what is used is bundled; for Node it names its CommonJS ones.
  alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
  plugins: [leaveOutUnreachable()],
};

/** @type {readonly { options: import('esbuild').BuildOptions, output: string, limit?: number }[]} */
const products = [
  {
    output: 'dist/client.cjs',
    limit: 500_000,
    options: { ...forNode, entryPoints: ['client/src/extension.ts'], external: ['vscode'] },
  },
  { output: 'dist/server.cjs', limit: 600_000, options: { ...withServer, entryPoints: ['server/src/main.ts'] } },
  {
    output: 'dist/podium.cjs',
    options: { ...withServer, entryPoints: ['server/src/cli/main.ts'], banner: { js: '#!/usr/bin/env node' } },
  },
  {
    output: 'dist/webview/main.js',
    options: {
      ...common,
      platform: 'browser',
      target: 'es2022',
      format: 'esm',
      entryPoints: ['client/webview/main.tsx'],
      jsx: 'automatic',
      jsxImportSource: 'preact',
    },
  },
];

/** @type {readonly { options: import('esbuild').BuildOptions, output: string, limit?: number }[]} */
const tests = ['kubernetes-workspace', 'plain-workspace'].map((suite) => ({
  output: `.cache/test-editor/${suite}.cjs`,
  options: {
    ...forNode,
    minify: false,
    sourcemap: 'inline',
    entryPoints: [`test/editor/${suite}/index.ts`],
    // Mocha finds files of its own at run time.
    external: ['vscode', 'mocha'],
  },
}));

let tooLarge = false;

/** @param {import('esbuild').Metafile} metafile */
function printSizes(metafile, limit) {
  for (const [path, { bytes }] of Object.entries(metafile.outputs)) {
    if (path.endsWith('.map')) continue;
    const over = !dev && limit !== undefined && path.endsWith('.cjs') && bytes >= limit;
    tooLarge ||= over;
    console.log(`${path.padEnd(32)} ${(bytes / 1000).toFixed(1).padStart(8)} kB${over ? `  over the bar of ${limit / 1000} kB` : ''}`);
  }
}

await Promise.all(
  (flags.has('--tests') ? tests : products).map(async ({ options, output, limit }) => {
    const context = await esbuild.context({ ...options, outfile: output });
    if (watch) {
      await context.watch();
      return;
    }
    try {
      const { metafile } = await context.rebuild();
      printSizes(metafile, limit);
    } finally {
      await context.dispose();
    }
  }),
).catch((/** @type {Error} */ error) => {
  // esbuild has printed what is wrong with our sources; anything else must be seen.
  if (!('errors' in error)) console.error(error);
  exit(1);
});

if (existsSync('dist/podium.cjs')) chmodSync('dist/podium.cjs', 0o755);
if (tooLarge) exit(1);
