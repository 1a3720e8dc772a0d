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

const holding =
  (name: RegExp, ...texts: readonly RegExp[]): OtherTool['find'] =>
  async (paths, files) => {
    const found: string[] = [];
    for (const path of paths.filter((each) => name.test(each))) {
      const text = (await files.read(path)) ?? '';
      if (texts.every((each) => each.test(text))) found.push(path);
    }
    return found;
  };

const manifest = [/^apiVersion:/m, /^kind:/m];

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
  {
    tool: 'Jinja',
    counted: (amount) => count(amount, 'Jinja template of manifests', 'Jinja templates of manifests'),
    find: holding(/\.(?:j2|jinja)$/, ...manifest),
  },
  {
    tool: 'text/template',
    counted: (amount) => count(amount, 'Go template of manifests', 'Go templates of manifests'),
    // Not what documents are made of that show manifests.
    find: holding(/(?<!\.md)\.(?:gotmpl|tmpl)$/, ...manifest),
  },
  {
    tool: 'Ansible',
    counted: (amount) => count(amount, 'Ansible file that applies manifests', 'Ansible files that apply manifests'),
    // Source: the collections kubernetes.core and community.kubernetes, and the module of before
    find: holding(/playbook|[\\/](?:tasks|handlers|roles)[\\/]|[\\/]site\.ya?ml$/, /^[ -]*(?:\w+\.\w+\.)?k8s:/m),
  },
  { tool: 'cdk8s', counted: (amount) => count(amount, 'cdk8s app'), find: named('cdk8s.yaml', 'cdk8s.yml') },
  {
    tool: 'Skaffold',
    counted: (amount) => count(amount, 'Skaffold file with releases of helm', 'Skaffold files with releases of helm'),
    // The manifests and kustomizations that it names are read without it; values of releases stand nowhere else.
    find: holding(/(?:^|[\\/])skaffold[^\\/]*\.ya?ml$/, /^apiVersion: *skaffold\//m, /^[ -]*releases:/m),
  },
  {
    tool: 'Rancher Fleet',
    counted: (amount) =>
      count(amount, 'bundle of Rancher Fleet with a remote chart', 'bundles of Rancher Fleet with remote charts'),
    // A chart of the workspace is rendered by itself.
    find: holding(/(?:^|[\\/])fleet\.ya?ml$/, /^helm:/m, /^ +(?:repo:|chart: *["']?oci:)/m),
  },
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
