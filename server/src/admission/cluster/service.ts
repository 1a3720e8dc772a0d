import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Service } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { isOutside } from '../defaults/defaults.ts';
import {
  type Batches,
  duplicate,
  forbidden,
  ifWhole,
  inBatches,
  invalid,
  invalidFormat,
  oneOf,
  required,
  requiredFormat,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goNumber, goString } from '../format/go-zero.ts';
import { cidrProblem, validateIpAddress } from '../format/ip-addresses.ts';
import { judgeLabels } from '../format/label-selector.ts';
import { dnsLabelProblems, dnsSubdomainProblems, portProblems, qualifiedNameProblems } from '../format/names.ts';

/**
 * Source for this file: validateService in pkg/apis/core/validation/validation.go. Families of addresses, and whether an
 * address or a port of nodes is free, are the business of the server's allocators.
 */

type Spec = NonNullable<Service['spec']>;

const specAt = FieldPath.to('spec');
const portsAt = specAt.child('ports');

/** Judges a new service with its defaults, without its metadata. */
export function* judgeService({ spec = {} }: Service, { featureGates }: Release): Batches {
  const { type = '', clusterIP = '', sessionAffinity } = spec;
  const ports = goList(spec.ports);
  const strict = featureGates.has('StrictIPCIDRValidation');
  const isHeadless = clusterIP === 'None';
  const isExternal = type === 'ExternalName';
  if (ports.length === 0 && !isHeadless && !isExternal) yield ifWhole(required(portsAt));
  if (isHeadless && (type === 'LoadBalancer' || type === 'NodePort')) {
    const detail = `may not be set to 'None' for ${type} services`;
    yield [invalid(specAt.child('clusterIP').printedAs(specAt.child('clusterIPs').index(0)), clusterIP, detail)];
  }
  if (isExternal) yield externalNameErrors(spec);
  const names = new Set<string>();
  yield* inBatches(ports, (port, index) => portErrors(port, ports.length > 1, names, portsAt.index(index)));
  yield* judgeLabels(spec.selector, specAt.child('selector'));
  yield oneOf(specAt.child('sessionAffinity'), sessionAffinity, ['ClientIP', 'None']);
  const timeout = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (sessionAffinity === 'ClientIP' && timeout !== undefined && (timeout <= 0 || timeout > longestAffinity)) {
    const at = specAt.child('sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
    yield [invalid(at, timeout, `must be greater than 0 and less than ${longestAffinity}`)];
  }
  yield* inBatches(goList(spec.externalIPs), (address, index) =>
    validateIpAddress(address, specAt.child('externalIPs').index(index), strict),
  );
  yield oneOf(specAt.child('type'), type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']);
  yield usedTwiceErrors(spec);
  yield balancerErrors(spec, strict);
  yield trafficErrors(spec);
}

/** MaxClientIPServiceAffinitySeconds */
const longestAffinity = 86400;

function externalNameErrors({
  clusterIP = '',
  clusterIPs,
  ipFamilies,
  ipFamilyPolicy,
  externalName,
}: Spec): FieldError[] {
  const name = goString(externalName).replace(/\.$/, '');
  const families = { ipFamilies: goList(ipFamilies).length > 0, ipFamilyPolicy: ipFamilyPolicy !== undefined };
  const set = { clusterIPs: clusterIP !== '' || goList(clusterIPs).length > 0, ...families };
  return [
    ...Object.entries(set).flatMap(([field, isSet]) =>
      isSet ? [forbidden(specAt.child(field), 'may not be set for ExternalName services')] : [],
    ),
    ...requiredFormat(specAt.child('externalName'), name, dnsSubdomainProblems),
  ];
}

/** validateServicePort */
function portErrors(
  { name = '', port, protocol, targetPort = 0, appProtocol }: NonNullable<Spec['ports']>[number],
  needsName: boolean,
  names: Set<string>,
  at: FieldPath,
): FieldError[] {
  const nameAt = at.child('name');
  const errors = name === '' ? [] : invalidFormat(nameAt, name, dnsLabelProblems(name));
  if (name === '' && needsName) errors.push(required(nameAt));
  if (names.has(name)) errors.push(duplicate(nameAt, name));
  if (name !== '') names.add(name);
  const number = goNumber(port);
  return [
    ...errors,
    ...invalidFormat(at.child('port'), number, portProblems(number)),
    ...oneOf(at.child('protocol'), protocol, ['SCTP', 'TCP', 'UDP']),
    ...invalidFormat(at.child('targetPort'), targetPort, portProblems(targetPort)),
    ...(appProtocol === undefined
      ? []
      : invalidFormat(at.child('appProtocol'), appProtocol, qualifiedNameProblems(appProtocol))),
  ];
}

/** What a service of the cluster alone may not have, then what each port of a protocol may be once. */
function usedTwiceErrors({ type, ports }: Spec): FieldError[] {
  const errors: FieldError[] = [];
  const each = goList(ports).map((port, index) => ({ ...port, at: portsAt.index(index) }));
  const onNodes = each.filter(({ nodePort }) => goNumber(nodePort) !== 0);
  if (type === 'ClusterIP') {
    const detail = "may not be used when `type` is 'ClusterIP'";
    errors.push(...onNodes.map(({ at }) => forbidden(at.child('nodePort'), detail)));
  }
  const seen = new Set<string>();
  const isSeen = (...key: readonly unknown[]): boolean => seen.size === seen.add(JSON.stringify(key)).size;
  for (const { protocol, nodePort, at } of onNodes) {
    if (isSeen('node', protocol, nodePort)) errors.push(duplicate(at.child('nodePort'), nodePort));
  }
  for (const { protocol, port, at } of each) {
    if (isSeen(protocol, port)) errors.push(duplicate(at, { protocol, port }));
  }
  return errors;
}

const ofBalancers = "may only be used when `type` is 'LoadBalancer'";

function balancerErrors(spec: Spec, strict: boolean): FieldError[] {
  const { loadBalancerClass, loadBalancerSourceRanges } = spec;
  const isBalancer = spec.type === 'LoadBalancer';
  const classAt = specAt.child('loadBalancerClass');
  const rangesAt = specAt.child('loadBalancerSourceRanges').printedAs(specAt.child('LoadBalancerSourceRanges'));
  const ranges = goList(loadBalancerSourceRanges);
  const errors = ranges.length > 0 && !isBalancer ? [forbidden(rangesAt, ofBalancers)] : [];
  for (const [index, range] of ranges.entries()) {
    const problem = cidrProblem(range.trim(), strict);
    if (problem !== undefined) errors.push(invalid(rangesAt.index(index), range.trim(), problem));
  }
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isBalancer) {
    errors.push(forbidden(specAt.child('allocateLoadBalancerNodePorts'), ofBalancers));
  }
  if (loadBalancerClass === undefined) return errors;
  if (!isBalancer) return [...errors, forbidden(classAt, ofBalancers)];
  return [...errors, ...invalidFormat(classAt, loadBalancerClass, qualifiedNameProblems(loadBalancerClass))];
}

function trafficErrors(spec: Spec): FieldError[] {
  const { externalTrafficPolicy: policy, healthCheckNodePort, internalTrafficPolicy, trafficDistribution } = spec;
  const errors: FieldError[] = [];
  const policyAt = specAt.child('externalTrafficPolicy');
  if (isOutside(spec)) {
    errors.push(...oneOf(policyAt, policy, ['Cluster', 'Local']));
  } else if (goString(policy) !== '') {
    errors.push(invalid(policyAt, policy, 'may only be set for externally-accessible services'));
  }
  if (goNumber(healthCheckNodePort) !== 0 && (spec.type !== 'LoadBalancer' || policy !== 'Local')) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalid(specAt.child('healthCheckNodePort'), healthCheckNodePort, detail));
  }
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  return [
    ...errors,
    ...oneOf(specAt.child('internalTrafficPolicy'), internalTrafficPolicy, ['Cluster', 'Local']),
    ...oneOf(specAt.child('trafficDistribution'), trafficDistribution, distributions),
  ];
}

/**
 * What of a service may not change: its own address, which the server gives to each that is not headless, and who
 * balances it. Source: ValidateServiceUpdate
 */
export function serviceChanges({ spec: next = {} }: Service, { spec: old = {} }: Service): FieldError[] {
  const errors: FieldError[] = [];
  const [now, before] = [goString(next.clusterIP), goString(old.clusterIP)];
  const isExternal = [next, old].some(({ type }) => type === 'ExternalName');
  if (!isExternal && now !== '' && now !== before && (now === 'None' || before !== '')) {
    const at = specAt.child('clusterIP').printedAs(specAt.child('clusterIPs').index(0));
    errors.push(invalid(at, [now], onceSet));
  }
  const areBalancers = [next, old].every(({ type }) => type === 'LoadBalancer');
  if (areBalancers && next.loadBalancerClass !== old.loadBalancerClass) {
    errors.push(invalid(specAt.child('loadBalancerClass'), next.loadBalancerClass ?? null, onceSet));
  }
  return errors;
}

const onceSet = 'may not change once set';
