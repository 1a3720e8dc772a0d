/**
 * What a report that is saved as JSON says of the objects that it is of: as far as scheduling and roll-outs depend on
 * them, as in a snapshot of a cluster. A later run is compared with these as with the manifests of a commit.
 */
import { type Checked, listOf, nullOr, number, shape, text } from '../../report-model/check.ts';
import { own, put } from '../../util/own.ts';
import { isObject } from '../../util/values.ts';
import { decodeObject } from '../../kubernetes/decode/index.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { keyOfObject } from '../../kubernetes/names.ts';
import type { Declared, KubeObject } from '../../kubernetes/objects.ts';
import { contentHash, podTemplateOf } from '../../kubernetes/pod-template.ts';
import { asWritten } from '../../kubernetes/pool-kinds.ts';
import { itemsLike, restored } from '../../kubernetes/left-out.ts';
import { stripped } from '../../kubernetes/scheduling-fields.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { chosenFor } from '../cluster/inventory.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import { parseEvent } from '../operations/parse-operation.ts';
import { otherRest } from './causes-of.ts';
import type { Played } from './compare-runs.ts';

const isJsonObject = (value: unknown): value is JsonObject => isObject(value);

export const isSavedManifests = shape({
  /** Each as in a snapshot, and a hash of what that leaves out of its pod template: environment, commands, probes. */
  objects: listOf(shape({ object: isJsonObject, rest: text })),
  events: listOf(shape({ text, at: nullOr(number) })),
  /** A hash of the snapshot beside them. */
  snapshot: text,
  kubernetes: text,
});
export type SavedManifests = Checked<typeof isSavedManifests>;

export function manifestsOf(input: SimulationInput, events: readonly ScenarioEvent[]): SavedManifests {
  return {
    objects: input.workspace.map(({ object }) => savedObject(object)),
    events: events.map(({ text, at }) => ({ text, at })),
    snapshot: snapshotHash(input),
    kubernetes: chosenFor(input).release.minor,
  };
}

/** What was deployed when a report was saved; null where the cluster below was another. */
export function savedRun(saved: SavedManifests, now: SimulationInput): Played | null {
  if (saved.snapshot !== snapshotHash(now) || saved.kubernetes !== chosenFor(now).release.minor) return null;
  const declared = new Map<string, Declared>();
  for (const each of now.workspace) {
    const key = keyOfObject(each.object);
    if (!declared.has(key)) declared.set(key, each);
  }
  const workspace = saved.objects.map((each) => earlierOf(each, declared));
  const isSame = workspace.length === now.workspace.length && workspace.every((each) => now.workspace.includes(each));
  const events = saved.events.flatMap(({ text, at }) => {
    const event = parseEvent(text);
    return 'problem' in event ? [] : [{ ...event, at }];
  });
  return { input: isSame ? now : { ...now, workspace }, events };
}

function savedObject(object: KubeObject): SavedManifests['objects'][number] {
  const whole = asWritten(object) as JsonObject & KubeObject;
  const kept = stripped(whole, whole.apiVersion ?? '', whole.kind ?? '');
  const [template, known] = [podTemplateOf(object), podTemplateOf(kept)].map(
    (each) => each && { metadata: each.metadata, spec: each.spec },
  );
  return { object: kept, rest: contentHash(restOf(template as Json | undefined, known as Json | undefined) ?? null) };
}

function snapshotHash({ snapshot }: SimulationInput): string {
  return contentHash(snapshot.map(({ object }) => contentHash(object)));
}

function earlierOf({ object: kept, rest }: SavedManifests['objects'][number], now: ReadonlyMap<string, Declared>) {
  const { object } = decodeObject(kept);
  const declared = now.get(keyOfObject(object));
  if (declared === undefined) return { object };
  const own = savedObject(declared.object);
  const isOfSameRest = own.rest === rest;
  if (isOfSameRest && contentHash(own.object) === contentHash(kept)) return declared;
  const whole = asWritten(declared.object) as JsonObject;
  const earlier = decodeObject(restored(kept, own.object, whole) as JsonObject).object;
  const template = isOfSameRest ? undefined : podTemplateOf(earlier);
  // Nothing else of a bare pod that runs is anybody's to change.
  if (template !== undefined && earlier.kind !== 'Pod') {
    Object.assign(template.metadata, { annotations: { ...template.metadata.annotations, [otherRest]: rest } });
  }
  const { value: _value, ...place } = declared;
  return { ...place, object: earlier };
}

/** What is left out of a value; undefined for nothing. */
function restOf(whole: Json | undefined, kept: Json | undefined): Json | undefined {
  if (kept === undefined) return whole;
  if (Array.isArray(whole)) {
    const inKept = itemsLike(kept);
    const rest = whole.map((each: Json, index) => restOf(each, inKept(each, index)) ?? null);
    return rest.every((each) => each === null) ? undefined : rest;
  }
  if (!isJsonObject(whole)) return undefined;
  const rest: Record<string, Json> = {};
  for (const [field, value] of Object.entries(whole)) {
    const left = restOf(value, isJsonObject(kept) ? own(kept, field) : undefined);
    if (left !== undefined) put(rest, field, left);
  }
  return Object.keys(rest).length === 0 ? undefined : rest;
}
