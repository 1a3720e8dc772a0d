import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { isObject } from '../../util/values.ts';
import { count } from '../../util/words.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { asList, asMap, asText } from '../../manifests/read-data.ts';
import type { DeliveryObject, DiscoveryContext } from '../flux/delivery.ts';
import { fillTemplate } from './fill-template.ts';
import { SetElements, UnknownGenerator } from './set-elements.ts';
import type { Refusal } from '../files/source.ts';

export interface ExpandedSet {
  readonly applications: readonly DeliveryObject[];
  /** Why some of its Applications are not known; null when all are. */
  readonly refusal: Refusal | null;
}

/**
 * The Applications that an ApplicationSet makes, of generators that need nothing but the workspace.
 * Source: argo-cd, applicationset/controllers/template/template.go
 */
export async function expandApplicationSet(set: DeliveryObject, context: DiscoveryContext): Promise<ExpandedSet> {
  const spec = asMap(set.value['spec']);
  const isGo = spec['goTemplate'] === true;
  const elements = new SetElements(isGo, context);
  const applications: DeliveryObject[] = [];
  const unknown: string[] = [];
  let notFilled = 0;
  let misnamed = 0;
  for (const generator of asList(spec['generators']).map(asMap)) {
    try {
      const template = templateOf(generator, asMap(spec['template']));
      for (const element of await elements.of(generator)) {
        const value = applicationOf(template, spec['templatePatch'], element, isGo, context);
        const application = value === null ? null : named(value, set);
        if (application === null) notFilled += 1;
        else if (mayBeNamed(application.name)) applications.push(application);
        else misnamed += 1;
      }
    } catch (error) {
      if (!(error instanceof UnknownGenerator)) throw error;
      unknown.push(error.message);
    }
  }
  const message =
    unknown.length > 0
      ? say`the Applications of its generator ${unknown.join(', ')} are not known without Argo CD`
      : notFilled > 0
        ? say`its template needs Argo CD to be filled in`
        : misnamed > 0
          ? say`the API server refuses the names of ${count(misnamed, 'Application')}`
          : null;
  return { applications, refusal: message === null ? null : { why: 'not-supported', message, place: set.place } };
}

/** The folders of the repository that the template of an ApplicationSet names. */
export async function foldersOfSet(set: DeliveryObject, context: DiscoveryContext): Promise<readonly string[]> {
  const spec = asMap(asMap(asMap(set.value['spec'])['template'])['spec']);
  const folders = [spec['source'] ?? null, ...asList(spec['sources'])].map(async (source) => {
    const path = asText(asMap(source)['path']);
    return path === '' || path.includes('{{') ? null : context.folderInRepository(path);
  });
  return (await Promise.all(folders)).filter((folder) => folder !== null);
}

/** Whether a name may be shown: no server takes one that is longer, breaks the line or turns its letters round. */
function mayBeNamed(name: string): boolean {
  return name.length <= 253 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}

function named(value: JsonObject, set: DeliveryObject): DeliveryObject {
  const metadata = asMap(value['metadata']);
  const namespace = asText(metadata['namespace']) || set.namespace;
  const { apiVersion, place } = set;
  return { apiVersion, kind: 'Application', namespace, name: asText(metadata['name']), value, place };
}

/** Null where it is not known without Argo CD. */
function applicationOf(
  template: JsonObject,
  patch: Json | undefined,
  element: JsonObject,
  isGo: boolean,
  { parse, fillingRoom }: DiscoveryContext,
): JsonObject | null {
  const made = fillTemplate(template, element, isGo, fillingRoom);
  if (made === null || patch === undefined) return made === null ? null : asMap(made);
  const filled = fillTemplate(patch, element, isGo, fillingRoom);
  if (typeof filled !== 'string') return null;
  const { value, problem } = parse(filled);
  return problem === null ? asMap(patched(made, value)) : null;
}

/** What a generator's own template says goes before. Source: generator_spec_processor.go (mergeGeneratorTemplate) */
function templateOf(generator: JsonObject, shared: JsonObject): JsonObject {
  const own = Object.values(generator).map((value) => asMap(asMap(value)['template']));
  return asMap(own.reduce<Json>((all, each) => patched(all, each), shared));
}

/** None of the lists of an Application that say what is applied is merged item by item. */
function patched(value: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const all = asMap(value);
  const kept = Object.entries(all).filter(([key]) => own(patch, key) === undefined);
  const changed = Object.entries(patch).filter(([, item]) => item !== null);
  return Object.fromEntries([
    ...kept,
    ...changed.map(([key, item]) => [key, patched(own(all, key) ?? null, item)] as const),
  ]);
}
