import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { cache, root } from '../../../scripts/lib/paths.mjs';

/**
 * The extension of Red Hat as far as typing notices it: its name, its defaults, and its server.
 * Source: redhat-developer/vscode-yaml, package.json and src/extension.ts
 */
const manifest = {
  name: 'vscode-yaml',
  publisher: 'redhat',
  version: '1.25.0',
  engines: { vscode: '^1.63.0' },
  main: './main.cjs',
  activationEvents: ['onLanguage:yaml'],
  contributes: {
    configuration: {
      properties: {
        'yaml.completion': { type: 'boolean', default: true },
        'yaml.hover': { type: 'boolean', default: true },
        'yaml.schemas': { type: 'object', default: {} },
        'yaml.schemaStore.enable': { type: 'boolean', default: true },
        'yaml.validate': { type: 'boolean', default: true },
      },
    },
    configurationDefaults: {
      '[yaml]': {
        'editor.insertSpaces': true,
        'editor.tabSize': 2,
        'editor.quickSuggestions': { other: true, comments: false, strings: true },
        'editor.autoIndent': 'keep',
      },
    },
  },
};

/** Makes it, and says in which folder it is. */
export async function yamlExtension(): Promise<string> {
  const folder = join(cache, 'test-editor', 'vscode-yaml');
  const server = dirname(createRequire(import.meta.url).resolve('yaml-language-server/package.json'));
  const module = JSON.stringify(join(server, 'out', 'server', 'src', 'server.js'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  await build({
    stdin: {
      contents: `import { LanguageClient } from 'vscode-languageclient/node';
        export const activate = () =>
          new LanguageClient('yaml', 'YAML Support', { module: ${module} }, { documentSelector: [{ language: 'yaml' }] }).start();`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    outfile: join(folder, 'main.cjs'),
  });
  return folder;
}
