import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Container, PodSpec } from '../../kubernetes/objects.ts';
import {
  type Batches,
  duplicate,
  forbidden,
  ifWhole,
  inBatches,
  invalid,
  invalidFormat,
  notSupported,
  oneOf,
  required,
  requiredFormat,
} from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goNumber, goString } from '../format/go-zero.ts';
import { dnsLabelProblems, inclusiveRangeText, portNameProblems } from '../format/names.ts';
import { judgeEnvironment } from './environment.ts';
import { validateHandlers } from './handlers.ts';
import { type RestartRules, validateRestartRules, validateSidecarRules } from './restart-rules.ts';
import { type ResourceRules, validateContainerResources } from './resources.ts';
import { validateContainerSecurity } from './security-context.ts';
import { judgeMounts } from '../volumes/volume-mounts.ts';
import type { MountableVolumes } from '../volumes/volumes.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

type ContainerPorts = Container['ports'];

const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];
const pullPolicies: readonly string[] = ['Always', 'IfNotPresent', 'Never'];
const terminationMessagePolicies: readonly string[] = ['File', 'FallbackToLogsOnError'];
const resizeResources: readonly string[] = ['cpu', 'memory'];
const resizeRestartPolicies: readonly string[] = ['NotRequired', 'RestartContainer'];

export interface ContainerRules extends ResourceRules, RestartRules {
  /** Images of pods may not have blanks around them; those of templates may. */
  readonly isPod: boolean;
  readonly volumes: MountableVolumes;
  readonly allowRestartRules: boolean;
  readonly allowResizeOfInitContainers: boolean;
}

/** Judges the containers of a pod (validateContainers). */
export function* judgeContainers(spec: PodSpec, rules: ContainerRules, at: FieldPath): Batches {
  const containers = goList(spec.containers);
  if (containers.length === 0) yield [required(at)];
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const place = at.index(index);
    const name = goString(container.name);
    yield* judgeAnyContainer(container, spec, rules, place);
    const errors: FieldError[] = [];
    if (names.has(name)) errors.push(duplicate(place.child('name'), name));
    names.add(name);
    append(errors, validateHandlers(container, spec, place));
    if (rules.allowRestartRules) {
      append(errors, validateRestartRules(container, rules, place));
    } else if (container.restartPolicy !== undefined) {
      errors.push(forbidden(place.child('restartPolicy'), 'may not be set for non-init containers'));
    }
    yield errors;
  }
  const taken = new Set<string>();
  yield* inBatches(containers, ({ ports }, index) => validateHostPorts(ports, taken, at.index(index).child('ports')));
}

/** Judges the init containers of a pod, sidecars among them (validateInitContainers). */
export function* judgeInitContainers(spec: PodSpec, rules: ContainerRules, at: FieldPath): Batches {
  const names = new Set(goList(spec.containers).map((container) => goString(container.name)));
  for (const [index, container] of goList(spec.initContainers).entries()) {
    const place = at.index(index);
    const name = goString(container.name);
    yield* judgeAnyContainer(container, spec, rules, place);
    const errors: FieldError[] = [];
    if (rules.allowRestartRules && container.restartPolicy === 'Always' && !rules.allowRestartAllContainers) {
      append(errors, validateSidecarRules(container, place));
    } else if (rules.allowRestartRules) {
      // Of rules without a policy no more is said.
      append(
        errors,
        validateRestartRules(container, rules, place).slice(0, container.restartPolicy === undefined ? 1 : undefined),
      );
    } else if (container.restartPolicy !== undefined && container.restartPolicy !== 'Always') {
      errors.push(notSupported(place.child('restartPolicy'), container.restartPolicy, ['Always']));
    }
    if (names.has(name)) errors.push(duplicate(place.child('name'), name));
    else if (name !== '') names.add(name);
    // One after the other, so each has the ports to itself. Upstream checks a list of one, hence index 0.
    const ports = place.child('ports').printedAs(at.index(0).child('ports'));
    append(errors, validateHostPorts(container.ports, new Set(), ports));
    if (container.restartPolicy === 'Always') {
      append(errors, validateHandlers(container, spec, place));
    } else {
      for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
        if (container[field] === undefined) continue;
        const detail = 'may not be set for init containers without restartPolicy=Always';
        append(errors, ifWhole(forbidden(place.child(field), detail)));
      }
    }
    append(errors, validateInitResize(container, rules, place));
    yield errors;
  }
}

/**
 * Judges host ports against container ports where the pod uses the network of its node. In a template 0 is fine: the
 * pod's own defaults fill it in.
 * Source: validatePodHostNetworkDeps.
 */
export function* judgeHostNetworkPorts(spec: PodSpec, isPod: boolean, at: FieldPath): Batches {
  if (spec.hostNetwork !== true) return;
  yield* inBatches(goList(spec.containers), (container, index) =>
    goList(container.ports).flatMap((port, portIndex) => {
      const hostPort = goNumber(port.hostPort);
      if (hostPort === goNumber(port.containerPort) || (!isPod && hostPort === 0)) return [];
      const place = at.index(index).child('ports').index(portIndex).child('hostPort');
      return [invalid(place, hostPort, 'must match `containerPort` when `hostNetwork` is true')];
    }),
  );
}

/** Judges the blanks around an image, which a template may have (validateContainerOnlyForPod). */
export function validateImagePadding({ image = '' }: Container, at: FieldPath): FieldError[] {
  if (image === image.trim()) return [];
  return [invalid(at.child('image'), image, 'must not have leading or trailing whitespace')];
}

/** Judges what containers of every kind have in common (validateContainerCommon). */
export function* judgeAnyContainer(container: Container, spec: PodSpec, rules: ContainerRules, at: FieldPath): Batches {
  const errors = requiredFormat(at.child('name'), container.name, dnsLabelProblems);
  const image = goString(container.image);
  if (image === '') errors.push(required(at.child('image')));
  // An absent policy gets a default before it is judged, and so does an empty one.
  const ofPolicy = (field: 'terminationMessagePolicy' | 'imagePullPolicy', known: readonly string[]): FieldError[] =>
    container[field] === '' ? [] : oneOf(at.child(field), container[field], known);
  yield [...errors, ...ofPolicy('terminationMessagePolicy', terminationMessagePolicies)];
  yield* judgePorts(container.ports, at.child('ports'));
  yield* judgeEnvironment(container, rules.release, at);
  yield* judgeMounts(container, rules.volumes, at);
  yield [
    ...ofPolicy('imagePullPolicy', pullPolicies),
    ...validateContainerResources(container.resources, rules, at.child('resources')),
    ...validateResizePolicy(container.resizePolicy, spec, rules, at.child('resizePolicy')),
    ...validateContainerSecurity(container.securityContext, spec, at.child('securityContext')),
  ];
}

/** validateContainerPorts. */
function judgePorts(ports: ContainerPorts, at: FieldPath): Batches {
  const names = new Set<string>();
  return inBatches(goList(ports), (port, index) => {
    const errors: FieldError[] = [];
    const place = at.index(index);
    const name = goString(port.name);
    if (name !== '') {
      const problems = portNameProblems(name);
      if (problems.length > 0) append(errors, invalidFormat(place.child('name'), name, problems));
      else if (names.has(name)) errors.push(duplicate(place.child('name'), name));
      else names.add(name);
    }
    if (goNumber(port.containerPort) === 0) errors.push(required(place.child('containerPort')));
    for (const field of ['containerPort', 'hostPort'] as const) {
      const value = goNumber(port[field]);
      if (value < 0 || value > 65535) {
        errors.push(invalid(place.child(field), value, inclusiveRangeText(1, 65535)));
      }
    }
    const protocol = goString(port.protocol);
    if (protocol !== '' && !protocols.includes(protocol)) {
      errors.push(notSupported(place.child('protocol'), protocol, protocols));
    }
    return errors;
  });
}

/** AccumulateUniqueHostPorts: `taken` holds the ports claimed so far, and is added to. */
function validateHostPorts(ports: ContainerPorts, taken: Set<string>, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  goList(ports).forEach((port, index) => {
    const hostPort = goNumber(port.hostPort);
    if (hostPort === 0) return;
    const claim = `${goString(port.protocol) || 'TCP'}/${goString(port.hostIP)}/${hostPort}`;
    if (taken.has(claim)) errors.push(duplicate(at.index(index).child('hostPort'), claim));
    taken.add(claim);
  });
  return errors;
}

/** An init container that ends is never restarted to be resized. */
function validateInitResize(container: Container, rules: ContainerRules, at: FieldPath): FieldError[] {
  if (rules.allowResizeOfInitContainers || container.restartPolicy === 'Always') return [];
  return goList(container.resizePolicy).flatMap(({ restartPolicy }, index) => {
    if (restartPolicy !== 'RestartContainer') return [];
    const place = at.child('resizePolicy').index(index).child('restartPolicy');
    return [invalid(place, restartPolicy, "must not be set to 'RestartContainer' for non-sidecar initContainers")];
  });
}

/** Whether some init container that ends asks for it: stored ones may. */
export function restartsInitContainersToResize({ initContainers }: PodSpec): boolean {
  return goList(initContainers).some(
    ({ restartPolicy, resizePolicy }) =>
      restartPolicy !== 'Always' && goList(resizePolicy).some((each) => each.restartPolicy === 'RestartContainer'),
  );
}

/** validateResizePolicy. Upstream reports all but duplicates at the list itself. */
function validateResizePolicy(
  policies: Container['resizePolicy'],
  spec: PodSpec,
  { release }: ContainerRules,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  goList(policies).forEach((policy, index) => {
    const resource = goString(policy.resourceName);
    const restart = goString(policy.restartPolicy);
    if (seen.has(resource)) errors.push(duplicate(at.index(index), resource));
    seen.add(resource);
    const resourcePlace = at.index(index).child('resourceName').printedAs(at);
    if (resource === '') errors.push(required(resourcePlace));
    else if (!resizeResources.includes(resource)) errors.push(notSupported(resourcePlace, resource, resizeResources));
    const restartPlace = at.index(index).child('restartPolicy').printedAs(at);
    if (restart === '') {
      errors.push(required(restartPlace));
    } else if (!resizeRestartPolicies.includes(restart)) {
      errors.push(notSupported(restartPlace, restart, resizeRestartPolicies));
    }
    if (spec.restartPolicy === 'Never' && restart !== 'NotRequired') {
      const whose = release.behaviours.refusesResizeOfInitContainers ? 'pod `restartPolicy`' : '`restartPolicy`';
      errors.push(invalid(restartPlace, restart, `must be 'NotRequired' when ${whose} is 'Never'`));
    }
  });
  return errors;
}
