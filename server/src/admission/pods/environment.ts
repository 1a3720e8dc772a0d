import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Container } from '../../kubernetes/objects.ts';
import { validateFieldReference, validateResourceReference } from '../format/downward-api.ts';
import type { Release } from '../../kubernetes/release.ts';
import {
  type Batches,
  ifWhole,
  inBatches,
  invalid,
  invalidFormat,
  required,
  requiredFormat,
} from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { validateNoBacksteps } from '../volumes/local-paths.ts';
import { configKeyProblems, dnsLabelProblems, dnsSubdomainProblems, environmentNameProblems } from '../format/names.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

type Variable = NonNullable<Container['env']>[number];
type FileKey = NonNullable<NonNullable<Variable['valueFrom']>['fileKeyRef']>;
type KeySelector = { readonly name?: string; readonly key: string };

/** The fields of a pod that a variable can take its value from, in the order of upstream's message. */
const variableFields: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** Judges the environment of a container (ValidateEnv, ValidateEnvFrom). */
export function* judgeEnvironment(container: Container, { featureGates }: Release, at: FieldPath): Batches {
  yield* inBatches(goList(container.env), (variable, index) =>
    validateVariable(variable, featureGates.has('EnvFiles'), at.child('env').index(index)),
  );
  yield validateSources(container.envFrom, at.child('envFrom'));
}

function validateVariable(variable: Variable, files: boolean, at: FieldPath): FieldError[] {
  return [
    ...requiredFormat(at.child('name'), variable.name, environmentNameProblems),
    ...validateValueFrom(variable, files, at.child('valueFrom')),
  ];
}

/** `fileKeyRef` is no source where the API server drops it: while the gate EnvFiles is off. */
function validateValueFrom({ value, valueFrom }: Variable, files: boolean, at: FieldPath): FieldError[] {
  if (valueFrom === undefined) return [];
  const errors: FieldError[] = [];
  let sources = 0;
  if (valueFrom.fieldRef !== undefined) {
    sources++;
    append(errors, validateFieldReference(valueFrom.fieldRef, variableFields, at.child('fieldRef')));
  }
  if (valueFrom.resourceFieldRef !== undefined) {
    sources++;
    append(errors, validateResourceReference(valueFrom.resourceFieldRef, false, at.child('resourceFieldRef')));
  }
  for (const field of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const selector = valueFrom[field];
    if (selector === undefined) continue;
    sources++;
    append(errors, validateKeySelector(selector, at.child(field)));
  }
  if (files && valueFrom.fileKeyRef !== undefined) {
    sources++;
    append(errors, validateFileKey(valueFrom.fileKeyRef, at.child('fileKeyRef')));
  }
  if (sources === 0) {
    const last = files ? '`secretKeyRef` or `fileKeyRef`' : '`secretKeyRef`';
    const detail = `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`${files ? ',' : ' or'} ${last}`;
    append(errors, ifWhole(invalid(at, '', detail)));
  } else if (goString(value) !== '') {
    errors.push(invalid(at, '', 'may not be specified when `value` is not empty'));
  } else if (sources > 1) {
    errors.push(invalid(at, '', 'may not have more than one field specified at a time'));
  }
  return errors;
}

/** validateFileKeySelector: a variable of a file in a volume. */
function validateFileKey({ key, path, volumeName }: FileKey, at: FieldPath): FieldError[] {
  return [
    ...requiredFormat(at.child('key'), key, environmentNameProblems),
    ...requiredFormat(at.child('volumeName'), volumeName, dnsLabelProblems),
    ...(goString(path) === '' ? [required(at.child('path'))] : validateNoBacksteps(goString(path), at.child('path'))),
  ];
}

/** validateConfigMapKeySelector, validateSecretKeySelector. */
function validateKeySelector(selector: KeySelector, at: FieldPath): FieldError[] {
  const name = goString(selector.name);
  const nameErrors = invalidFormat(at.child('name'), name, dnsSubdomainProblems(name));
  return [
    ...(name === '' ? ifWhole(...nameErrors) : nameErrors),
    ...requiredFormat(at.child('key'), selector.key, configKeyProblems),
  ];
}

/** Upstream prints the path of the list for sources that are missing or too many. */
function validateSources(sources: Container['envFrom'], at: FieldPath): FieldError[] {
  return goList(sources).flatMap((source, index) => {
    const place = at.index(index);
    const errors: FieldError[] = [];
    if (goString(source.prefix) !== '') {
      append(errors, requiredFormat(place.child('prefix'), source.prefix, environmentNameProblems));
    }
    const references = [source.configMapRef, source.secretRef];
    (['configMapRef', 'secretRef'] as const).forEach((field, position) => {
      const reference = references[position];
      if (reference === undefined) return;
      const problemsOf = (name: string): readonly string[] => dnsSubdomainProblems(name, true);
      append(errors, requiredFormat(place.child(field, 'name'), reference.name, problemsOf));
    });
    const count = references.filter((reference) => reference !== undefined).length;
    if (count === 0) {
      append(errors, ifWhole(invalid(place.printedAs(at), '', 'must specify one of: `configMapRef` or `secretRef`')));
    } else if (count > 1) {
      errors.push(invalid(place.printedAs(at), '', 'may not have more than one field specified at a time'));
    }
    return errors;
  });
}
