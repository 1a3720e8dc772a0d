import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PodSpec } from '../../kubernetes/objects.ts';
import { forbidden, invalid, required } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { validateFieldReference, validateResourceReference } from '../format/downward-api.ts';
import { goList, goString } from '../format/go-zero.ts';
import { validateFileMode, validateFilePath } from './local-paths.ts';

/** Volumes whose files come from the API. Source for this file: pkg/apis/core/validation/validation.go */

type Volume = NonNullable<PodSpec['volumes']>[number];
type ProjectedVolume = NonNullable<Volume['projected']>;
type Projection = NonNullable<ProjectedVolume['sources']>[number];
type DownwardApiVolume = NonNullable<Volume['downwardAPI']>;
type DownwardApiFile = NonNullable<DownwardApiVolume['items']>[number];
type KeyToPath = NonNullable<NonNullable<Volume['configMap']>['items']>[number];

/** What a volume of a ConfigMap and one of a Secret have in common. */
interface KeyVolume {
  readonly defaultMode?: number;
  readonly items?: readonly KeyToPath[];
}

/** The fields of a pod that can become a file. */
const fileFields: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

/** Judges the mode and the items of a volume of a ConfigMap or a Secret. */
export function validateKeyVolume({ defaultMode, items }: KeyVolume, at: FieldPath): FieldError[] {
  return [...validateFileMode(defaultMode, at.child('defaultMode')), ...validateItems(items, at)];
}

/** validateKeyToPath. */
function validateItems(items: KeyVolume['items'], at: FieldPath): FieldError[] {
  return goList(items).flatMap((item, index) => {
    const place = at.child('items').index(index);
    return [
      ...(goString(item.key) === '' ? [required(place.child('key'))] : []),
      ...validateWrittenPath(item.path, place.child('path')),
      ...validateFileMode(item.mode, place.child('mode')),
    ];
  });
}

function validateWrittenPath(path: string | undefined, at: FieldPath): FieldError[] {
  return goString(path) === '' ? [required(at)] : validateFilePath(goString(path), at);
}

/** Judges a downward API volume (validateDownwardAPIVolumeSource). Upstream prints no index of the item. */
export function validateDownwardApiVolume({ defaultMode, items }: DownwardApiVolume, at: FieldPath): FieldError[] {
  return [
    ...validateFileMode(defaultMode, at.child('defaultMode')),
    ...goList(items).flatMap((file, index) =>
      validateDownwardApiFile(file, at.child('items').index(index).printedAs(at)),
    ),
  ];
}

function validateDownwardApiFile(file: DownwardApiFile, at: FieldPath): FieldError[] {
  const errors = validateWrittenPath(file.path, at.child('path'));
  if (file.fieldRef !== undefined) {
    append(errors, validateFieldReference(file.fieldRef, fileFields, at.child('fieldRef')));
    if (file.resourceFieldRef !== undefined) {
      errors.push(invalid(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
    }
  } else if (file.resourceFieldRef !== undefined) {
    append(errors, validateResourceReference(file.resourceFieldRef, true, at.child('resourceFieldRef')));
  } else {
    errors.push(required(at, 'one of fieldRef and resourceFieldRef is required'));
  }
  return [...errors, ...validateFileMode(file.mode, at.child('mode'))];
}

/**
 * Judges a projected volume (validateProjectedVolumeSource). Trust bundles and pod certificates are not looked at: by
 * default the API server drops them.
 */
export function validateProjectedVolume(
  volume: ProjectedVolume,
  allowNonLocalTokenPaths: boolean,
  at: FieldPath,
): FieldError[] {
  const errors = validateFileMode(volume.defaultMode, at.child('defaultMode'));
  const paths = new Set<string>();
  /** Every path may be there once; upstream reports a second one at the volume. */
  const claim = (path: string | undefined, value: string, place: FieldPath): void => {
    const written = goString(path);
    if (written === '') return;
    if (paths.has(written)) errors.push(invalid(place.printedAs(at), value, 'conflicting duplicate paths'));
    paths.add(written);
  };
  goList(volume.sources).forEach((source, index) => {
    const place = at.child('sources').index(index);
    for (const kind of ['secret', 'configMap'] as const) {
      const projection = source[kind];
      if (projection === undefined) continue;
      const name = goString(projection.name);
      if (name === '') errors.push(required(place.child(kind, 'name')));
      append(errors, validateItems(projection.items, place.child(kind)));
      goList(projection.items).forEach((item, at) => {
        claim(item.path, name, place.child(kind, 'items').index(at).child('path'));
      });
    }
    goList(source.downwardAPI?.items).forEach((file, item) => {
      const files = place.child('downwardAPI');
      const written = files.child('items').index(item);
      append(errors, validateDownwardApiFile(file, written.printedAs(files)));
      claim(file.path, goString(file.path), written.child('path'));
    });
    append(
      errors,
      validateToken(source.serviceAccountToken, allowNonLocalTokenPaths, at, place.child('serviceAccountToken')),
    );
    const kinds = [source.secret, source.configMap, source.downwardAPI, source.serviceAccountToken];
    if (kinds.filter((kind) => kind !== undefined).length > 1) {
      errors.push(forbidden(place, 'may not specify more than 1 volume type per source'));
    }
  });
  return errors;
}

/** Of a token, upstream prints the path of the file under the volume. */
function validateToken(
  token: Projection['serviceAccountToken'],
  allowNonLocalPath: boolean,
  volume: FieldPath,
  at: FieldPath,
): FieldError[] {
  if (token === undefined) return [];
  const errors: FieldError[] = [];
  const seconds = token.expirationSeconds;
  if (seconds !== undefined && seconds < minTokenSeconds) {
    errors.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds !== undefined && seconds > maxTokenSeconds) {
    errors.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  const path = at.child('path').printedAs(volume.child('path'));
  if (allowNonLocalPath && goString(token.path) !== '') return errors;
  return [...errors, ...validateWrittenPath(token.path, path)];
}

/** Whether some token of a stored pod lies outside its volume: an update then goes easy on all of them. */
export function hasNonLocalTokenPath(spec: PodSpec): boolean {
  return goList(spec.volumes).some((volume) =>
    goList(volume.projected?.sources).some(({ serviceAccountToken: token }) => {
      return token !== undefined && validateFilePath(goString(token.path), FieldPath.root).length > 0;
    }),
  );
}

/**
 * Judges that a pod with a projected token names the account the token is for. The ServiceAccount plugin fills in
 * `default`, so on a usual server this never happens.
 * Source: validatePodMetadataAndSpec.
 */
export function validateTokenAccounts(spec: PodSpec, at: FieldPath): FieldError[] {
  if (goString(spec.serviceAccountName) !== '' || goString(spec.serviceAccount) !== '') return [];
  return goList(spec.volumes).flatMap((volume, index) =>
    goList(volume.projected?.sources).flatMap((source, item) => {
      if (source.serviceAccountToken === undefined) return [];
      const place = at.child('volumes').index(index).child('projected', 'sources').index(item);
      return [
        forbidden(place.child('serviceAccountToken'), 'must not be specified when serviceAccountName is not set'),
      ];
    }),
  );
}
