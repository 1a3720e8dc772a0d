import { isObject } from '../../util/values.ts';
import type { Json } from '../../kubernetes/json.ts';
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate } from '../../kubernetes/objects.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Release } from '../../kubernetes/release.ts';
import { selectorCompiler } from '../../kubernetes/selector-compiler.ts';
import {
  allOf,
  type Batches,
  forbidden,
  internal,
  invalid,
  notSupported,
  required,
  requiredFormat,
  tooLong,
  tooMany,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { byteLength, dnsLabelProblems, dnsSubdomainProblems } from '../format/names.ts';
import { isExtendedResource } from '../format/resource-names.ts';
import { doubles, isCutShort, judgeList, qualifiedNameErrors, tolerationErrors } from './device-parts.ts';
import { driverProblems } from '../volumes/csi-driver.ts';

/** Source for this file: pkg/apis/resource/validation/validation.go */

type DeviceClaim = NonNullable<ResourceClaim['spec']['devices']>;
type Request = NonNullable<DeviceClaim['requests']>[number];
type Asked = Omit<NonNullable<Request['exactly']>, 'adminAccess'>;
type Selector = NonNullable<DeviceClass['spec']['selectors']>[number];

/** DeviceRequestsMaxSize, DeviceConstraintsMaxSize, DeviceSelectorsMaxSize */
const mostItems = 32;
/** FirstAvailableDeviceRequestMaxSize */
const mostAlternatives = 8;
/** CELSelectorExpressionMaxLength */
const longestExpression = 10 * 1024;

/** OpaqueParametersMaxLength */
const longestParameters = 10 * 1024;

const unknownRequest =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

export function judgeClaim({ spec }: ResourceClaim, release: Release): Batches {
  return judgeDevices(spec.devices, FieldPath.to('spec', 'devices'), release);
}

export function judgeClaimTemplate({ spec }: ResourceClaimTemplate, release: Release): Batches {
  return judgeDevices(spec.spec.devices, FieldPath.to('spec', 'spec', 'devices'), release);
}

/** ValidateDeviceClass, without the metadata. */
export function* judgeDeviceClass({ spec }: DeviceClass, release: Release): Batches {
  yield* judgeSelectors(spec.selectors, FieldPath.to('spec', 'selectors'), release);
  yield* judgeConfigurations(spec.config, FieldPath.to('spec', 'config'), release);
  const { extendedResourceName: resource } = spec;
  const isValid = resource === undefined || isExtendedResource(resource);
  if (!isValid && release.featureGates.has('DRAExtendedResource')) {
    yield [invalid(FieldPath.to('spec', 'extendedResourceName'), resource, 'must be a valid extended resource name')];
  }
}

/** validateDeviceClaim */
function* judgeDevices(claim: DeviceClaim | undefined, at: FieldPath, release: Release): Batches {
  const requests = goList(claim?.requests);
  yield* judgeNamed(requests, mostItems, at.child('requests'), release, (request, requestAt) =>
    judgeRequest(request, requestAt, release),
  );
  const names = new Set(
    requests.flatMap(({ name, firstAvailable = [] }) => [
      name,
      ...firstAvailable.map((each) => `${name}/${each.name}`),
    ]),
  );
  yield* judgeList(claim?.constraints, mostItems, at.child('constraints'), release, (constraint, constraintAt) =>
    constraintErrors(constraint, constraintAt, names, release),
  );
  yield* judgeConfigurations(claim?.config, at.child('config'), release, names);
}

type Constraint = NonNullable<DeviceClaim['constraints']>[number];

/** validateDeviceConstraint */
function constraintErrors(
  { requests, matchAttribute, distinctAttribute }: Constraint,
  at: FieldPath,
  names: ReadonlySet<string>,
  release: Release,
): readonly FieldError[] {
  const unknown = referenceErrors(requests, at.child('requests'), names, release);
  const shares = release.featureGates.has('DRAConsumableCapacity');
  if (matchAttribute !== undefined) {
    return [...unknown, ...attributeErrors(matchAttribute, at.child('matchAttribute'), release)];
  }
  if (distinctAttribute !== undefined) {
    return shares
      ? [...unknown, ...attributeErrors(distinctAttribute, at.child('distinctAttribute'), release)]
      : unknown;
  }
  const missing = shares
    ? required(at, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set')
    : required(at.child('matchAttribute'));
  return [...unknown, missing];
}

/** validateRequestNameRef, of a whole set */
function referenceErrors(
  requests: readonly string[] | undefined,
  at: FieldPath,
  names: ReadonlySet<string>,
  release: Release,
): readonly FieldError[] {
  const all = goList(requests);
  const ofEach = allOf(
    judgeList(all, mostItems, at, release, (name, nameAt) => {
      const parts = name.split('/');
      if (parts.length > 2) return [invalid(nameAt, name, unknownRequest)];
      return [
        ...parts.flatMap((part) => requiredFormat(nameAt, part, dnsLabelProblems)),
        ...(names.has(name) ? [] : [invalid(nameAt, name, unknownRequest)]),
      ];
    }),
  );
  return isCutShort(all, mostItems, release) ? ofEach : [...ofEach, ...doubles(all, at)];
}

/** validateFullyQualifiedName */
function attributeErrors(name: string, at: FieldPath, { devices }: Release): readonly FieldError[] {
  if (name === '') return devices.refusesNoValueAs === 'required' ? [required(at, 'name required')] : [required(at)];
  const detail =
    devices.refusesNoValueAs === 'required'
      ? 'must include a domain'
      : 'a fully qualified name must be a domain and a name separated by a slash';
  return [...qualifiedNameErrors(name, at), ...(name.includes('/') ? [] : [invalid(at, name, detail)])];
}

/** validateDeviceClaimConfiguration; those of a class name no requests. */
function* judgeConfigurations(
  configurations: DeviceClaim['config'],
  at: FieldPath,
  release: Release,
  names?: ReadonlySet<string>,
): Batches {
  yield* judgeList(configurations, mostItems, at, release, ({ requests, opaque }, configurationAt) => {
    const unknown =
      names === undefined ? [] : referenceErrors(requests, configurationAt.child('requests'), names, release);
    const opaqueAt = configurationAt.child('opaque');
    if (opaque === undefined) return [...unknown, required(opaqueAt)];
    return [
      ...unknown,
      ...driverProblems(opaque.driver, opaqueAt.child('driver')),
      ...parameterProblems(opaque.parameters, opaqueAt.child('parameters')),
    ];
  });
}

/** validateRawExtension */
function parameterProblems(parameters: Json | undefined, at: FieldPath): readonly FieldError[] {
  if (parameters === undefined || parameters === null) return [required(at)];
  if (byteLength(JSON.stringify(parameters)) > longestParameters) return [tooLong(at, longestParameters)];
  return isObject(parameters) ? [] : [invalid(at, '<value omitted>', 'must be a valid JSON object')];
}

/** A list whose items have names that differ. Source: validateSet */
function* judgeNamed<Named extends { readonly name: string }>(
  named: readonly Named[],
  most: number,
  at: FieldPath,
  release: Release,
  judge: (item: Named, itemAt: FieldPath) => Batches,
): Batches {
  const judged = isCutShort(named, most, release) ? [] : named;
  for (const [index, each] of judged.entries()) yield* judge(each, at.index(index));
  if (named.length > most) yield [tooMany(at, named.length, most)];
  const names = judged.map(({ name }) => goString(name));
  yield doubles(names, at, release.devices.judgesLongLists ? 'name' : undefined);
}

function* judgeRequest({ name, exactly, firstAvailable = [] }: Request, at: FieldPath, release: Release): Batches {
  yield requiredFormat(at.child('name'), goString(name), dnsLabelProblems);
  const isChoice = firstAvailable.length > 0;
  if (isChoice && exactly !== undefined) {
    yield [invalid(at, null, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set')];
    return;
  }
  if (exactly !== undefined) return yield* judgeAsked(exactly, at.child('exactly'), release);
  if (!isChoice) {
    yield [required(at, 'exactly one of `exactly` or `firstAvailable` is required')];
    return;
  }
  yield* judgeNamed(firstAvailable, mostAlternatives, at.child('firstAvailable'), release, function* (each, eachAt) {
    yield requiredFormat(eachAt.child('name'), goString(each.name), dnsLabelProblems);
    yield* judgeAsked(each, eachAt, release);
  });
}

function* judgeAsked(
  { deviceClassName, selectors, allocationMode = '', count = 0, tolerations }: Asked,
  at: FieldPath,
  release: Release,
): Batches {
  yield requiredFormat(at.child('deviceClassName'), goString(deviceClassName), dnsSubdomainProblems);
  yield* judgeSelectors(selectors, at.child('selectors'), release);
  // The default is ExactCount, and of that 1.
  if (allocationMode === 'All') {
    if (count !== 0) yield [invalid(at.child('count'), count, "must not be specified when allocationMode is 'All'")];
  } else if (allocationMode !== '' && allocationMode !== 'ExactCount') {
    yield [notSupported(at.child('allocationMode'), allocationMode, ['All', 'ExactCount'])];
  } else if (count < 0) {
    yield [invalid(at.child('count'), count, 'must be greater than zero')];
  }
  if (release.featureGates.has('DRADeviceTaints')) yield tolerationErrors(tolerations, at.child('tolerations'));
}

function* judgeSelectors(selectors: readonly Selector[] | undefined, at: FieldPath, release: Release): Batches {
  yield* judgeList(selectors, mostItems, at, release, ({ cel }, selectorAt) => {
    const celAt = selectorAt.child('cel');
    if (cel === undefined) return [required(celAt)];
    const { expression } = cel;
    const expressionAt = celAt.child('expression');
    if (new TextEncoder().encode(expression).length > longestExpression) {
      return [tooLong(expressionAt, longestExpression)];
    }
    const problem = selectorCompiler()?.(expression, release) ?? null;
    if (problem === 'too complex') return [forbidden(expressionAt, 'too complex, exceeds cost limit')];
    if (problem === null) return [];
    // convertCELErrorToValidationError
    const { error, isInternal } = problem;
    return [isInternal === true ? internal(expressionAt, error) : invalid(expressionAt, expression, error)];
  });
}
