import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Container } from '../../kubernetes/objects.ts';
import {
  compareQuantities,
  formatQuantity,
  integerQuantity,
  isQuantityError,
  parseQuantity,
} from '../../kubernetes/quantity.ts';
import { invalid, invalidFormat, notSupported, required } from './field-errors.ts';
import type { FieldPath } from './field-path.ts';
import { goString } from './go-zero.ts';
import { qualifiedNameProblems } from './names.ts';

/** References to fields of the pod itself. Source for this file: pkg/apis/core/validation/validation.go */

type EnvironmentSource = NonNullable<NonNullable<Container['env']>[number]['valueFrom']>;
export type FieldReference = NonNullable<EnvironmentSource['fieldRef']>;
export type ResourceReference = NonNullable<EnvironmentSource['resourceFieldRef']>;

/** Fields that can be referred to somewhere. Source: ConvertDownwardAPIFieldLabel in pkg/apis/core/pods/helpers.go */
const knownFields: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);

/** In the order of upstream's message. */
const containerResources: readonly string[] = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

const hugePages = /^(?:limits|requests)\.hugepages-/;
const byteDivisors = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei';

/** Judges a reference to a field; `fields` are those that the place takes (validateObjectFieldSelector). */
export function validateFieldReference(
  { apiVersion = '', fieldPath }: FieldReference,
  fields: readonly string[],
  at: FieldPath,
): FieldError[] {
  const written = goString(fieldPath);
  const place = at.child('fieldPath');
  if (written === '') return [required(place)];
  const subscript = subscriptOf(written);
  const problem = conversionProblem(apiVersion, written, subscript?.path);
  if (problem !== undefined) return [invalid(place, written, `error converting fieldPath: ${problem}`)];
  if (subscript !== undefined) {
    const name = subscript.path === 'metadata.annotations' ? subscript.key.toLowerCase() : subscript.key;
    return invalidFormat(place.printedAs(at), name, qualifiedNameProblems(name));
  }
  const field = written === 'spec.host' ? 'spec.nodeName' : written;
  return fields.includes(field) ? [] : [notSupported(place, field, fields)];
}

/** `metadata.labels['app']`. Source: SplitMaybeSubscriptedPath in pkg/fieldpath/fieldpath.go */
function subscriptOf(fieldPath: string): { readonly path: string; readonly key: string } | undefined {
  if (!fieldPath.endsWith("']")) return undefined;
  const start = fieldPath.slice(0, -2).indexOf("['");
  return start <= 0 ? undefined : { path: fieldPath.slice(0, start), key: fieldPath.slice(start + 2, -2) };
}

function conversionProblem(apiVersion: string, fieldPath: string, path: string | undefined): string | undefined {
  if (apiVersion !== '' && apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  if (path !== undefined) {
    if (path === 'metadata.annotations' || path === 'metadata.labels') return undefined;
    return `field label does not support subscript: ${fieldPath}`;
  }
  if (knownFields.has(fieldPath) || fieldPath === 'spec.host') return undefined;
  return `field label not supported: ${fieldPath}`;
}

/** Judges a reference to a container's resource. In a volume it must name the container (validateContainerResourceFieldSelector). */
export function validateResourceReference(
  reference: ResourceReference,
  inVolume: boolean,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const resource = goString(reference.resource);
  if (inVolume && goString(reference.containerName) === '') {
    errors.push(required(at.child('containerName')));
  } else if (resource === '') {
    errors.push(required(at.child('resource')));
  } else if (!containerResources.includes(resource) && !hugePages.test(resource)) {
    errors.push(notSupported(at.child('resource'), resource, containerResources));
  }
  return [...errors, ...validateDivisor(resource, reference.divisor, at.child('divisor'))];
}

/** validateContainerResourceDivisor. */
function validateDivisor(resource: string, divisor: string | undefined, at: FieldPath): FieldError[] {
  const quantity = divisor === undefined ? undefined : parseQuantity(divisor);
  if (quantity === undefined || isQuantityError(quantity) || compareQuantities(quantity, integerQuantity(0)) === 0) {
    return [];
  }
  const text = formatQuantity(quantity);
  if (resource.endsWith('.cpu') && containerResources.includes(resource)) {
    if (text === '1m' || text === '1') return [];
    return [invalid(at, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  }
  const kind = kindOfBytes(resource);
  if (kind === undefined || byteDivisors.split(', ').includes(text)) return [];
  return [invalid(at, resource, `only divisor's values ${byteDivisors} are supported with the ${kind} resource`)];
}

function kindOfBytes(resource: string): string | undefined {
  if (hugePages.test(resource)) return 'hugepages';
  if (!containerResources.includes(resource)) return undefined;
  return resource.endsWith('.memory') ? 'memory' : 'local ephemeral storage';
}
