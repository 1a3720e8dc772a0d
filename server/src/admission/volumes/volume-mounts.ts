import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Container } from '../../kubernetes/objects.ts';
import {
  type Batches,
  forbidden,
  ifWhole,
  inBatches,
  invalid,
  notFound,
  oneOf,
  required,
} from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { validateDescendingPath } from './local-paths.ts';
import type { MountableVolumes } from './volumes.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

type VolumeMount = NonNullable<Container['volumeMounts']>[number];

/** In the order of upstream's messages. */
const mountPropagations: readonly string[] = ['Bidirectional', 'HostToContainer', 'None'];
const recursiveReadOnlyModes: readonly string[] = ['Disabled', 'Enabled', 'IfPossible'];

/** Judges what a container mounts and which block devices it gets (ValidateVolumeMounts, ValidateVolumeDevices). */
export function* judgeMounts(container: Container, volumes: MountableVolumes, at: FieldPath): Batches {
  if (container.volumeMounts !== undefined) yield* judgeVolumeMounts(container, volumes, at.child('volumeMounts'));
  if (container.volumeDevices !== undefined) yield* judgeVolumeDevices(container, volumes, at.child('volumeDevices'));
}

function judgeVolumeMounts(container: Container, volumes: MountableVolumes, at: FieldPath): Batches {
  const devices = new Map(
    goList(container.volumeDevices).map(({ name, devicePath }) => [goString(name), goString(devicePath)]),
  );
  const devicePaths = new Set(devices.values());
  const paths = new Set<string>();
  return inBatches(goList(container.volumeMounts), (mount, index) => {
    const errors: FieldError[] = [];
    const place = at.index(index);
    const name = goString(mount.name);
    const path = goString(mount.mountPath);
    if (name === '') errors.push(required(place.child('name')));
    if (!volumes.has(name)) errors.push(notFound(place.child('name'), name));
    if (path === '') errors.push(required(place.child('mountPath')));
    if (paths.has(path)) errors.push(invalid(place.child('mountPath'), path, 'must be unique'));
    paths.add(path);
    if (devices.has(name)) errors.push(invalid(place.child('name'), name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(path)) {
      errors.push(invalid(place.child('mountPath'), path, 'must not already exist as a path in volumeDevices'));
    }
    append(errors, validateMountOptions(mount, container, at, place));
    return errors;
  });
}

/** Of these, upstream prints the path of the list: `volumeMounts.subPath`. */
function validateMountOptions(mount: VolumeMount, container: Container, list: FieldPath, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const printed = (field: keyof VolumeMount): FieldPath => at.child(field).printedAs(list.child(field));
  const { subPath = '', subPathExpr = '', mountPropagation, recursiveReadOnly } = mount;
  append(errors, validateDescendingPath(subPath, printed('subPath')));
  if (subPathExpr !== '' && subPath !== '') {
    errors.push(invalid(at.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
  }
  append(errors, validateDescendingPath(subPathExpr, printed('subPathExpr')));
  if (mountPropagation !== undefined) {
    const place = printed('mountPropagation');
    append(errors, oneOf(place, mountPropagation, mountPropagations));
    if (mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
      const detail = 'Bidirectional mount propagation is available only to privileged containers';
      append(errors, ifWhole(forbidden(place, detail)));
    }
  }
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return errors;
  const place = printed('recursiveReadOnly');
  const unknown = oneOf(place, recursiveReadOnly, recursiveReadOnlyModes);
  if (unknown.length > 0) return [...errors, ...unknown];
  if (mount.readOnly !== true) {
    append(errors, ifWhole(forbidden(place, 'may only be specified when readOnly is true')));
  }
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    errors.push(forbidden(place, 'may only be specified when mountPropagation is None or not specified'));
  }
  return errors;
}

function judgeVolumeDevices(container: Container, volumes: MountableVolumes, at: FieldPath): Batches {
  const mounts = new Map(
    goList(container.volumeMounts).map(({ name, mountPath }) => [goString(name), goString(mountPath)]),
  );
  const mountPaths = new Set(mounts.values());
  const names = new Set<string>();
  const paths = new Set<string>();
  return inBatches(goList(container.volumeDevices), (device, index) => {
    const errors: FieldError[] = [];
    const place = at.index(index);
    const name = goString(device.name);
    const path = goString(device.devicePath);
    const volume = volumes.get(name);
    const [namePlace, pathPlace] = [place.child('name'), place.child('devicePath')];
    if (name === '') errors.push(required(namePlace));
    if (names.has(name)) errors.push(invalid(namePlace, name, 'must be unique'));
    if (volume === undefined) {
      errors.push(notFound(namePlace, name));
    } else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      append(errors, ifWhole(invalid(namePlace, name, detail)));
    }
    if (path === '') errors.push(required(pathPlace));
    if (paths.has(path)) errors.push(invalid(pathPlace, path, 'must be unique'));
    if (path.split('/').includes('..')) errors.push(invalid(pathPlace, path, "can not contain backsteps ('..')"));
    else paths.add(path);
    if (mounts.has(name)) errors.push(invalid(namePlace, name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(path)) errors.push(invalid(pathPlace, path, 'must not already exist as a path in volumeMounts'));
    if (name !== '') names.add(name);
    return errors;
  });
}
