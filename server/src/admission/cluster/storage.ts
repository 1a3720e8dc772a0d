import { append } from '../../util/append.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import {
  type Batches,
  duplicate,
  forbidden,
  invalid,
  invalidFormat,
  notSupported,
  required,
  tooLong,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { judgeLabelSelector, validateLabelName } from '../format/label-selector.ts';
import { byteLength, dnsSubdomainProblems, qualifiedNameProblems } from '../format/names.ts';
import { semanticallyEqual } from '../format/semantic-equality.ts';
import { validateCsiDriverName } from '../volumes/csi-driver.ts';

/** Source for this file: pkg/apis/storage/validation/validation.go */

const maxParameterBytes = 256 * 1024;
const maxParameters = 512;
/** Source: maxAttachedVolumeMetadataSize, csiNodeIDMaxLength, csiNodeIDLongerMaxLength */
const maxNodeIdBytes = 256;

export function validateStorageClassFields(storageClass: StorageClass): FieldError[] {
  return [
    ...validateProvisioner(goString(storageClass.provisioner)),
    ...validateParameters(storageClass.parameters ?? {}),
    ...validateReclaimPolicy(storageClass.reclaimPolicy),
    ...validateBindingMode(storageClass.volumeBindingMode),
    ...validateTopologies(storageClass),
  ];
}

function validateTopologies({ allowedTopologies }: StorageClass): FieldError[] {
  const at = FieldPath.to('allowedTopologies');
  // Upstream compares with as many empty terms first.
  const seen = goList(allowedTopologies).map(() => '[]');
  return goList(allowedTopologies).flatMap((term, index) => {
    const place = at.index(index);
    const keys = new Set<string>();
    const errors = goList(term.matchLabelExpressions).flatMap((expression, number) => {
      const expressionAt = place.child('matchLabelExpressions').index(number);
      const values = goList(expression.values);
      const found: FieldError[] = [];
      if (values.length === 0) found.push(required(expressionAt.child('values')));
      const before = new Set<string>();
      values.forEach((value, each) => {
        if (before.has(value)) found.push(duplicate(expressionAt.child('values').index(each), value));
        before.add(value);
      });
      append(found, validateLabelName(goString(expression.key), expressionAt.child('key')));
      if (keys.has(expression.key)) found.push(duplicate(expressionAt.child('key'), expression.key));
      keys.add(expression.key);
      return found;
    });
    const text = JSON.stringify(
      goList(term.matchLabelExpressions)
        .map(({ key, values }) => [key, [...goList(values)].sort()])
        .sort(),
    );
    for (const each of seen) if (each === text) errors.push(duplicate(place.child('matchLabelExpressions'), ''));
    seen.push(text);
    return errors;
  });
}

function validateProvisioner(provisioner: string): FieldError[] {
  const at = FieldPath.to('provisioner');
  const lower = provisioner.toLowerCase();
  return lower === '' ? [required(at)] : invalidFormat(at, lower, qualifiedNameProblems(lower));
}

function validateParameters(parameters: Readonly<Record<string, string>>): FieldError[] {
  const at = FieldPath.to('parameters');
  const entries = Object.entries(parameters);
  if (entries.length > maxParameters) return [tooLong(at, maxParameters)];
  const errors = entries.flatMap(([key]) =>
    key === '' ? [invalid(at.key(key).printedAs(at), key, 'field can not be empty.')] : [],
  );
  const bytes = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return bytes > maxParameterBytes ? [...errors, tooLong(at, maxParameterBytes)] : errors;
}

function validateReclaimPolicy(policy: string | undefined): FieldError[] {
  const supported = ['Delete', 'Retain'];
  if (goString(policy) === '' || supported.includes(goString(policy))) return [];
  return [notSupported(FieldPath.to('reclaimPolicy'), policy, supported)];
}

function validateBindingMode(mode: string | undefined): FieldError[] {
  const supported = ['Immediate', 'WaitForFirstConsumer'];
  return mode === undefined || supported.includes(mode)
    ? []
    : [notSupported(FieldPath.to('volumeBindingMode'), mode, supported)];
}

/** ValidateStorageClassUpdate, without the metadata. All values with their defaults. */
export function validateStorageClassUpdate(next: StorageClass, old: StorageClass, release: Release): FieldError[] {
  const declared = release.behaviours.namesImmutableClassFields;
  const refuse = (field: keyof StorageClass): FieldError => {
    const at = FieldPath.to(field);
    return declared
      ? invalid(at, next[field] ?? null, 'field is immutable')
      : forbidden(at, `updates to ${field} are forbidden.`);
  };
  const errors: FieldError[] = [];
  // The storage keeps no empty map, and Go tells an empty one from none.
  const isNewlyEmpty = !declared && next.parameters !== undefined && Object.keys(old.parameters ?? {}).length === 0;
  if (isNewlyEmpty || JSON.stringify(sorted(next.parameters)) !== JSON.stringify(sorted(old.parameters))) {
    errors.push(refuse('parameters'));
  }
  if (goString(next.provisioner) !== goString(old.provisioner)) errors.push(refuse('provisioner'));
  if ((next.reclaimPolicy ?? 'Delete') !== (old.reclaimPolicy ?? 'Delete')) errors.push(refuse('reclaimPolicy'));
  const mode = next.volumeBindingMode ?? 'Immediate';
  if (mode !== (old.volumeBindingMode ?? 'Immediate')) {
    errors.push(invalid(FieldPath.to('volumeBindingMode'), mode, 'field is immutable'));
  }
  return errors;
}

function sorted(map: Readonly<Record<string, string>> | undefined): unknown {
  return Object.entries(map ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
}

const driverAt = FieldPath.to('spec');
const groupPolicies: readonly string[] = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes: readonly string[] = ['Persistent', 'Ephemeral'];
const minUpdateSeconds = 10;

/** validateCSIDriverSpec, its fields with their defaults. */
export function validateCsiDriverSpec({ spec }: CSIDriver, { featureGates }: Release): FieldError[] {
  const { fsGroupPolicy: policy, volumeLifecycleModes, nodeAllocatableUpdatePeriodSeconds: seconds } = spec;
  const errors: FieldError[] = [];
  if (policy !== undefined && !groupPolicies.includes(policy)) {
    errors.push(notSupported(driverAt.child('fsGroupPolicy'), policy, groupPolicies));
  }
  append(errors, validateTokenRequests(goList(spec.tokenRequests)));
  const modesAt = driverAt.child('volumeLifecycleModes');
  goList(volumeLifecycleModes).forEach((mode, index) => {
    if (!lifecycleModes.includes(mode)) {
      errors.push(notSupported(modesAt.index(index).printedAs(modesAt), mode, lifecycleModes));
    }
  });
  // Dropped while its gate is off. Source: PrepareForCreate in pkg/registry/storage/csidriver/strategy.go
  if (featureGates.has('MutableCSINodeAllocatableCount') && seconds !== undefined && seconds < minUpdateSeconds) {
    const detail = `must be greater than or equal to ${minUpdateSeconds} seconds`;
    errors.push(invalid(driverAt.child('nodeAllocatableUpdatePeriodSeconds'), seconds, detail));
  }
  const inSecrets = spec.serviceAccountTokenInSecrets;
  if (
    featureGates.has('CSIServiceAccountTokenSecrets') &&
    inSecrets !== undefined &&
    goList(spec.tokenRequests).length === 0
  ) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    errors.push(invalid(driverAt.child('serviceAccountTokenInSecrets'), inSecrets, detail));
  }
  return errors;
}

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

function validateTokenRequests(requests: NonNullable<CSIDriver['spec']['tokenRequests']>): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({ audience: written, expirationSeconds: seconds }, index) => {
    const at = driverAt.child('tokenRequests').index(index);
    const audience = goString(written);
    if (audiences.has(audience)) return [duplicate(at.child('audience'), audience)];
    audiences.add(audience);
    if (seconds === undefined) return [];
    const secondsAt = at.child('expirationSeconds');
    if (seconds < minTokenSeconds) {
      return [invalid(secondsAt, seconds, 'may not specify a duration less than 10 minutes')];
    }
    if (seconds <= maxTokenSeconds) return [];
    return [invalid(secondsAt, seconds, 'may not specify a duration larger than 2^32 seconds')];
  });
}

/** ValidateCSIDriverUpdate, without the metadata and what is judged of every version. */
export function validateCsiDriverUpdate({ spec: next }: CSIDriver, { spec: old }: CSIDriver): FieldError[] {
  const errors: FieldError[] = [];
  if ((next.attachRequired ?? true) !== (old.attachRequired ?? true)) {
    const at = driverAt.child('attachRequired').printedAs(driverAt.child('attachedRequired'));
    errors.push(invalid(at, next.attachRequired ?? true, 'field is immutable'));
  }
  const [now, before] = [next, old].map(({ volumeLifecycleModes: modes }) => modes ?? ['Persistent']);
  if (now!.join() !== before!.join()) {
    errors.push(invalid(driverAt.child('volumeLifecycleModes'), now, 'field is immutable'));
  }
  return errors;
}

/** ValidateVolumeAttachment, which judges the name of the volume once more at the end, and earlier that of the driver. */
export function* judgeVolumeAttachment({ spec }: VolumeAttachment, release: Release): Batches {
  const attacherAt = driverAt.child('attacher');
  const sourceAt = driverAt.child('source');
  const attacher = goString(spec.attacher);
  const { judgesAttachersFirst } = release.behaviours;
  if (judgesAttachersFirst) yield validateCsiDriverName(attacher, release, attacherAt);
  else if (attacher === '') yield [required(attacherAt)];
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = spec.source;
  const oneDetail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const nameAt = sourceAt.child('persistentVolumeName');
  if (inline === undefined && name === undefined) yield [required(sourceAt, oneDetail)];
  else if (inline !== undefined && name !== undefined) yield [forbidden(sourceAt, oneDetail)];
  else if (name === '') yield [required(nameAt, 'must specify non empty persistentVolumeName')];
  const node = goString(spec.nodeName);
  yield invalidFormat(driverAt.child('nodeName'), node, dnsSubdomainProblems(node));
  if (!judgesAttachersFirst) yield validateCsiDriverName(attacher, release, attacherAt);
  if (name !== undefined) yield invalidFormat(nameAt, name, dnsSubdomainProblems(name));
}

/** ValidateCSIStorageCapacity, without the metadata. */
export function* judgeStorageCapacity({ capacity, nodeTopology, storageClassName }: CSIStorageCapacity): Batches {
  yield* judgeLabelSelector(nodeTopology, FieldPath.to('nodeTopology'));
  const name = goString(storageClassName);
  yield invalidFormat(FieldPath.to('storageClassName'), name, dnsSubdomainProblems(name));
  const amount = readResourceList(capacity === undefined ? {} : { capacity }).get('capacity');
  if (amount === undefined || amount.nanos >= 0n) return;
  yield [invalid(FieldPath.to('capacity'), formatQuantity(amount), 'must be greater than or equal to 0')];
}

/** ValidateCSIStorageCapacityUpdate, without the metadata. */
export function validateStorageCapacityUpdate(next: CSIStorageCapacity, old: CSIStorageCapacity): FieldError[] {
  const errors: FieldError[] = [];
  if (!semanticallyEqual({ nodeTopology: next.nodeTopology }, { nodeTopology: old.nodeTopology }, capacityType)) {
    errors.push(invalid(FieldPath.to('nodeTopology'), next.nodeTopology ?? null, 'field is immutable'));
  }
  if (goString(next.storageClassName) !== goString(old.storageClassName)) {
    errors.push(invalid(FieldPath.to('storageClassName'), goString(next.storageClassName), 'field is immutable'));
  }
  return errors;
}

const capacityType = 'storage/v1 CSIStorageCapacity';

/** ValidateVolumeAttachmentUpdate: what is attached, and where, never changes. */
export function validateVolumeAttachmentUpdate(next: VolumeAttachment, old: VolumeAttachment): FieldError[] {
  const isSame = semanticallyEqual(next.spec, old.spec, 'storage/v1 VolumeAttachmentSpec');
  return isSame ? [] : [invalid(driverAt, next.spec, 'field is immutable')];
}

type Driver = NonNullable<CSINode['spec']>['drivers'][number];

export function validateCsiNodeSpec({ spec }: CSINode, release: Release): FieldError[] {
  const at = FieldPath.to('spec', 'drivers');
  const names = new Set<string>();
  return goList(spec.drivers).flatMap((driver, index) => validateDriver(driver, names, release, at.index(index)));
}

function validateDriver(driver: Driver, names: Set<string>, release: Release, at: FieldPath): FieldError[] {
  const name = goString(driver.name);
  const nameAt = at.child('name');
  const errors = validateCsiDriverName(name, release, nameAt);
  const nodeId = goString(driver.nodeID);
  if (nodeId === '') errors.push(required(at.child('nodeID')));
  if (byteLength(nodeId) > maxNodeIdBytes) {
    errors.push(invalid(at.child('nodeID'), nodeId, `must be ${maxNodeIdBytes} characters or less`));
  }
  const count = driver.allocatable?.count;
  if (count !== undefined && count < 0) {
    errors.push(invalid(at.child('allocatable', 'count'), count, 'must be greater than or equal to 0'));
  }
  if (names.has(name)) errors.push(duplicate(nameAt, name));
  names.add(name);
  const keys = new Set<string>();
  for (const key of goList(driver.topologyKeys)) {
    // Source: validateCSINodeDriver, which says it of the driver, and all that is wrong with an empty key.
    if (key === '') errors.push(required(at));
    if (keys.has(key)) errors.push(duplicate(at, key));
    keys.add(key);
    append(errors, invalidFormat(at, key, qualifiedNameProblems(key)));
  }
  return errors;
}
