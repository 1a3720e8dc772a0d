import { own } from '../../util/own.ts';
import type { ReportCause } from '../../report-model/report.ts';
import { compareText } from '../../util/words.ts';
import type { Json, JsonObject, Path } from '../../kubernetes/json.ts';
import { namespaceOfKind } from '../../kubernetes/names.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import type { Declared, KubeObject, Pod } from '../../kubernetes/objects.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { objectName } from './object-names.ts';

/** More changes are counted, not listed. */
const most = 100;

/** An annotation of templates that differ in what a saved report does not keep of them. */
export const otherRest = 'podium/left-out';

/** What the API server fills in; nobody decides it. */
const ownFields: ReadonlySet<string> = new Set([
  'status',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.uid',
]);

/**
 * What is written otherwise in two inputs, field by field. Objects that are one and the same in both cost nothing.
 * Classes first, as they change how everything else is ranked, then by kind and name.
 */
export function causesOf(earlier: SimulationInput, now: SimulationInput): { causes: ReportCause[]; more: number } {
  const before = objectsByName(earlier);
  const causes: Omit<ReportCause, 'id'>[] = [];
  for (const [object, declared] of objectsByName(now)) {
    const was = before.get(object);
    before.delete(object);
    if (was?.object === declared.object) continue;
    const origin = declared.origin ?? null;
    if (was === undefined) {
      causes.push({ object, field: '', old: null, new: 'added', origin });
    } else {
      for (const { path, old, new: now } of changesOf(fieldsOf(was.object), fieldsOf(declared.object), [])) {
        causes.push({ object, field: fieldText(path), old, new: now, origin: declared.placeOf?.(path) ?? origin });
      }
    }
  }
  for (const [object, { origin, object: gone }] of before) {
    // With a node its pods go; those that nobody makes again are told of.
    const isMadeAgain = gone.kind === 'Pod' && (gone.metadata?.ownerReferences ?? []).length > 0;
    if (isMadeAgain && before.has(`Node/${(gone as Pod).spec?.nodeName ?? ''}`)) continue;
    causes.push({ object, field: '', old: 'removed', new: null, origin: origin ?? null });
  }
  const rank = ({ object }: Pick<ReportCause, 'object'>): number => Number(!object.startsWith('PriorityClass/'));
  causes.sort((a, b) => rank(a) - rank(b) || compareText(a.object, b.object));
  return {
    causes: causes.slice(0, most).map((cause, index) => ({ ...cause, id: `c${index + 1}` })),
    more: Math.max(0, causes.length - most),
  };
}

/** `Kind/namespace/name`; of two with one name the first, as everywhere. */
export function objectsByName({ workspace, snapshot }: SimulationInput): Map<string, Declared> {
  const objects = new Map<string, Declared>();
  for (const declared of [...workspace, ...snapshot]) {
    const { apiVersion = '', kind = '', metadata } = declared.object;
    const namespace = namespaceOfKind(apiVersion, kind, metadata?.namespace);
    const name = objectName({ kind, namespace, name: metadata?.name ?? '' });
    if (!objects.has(name)) objects.set(name, declared);
  }
  return objects;
}

/** Pools are kept as they are written, beside what is known of every object. */
function fieldsOf(object: KubeObject): KubeObject | JsonObject {
  return isPoolObject(object) ? object.written : object;
}

interface Change extends Pick<ReportCause, 'old' | 'new'> {
  readonly path: Path;
}

function changesOf(before: unknown, now: unknown, path: Path): Change[] {
  if (before === now || ownFields.has(fieldText(path))) return [];
  if (isMap(before) && isMap(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...keys].flatMap((key) => changesOf(own(before, key), own(now, key), [...path, key]));
  }
  // A map that is there for the sake of one field is no more than that field.
  if (before === undefined && hasOneField(now)) return changesOf({}, now, path);
  if (now === undefined && hasOneField(before)) return changesOf(before, {}, path);
  if (Array.isArray(before) && Array.isArray(now) && before.length === now.length) {
    return before.flatMap((each, index) => changesOf(each, now[index], [...path, index]));
  }
  // Of which nothing is known but that it is another.
  if (path.at(-1) === otherRest) return [{ path: path.slice(0, -3), old: 'as saved', new: 'changed' }];
  const [old, next] = [toldOf(before), toldOf(now)];
  return old === next ? [] : [{ path, old, new: next }];
}

/** `spec.template.spec.containers[0].image`. */
function fieldText(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}

function isMap(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOneField(value: unknown): boolean {
  return isMap(value) && Object.keys(value).length === 1;
}

function toldOf(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);
}
