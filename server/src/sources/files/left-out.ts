import { basename, dirname } from 'node:path';
import { compileGlob } from '../../manifests/glob-pattern.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { pathOf } from './path-of.ts';
import { isInside } from './paths.ts';

/**
 * Why a file is no part of the cluster: the user says so, it is code of others or put away, or a test, an example or a
 * release before the newest.
 */
export type WhyLeftOut = 'excluded' | 'foreign' | 'test';

/** Folders of code of others, and of what was put away. */
const foreignFolders = /(?:^|\/)(?:[._]archived?|\.terraform|node_modules|third_party|vendor)\//;

/**
 * Folders of tests and of data that they read, as Go, Python, Ruby and JavaScript projects call them. `test` alone may
 * be an environment, and what lies in `templates/tests` is of a chart. In `docs` of a project are examples.
 */
const testFolders =
  /^(?:website\/)?docs\/|(?:^|\/)(?:test[dD]ata|(?<!templates\/)tests|(?:test|e2e|spec)\/fixtures|test\/(?:data|e2e|examples)|fake\/data)\//;

/** Whether globs leave a path out (true) or take it in again (`!`, false); undefined where they say nothing of it. */
export function chosenBy(globs: readonly string[]): (path: string) => boolean | undefined {
  const matches = (all: readonly string[]): ((path: string) => boolean) => {
    const tests = all.map((glob) => compileGlob(glob));
    return (path) => tests.some((test) => test(path));
  };
  const isExcluded = matches(globs.filter((glob) => !glob.startsWith('!')));
  const isTakenIn = matches(globs.flatMap((glob) => (glob.startsWith('!') ? [glob.slice(1)] : [])));
  return (path) => (isExcluded(path) ? true : isTakenIn(path) ? false : undefined);
}

/** Whether a path, relative to the folder that is worked on, is no part of what is applied by what its folders are called. */
export function leftOutByName(path: string): WhyLeftOut | null {
  return foreignFolders.test(path) ? 'foreign' : testFolders.test(path) ? 'test' : null;
}

/**
 * A file of a test step of kuttl that is compared with what is in the cluster.
 * Source: kudobuilder/kuttl, pkg/test/step.go (LoadYAML: `assert` and `errors` behind the index)
 */
const kuttlStep = /^\d+-(?:assert|errors)(?:-[^/]*)?\.yaml$/;

/** A folder that is called as a release is, and the folder that it lies in. */
const releaseFolder = /^(.*[\\/])(v?\d+\.\d+\.\d+(?:-[\w.]+)?)[\\/]/;

/** So many releases beside each other are what a project has published, and no clusters. */
const fewestReleases = 3;

/**
 * Folders of tests of policies and operators, by the file that each test has, examples of a chart that lies elsewhere,
 * all releases but the newest, and what code of tests reads: what lies beside tests of Go, and `test_*.yaml` beside tests
 * of Python.
 *
 * @param paths absolute
 * @param testCode absolute paths of code of tests
 * @returns absolute folders, all that lies below is of a test; and files
 */
export function foldersOfTests(
  paths: readonly string[],
  plain: readonly ManifestFile[],
  testCode: readonly string[],
): readonly string[] {
  const folderOfCode = (extension: string): Set<string> =>
    new Set(testCode.filter((path) => path.endsWith(extension)).map((path) => dirname(path)));
  const found = folderOfCode('.go');
  const python = folderOfCode('.py');
  const charts: string[] = [];
  const examples = new Set<string>();
  const releases = new Map<string, Set<string>>();
  for (const path of paths) {
    if (/^(?:chainsaw|kyverno)-test\.ya?ml$/.test(basename(path)) || kuttlStep.test(basename(path))) {
      found.add(dirname(path));
    }
    if (/^test_.*\.ya?ml$/.test(basename(path)) && python.has(dirname(path))) found.add(path);
    if (basename(path) === 'Chart.yaml') charts.push(dirname(path));
    const example = /^(.*[\\/]examples?)[\\/]/.exec(path)?.[1];
    if (example !== undefined) examples.add(example);
    const [, folder, release] = releaseFolder.exec(path) ?? [];
    if (folder !== undefined) releases.set(folder, (releases.get(folder) ?? new Set()).add(release!));
  }
  for (const [folder, names] of releases) {
    if (names.size < fewestReleases) continue;
    const inOrder = [...names].sort(new Intl.Collator('en', { numeric: true }).compare);
    for (const earlier of inOrder.slice(0, -1)) found.add(folder + earlier);
  }
  for (const { uri, documents } of plain) {
    if (basename(uri) !== 'suite.yaml') continue;
    // Source: open-policy-agent/gatekeeper, pkg/gator/verify/suite.go
    const isSuite = documents.some(({ document: { objects } }) =>
      objects.some(({ apiVersion, kind }) => kind === 'Suite' && apiVersion.startsWith('test.gatekeeper.sh/')),
    );
    if (isSuite) found.add(dirname(pathOf(uri) ?? uri));
  }
  for (const example of examples) {
    // A cluster may be called `example`; beside a chart it has examples of it.
    const within = example.endsWith('s') ? null : dirname(example);
    const isOfThem = (chart: string): boolean => within === null || isInside(chart, within);
    if (charts.some((chart) => !isInside(chart, example) && isOfThem(chart))) found.add(example);
  }
  return [...found].sort();
}
