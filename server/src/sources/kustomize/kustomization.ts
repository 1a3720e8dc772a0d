import { say } from '../../util/say.ts';
import { basename, dirname, resolve } from 'node:path';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { KustomizationFile, KustomizationGraph, Obstacle, Reach } from './kustomization-graph.ts';
import { asText } from '../../manifests/read-data.ts';
import { list } from '../../util/words.ts';
import { hasPatchedObjects } from './patched-objects.ts';
import { lineOfEntry } from './place.ts';
import { unusedPart } from './unused-patch.ts';
import { pathLabels, shownPath } from '../files/paths.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { type KustomizeRecipe, mostNamed, type Refusal, type Source } from '../files/source.ts';
import { withoutPassword } from '../files/remote.ts';

/** A recipe for a folder as it stands. */
export function kustomizeRecipe(folder: string, { kustomizations }: Reach): KustomizeRecipe {
  const overlay: JsonObject = {};
  return {
    tool: 'kustomize',
    folder,
    overlay,
    files: null,
    substitute: null,
    hasUnknown: false,
    namespace: '',
    readsOutside: kustomizations.some((each) => each.readsOutside),
  };
}

/** A kustomization that nobody else takes in: what `kubectl apply -k` is given. */
export async function kustomizationSource(
  { folder, file, value }: KustomizationFile,
  graph: KustomizationGraph,
  files: SourceFiles,
  root: string,
): Promise<Source> {
  const reach = await graph.reach(folder);
  const shown = shownPath(folder, root);
  return {
    ...(await reachParts(reach, files)),
    id: `kustomization:${folder}`,
    kind: 'kustomization',
    name: shown === '.' ? basename(root) : shown,
    place: { file, line: 0 },
    recipe: kustomizeRecipe(folder, reach),
    groups: sharedBases(reach, folder),
    renames: [value['namespace'], value['namePrefix'], value['nameSuffix']].map(asText).join(' ').trim(),
    labels: pathLabels(file, root),
  };
}

/** Whether a kustomization only changes what others make. */
export function makesNothing({ value }: KustomizationFile): boolean {
  return !Object.keys(value).some((key) =>
    /^(?:resources|bases|components|crds|helmCharts.*|.*[gG]enerators?)$/.test(key),
  );
}

/** A component, or what is laid over others, that nobody takes in: nothing of it is applied, which is told rather than kept quiet. */
export async function unusedComponent(
  { folder, file }: KustomizationFile,
  graph: KustomizationGraph,
  root: string,
): Promise<Source> {
  const { inputs, resources } = await graph.reach(folder);
  const place = { file, line: 0 };
  return unusedPart(`component:${folder}`, shownPath(folder, root), place, new Set([...inputs, ...resources]));
}

/** What every source that renders a kustomization has in common. */
export async function reachParts(
  reach: Reach,
  files: SourceFiles,
): Promise<
  Pick<
    Source,
    'refusal' | 'inputs' | 'resources' | 'isPlain' | 'remotes' | 'standIns' | 'plugins' | 'lacks' | 'leftOut'
  >
> {
  const isLess = reach.standIns.some((each) => each.isLess);
  const refusal = await reachRefusal(reach, files);
  const hasRest = reach.resources.size > 0 && reach.obstacles.every(({ isLeftOut }) => isLeftOut);
  const mayGoWithout = refusal !== null && hasRest && (await hasPatchedObjects(reach, files));
  return {
    ...(isLess ? { lacks: [say`its secrets are encrypted`] } : {}),
    ...(mayGoWithout ? { refusal: null, leftOut: refusal } : { refusal }),
    inputs: reach.inputs,
    resources: reach.resources,
    remotes: reach.remotes,
    standIns: reach.standIns,
    plugins: reach.plugins,
    isPlain: reach.kustomizations.every(({ transforms }) => !transforms),
  };
}

async function reachRefusal(reach: Reach, files: SourceFiles): Promise<Refusal | null> {
  const { kustomizations } = reach;
  const blocking = reach.obstacles.filter(({ isLeftOut }) => isLeftOut !== true);
  const obstacles = blocking.length > 0 ? blocking : reach.obstacles;
  // What could be fetched is named first: that can be helped.
  const first =
    obstacles.find(({ why }) => why === 'remote') ?? obstacles.find(({ why }) => why === 'chart') ?? obstacles[0];
  if (first === undefined) return null;
  const line = first.line ?? (await lineOfEntry(first.file, first.entry, files)) ?? 0;
  const entriesOf = (wanted: Obstacle['why']): string[] => [
    ...new Set(obstacles.flatMap(({ why, entry }) => (why === wanted ? [withoutPassword(entry)] : []))),
  ];
  const entries = [...entriesOf(first.why), ...(first.why === 'remote' ? entriesOf('chart') : [])];
  const one = entries.length === 1;
  const named = list(entries, mostNamed);
  const either = (single: string, many: string): string => (one ? single : many);
  const messages: Readonly<Record<Obstacle['why'], string>> = {
    remote: either(
      say`the entry ${named} is not in the workspace, and nothing is fetched unasked`,
      say`the entries ${named} are not in the workspace, and nothing is fetched unasked`,
    ),
    chart: either(
      say`the chart ${named} is not in the workspace, and nothing is fetched unasked`,
      say`the charts ${named} are not in the workspace, and nothing is fetched unasked`,
    ),
    ignored: either(
      say`the entry ${named} is not there, and ignored by git`,
      say`the entries ${named} are not there, and ignored by git`,
    ),
    outside: either(
      say`the entry ${named} leads out of the folder that is worked on`,
      say`the entries ${named} lead out of the folder that is worked on`,
    ),
    missing: either(say`the entry ${named} is not there`, say`the entries ${named} are not there`),
    'inflates-chart': either(
      say`the chart ${named} is inflated by kustomize, which Podium does not let it do`,
      say`the charts ${named} are inflated by kustomize, which Podium does not let it do`,
    ),
    unreadable: first.entry,
    template: say`written for another program to fill in`,
  };
  const ofSeveral: Readonly<Partial<Record<Obstacle['why'], string>>> = {
    remote: say`their entries are not in the workspace, and nothing is fetched unasked`,
    chart: say`their charts are not in the workspace, and nothing is fetched unasked`,
    ignored: say`their entries are not there, and ignored by git`,
    missing: say`their entries are not there`,
    'inflates-chart': say`kustomize inflates their charts, which Podium does not let it do`,
  };
  if (first.why === 'template' || (first.why === 'missing' && (await isAmongTemplates(first.file, files)))) {
    // As a base of others it is missing there.
    const why = kustomizations[0]?.file === first.file ? 'not-applied' : 'unreadable';
    return { why, message: messages.template, place: { file: first.file, line } };
  }
  const several = ofSeveral[first.why];
  const said = {
    message: messages[first.why],
    ...(several === undefined ? {} : { ofSeveral: several }),
    place: { file: first.file, line },
  };
  // What is ignored everywhere for the same reason is told once.
  if (first.why === 'ignored') return { why: 'not-in-git', ...said, cause: 'not-in-git' };
  const why = first.why === 'chart' ? 'remote' : first.why;
  // What a program writes beside each kustomization is one thing that is missing; so is what several name.
  const written = [/^(?:\.\.?\/)*vendor\//, /\.env$/].find((each) => entries.every((entry) => each.test(entry)));
  const absent = entries.map((entry) => resolve(dirname(first.file), entry)).join('\n');
  const cause = first.why === 'missing' ? { cause: written?.source ?? absent } : {};
  return { why, ...said, ...cause };
}

/** Whether a file is copied elsewhere, where what it names is: other files of its folder of templates are filled in. */
async function isAmongTemplates(file: string, files: SourceFiles): Promise<boolean> {
  const [, folder] = /^(.*[\\/]templates)[\\/]/.exec(file) ?? [];
  for (const path of folder === undefined ? [] : await files.tree(folder)) {
    if (/\{[{%]/.test((await files.read(path)) ?? '')) return true;
  }
  return false;
}

/**
 * Overlays of one base are alternatives. A component is made to be shared, and so is what defines nothing but other
 * kustomizations.
 */
export function sharedBases({ kustomizations }: Reach, own: string): string[] {
  return kustomizations
    .filter(({ folder, isComponent, resources }) => folder !== own && !isComponent && resources.length > 0)
    .map(({ folder }) => `base:${folder}`);
}
