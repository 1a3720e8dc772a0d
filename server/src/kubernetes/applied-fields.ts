import { own } from '../util/own.ts';
import { isList, isObject, valueAt } from '../util/values.ts';
import type { Json, JsonObject } from './json.ts';

export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Whether what a manager owns was applied, so that it goes when it is written no longer. Helm, which does not use
 * server-side apply, compares a release with the one before. Source: pkg/kube/client.go of Helm (createPatch)
 */
function hasApplied({ operation, manager }: JsonObject): boolean {
  return operation === 'Apply' || (operation === 'Update' && typeof manager === 'string' && /helm/i.test(manager));
}

/**
 * What somebody has applied of an object that is read from a cluster: as `kubectl apply` notes it, or what managers of
 * server-side apply, and Helm, own of its spec and annotations. Undefined where nobody says.
 */
export function appliedOf({ metadata, spec }: JsonObject): JsonObject | undefined {
  const { annotations, managedFields } = isObject(metadata) ? metadata : {};
  const text = isObject(annotations) ? own(annotations, lastApplied) : undefined;
  if (typeof text === 'string') return parsed(text);
  let [ofSpec, ofAnnotations]: unknown[] = [];
  for (const each of isList(managedFields) ? managedFields : []) {
    if (!isObject(each) || !hasApplied(each) || Object.hasOwn(each, 'subresource')) continue;
    const { fieldsV1 } = each;
    ofSpec = both(ofSpec, valueAt(fieldsV1, ['f:spec']));
    ofAnnotations = both(ofAnnotations, valueAt(fieldsV1, ['f:metadata', 'f:annotations']));
  }
  const applied = {
    ...(spec === undefined || ofSpec === undefined ? {} : { spec: partOf(spec, ofSpec) }),
    ...(annotations === undefined || ofAnnotations === undefined
      ? {}
      : { metadata: { annotations: partOf(annotations, ofAnnotations) } }),
  };
  return Object.keys(applied).length === 0 ? undefined : applied;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const applied: unknown = JSON.parse(text);
    return isObject(applied) && isShallow(applied, deepest) ? (applied as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** No object of Kubernetes that is read here is nearly as deep; whoever annotates one may write anything. */
const deepest = 100;

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return left > 0 && Object.values(value).every((each) => isShallow(each, left - 1));
}

/** The fields of two managers. */
function both(one: unknown, other: unknown): unknown {
  if (!isObject(one)) return other;
  if (!isObject(other)) return one;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, both(own(one, name), own(other, name))]));
}

/**
 * What is owned of a value. `f:` stands before the name of a field, `k:` before the keys of an item, `v:` before the item
 * itself; what has nothing below it is owned whole.
 * Source: sigs.k8s.io/structured-merge-diff/v6/fieldpath (serialize-pe.go)
 */
function partOf(value: Json, fields: unknown): Json {
  const names = isObject(fields) ? Object.keys(fields).filter((name) => name !== '.') : [];
  if (names.length === 0 || !isObject(fields)) return value;
  if (isList(value)) {
    return value
      .filter((item) => names.some((name) => isItem(item, name)))
      .map((item) => {
        const name = names.find((each) => isItem(item, each))!;
        return partOf(item, own(fields, name));
      });
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = name.slice('f:'.length);
      const part = name.startsWith('f:') ? own(value, field) : undefined;
      return part === undefined ? [] : [[field, partOf(part, own(fields, name))]];
    }),
  );
}

function isItem(item: Json, name: string): boolean {
  let told: unknown;
  try {
    told = JSON.parse(name.slice('k:'.length));
  } catch {
    return false;
  }
  if (name.startsWith('v:')) return JSON.stringify(item) === JSON.stringify(told);
  if (!name.startsWith('k:') || !isObject(told) || !isObject(item)) return false;
  return Object.entries(told).every(([key, value]) => own(item, key) === value);
}
