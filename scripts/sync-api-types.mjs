/**
 * `npm run api-types`: writes the tables of the API's types, and their TypeScript interfaces, into
 * server/src/kubernetes/api. The source, `scripts/api-types/v*.json.gz`, holds the fields of all structs of a minor as its
 * Go sources have them; README.md beside it says how. A test fails when what is checked in is not what this makes.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { knownKinds, schedulerArguments, tableGroup } from '../server/src/kubernetes/api/kinds.ts';
import { changesOf, printTables, printTypes, tablesOf } from './lib/api-tables.mjs';

const source = new URL('./api-types/', import.meta.url);
const target = new URL('../server/src/kubernetes/api/', import.meta.url);

/** What the API server compares and prints when it judges an update. */
const internalGroups = ['core', 'apps', 'batch', 'policy', 'scheduling', 'storage', 'autoscaling'];

/** The files of `server/src/kubernetes/api` that are made: name → text. @returns {ReadonlyMap<string, string>} */
export function madeFiles() {
  const kinds = [...knownKinds.values()].flat();
  /** @type {[string, string][]} */
  const roots = [];
  for (const { apiVersion, kind } of kinds) {
    const group = tableGroup(apiVersion);
    roots.push([group, kind]);
    const internal = group.slice(0, group.indexOf('/'));
    if (internalGroups.includes(internal) && group !== 'autoscaling/v1')
      roots.push([`internal/${internal}`, `${kind}Spec`]);
  }
  roots.push(
    ...schedulerArguments.map(
      (plugin) => /** @type {[string, string]} */ (['kubescheduler.config.k8s.io/v1', `${plugin}Args`]),
    ),
  );
  const minors = readdirSync(source)
    .flatMap((name) => /^v(1\.\d+)\.json\.gz$/.exec(name)?.[1] ?? [])
    .sort();
  const tables = minors.map((minor) => {
    const text = gunzipSync(readFileSync(new URL(`v${minor}.json.gz`, source))).toString();
    return tablesOf(JSON.parse(text), roots);
  });
  const files = new Map([['types.ts', printTypes(tables)]]);
  for (const [index, minor] of minors.entries()) {
    const all = tables[index] ?? new Map();
    const before = tables[index - 1];
    const printed = before === undefined ? all : changesOf(all, before);
    files.set(`v${minor}.ts`, printTables(minor, printed, minors[index - 1]));
  }
  return files;
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  for (const [name, text] of madeFiles()) writeFileSync(new URL(name, target), text);
}
