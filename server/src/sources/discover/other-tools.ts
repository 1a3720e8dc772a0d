/** What tools make of files that Podium does not run, as they are programs: each is named and counted. */
import { basename, dirname, join } from 'node:path';
import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { noFiles, type Source } from '../files/source.ts';

interface OtherTool {
  readonly tool: string;
  /** What there are so many of. */
  readonly counted: (amount: number) => string;
  /** Of all files those that stand for one each. */
  readonly find: (paths: readonly string[], files: SourceFiles) => Promise<readonly string[]>;
}

const named =
  (...names: readonly string[]) =>
  (paths: readonly string[]): Promise<readonly string[]> =>
    Promise.resolve(paths.filter((path) => names.includes(basename(path))));

const tools: readonly OtherTool[] = [
  {
    tool: 'Tanka',
    counted: (amount) => count(amount, 'Tanka environment'),
    find: async (paths, files) => {
      const found: string[] = [];
      for (const path of paths.filter((each) => basename(each) === 'spec.json')) {
        if ((await files.read(path))?.includes('tanka.dev/') === true) found.push(path);
      }
      return found;
    },
  },
  {
    tool: 'jsonnet',
    counted: (amount) => count(amount, 'folder of jsonnet', 'folders of jsonnet'),
    find: (paths) => {
      const environments = new Set(paths.filter((path) => basename(path) === 'spec.json').map((path) => dirname(path)));
      const folders = new Map<string, string>();
      for (const path of paths) {
        const folder = dirname(path);
        if (path.endsWith('.jsonnet') && !environments.has(folder) && !folders.has(folder)) folders.set(folder, path);
      }
      return Promise.resolve([...folders.values()]);
    },
  },
  { tool: 'cdk8s', counted: (amount) => count(amount, 'cdk8s app'), find: named('cdk8s.yaml', 'cdk8s.yml') },
  {
    tool: 'Timoni',
    counted: (amount) => count(amount, 'Timoni module or bundle', 'Timoni modules and bundles'),
    find: named('timoni.cue', 'bundle.cue', 'timoni.ignore'),
  },
  {
    tool: 'CUE',
    counted: (amount) => count(amount, 'folder of CUE', 'folders of CUE'),
    find: (paths) => {
      const modules = new Set(paths.filter((path) => basename(path) === 'timoni.cue').map((path) => dirname(path)));
      const folders = new Map<string, string>();
      for (const path of paths) {
        const folder = dirname(path);
        const isOfTimoni =
          basename(path) === 'bundle.cue' || [...modules].some((module) => path.startsWith(join(module, '/')));
        if (path.endsWith('.cue') && !isOfTimoni && !folders.has(folder)) folders.set(folder, path);
      }
      return Promise.resolve([...folders.values()]);
    },
  },
];

export async function sourcesOfOtherTools(
  paths: readonly string[],
  root: string,
  files: SourceFiles,
): Promise<Source[]> {
  const sources: Source[] = [];
  for (const { tool, counted, find } of tools) {
    const found = await find(paths, files);
    const [first] = found;
    if (first === undefined) continue;
    const place = { file: first, line: 0 };
    const message = say`Podium does not run ${tool}: write what it makes into a folder, and simulate that`;
    sources.push({
      id: `tool:${tool}:${root}`,
      kind: 'other',
      name: counted(found.length),
      place,
      recipe: null,
      refusal: { why: 'not-supported', message, place },
      ...noFiles,
      isPlain: true,
      groups: [],
      labels: [],
    });
  }
  return sources;
}
