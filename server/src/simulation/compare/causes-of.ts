import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import type { ReportCause } from '../../report-model/report.ts';
import { compareText } from '../../util/words.ts';
import type { Json, Path } from '../../kubernetes/json.ts';
import { namespaceOfKind } from '../../kubernetes/names.ts';
import { taintText } from '../../kubernetes/taints.ts';
import { pluginResources } from '../../kubernetes/pod-resources.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { asWritten } from '../../kubernetes/pool-kinds.ts';
import { compareQuantities, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import type { Declared, KubeObject, Node, Pod } from '../../kubernetes/objects.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { withDeclaredNodes } from '../operations/apply-operation.ts';
import { editedPlace } from './edited-place.ts';
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
 * What is written otherwise in two inputs, field by field; past a bound, of how many objects. Objects that are one and the same in both cost nothing.
 * What is refused comes first, then classes, as they change how everything else is ranked, then by kind and name.
 */
export function causesOf(
  earlier: SimulationInput,
  now: SimulationInput,
  isRefused: (object: string) => boolean = () => false,
): { causes: ReportCause[]; more: number; objects: number } {
  // Nodes that are assumed in both are no change, also where an operation has declared them.
  const before = objectsByName(now.nodesAreAssumed === true ? withDeclaredNodes(earlier) : earlier);
  const causes: Omit<ReportCause, 'id'>[] = [];
  const added = new Map<string, Declared>();
  const stored = objectsByName({ ...earlier, workspace: [] });
  for (const [object, declared] of objectsByName(now)) {
    const isStored = declared.object.metadata?.uid !== undefined;
    // What is edited as it is stored has what the server and controllers have set.
    const was = (isStored ? stored.get(object) : undefined) ?? before.get(object);
    before.delete(object);
    if (was === undefined) added.set(object, declared);
    if (was === undefined || was.object === declared.object) continue;
    const origin = declared.origin ?? null;
    const note = lossOf(was.object, declared.object);
    for (const { path, old, new: now } of [
      ...changesOf(asWritten(was.object), asWritten(declared.object), []),
      ...roomChanges(was.object, declared.object),
    ]) {
      const noted = note !== undefined && path.includes('resourceClaims') ? { note } : {};
      causes.push({
        object,
        field: fieldText(path),
        old,
        new: now,
        origin: declared.placeOf?.(path) ?? origin,
        ...noted,
      });
    }
  }
  for (const [objects, change] of [
    [added, { old: null, new: 'added' }],
    [before, { old: 'removed', new: null }],
  ] as const) {
    for (const [object, declared] of objects) {
      if (!goesWith(declared.object, objects)) {
        causes.push({ object, field: '', ...change, origin: declared.origin ?? null });
      }
    }
  }
  const edits = now.edits ?? [];
  const rankOf = (object: string): number => (isRefused(object) ? 0 : object.startsWith('PriorityClass/') ? 1 : 2);
  const ranks = new Map(causes.map(({ object }) => [object, rankOf(object)]));
  causes.sort((a, b) => ranks.get(a.object)! - ranks.get(b.object)! || compareText(a.object, b.object));
  return {
    causes: causes
      .slice(0, most)
      .map((cause, index) => ({ ...cause, origin: editedPlace(edits, cause), id: `c${index + 1}` })),
    more: Math.max(0, causes.length - most),
    objects: causes.length > most ? ranks.size : 0,
  };
}

/** How much room a node has is in its status, which is otherwise the kubelet's. */
function roomChanges(before: KubeObject, now: KubeObject): Change[] {
  if (now.kind !== 'Node') return [];
  const [old, next] = [before as Node, now as Node];
  return changesOf(old.status?.allocatable, next.status?.allocatable, ['status', 'allocatable']);
}

/** With a controller goes what it made, and with a node its pods; of these those are told of that nobody makes again. */
function goesWith({ kind, metadata = {}, ...object }: KubeObject, others: ReadonlyMap<string, Declared>): boolean {
  const { namespace = 'default', ownerReferences: owners = [] } = metadata;
  const isOn = kind === 'Pod' && owners.length > 0 && others.has(`Node/${(object as Pod).spec?.nodeName ?? ''}`);
  return isOn || owners.some(({ kind, name }) => others.has(objectName({ kind, namespace, name })));
}

/**
 * What pods lose that moves from a device plugin to a claim. Source: pkg/scheduler/framework/plugins/dynamicresources
 * (UnschedulableAndUnresolvable)
 */
function lossOf(before: KubeObject, now: KubeObject): string | undefined {
  const [old, next] = [podTemplateOf(before)?.spec, podTemplateOf(now)?.spec];
  if ((next?.resourceClaims ?? []).length <= (old?.resourceClaims ?? []).length) return undefined;
  const kept = new Set(pluginResources(next));
  const moved = pluginResources(old).find((name) => !kept.has(name));
  return moved === undefined
    ? undefined
    : say`before Kubernetes 1.38 priority never preempts for a claim, as it does for ${moved}`;
}

/** `Kind/namespace/name`; of two with one name the first, as everywhere. */
export function objectsByName({ workspace, snapshot }: SimulationInput): Map<string, Declared> {
  const objects = new Map<string, Declared>();
  for (const declared of [...workspace, ...snapshot]) {
    const { apiVersion = '', kind = '', metadata } = asWritten(declared.object) as KubeObject;
    const namespace = namespaceOfKind(apiVersion, kind, metadata?.namespace);
    const name = objectName({ kind, namespace, name: metadata?.name ?? '' });
    if (!objects.has(name)) objects.set(name, declared);
  }
  return objects;
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
  if (Array.isArray(before) && Array.isArray(now)) {
    const changes = itemChanges(before, now, path);
    if (changes !== undefined) return changes;
  }
  // Of which nothing is known but that it is another.
  if (path.at(-1) === otherRest) return [{ path: path.slice(0, -3), old: 'as saved', new: 'changed' }];
  if (isSameAmount(before, now, path)) return [];
  const [old, next] = [toldOf(before, path), toldOf(now, path)];
  return old === next ? [] : [{ path, old, new: next }];
}

/** Of lists whose items can be told apart: by their names, by what has only come or only gone, or by their places. */
function itemChanges(before: readonly unknown[], now: readonly unknown[], path: Path): Change[] | undefined {
  const [names, next] = [namesOf(before), namesOf(now)];
  if (names !== undefined && next !== undefined) {
    const changes = [
      ...next.flatMap((name, index) => changesOf(before[names.indexOf(name)], now[index], [...path, index])),
      ...names.flatMap((name, index) =>
        next.includes(name) ? [] : changesOf(before[index], undefined, [...path, index]),
      ),
    ];
    // Those that only stand in another order are another list.
    return changes.length > 0 || names.join() === next.join() ? changes : undefined;
  }
  if (before.length === now.length) return before.flatMap((each, at) => changesOf(each, now[at], [...path, at]));
  const [come, gone] = [lackingIn(before, now), lackingIn(now, before)];
  if (come.length > 0 && gone.length > 0) return undefined;
  return [
    ...come.flatMap((at) => changesOf(undefined, now[at], [...path, at])),
    ...gone.flatMap((at) => changesOf(before[at], undefined, [...path, at])),
  ];
}

/** The names of the items of a list, as containers and volumes have them; undefined where not each has its own. */
function namesOf(list: readonly unknown[]): readonly string[] | undefined {
  const names = list.flatMap((item) => (isMap(item) && typeof item['name'] === 'string' ? item['name'] : []));
  return new Set(names).size === list.length ? names : undefined;
}

/** Where the items of a list are of which the other has none, or not as many. */
function lackingIn(other: readonly unknown[], list: readonly unknown[]): readonly number[] {
  const left = other.map((item) => JSON.stringify(item));
  return list.flatMap((item, at) => {
    const found = left.indexOf(JSON.stringify(item));
    if (found < 0) return [at];
    left.splice(found, 1);
    return [];
  });
}

/** `500m` and `0.5` are one amount of a resource. */
function isSameAmount(before: unknown, now: unknown, path: Path): boolean {
  if (!amounts.has(String(path.at(-2)))) return false;
  const [one, other] = [parseQuantity(String(before)), parseQuantity(String(now))];
  return !isQuantityError(one) && !isQuantityError(other) && compareQuantities(one, other) === 0;
}

const amounts: ReadonlySet<string> = new Set(['requests', 'limits', 'hard', 'capacity', 'allocatable']);

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

function toldOf(value: unknown, path: Path): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (path.at(-1) === 'taints' && Array.isArray(value)) return value.map(taintText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);
}
