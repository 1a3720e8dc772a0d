import { readFileSync } from 'node:fs';

/** A part of a package that our programs never reach, and what stands in its place in their bundles. */
/** @typedef {{ file: RegExp, put: (source: string) => string }} LeftOut */

/** Replaces every export of an ES module by a function that says what happened, should we ever be wrong. */
const unreachable = (/** @type {string} */ source) => {
  const names = [...source.matchAll(/^export \{([^}]*)\};$/gm)].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return `const leftOut = () => { throw new Error('left out of this bundle'); };\nexport { ${names.map((name) => `leftOut as ${name}`).join(', ')} };\n`;
};

/** @type {readonly LeftOut[]} */
const leftOut = [
  // We read YAML and never write it.
  { file: /[\\/]yaml[\\/]browser[\\/]dist[\\/]stringify[\\/]\w+\.js$/, put: unreachable },
  // What a scalar means is decided in server/src/manifests; of YAML's schemas only the failsafe one is used.
  {
    file: /[\\/]yaml[\\/]browser[\\/]dist[\\/]schema[\\/]tags\.js$/,
    put: () => `
      import { map } from './common/map.js';
      import { seq } from './common/seq.js';
      import { string } from './common/string.js';
      export const coreKnownTags = {};
      export const getTags = () => [map, seq, string];
    `,
  },
  // For servers that load packages of the workspace.
  { file: /[\\/]vscode-languageserver[\\/]lib[\\/]node[\\/]files\.js$/, put: () => '' },
  // Manifests are not written in notebooks.
  {
    file: /[\\/]vscode-languageserver[\\/]lib[\\/]common[\\/]notebook\.js$/,
    put: () => 'exports.NotebookSyncFeature = (Base) => Base; exports.NotebookDocuments = class {};',
  },
];

/**
 * An esbuild plugin that keeps parts of packages out of a bundle which nothing reaches at run time but which an
 * import graph cannot tell. A part that a package does not have any more is an error.
 *
 * @returns {import('esbuild').Plugin}
 */
export function leaveOutUnreachable() {
  return {
    name: 'leave-out-unreachable',
    setup(build) {
      const unused = new Set(leftOut);
      build.onStart(() => leftOut.forEach((part) => unused.add(part)));
      for (const part of leftOut) {
        build.onLoad({ filter: part.file }, ({ path }) => {
          unused.delete(part);
          return { contents: part.put(readFileSync(path, 'utf8')) };
        });
      }
      build.onEnd((result) => {
        if (result.errors.length > 0) return undefined;
        return { errors: [...unused].map(({ file }) => ({ text: `No package has ${file} any more.` })) };
      });
    },
  };
}
