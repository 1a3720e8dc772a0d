import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PersistentVolume, PodSpec } from '../../kubernetes/objects.ts';
import { compareQuantities, integerQuantity, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import type { Release } from '../../kubernetes/release.ts';
import { validateClaimTemplate } from './claim-template.ts';
import { validateCsiDriverName } from './csi-driver.ts';
import {
  forbidden,
  ifWhole,
  invalid,
  invalidFormat,
  notSupported,
  oneOf,
  required,
  requiredFormat,
} from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goNumber, goString } from '../format/go-zero.ts';
import { validateDescendingPath, validateNoBacksteps } from './local-paths.ts';
import { byteLength, dnsLabelProblems, dnsSubdomainProblems, inclusiveRangeText } from '../format/names.ts';
import { validateDownwardApiVolume, validateKeyVolume, validateProjectedVolume } from './volume-files.ts';

/**
 * Where the data of a volume is. Where images are dropped, they never come here.
 * Source for this file: validateVolumeSource and what it calls in pkg/apis/core/validation/validation.go
 */

export type Volume = NonNullable<PodSpec['volumes']>[number];
type SourceName = Exclude<keyof Volume, 'name'>;
type Source<Name extends SourceName> = NonNullable<Volume[Name]>;
type Check<T> = (source: T, at: FieldPath, rules: VolumeRules) => FieldError[];

export interface VolumeRules {
  /** A template may otherwise leave it to whoever makes the pods to name the image of a volume. */
  readonly wantsImages: boolean;
  readonly allowImageVolumes: boolean;
  readonly allowNonLocalTokenPaths: boolean;
  readonly release: Release;
}

interface SourceRule {
  readonly name: SourceName;
  /** What upstream prints where the source is one too many. */
  readonly printedExtra: string;
  readonly validate: (volume: Volume, at: FieldPath, rules: VolumeRules) => FieldError[];
}

/** `printed`: the field that upstream prints for mistakes in the source. */
function sourceRule<Name extends SourceName>(
  name: Name,
  check: Check<Source<Name>>,
  { printed, printedExtra }: { readonly printed?: string; readonly printedExtra?: string } = {},
): SourceRule {
  return {
    name,
    printedExtra: printedExtra ?? name,
    validate: (volume, at, rules) => {
      const source = volume[name];
      return source === undefined ? [] : check(source, at.child(name).printedAs(at.child(printed ?? name)), rules);
    },
  };
}

/** A check that wants fields, and nothing of what is in them. */
function needs<T extends object>(...fields: readonly (keyof T & string)[]): Check<T> {
  return (source, at) => missing(source, fields, at);
}

function missing<T extends object>(source: T, fields: readonly (keyof T & string)[], at: FieldPath): FieldError[] {
  return fields.flatMap((field) => {
    const value: unknown = source[field];
    const isMissing = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    return isMissing ? [required(at.child(field))] : [];
  });
}

/** In upstream's order: of several sources, the first counts and the others are too many. */
const sourceRules: readonly SourceRule[] = [
  sourceRule('emptyDir', (source, at) => {
    const limit = source.sizeLimit === undefined ? undefined : parseQuantity(source.sizeLimit);
    if (limit === undefined || isQuantityError(limit) || compareQuantities(limit, integerQuantity(0)) >= 0) return [];
    return [forbidden(at.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity')];
  }),
  sourceRule('hostPath', (source, at) => {
    const path = goString(source.path);
    return path === ''
      ? [required(at.child('path'))]
      : [...validateNoBacksteps(path, at.child('path')), ...oneOf(at.child('type'), source.type, hostPathTypes)];
  }),
  sourceRule('gitRepo', (source, at) => [
    ...missing(source, ['repository'], at),
    ...validateDescendingPath(goString(source.directory), at.child('directory')),
  ]),
  sourceRule(
    'gcePersistentDisk',
    (source, at) => [...missing(source, ['pdName'], at), ...validatePartition(source.partition, at)],
    { printed: 'persistentDisk' },
  ),
  sourceRule('awsElasticBlockStore', (source, at) => [
    ...missing(source, ['volumeID'], at),
    ...validatePartition(source.partition, at),
  ]),
  sourceRule('secret', (source, at) => [...missing(source, ['secretName'], at), ...validateKeyVolume(source, at)]),
  sourceRule('nfs', (source, at) => {
    const path = goString(source.path);
    const errors = missing(source, ['server', 'path'], at);
    if (!path.startsWith('/')) errors.push(invalid(at.child('path'), path, 'must be an absolute path'));
    return errors;
  }),
  sourceRule('iscsi', (source, at) => validateIscsi(source, at)),
  sourceRule('glusterfs', needs('endpoints', 'path')),
  sourceRule('flocker', validateFlocker),
  sourceRule('persistentVolumeClaim', needs('claimName')),
  sourceRule('rbd', needs('monitors', 'image')),
  sourceRule('cinder', (source, at) => [
    ...missing(source, ['volumeID'], at),
    ...validateSecretReference(source.secretRef, at.child('secretRef')),
  ]),
  sourceRule('cephfs', needs('monitors'), { printedExtra: 'cephFS' }),
  sourceRule('quobyte', validateQuobyte),
  sourceRule('downwardAPI', validateDownwardApiVolume, { printedExtra: 'downwarAPI' }),
  sourceRule('fc', validateFibreChannel),
  sourceRule('flexVolume', (source, at) => [
    ...missing(source, ['driver'], at),
    ...Object.keys(source.options ?? {}).flatMap((key) => {
      const slash = key.indexOf('/');
      const namespace = `.${(slash < 0 ? key : key.slice(0, slash)).toLowerCase()}`;
      if (!namespace.endsWith('.kubernetes.io') && !namespace.endsWith('.k8s.io')) return [];
      return [invalid(at.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved')];
    }),
  ]),
  sourceRule('configMap', (source, at) => [...missing(source, ['name'], at), ...validateKeyVolume(source, at)]),
  sourceRule('azureFile', needs('secretName', 'shareName')),
  sourceRule('vsphereVolume', needs('volumePath')),
  sourceRule('photonPersistentDisk', needs('pdID')),
  sourceRule('portworxVolume', needs('volumeID')),
  sourceRule('azureDisk', validateAzureDisk),
  sourceRule('storageos', (source, at) => {
    const { volumeName, volumeNamespace = '' } = source;
    return [
      ...requiredFormat(at.child('volumeName'), volumeName, dnsLabelProblems),
      ...(volumeNamespace === '' ? [] : requiredFormat(at.child('volumeNamespace'), volumeNamespace, dnsLabelProblems)),
      ...validateSecretReference(source.secretRef, at.child('secretRef')),
    ];
  }),
  sourceRule('projected', (source, at, rules) => validateProjectedVolume(source, rules.allowNonLocalTokenPaths, at)),
  sourceRule('scaleIO', needs('gateway', 'system', 'volumeName')),
  sourceRule('csi', validateCsi),
  sourceRule('ephemeral', ({ volumeClaimTemplate }, at) => {
    const place = at.child('volumeClaimTemplate');
    return volumeClaimTemplate === undefined ? [required(place)] : validateClaimTemplate(volumeClaimTemplate, place);
  }),
  sourceRule('image', ({ reference, pullPolicy = '' }, at, rules) => [
    ...(rules.wantsImages && goString(reference) === '' ? [required(at.child('reference'))] : []),
    ...(pullPolicy === '' ? [] : oneOf(at.child('pullPolicy'), pullPolicy, pullPolicies)),
  ]),
];

/** The check of one source by itself, for the sources that persistent volumes have too. */
export function validateOneSource(volume: Volume, name: SourceName, at: FieldPath, release: Release): FieldError[] {
  const rules = { wantsImages: false, allowImageVolumes: true, allowNonLocalTokenPaths: false, release };
  return sourceRules.find((each) => each.name === name)?.validate(volume, at, rules) ?? [];
}

/** A volume without any source is an empty directory by default. Source: SetDefaults_Volume in pkg/apis/core/v1/defaults.go */
export function hasSource(volume: Volume): boolean {
  return sourceRules.some(({ name }) => volume[name] !== undefined);
}

/** Judges the source of a volume. A volume without any is an empty directory by default. */
export function validateVolumeSource(volume: Volume, at: FieldPath, rules: VolumeRules): FieldError[] {
  const [first, ...others] = sourceRules.filter(({ name }) => volume[name] !== undefined);
  const errors = first?.validate(volume, at, rules) ?? [];
  for (const { name, printedExtra } of others) {
    const place = at.child(name).printedAs(at.child(printedExtra));
    errors.push(forbidden(place, 'may not specify more than 1 volume type'));
  }
  const { iscsi } = volume;
  if (
    iscsi?.initiatorName !== undefined &&
    byteLength(`${goString(volume.name)}:${goString(iscsi.targetPortal)}`) > 64
  ) {
    errors.push(invalid(at.child('name'), volume.name, longPortal));
  }
  return errors;
}

const longPortal =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
const pullPolicies: readonly string[] = ['Always', 'IfNotPresent', 'Never'];
const hostPathTypes: readonly string[] = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

function validatePartition(partition: number | undefined, at: FieldPath): FieldError[] {
  const value = goNumber(partition);
  return value >= 0 && value <= 255 ? [] : [invalid(at.child('partition'), value, inclusiveRangeText(1, 255))];
}

function validateLun(lun: number, at: FieldPath): FieldError[] {
  return lun >= 0 && lun <= 255 ? [] : [invalid(at.child('lun'), lun, inclusiveRangeText(0, 255))];
}

function validateSecretReference(reference: { readonly name?: string } | undefined, at: FieldPath): FieldError[] {
  return reference !== undefined && goString(reference.name) === '' ? [required(at.child('name'))] : [];
}

/** The three forms of a name in iSCSI, by how they begin. */
const iscsiNames: readonly (readonly [string, (name: string) => boolean])[] = [
  ['iqn', isQualifiedIscsiName],
  ['eui', (name) => /^eui.[A-Za-z0-9]{16}$/.test(name)],
  ['naa', (name) => /^naa.[A-Za-z0-9]{32}$/.test(name)],
];

/** `iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`, which begins anywhere, in one pass over the name. */
function isQualifiedIscsiName(name: string): boolean {
  const lastForbidden = [...name.matchAll(/[,;*&$|\s]/g)].at(-1)?.index ?? -1;
  return [...name.matchAll(/[A-Za-z0-9.-]+/g)].some(({ 0: part, index }) => {
    const colon = index + part.length;
    if (name[colon] !== ':' || colon < lastForbidden || colon + 1 === name.length) return false;
    return /iqn\.\d{4}-\d{2}\../.test(part);
  });
}

function validateIscsiName(
  name: string,
  at: FieldPath,
  unknown = 'must be valid format starting with iqn, eui, or naa',
): FieldError[] {
  const form = iscsiNames.find(([prefix]) => name.startsWith(prefix));
  if (form === undefined) return [invalid(at, name, unknown)];
  return form[1](name) ? [] : [invalid(at, name, 'must be valid format')];
}

type Iscsi = Source<'iscsi'> | NonNullable<NonNullable<PersistentVolume['spec']>['iscsi']>;

/** @param volume of a persistent volume, its name: then upstream has other words (validateISCSIPersistentVolumeSource) */
export function validateIscsi(source: Iscsi, at: FieldPath, volume?: string): FieldError[] {
  const errors = missing<Iscsi>(source, ['targetPortal'], at);
  const isLong = source.initiatorName !== undefined && byteLength(`${volume}:${goString(source.targetPortal)}`) > 64;
  if (volume !== undefined && isLong) {
    const place = at.child('targetPortal').printedAs(at.child('targetportal'));
    errors.push(invalid(place, goString(source.targetPortal), longPortal));
  }
  const unknown = volume === undefined ? undefined : 'must be valid format';
  const iqn = goString(source.iqn);
  append(errors, iqn === '' ? [required(at.child('iqn'))] : validateIscsiName(iqn, at.child('iqn'), unknown));
  append(errors, validateLun(goNumber(source.lun), at));
  if ((source.chapAuthDiscovery === true || source.chapAuthSession === true) && source.secretRef === undefined) {
    errors.push(required(at.child('secretRef')));
  }
  if (volume !== undefined) append(errors, validateSecretReference(source.secretRef, at.child('secretRef')));
  const initiator = at.child('initiatorName').printedAs(at.child('initiatorname'));
  if (source.initiatorName !== undefined) append(errors, validateIscsiName(source.initiatorName, initiator, unknown));
  return errors;
}

function validateFlocker({ datasetName = '', datasetUUID = '' }: Source<'flocker'>, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (datasetName === '' && datasetUUID === '') {
    errors.push(required(at, 'one of datasetName and datasetUUID is required'));
  }
  if (datasetName !== '' && datasetUUID !== '') {
    errors.push(invalid(at, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (datasetName.includes('/')) errors.push(invalid(at.child('datasetName'), datasetName, "must not contain '/'"));
  return errors;
}

function validateQuobyte({ registry, tenant = '', volume }: Source<'quobyte'>, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  if (goString(registry) === '') {
    errors.push(required(at.child('registry'), pairs));
  } else if (byteLength(tenant) >= 65) {
    errors.push(required(at.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'));
  } else {
    for (const pair of registry.split(',')) {
      if (!/^(?:\[[^[\]]*\]|[^[\]:]*):[^[\]:]*$/.test(pair)) {
        errors.push(invalid(at.child('registry'), registry, pairs));
      }
    }
  }
  if (goString(volume) === '') errors.push(required(at.child('volume')));
  return errors;
}

function validateFibreChannel({ targetWWNs, wwids, lun }: Source<'fc'>, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const place = at.child('targetWWNs');
  const names = goList(targetWWNs).length;
  const ids = goList(wwids).length;
  if (names === 0 && ids === 0) errors.push(required(place, 'must specify either targetWWNs or wwids, but not both'));
  if (names > 0 && ids > 0) {
    errors.push(invalid(place, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
  }
  if (names > 0) {
    if (lun === undefined) errors.push(required(at.child('lun'), 'lun is required if targetWWNs is specified'));
    else append(errors, validateLun(lun, at));
  }
  return errors;
}

const azureCachingModes: readonly string[] = ['None', 'ReadOnly', 'ReadWrite'];
const azureDiskKinds: readonly string[] = ['Dedicated', 'Managed', 'Shared'];

/** A disk that does not say its kind is a shared one. Source of that: SetDefaults_AzureDiskVolumeSource */
function validateAzureDisk(source: Source<'azureDisk'>, at: FieldPath): FieldError[] {
  const errors = missing(source, ['diskName', 'diskURI'], at);
  append(
    errors,
    oneOf(at.child('cachingMode'), source.cachingMode, azureCachingModes),
    oneOf(at.child('kind'), source.kind, azureDiskKinds),
  );
  const [prefix, form] =
    source.kind === 'Managed'
      ? [
          '/subscriptions/',
          '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
        ]
      : ['https://', 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'];
  const uri = goString(source.diskURI);
  if (!uri.startsWith(prefix)) append(errors, ifWhole(notSupported(at.child('diskURI'), uri, [form])));
  return errors;
}

/** Of the secret, upstream prints a wrong name under the source. */
function validateCsi(
  { driver, nodePublishSecretRef }: Source<'csi'>,
  at: FieldPath,
  { release }: VolumeRules,
): FieldError[] {
  const errors = validateCsiDriverName(driver, release, at.child('driver'));
  if (nodePublishSecretRef !== undefined) {
    const secret = goString(nodePublishSecretRef.name);
    const secretPath = at.child('nodePublishSecretRef', 'name');
    if (secret === '') errors.push(required(secretPath));
    else append(errors, invalidFormat(secretPath.printedAs(at.child('name')), secret, dnsSubdomainProblems(secret)));
  }
  return errors;
}
