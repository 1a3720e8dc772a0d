import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { ObjectMeta, PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import { integerQuantity, compareQuantities, formatQuantity } from '../../kubernetes/quantity.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { allOf, forbidden, invalid, invalidFormat, oneOf, printedPath, required } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { judgeLabels, validateLabelSelector } from '../format/label-selector.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../format/names.ts';
import { judgeAnnotations } from '../format/object-meta.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

type ClaimSpec = NonNullable<PersistentVolumeClaim['spec']>;

interface ClaimTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec: ClaimSpec;
}

/** In the order of upstream's messages. */
const accessModes: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const volumeModes: readonly string[] = ['Block', 'Filesystem'];

/** Judges the claim that is made for a generic ephemeral volume (ValidatePersistentVolumeClaimTemplate). */
export function validateClaimTemplate({ metadata, spec }: ClaimTemplate, at: FieldPath): FieldError[] {
  const metaPath = at.child('metadata');
  return [
    ...allOf(judgeAnnotations(metadata?.annotations, metaPath.child('annotations'))),
    ...allOf(judgeLabels(metadata?.labels, metaPath.child('labels'))),
    ...Object.entries(metadata ?? {}).flatMap(([field, value]) => {
      if (field === 'labels' || field === 'annotations' || !isSet(value)) return [];
      // Upstream puts the first letter of the Go name in lower case.
      const printed = field === 'uid' ? 'uID' : field;
      return [forbidden(metaPath.child(field).printedAs(metaPath.child(printed)), 'cannot be set')];
    }),
    ...validateClaimSpec(spec, at.child('spec')),
  ];
}

function isSet(value: unknown): boolean {
  return value !== '' && value !== 0 && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** Of the modes that are written, of a claim and of a volume. */
export function accessModeErrors(modes: readonly string[], at: FieldPath): FieldError[] {
  const errors = modes.flatMap((mode, index) => oneOf(at.index(index).printedAs(at), mode, accessModes));
  const known = modes.filter((mode) => accessModes.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod')) {
    errors.push(forbidden(at, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

/** ValidatePersistentVolumeClaimSpec. */
export function validateClaimSpec(spec: ClaimSpec, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const modes = goList(spec.accessModes);
  if (modes.length === 0) errors.push(required(at.child('accessModes'), 'at least 1 access mode is required'));
  append(errors, validateLabelSelector(spec.selector, at.child('selector')));
  append(errors, accessModeErrors(modes, at.child('accessModes')));
  append(errors, validateStorage(spec.resources, at.child('resources')));
  const nameErrors = (field: 'storageClassName' | 'volumeAttributesClassName'): FieldError[] => {
    const name = goString(spec[field]);
    return name === '' ? [] : invalidFormat(at.child(field), name, dnsSubdomainProblems(name));
  };
  return [
    ...errors,
    ...nameErrors('storageClassName'),
    ...oneOf(at.child('volumeMode'), spec.volumeMode, volumeModes),
    ...validateDataSources(spec, at),
    ...nameErrors('volumeAttributesClassName'),
  ];
}

function validateStorage(resources: ClaimSpec['resources'], at: FieldPath): FieldError[] {
  const place = at.child('requests', 'storage').printedAs(at.key('storage'));
  const storage = readResourceList(resources?.requests).get('storage');
  if (storage === undefined) return [required(place)];
  if (compareQuantities(storage, integerQuantity(0)) > 0) return [];
  return [invalid(place, formatQuantity(storage), 'must be greater than zero')];
}

/** validateDataSource, validateDataSourceRef, and how the two go together. */
function validateDataSources({ dataSource, dataSourceRef }: ClaimSpec, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [field, source] of Object.entries({ dataSource, dataSourceRef })) {
    if (source === undefined) continue;
    const place = at.child(field);
    const { apiGroup = '', kind, name } = source;
    if (goString(name) === '') errors.push(required(place.child('name')));
    if (goString(kind) === '') errors.push(required(place.child('kind')));
    if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
      errors.push(invalid(place, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
    }
    if (apiGroup !== '') {
      append(errors, invalidFormat(place.child('apiGroup'), apiGroup, dnsSubdomainProblems(apiGroup)));
    }
  }
  const namespace = goString(dataSourceRef?.namespace);
  const pair = at.child('dataSource').printedAs(at);
  if (namespace !== '') {
    append(errors, invalidFormat(at.child('dataSourceRef', 'namespace'), namespace, dnsLabelProblems(namespace)));
    if (dataSource !== undefined) {
      errors.push(invalid(pair, printedPath, 'may not be specified when dataSourceRef.namespace is specified'));
    }
  } else if (dataSource !== undefined && dataSourceRef !== undefined) {
    const same = (['apiGroup', 'kind', 'name'] as const).every((field) => dataSource[field] === dataSourceRef[field]);
    if (!same) errors.push(invalid(pair, printedPath, 'must match dataSourceRef'));
  }
  return errors;
}
