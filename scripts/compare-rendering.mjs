/**
 * `npm run compare -- FOLDER…`: what Podium makes of the kustomizations and charts of repositories, beside what kubectl
 * and helm make of them when they are called by hand: the fields of workloads on which scheduling depends. Exits with 1
 * where fewer than 98 % are equal. What is called by hand runs without a sandbox: for repositories that you trust.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { readSources } from '../server/src/cli/read-sources.ts';
import { NodeFileProvider } from '../server/src/manifests/node-file-provider.ts';
import { parseManifestFile } from '../server/src/manifests/parse-manifest-file.ts';
import { isWorkloadKind, podTemplatePath } from '../server/src/kubernetes/pod-template.ts';

const atLeast = 0.98;

/** @typedef {Record<string, any>} Json */

/** @param {Json} object */
function fieldsOf(object) {
  const spec = (podTemplatePath(object['kind']) ?? []).reduce((at, key) => at?.[key], object)?.['spec'] ?? {};
  const { priorityClassName, nodeSelector, affinity, tolerations, topologySpreadConstraints } = spec;
  const requests = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map((each) => each?.resources ?? {});
  const { replicas, selector } = object['spec'] ?? {};
  return {
    replicas,
    selector,
    priorityClassName,
    nodeSelector,
    affinity,
    tolerations,
    topologySpreadConstraints,
    requests,
  };
}

/**
 * @param {Iterable<Json>} objects
 * @returns {Map<string, Json>} by kind, namespace and name
 */
function workloadsIn(objects) {
  const found = new Map();
  for (const object of objects) {
    const { kind, metadata, items } = object;
    if (Array.isArray(items)) for (const [key, item] of workloadsIn(items)) found.set(key, item);
    else if (isWorkloadKind(kind)) found.set([kind, metadata?.namespace ?? '', metadata?.name ?? ''].join('/'), object);
  }
  return found;
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {Map<string, Json> | null} null where it fails
 */
function madeBy(program, args) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 30_000, maxBuffer: 2 ** 28 };
    const text = execFileSync(program, [...args], /** @type {any} */ (options));
    return workloadsIn(
      parseAllDocuments(text, { logLevel: 'silent' }).map((each) => each.toJS({ maxAliasCount: -1 }) ?? {}),
    );
  } catch {
    return null;
  }
}

/**
 * The command that a person would type; null for what Flux, Argo CD or Podium itself puts together.
 * @param {import('../server/src/sources/files/source.ts').Source} source
 * @param {string} kubernetes
 * @param {string} scratch
 * @returns {readonly [string, readonly string[]] | null}
 */
function byHand({ kind, recipe, remotes }, kubernetes, scratch) {
  // Podium has no network.
  if (remotes.length > 0) return null;
  if (recipe?.tool === 'kustomize') {
    const changes = Object.keys(recipe.overlay).some((field) => field !== 'namespace');
    if (changes || recipe.files !== null || recipe.substitute !== null) return null;
    // Flux reads outside of the folder, too.
    const isFlux = kind !== 'kustomization';
    return ['kubectl', ['kustomize', recipe.folder, ...(isFlux ? ['--load-restrictor', 'LoadRestrictionsNone'] : [])]];
  }
  if (kind !== 'chart' || recipe?.tool !== 'helm' || recipe.dependencies.length > 0) return null;
  const written = recipe.values.map((values, index) => {
    const file = join(scratch, `${index}.json`);
    writeFileSync(file, JSON.stringify(values));
    return file;
  });
  const files = [...recipe.valueFiles, ...written].flatMap((file) => ['-f', file]);
  const sets = recipe.parameters.flatMap(({ name, value, isString }) => [
    isString ? '--set-string' : '--set',
    `${name}=${value}`,
  ]);
  const version = ['--kube-version', `${kubernetes}.0`];
  return [
    'helm',
    ['template', recipe.release, recipe.chart, '-n', recipe.namespace, '--skip-tests', ...version, ...files, ...sets],
  ];
}

/**
 * @param {string} folder
 * @param {string} scratch
 */
async function compare(folder, scratch) {
  const provider = new NodeFileProvider([folder]);
  /** @type {import('../server/src/manifests/manifest.ts').ManifestFile[]} */
  const files = [];
  for (const uri of await provider.find()) {
    const { text } = await provider.read(uri);
    if (text !== null) files.push(parseManifestFile(uri, text));
  }
  const context = /** @type {any} */ ({ cwd: folder, stderr: { write: () => true } });
  const { applied } = await readSources([folder], files, { 'no-render': false }, context, ({ all }) => all);
  /** @type {string[]} */
  const unlike = [];
  const result = { sources: 0, put: 0, failed: 0, equal: 0, all: 0, unlike };
  const seen = new Set();
  for (const { source, made, refusal } of applied.sources) {
    const command = byHand(source, '1.36', scratch);
    if (command === null) {
      result.put += 1;
      continue;
    }
    const key = createHash('sha256').update(JSON.stringify(command)).digest('hex');
    if (seen.has(key)) continue;
    seen.add(key);
    result.sources += 1;
    const theirs = madeBy(...command);
    if (theirs === null) {
      // What is not made by hand is not made by Podium, or Podium lays in what is missing.
      result.failed += 1;
      continue;
    }
    const own = workloadsIn(made.map(({ object }) => /** @type {Json} */ (object.value)));
    // Objects without a namespace get that of the release, or of whoever applies them.
    const byName = new Map([...own].map(([name, object]) => [name.replace(/\/.*\//, '//'), object]));
    for (const [name, object] of theirs) {
      result.all += 1;
      const ours = own.get(name) ?? byName.get(name.replace(/\/.*\//, '//'));
      const isEqual = ours !== undefined && isDeepStrictEqual(plain(fieldsOf(ours)), plain(fieldsOf(object)));
      if (isEqual) result.equal += 1;
      const why = ours === undefined ? `not made (${refusal?.message ?? ''})` : 'other fields';
      if (!isEqual) unlike.push(`${source.name}: ${name}: ${why}`);
    }
  }
  return result;
}

/** @param {unknown} value */
function plain(value) {
  return JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? Number(each) : each)));
}

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('Usage: npm run compare -- FOLDER…, with kubectl and helm on PATH');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'podium-compare-'));
let [equal, all] = [0, 0];
try {
  for (const folder of folders) {
    const result = await compare(resolve(folder), scratch);
    equal += result.equal;
    all += result.all;
    const { sources, put, failed } = result;
    console.log(
      `${basename(resolve(folder))}: ${result.equal} of ${result.all} workloads equal, ${sources} sources (${failed} fail by hand, ${put} more are put together by Flux, Argo CD or Podium)`,
    );
    for (const line of result.unlike) console.log(`  ${line}`);
  }
} finally {
  rmSync(scratch, { recursive: true });
}
console.log(`${equal} of ${all} workloads equal: ${all === 0 ? '–' : ((100 * equal) / all).toFixed(1)} %`);
process.exitCode = all > 0 && equal / all >= atLeast ? 0 : 1;
