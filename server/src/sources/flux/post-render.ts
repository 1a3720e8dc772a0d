import { put } from '../../util/own.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { asList, asMap, asText } from '../../manifests/read-data.ts';
import { splitDocuments } from '../../manifests/split-documents.ts';
import { plainJson } from '../kustomize/kustomize-values.ts';
import { originAnnotation, withoutOwnAnnotations } from '../files/origin.ts';
import { readMarked } from '../files/read-marked.ts';
import type { PostRendering } from '../files/source.ts';
import { runTool, type ToolAnswer, type ToolRun } from '../tools/tools.ts';

/**
 * What a HelmRelease has done to what helm makes. Source: helm-controller, internal/postrender (build.go: the
 * `kustomize` of each renderer after the other, then `commonMetadata`), api/v2/helmrelease_types.go
 */
export function postRenderingOf(spec: JsonObject): PostRendering | null {
  const steps: JsonObject[] = [];
  for (const { kustomize } of asList(spec['postRenderers']).map(asMap)) {
    const written = asMap(kustomize);
    const step: Record<string, Json> = {};
    const add = (name: string, entries: readonly Json[]): void => {
      if (entries.length > 0) put(step, name, entries);
    };
    add('patches', inlinePatches(written['patches']));
    // Flux has these as objects, kustomize as text.
    add(
      'patchesStrategicMerge',
      asList(written['patchesStrategicMerge'])
        .map(asMap)
        .map((patch) => JSON.stringify(patch)),
    );
    add('patchesJson6902', inlinePatches(written['patchesJson6902']));
    add('images', asList(written['images']));
    if (Object.keys(step).length > 0) steps.push(step);
  }
  const common = commonMetadata(spec);
  if (Object.keys(common).length > 0) steps.push(common);
  const strategy = asText(spec['postRenderStrategy']);
  const known = strategy === 'nohooks' || strategy === 'separate' ? strategy : 'combined';
  return steps.length === 0 ? null : { steps, strategy: known };
}

/**
 * The labels and annotations that Flux gives to every object, as fields of a kustomization. `commonAnnotations` would give
 * them to pods as well. Source: fluxcd/pkg, ssa/utils (SetCommonMetadata: those of the object alone)
 */
export function commonMetadata(spec: JsonObject): JsonObject {
  const { labels, annotations } = asMap(spec['commonMetadata']);
  const fields: Record<string, Json> = {};
  if (Object.keys(asMap(labels)).length > 0) fields['labels'] = [{ pairs: asMap(labels) }];
  if (Object.keys(asMap(annotations)).length > 0) {
    const transformer = {
      apiVersion: 'builtin',
      kind: 'AnnotationsTransformer',
      metadata: { name: 'common-metadata' },
      annotations: asMap(annotations),
      fieldSpecs: [{ path: 'metadata/annotations', create: true }],
    };
    fields['transformers'] = [JSON.stringify(transformer)];
  }
  return fields;
}

/**
 * Patches as Flux takes them. A `path` it does not know, and kustomize would fetch it.
 * Source: fluxcd/pkg, apis/kustomize/kustomize_types.go (Patch, JSON6902Patch)
 */
export function inlinePatches(written: Json | undefined): JsonObject[] {
  return asList(written).map((entry) => {
    const { patch, target } = asMap(entry);
    const text = typeof patch === 'string' ? patch : JSON.stringify(asList(patch));
    return { patch: text, ...(target === undefined ? {} : { target }) };
  });
}

/** Has kustomize change what helm made. Each document keeps the line that names its template. */
export async function postRender(
  text: string,
  { steps, strategy }: PostRendering,
  run: Omit<ToolRun, 'args'>,
): Promise<ToolAnswer> {
  const documents = documentsOf(text);
  const isHook = (document: string): boolean =>
    document.includes('helm.sh/hook') &&
    asMap(asMap(asMap(readMarked(document).value)['metadata'])['annotations'])['helm.sh/hook'] !== undefined;
  const hooks = strategy === 'combined' ? [] : documents.filter(isHook);
  const others = strategy === 'combined' ? documents : documents.filter((document) => !isHook(document));
  const streams = strategy === 'separate' ? [others, hooks] : [others];
  const out = strategy === 'nohooks' ? [...hooks] : [];
  for (const [number, stream] of streams.entries()) {
    let current = stream;
    for (const [index, step] of steps.entries()) {
      if (current.length === 0) break;
      const answer = await renderStep(current, step, join(run.folder.path, `post-${number}-${index}`), run);
      if (answer.text === null) return answer;
      current = documentsOf(answer.text);
    }
    out.push(...current);
  }
  return { text: out.map((document) => `---\n${document}`).join(''), failure: null, message: '' };
}

async function renderStep(
  documents: readonly string[],
  step: JsonObject,
  path: string,
  run: Omit<ToolRun, 'args'>,
): Promise<ToolAnswer> {
  await mkdir(path);
  const resources = documents.map((_, index) => `document-${index}.yaml`);
  for (const [index, document] of documents.entries()) await writeFile(join(path, resources[index]!), document);
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    ...step,
    resources,
    // Comments do not come through; the origin says which document each was.
    buildMetadata: ['originAnnotations'],
  };
  await writeFile(join(path, 'kustomization.yaml'), plainJson(kustomization));
  const build = run.tool.program === 'kustomize' ? 'build' : 'kustomize';
  const answer = await runTool({ ...run, args: [build, run.sandbox.inside(path)] });
  if (answer.text === null) return answer;
  const named = documentsOf(answer.text).map((document) => withSource(document, documents));
  return { ...answer, text: named.map((document) => `---\n${document}`).join('') };
}

function withSource(document: string, before: readonly string[]): string {
  const value = asMap(readMarked(document).value);
  const origin = asText(asMap(asMap(value['metadata'])['annotations'])[originAnnotation]);
  const index = /document-(\d{1,9})\.yaml/.exec(origin)?.[1];
  const source = /^# Source: .+$/m.exec(before[Number(index)] ?? '')?.[0];
  return `${source ?? ''}\n${JSON.stringify(withoutOwnAnnotations(value))}\n`;
}

/** The documents of a stream that say something. */
function documentsOf(text: string): string[] {
  return splitDocuments(text)
    .map(({ start, end }) => text.slice(start, end))
    .filter((document) => document.split('\n').some((line) => !/^\s*(?:#.*)?$/.test(line)));
}
