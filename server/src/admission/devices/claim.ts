import { isObject } from '../../util/values.ts';
import type { Json } from '../../kubernetes/json.ts';
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate } from '../../kubernetes/objects.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Release } from '../../kubernetes/release.ts';
import { selectorCompiler } from '../../kubernetes/selector-compiler.ts';
import {
  type Batches,
  duplicate,
  forbidden,
  internal,
  inBatches,
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
import { qualifiedNameErrors, tolerationErrors } from './device-parts.ts';
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
  yield* judgeConfigurations(spec.config, FieldPath.to('spec', 'config'));
  const { extendedResourceName: resource } = spec;
  const isValid = resource === undefined || isExtendedResource(resource);
  if (!isValid && release.featureGates.has('DRAExtendedResource')) {
    yield [invalid(FieldPath.to('spec', 'extendedResourceName'), resource, 'must be a valid extended resource name')];
  }
}

/** validateDeviceClaim */
function* judgeDevices(claim: DeviceClaim | undefined, at: FieldPath, release: Release): Batches {
  const requests = goList(claim?.requests);
  const requestsAt = at.child('requests');
  if (requests.length > mostItems) yield [tooMany(requestsAt, requests.length, mostItems)];
  for (const [index, request] of requests.entries()) yield* judgeRequest(request, requestsAt.index(index), release);
  yield* judgeNames(requests, requestsAt);
  const names = new Set(
    requests.flatMap(({ name, firstAvailable = [] }) => [
      name,
      ...firstAvailable.map((each) => `${name}/${each.name}`),
    ]),
  );
  const constraints = goList(claim?.constraints);
  if (constraints.length > mostItems) yield [tooMany(at.child('constraints'), constraints.length, mostItems)];
  yield* inBatches(constraints, ({ requests: ofRequests, matchAttribute, distinctAttribute }, index) => {
    const constraintAt = at.child('constraints').index(index);
    const unknown = goList(ofRequests).flatMap((name, place) =>
      names.has(name) ? [] : [invalid(constraintAt.child('requests').index(place), name, unknownRequest)],
    );
    const shares = release.featureGates.has('DRAConsumableCapacity');
    if (matchAttribute !== undefined) {
      return [...unknown, ...attributeErrors(matchAttribute, constraintAt.child('matchAttribute'), release)];
    }
    if (distinctAttribute !== undefined) {
      return shares
        ? [...unknown, ...attributeErrors(distinctAttribute, constraintAt.child('distinctAttribute'), release)]
        : unknown;
    }
    const missing = shares
      ? required(
          constraintAt,
          'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
        )
      : required(constraintAt.child('matchAttribute'));
    return [...unknown, missing];
  });
  yield* judgeConfigurations(claim?.config, at.child('config'), names);
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
  names?: ReadonlySet<string>,
): Batches {
  const all = goList(configurations);
  if (all.length > mostItems) {
    yield [tooMany(at, all.length, mostItems)];
    return;
  }
  yield* inBatches(all, ({ requests, opaque }, index) => {
    const configurationAt = at.index(index);
    const unknown = goList(names === undefined ? undefined : requests).flatMap((name, place) =>
      names!.has(name) ? [] : [invalid(configurationAt.child('requests').index(place), name, unknownRequest)],
    );
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

function* judgeNames(named: readonly { readonly name: string }[], at: FieldPath): Batches {
  const seen = new Set<string>();
  yield* inBatches(named, ({ name }, index) => {
    if (seen.has(name)) return [duplicate(at.index(index), name)];
    seen.add(name);
    return [];
  });
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
  const choiceAt = at.child('firstAvailable');
  if (firstAvailable.length > mostAlternatives) yield [tooMany(choiceAt, firstAvailable.length, mostAlternatives)];
  for (const [index, each] of firstAvailable.entries()) {
    yield requiredFormat(choiceAt.index(index).child('name'), goString(each.name), dnsLabelProblems);
    yield* judgeAsked(each, choiceAt.index(index), release);
  }
  yield* judgeNames(firstAvailable, choiceAt);
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
  const all = goList(selectors);
  if (all.length > mostItems) yield [tooMany(at, all.length, mostItems)];
  yield* inBatches(all, ({ cel }, index) => {
    const celAt = at.index(index).child('cel');
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
