import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PersistentVolume } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { formatQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import {
  type Batches,
  forbidden,
  invalid,
  invalidFormat,
  notSupported,
  oneOf,
  required,
  requiredFormat,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../format/names.ts';
import { judgeNodeSelector } from '../pods/node-affinity.ts';
import { accessModeErrors, volumeModes } from '../volumes/claim-template.ts';
import { validateNoBacksteps } from '../volumes/local-paths.ts';
import { validateCsiDriverName } from '../volumes/csi-driver.ts';
import { validateIscsi, validateOneSource } from '../volumes/volume-sources.ts';

/** Source for this file: ValidatePersistentVolumeSpec in pkg/apis/core/validation/validation.go */

type Spec = NonNullable<PersistentVolume['spec']>;

const reclaimPolicies: readonly string[] = ['Delete', 'Recycle', 'Retain'];

/** In upstream's order: of several sources, the first counts and the others are too many. */
const sources = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const satisfies readonly (keyof Spec)[];

export function* judgePersistentVolumeSpec({ metadata, spec = {} }: PersistentVolume, release: Release): Batches {
  const at = FieldPath.to('spec');
  yield validateAccessModes(goList(spec.accessModes), at.child('accessModes'));
  yield validateCapacity(spec, at.child('capacity'));
  const policy = goString(spec.persistentVolumeReclaimPolicy);
  if (policy !== '') yield oneOf(at.child('persistentVolumeReclaimPolicy'), policy, reclaimPolicies);
  yield* judgeAffinity(spec, at.child('nodeAffinity'));
  yield validateSources(goString(metadata?.name), spec, release, at);
  yield validateClasses(spec, at);
}

function validateAccessModes(modes: readonly string[], at: FieldPath): FieldError[] {
  return modes.length === 0 ? [required(at)] : accessModeErrors(modes, at);
}

function validateCapacity({ capacity }: Spec, at: FieldPath): FieldError[] {
  const amounts = readResourceList(capacity);
  const errors = amounts.size === 0 ? [required(at)] : [];
  if (!amounts.has('storage') || amounts.size > 1) errors.push(notSupported(at, capacity ?? null, ['storage']));
  for (const [name, amount] of amounts) {
    // Source: validateBasicResource, then ValidatePositiveQuantityValue
    if (amount.nanos < 0n) errors.push(invalid(at.key(name), wholeAmount(amount), 'must be a valid resource quantity'));
    if (amount.nanos <= 0n) errors.push(invalid(at.key(name), formatQuantity(amount), 'must be greater than zero'));
  }
  return errors;
}

/** Rounded away from zero. Source: Quantity.Value */
function wholeAmount({ nanos }: Quantity): number {
  return Number((nanos - 999_999_999n) / 1_000_000_000n);
}

/** validateVolumeNodeAffinity. */
function* judgeAffinity({ nodeAffinity }: Spec, at: FieldPath): Batches {
  if (nodeAffinity === undefined) return;
  const place = at.child('required');
  if (nodeAffinity.required !== undefined) yield* judgeNodeSelector(nodeAffinity.required, false, place);
  else yield [required(place, 'must specify required node constraints')];
}

function validateSources(name: string, spec: Spec, release: Release, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let found = 0;
  for (const source of sources) {
    if (spec[source] === undefined) continue;
    if (found > 0 && source !== 'flexVolume') {
      const place = at.child(source).printedAs(at.child(source === 'cephfs' ? 'cephFS' : source));
      errors.push(forbidden(place, 'may not specify more than 1 volume type'));
      continue;
    }
    found += 1;
    append(errors, validateSource(name, spec, source, release, at));
  }
  if (found === 0) errors.push(required(at, 'must specify a volume type'));
  if (/^\/[./]*$/.test(goString(spec.hostPath?.path)) && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const detail = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbidden(at.child('persistentVolumeReclaimPolicy'), detail));
  }
  return errors;
}

function validateSource(
  name: string,
  spec: Spec,
  source: (typeof sources)[number],
  release: Release,
  at: FieldPath,
): FieldError[] {
  if (source === 'local') {
    const path = goString(spec.local?.path);
    const place = at.child('local', 'path');
    return [
      ...(path === '' ? [required(place)] : validateNoBacksteps(path, place)),
      ...(spec.nodeAffinity === undefined
        ? [required(at.child('nodeAffinity'), 'Local volume requires node affinity')]
        : []),
    ];
  }
  if (source === 'csi') return validateCsi(spec.csi!, release, at.child('csi'));
  if (source === 'iscsi') return validateIscsi(spec.iscsi!, at.child('iscsi'), name);
  if (source === 'storageos') return validateStorageOs(spec.storageos!, at.child('storageos'));
  // The other sources have in common with those of pods what is judged of them.
  const shared = validateOneSource({ name, [source]: spec[source] }, source, at, release);
  const secret = spec.cinder?.secretRef;
  if (source === 'cinder' && secret !== undefined && goString(secret.namespace) === '') {
    return [...shared, required(at.child('cinder', 'secretRef', 'namespace'))];
  }
  if (source === 'glusterfs') {
    const namespace = spec.glusterfs?.endpointsNamespace;
    const place = at.child('glusterfs', 'endpointsNamespace');
    if (namespace === undefined) return shared;
    if (namespace === '') {
      const detail = 'if the endpointnamespace is set, it must be a valid namespace name';
      return [...shared, invalid(place, namespace, detail)];
    }
    return [...shared, ...invalidFormat(place, namespace, dnsLabelProblems(namespace))];
  }
  if (source === 'azureFile' && spec.azureFile?.secretNamespace === '') {
    return [...shared, required(at.child('azureFile', 'secretNamespace'))];
  }
  return shared;
}

type Csi = NonNullable<Spec['csi']>;

function validateCsi(csi: Csi, release: Release, at: FieldPath): FieldError[] {
  const errors = validateCsiDriverName(csi.driver, release, at.child('driver'));
  if (goString(csi.volumeHandle) === '') errors.push(required(at.child('volumeHandle')));
  for (const field of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ] as const) {
    const reference = csi[field];
    if (reference === undefined) continue;
    const referenceAt = at.child(field);
    append(
      errors,
      requiredFormat(referenceAt.child('name'), reference.name, dnsSubdomainProblems),
      requiredFormat(referenceAt.child('namespace'), reference.namespace, dnsLabelProblems),
    );
  }
  return errors;
}

function validateStorageOs(source: NonNullable<Spec['storageos']>, at: FieldPath): FieldError[] {
  const { volumeName, volumeNamespace = '', secretRef } = source;
  const errors = requiredFormat(at.child('volumeName'), volumeName, dnsLabelProblems);
  if (volumeNamespace !== '') {
    append(errors, invalidFormat(at.child('volumeNamespace'), volumeNamespace, dnsLabelProblems(volumeNamespace)));
  }
  if (secretRef !== undefined) {
    for (const field of ['name', 'namespace'] as const) {
      if (goString(secretRef[field]) === '') errors.push(required(at.child('secretRef', field)));
    }
  }
  return errors;
}

function validateClasses(spec: Spec, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const name = goString(spec.storageClassName);
  if (name !== '') append(errors, invalidFormat(at.child('storageClassName'), name, dnsSubdomainProblems(name)));
  append(errors, oneOf(at.child('volumeMode'), spec.volumeMode, volumeModes));
  const attributes = spec.volumeAttributesClassName;
  if (attributes !== undefined) {
    const place = at.child('volumeAttributesClassName');
    if (attributes === '') errors.push(required(place, 'an empty string is disallowed'));
    else append(errors, invalidFormat(place, attributes, dnsSubdomainProblems(attributes)));
    if (spec.csi === undefined) {
      errors.push(required(at.child('csi'), 'has to be specified when using volumeAttributesClassName'));
    }
  }
  return errors;
}
