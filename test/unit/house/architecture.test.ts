import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { clientLayers, layers, rooms, schedulerLayers } from '../../../scripts/lib/layers.mjs';

const root = join(import.meta.dirname, '../../..');

/** Folder → the folders and files it imports, as the table of ARCHITECTURE.md says it. */
function codeMap(): ReadonlyMap<string, readonly string[]> {
  const rows = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| `([^`]+)` \|[^|]*\| ([^|]*) \|$/gm);
  const map = new Map<string, readonly string[]>();
  for (const [, folder = '', allowed = ''] of rows) {
    map.set(folder, allowed === 'nothing' ? [] : allowed.replaceAll('`', '').split(', '));
  }
  return map;
}

function sources(): string[] {
  return ['server/src', 'client/src', 'client/webview'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
  );
}

/** The files of the project that a file imports, types and what is loaded later included. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from |import\()'(\.[^']*)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)).replaceAll('\\', '/'),
  );
}

/** What a file loads when it runs, at once or later, but for types. */
function loadsOf(file: string): { readonly files: readonly string[]; readonly ofNode: readonly string[] } {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^(?:import|export) type [^;]*;/gm, '');
  const atOnce = [...text.matchAll(/^(?:import|export)[^;]*? from '([^']+)'/gm)].map(([, path = '']) => path);
  const later = [...text.matchAll(/import\('([^']+)'\)/g)].map(([, path = '']) => path);
  const files = [...atOnce, ...later].filter((path) => path.startsWith('.'));
  return {
    files: files.map((path) => normalize(join(dirname(file), path)).replaceAll('\\', '/')),
    ofNode: atOnce.filter((path) => path.startsWith('node:')),
  };
}

interface Room {
  readonly folder: string;
  /** The folder whose imports the row of the table is about. */
  readonly within: string;
  readonly allowed: readonly string[];
}

/** What the table says about the imports of a file. */
function roomsOf(file: string): readonly Room[] {
  const rooms = [
    ...Object.entries(layers).map(([folder, allowed]) => ({ folder, within: 'server/src/', allowed })),
    ...Object.entries(schedulerLayers).map(([folder, allowed]) => ({
      folder,
      within: 'server/src/scheduler/',
      allowed,
    })),
  ].filter(({ folder, within }) => file.startsWith(`${within}${folder}/`));
  const ofClient = Object.entries(clientLayers)
    .filter(([folder]) => file.startsWith(`${folder}/`))
    .flatMap(([folder, allowed]) => [
      { folder, within: 'server/src/', allowed },
      { folder, within: 'client/', allowed: allowed.filter((name) => name.startsWith('client/')) },
    ]);
  return [...rooms, ...ofClient];
}

describe('the top of the project', () => {
  it('has what people and tools look for there', () => {
    const wanted = ['.vscodeignore', 'client', 'package.json', 'server', 'syntaxes', 'test', 'tsconfig.json'];
    const there = new Set(readdirSync(root));
    assert.deepEqual(
      wanted.filter((name) => !there.has(name)),
      [],
    );
  });
});

describe('the house', () => {
  it('has in the table of ARCHITECTURE.md what lint enforces, row by row', () => {
    const map = codeMap();
    const enforced = [
      ...Object.entries(layers).map(([name, allowed]) => [`server/src/${name}`, allowed] as const),
      ...Object.entries(schedulerLayers).map(([name, allowed]) => [`server/src/scheduler/${name}`, allowed] as const),
      ...Object.entries(clientLayers),
    ];
    for (const [folder, allowed] of enforced) assert.deepEqual(map.get(folder), allowed, folder);
    const others = [...map.keys()].filter((folder) => !enforced.some(([name]) => name === folder));
    assert.deepEqual(others, [
      'server/src/main.ts',
      'server/src/serve.ts',
      'server/src/main-web.ts',
      'server/src/protocol.ts',
    ]);
  });

  it('has every file of the walk, once', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const walk = text.slice(text.indexOf('## The walk'), text.indexOf('## Invariants'));
    const files = [...walk.matchAll(/`([^`]+\.tsx?)`/g)].map(([, file = '']) =>
      file.startsWith('client/') ? file : `server/src/${file}`,
    );
    const known = new Set(sources());
    assert.deepEqual(
      files.filter((file, at) => !known.has(file) || files.indexOf(file) !== at),
      [],
    );
    assert.ok(files.length > 30);
  });

  it('has no import against the table', () => {
    for (const file of sources()) {
      for (const { folder, within, allowed } of roomsOf(file)) {
        for (const imported of importsOf(file).filter((path) => path.startsWith(within))) {
          const names = [folder, ...allowed].map((name) => (name.startsWith('client/') ? name : `${within}${name}`));
          assert.ok(
            names.some((name) => imported === name || imported.startsWith(`${name}/`)),
            `${file}: ${imported}`,
          );
        }
      }
    }
  });

  for (const [folder, row] of Object.entries(rooms)) {
    it(`has in ${folder} a row of rooms, each of which imports only those before it, as ARCHITECTURE.md has them`, () => {
      const within = `server/src/${folder}/`;
      // The inner of two rooms has the longer name: rules/support is not rules.
      const roomOf = (file: string): string =>
        row.filter((room) => file.startsWith(`${within}${room}/`)).sort((a, b) => b.length - a.length)[0] ?? '';
      const files = sources().filter((file) => file.startsWith(within));
      assert.deepEqual(new Set(files.map(roomOf).filter((room) => room !== '')), new Set(row));
      const back = files.flatMap((file) =>
        importsOf(file)
          .filter((imported) => imported.startsWith(within) && roomOf(file) !== '')
          .filter((imported) => roomOf(imported) === '' || row.indexOf(roomOf(imported)) > row.indexOf(roomOf(file)))
          .map((imported) => `${file}: ${imported}`),
      );
      assert.deepEqual(back, []);
      const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
      const written = [...text.matchAll(/^\| `([^`]+)` \| [^|]* \|$/gm)].map(([, name = '']) => name);
      assert.deepEqual(
        written.filter((name) => name.startsWith(`${folder}/`)),
        row.map((room) => `${folder}/${room}`),
      );
    });
  }

  it('loads nothing of Node in the worker of a browser', () => {
    const known = new Set(sources());
    const loaded = new Set(['server/src/main-web.ts']);
    for (const file of loaded) {
      const { files, ofNode } = loadsOf(file);
      assert.deepEqual(ofNode, [], file);
      for (const next of files) if (known.has(next)) loaded.add(next);
    }
    assert.ok(loaded.size > 500);
  });

  it('has no circles, those of types included', () => {
    const imports = new Map(sources().map((file) => [file, importsOf(file)]));
    const done = new Set<string>();
    const visit = (file: string, way: readonly string[]): void => {
      assert.ok(!way.includes(file), `${way.slice(way.indexOf(file)).join(' → ')} → ${file}`);
      if (done.has(file)) return;
      for (const next of imports.get(file) ?? []) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of imports.keys()) visit(file, []);
  });
});
