import { isObject } from '../../kit/values.ts';
import type { Path } from '../../kubernetes/json.ts';
import { compareQuantities, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';

/**
 * The equality by which the API server tells whether an update changes a pod's spec: an absent list or map equals an
 * empty one, an absent value its zero value, and quantities are equal as numbers. A field that is a pointer in Go is an
 * exception: absent and zero differ there.
 * Source: Semantic in staging/src/k8s.io/apimachinery/pkg/api/equality/semantic.go; which fields are pointers:
 * pkg/apis/core/types.go
 */
export function semanticallyEqual(one: unknown, other: unknown): boolean {
  return equal(one, other, '');
}

/**
 * The way to a value of `one` that makes it differ from `other`, for an editor to mark: as deep as both have the same
 * shape, and what is written in `one` before what is missing there. Empty when nothing narrower can be named.
 */
export function firstDifference(one: unknown, other: unknown): Path {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    const index = one.findIndex((item, at) => !equal(item, other[at], ''));
    return index < 0 ? [] : [index, ...firstDifference(one[index], other[index])];
  }
  if (!isObject(one) || !isObject(other)) return [];
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (!equal(own(one, name), own(other, name), name)) {
      return [name, ...firstDifference(own(one, name), own(other, name))];
    }
  }
  return [];
}

/** Scalar fields of pod specs that are pointers, and have no default to hide that. */
const scalarPointers: ReadonlySet<string> = new Set([
  'activeDeadlineSeconds',
  'allowPrivilegeEscalation',
  'automountServiceAccountToken',
  'defaultMode',
  'enableServiceLinks',
  'expirationSeconds',
  'fsGroup',
  'fsGroupChangePolicy',
  'hostUsers',
  'hostnameOverride',
  'localhostProfile',
  'matchPolicy',
  'minDomains',
  'mode',
  'mountPropagation',
  'nodeAffinityPolicy',
  'nodeTaintsPolicy',
  'optional',
  'preemptionPolicy',
  'priority',
  'privileged',
  'procMount',
  'readOnlyRootFilesystem',
  'recursiveReadOnly',
  'resourceClaimName',
  'resourceClaimTemplateName',
  'runAsGroup',
  'runAsNonRoot',
  'runAsUser',
  'runtimeClassName',
  'seLinuxChangePolicy',
  'setHostnameAsFQDN',
  'shareProcessNamespace',
  'sizeLimit',
  'stopSignal',
  'storageClassName',
  'supplementalGroupsPolicy',
  'terminationGracePeriodSeconds',
  'tolerationSeconds',
  'volumeMode',
]);

/** Fields of pod specs that hold a map, a plain struct, or by default an empty one: empty equals absent there. */
const plainObjects: ReadonlySet<string> = new Set([
  'annotations',
  'emptyDir',
  'labels',
  'limits',
  'matchLabels',
  'metadata',
  'nodeSelector',
  'options',
  'overhead',
  'requests',
  'resources',
  'securityContext',
  'volumeAttributes',
]);

/**
 * Defaults of fields that `defaultPod` leaves out, because nothing but this comparison depends on them. The default of
 * a pull policy depends on the image's tag; either of the two counts as the default here.
 * Source: pkg/apis/core/v1/defaults.go
 */
const otherDefaults: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['apiVersion', ['v1']],
  ['defaultMode', [0o644]],
  ['dnsPolicy', ['ClusterFirst']],
  ['enableServiceLinks', [true]],
  ['expirationSeconds', [3600]],
  ['failureThreshold', [3]],
  ['imagePullPolicy', ['Always', 'IfNotPresent']],
  ['path', ['/']],
  ['periodSeconds', [10]],
  ['scheme', ['HTTP']],
  ['serviceAccount', ['default']],
  ['serviceAccountName', ['default']],
  ['successThreshold', [1]],
  ['terminationMessagePath', ['/dev/termination-log']],
  ['terminationMessagePolicy', ['File']],
  ['timeoutSeconds', [1]],
]);

/** Maps from resource names to quantities. */
const quantityMaps: ReadonlySet<string> = new Set(['limits', 'requests', 'overhead']);

function equal(one: unknown, other: unknown, field: string): boolean {
  if (isAbsent(one) || isAbsent(other)) return isLikeAbsent(one, field) && isLikeAbsent(other, field);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => equal(item, other[index], ''));
  }
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    const same = quantityMaps.has(field) ? equalQuantities : equal;
    return [...names].every((name) => same(own(one, name), own(other, name), name));
  }
  return one === other;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Whether a value is absent, or what Go has in its place when it is. */
function isLikeAbsent(value: unknown, field: string): boolean {
  if (isAbsent(value)) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) {
    return plainObjects.has(field) && Object.keys(value).every((key) => isLikeAbsent(value[key], key));
  }
  if (otherDefaults.get(field)?.includes(value) === true) return true;
  return !scalarPointers.has(field) && (value === '' || value === 0 || value === false);
}

function equalQuantities(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' && typeof one !== 'number') return isAbsent(one) && isAbsent(other);
  if (typeof other !== 'string' && typeof other !== 'number') return false;
  const first = parseQuantity(one);
  const second = parseQuantity(other);
  if (isQuantityError(first) || isQuantityError(second)) return one === other;
  return compareQuantities(first, second) === 0;
}

function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
