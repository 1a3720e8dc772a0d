import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Container, PodSpec } from '../../kubernetes/objects.ts';
import { forbidden, ifWhole, invalid, invalidFormat, oneOf, required } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goNumber, goString } from '../format/go-zero.ts';
import { httpHeaderNameProblems, portProblems } from '../format/names.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

type Probe = NonNullable<Container['livenessProbe']>;
type LifecycleHandler = NonNullable<NonNullable<Container['lifecycle']>['preStop']>;
/** What a probe and a lifecycle handler have in common. */
type Handler = Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & Pick<LifecycleHandler, 'sleep'>;

const schemes: readonly string[] = ['HTTP', 'HTTPS'];
/** Source: SetDefaults_PodSpec in pkg/apis/core/v1/defaults.go */
const defaultGracePeriodSeconds = 30;

/** Judges the probes and the lifecycle handlers of a container that runs beside others. */
export function validateHandlers(container: Container, spec: PodSpec, at: FieldPath): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  const errors: FieldError[] = [];
  for (const event of ['postStart', 'preStop'] as const) {
    const handler = lifecycle?.[event];
    if (handler !== undefined) append(errors, validateLifecycleHandler(handler, spec, at.child('lifecycle', event)));
  }
  append(
    errors,
    validateProbe(livenessProbe, at.child('livenessProbe')),
    validateSuccessThreshold(livenessProbe, at.child('livenessProbe')),
    validateProbe(readinessProbe, at.child('readinessProbe')),
    validateProbe(startupProbe, at.child('startupProbe')),
    validateSuccessThreshold(startupProbe, at.child('startupProbe')),
  );
  if (readinessProbe?.terminationGracePeriodSeconds !== undefined) {
    const place = at.child('readinessProbe', 'terminationGracePeriodSeconds');
    const seconds = readinessProbe.terminationGracePeriodSeconds;
    errors.push(invalid(place, seconds, 'must not be set for readinessProbes'));
  }
  return errors;
}

/** A threshold of 0 becomes 1 by default. */
function validateSuccessThreshold(probe: Probe | undefined, at: FieldPath): FieldError[] {
  const threshold = goNumber(probe?.successThreshold);
  return threshold === 0 || threshold === 1 ? [] : [invalid(at.child('successThreshold'), threshold, 'must be 1')];
}

function validateProbe(probe: Probe | undefined, at: FieldPath): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateHandler(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], at);
  const amounts = [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const;
  for (const field of amounts) {
    const value = goNumber(probe[field]);
    if (value < 0) errors.push(invalid(at.child(field), value, 'must be greater than or equal to 0'));
  }
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    errors.push(invalid(at.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'));
  }
  return errors;
}

function validateLifecycleHandler(handler: LifecycleHandler, spec: PodSpec, at: FieldPath): FieldError[] {
  const kinds = ['exec', 'httpGet', 'tcpSocket', 'sleep'] as const;
  const errors = validateHandler(handler, kinds, at);
  const isSleep = kinds.find((kind) => handler[kind] !== undefined) === 'sleep';
  if (!isSleep || handler.sleep === undefined) return errors;
  const grace = spec.terminationGracePeriodSeconds ?? defaultGracePeriodSeconds;
  const seconds = goNumber(handler.sleep.seconds);
  if (seconds < 0 || seconds > grace) {
    const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
    append(errors, ifWhole(invalid(at.child('sleep'), seconds, detail)));
  }
  return errors;
}

/** The first kind of handler that is there counts, the others are too many (validateHandler). */
function validateHandler(handler: Handler, kinds: readonly (keyof Handler)[], at: FieldPath): FieldError[] {
  const [first, ...others] = kinds.filter((kind) => handler[kind] !== undefined);
  if (first === undefined) return [required(at, 'must specify a handler type')];
  return [
    ...validateAction(handler, first, at.child(first)),
    ...others.map((kind) => forbidden(at.child(kind), 'may not specify more than 1 handler type')),
  ];
}

function validateAction(handler: Handler, kind: keyof Handler, at: FieldPath): FieldError[] {
  switch (kind) {
    case 'exec':
      return goList(handler.exec?.command).length === 0 ? [required(at.child('command'))] : [];
    case 'httpGet':
      return validateHttpGet(handler.httpGet, at);
    case 'tcpSocket':
    case 'grpc':
      return validatePort(handler[kind]?.port, at.child('port'));
    case 'sleep':
      return [];
  }
}

/** An empty path is `/` by default, an empty scheme `HTTP`. */
function validateHttpGet(action: Handler['httpGet'], at: FieldPath): FieldError[] {
  const scheme = action?.scheme;
  return [
    ...validatePort(action?.port, at.child('port')),
    ...(scheme === '' ? [] : oneOf(at.child('scheme'), scheme, schemes)),
    ...goList(action?.httpHeaders).flatMap((header, index) => {
      const name = goString(header.name);
      const place = at.child('httpHeaders').index(index).child('name').printedAs(at.child('httpHeaders'));
      return invalidFormat(place, name, httpHeaderNameProblems(name));
    }),
  ];
}

/** ValidatePortNumOrName. A port that a patch leaves out is not missed. */
function validatePort(port: number | string | undefined, at: FieldPath): FieldError[] {
  const value = port ?? 0;
  const errors = portProblems(value).map((problem) => invalid(at, value, problem));
  return value === 0 ? ifWhole(...errors) : errors;
}
