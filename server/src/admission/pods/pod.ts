import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { Affinity, ObjectMeta, Pod, PodSpec, PodTemplateSpec } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { latestRelease } from '../../kubernetes/releases/index.ts';
import {
  allOf,
  type Batches,
  because,
  duplicate,
  forbidden,
  inBatches,
  invalid,
  invalidFormat,
  notFound,
  oneOf,
  required,
  tooLong,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { judgeLabels } from '../format/label-selector.ts';
import { inWordsOf } from '../format/wording.ts';
import {
  byteLength,
  dnsLabelProblems,
  dnsSubdomainProblems,
  inclusiveRangeText,
  type NameCheck,
  qualifiedNameProblems,
} from '../format/names.ts';
import { type CreationOptions, judgeAnnotations, judgeObjectMeta, type MetaRules } from '../format/object-meta.ts';
import { judgePodTerms } from './affinity.ts';
import { isMirrorPod, judgePodAnnotations, validateMatchingProfiles } from './annotations.ts';
import { judgeContainers, judgeHostNetworkPorts, judgeInitContainers, validateImagePadding } from './containers.ts';
import { withoutDisabledFields } from './disabled-fields.ts';
import { dnsPolicies, judgeHostAliases, validateDnsConfig } from './dns.ts';
import { eachContainer } from './each-container.ts';
import { judgeEphemeralContainers } from './ephemeral-containers.ts';
import { judgeSchedulingGates } from './gates.ts';
import { judgeNodeAffinity } from './node-affinity.ts';
import { validateOs } from './os.ts';
import { validateOverhead, validatePodLevelResources } from './resources.ts';
import { podCreationRules, type PodRules, podTemplateRules } from './rules.ts';
import { validatePodContext, validateUserNamespace } from './security-context.ts';
import { judgeTolerations } from './tolerations.ts';
import { judgeTopologySpread } from './topology-spread.ts';
import { judgeVolumes } from '../volumes/volumes.ts';
import { validatePreemptionPolicy } from '../priority/preemption-policy.ts';
import { validateTokenAccounts } from '../volumes/volume-files.ts';
import { hasSource, type Volume } from '../volumes/volume-sources.ts';
import { validateHostProcesses } from './windows-options.ts';

/**
 * The API server's validation of pods and pod templates, with the feature gates of a release as they are by default.
 *
 * All functions expect API defaults to be filled in. A default that is missing all the same counts as filled in, never
 * as an error.
 * Source for this file: pkg/apis/core/validation/validation.go
 */

const maxInt32 = 2 ** 31 - 1;
const maxHostnameOverride = 64;

const restartPolicies: readonly string[] = ['Always', 'OnFailure', 'Never'];

export const podMetaRules: MetaRules = { namespaced: true, nameProblems: dnsSubdomainProblems, coreFinalizers: true };

/** Judges a pod that is created (ValidatePodCreate). */
export function validatePod(pod: Pod, options?: CreationOptions): FieldError[] {
  return [...inWordsOf(options?.release ?? latestRelease, allOf(judgePod(pod, options)))];
}

export function* judgePod(pod: Pod, options?: CreationOptions): Batches {
  const release = options?.release ?? latestRelease;
  const spec = withoutDisabledFields(pod.spec ?? { containers: [] }, release);
  yield* judgePodObject({ ...pod, spec }, podCreationRules(release), options);
  const specPath = FieldPath.to('spec');
  const errors: FieldError[] = [];
  if (goList(spec.ephemeralContainers).length > 0) {
    errors.push(forbidden(specPath.child('ephemeralContainers'), 'cannot be set on create'));
  }
  if (goString(spec.nodeName) !== '' && goList(spec.schedulingGates).length > 0) {
    const detail = 'cannot be set until all schedulingGates have been cleared';
    append(errors, because('gates-and-node', forbidden(specPath.child('nodeName'), detail)));
  }
  yield [...errors, ...validateMatchingProfiles(pod.metadata?.annotations, spec, specPath)];
}

/** What creation and update have in common (validatePodMetadataAndSpec). */
export function* judgePodObject(pod: Pod, rules: PodRules, options?: CreationOptions): Batches {
  const metaPath = FieldPath.to('metadata');
  const spec = pod.spec ?? { containers: [] };
  yield* judgeObjectMeta(pod.metadata, podMetaRules, metaPath, options);
  yield* judgePodAnnotations(pod.metadata?.annotations, spec, rules, metaPath.child('annotations'));
  yield* judgePodSpec(spec, rules, FieldPath.to('spec'), { meta: pod.metadata });
  if (options?.fillsServiceAccount === false) yield validateTokenAccounts(spec, FieldPath.to('spec'));
  for (const list of ['containers', 'initContainers'] as const) {
    const at = FieldPath.to('spec', list);
    yield* inBatches(goList(spec[list]), (container, index) => validateImagePadding(container, at.index(index)));
  }
}

/**
 * Judges the pod template of a workload. `basePath` leads from the top of the workload to the template:
 * `['spec', 'template']`. A template has no name of its own; its metadata prints without `metadata.`
 * (ValidatePodTemplateSpec). `claims`: the volumes that a StatefulSet adds to its pods, by name.
 */
export function validatePodTemplate(
  template: PodTemplateSpec,
  basePath: Path,
  claims: readonly string[] = [],
  release: Release = latestRelease,
): FieldError[] {
  return allOf(judgePodTemplate(template, basePath, claims, release));
}

export function* judgePodTemplate(
  template: PodTemplateSpec,
  basePath: Path,
  claims: readonly string[],
  release: Release,
  old?: PodTemplateSpec,
): Batches {
  const rules = podTemplateRules(release, old);
  const at = FieldPath.from(basePath);
  const spec = withoutDisabledFields(template.spec ?? { containers: [] }, release, old?.spec);
  const labels = at.child('metadata', 'labels').printedAs(at.child('labels'));
  const annotations = at.child('metadata', 'annotations').printedAs(at.child('annotations'));
  yield* judgeLabels(template.metadata?.labels, labels);
  yield* judgeAnnotations(template.metadata?.annotations, annotations);
  yield* judgePodAnnotations(template.metadata?.annotations, spec, rules, annotations);
  yield* judgePodSpec(spec, rules, at.child('spec'), { claims });
  yield validateMatchingProfiles(template.metadata?.annotations, spec, at.child('spec'));
  if (goList(spec.ephemeralContainers).length > 0) {
    const place = at.child('spec', 'ephemeralContainers');
    yield [forbidden(place, 'ephemeral containers not allowed in pod template')];
  }
}

interface SpecOwner {
  /** Of a pod; templates have none here. */
  readonly meta?: ObjectMeta | undefined;
  readonly claims?: readonly string[];
}

/** ValidatePodSpec. */
function* judgePodSpec(spec: PodSpec, rules: PodRules, at: FieldPath, { meta, claims }: SpecOwner): Batches {
  const mountable = new Map<string, Volume>();
  yield* judgeVolumes(spec.volumes, goString(meta?.name), mountable, rules, at.child('volumes'));
  for (const name of goList(claims)) mountable.set(name, { name, persistentVolumeClaim: { claimName: name } });
  const claimNames = goList(spec.resourceClaims).map((claim) => goString(claim.name));
  const containerRules = {
    ...rules,
    claimNames: new Set(claimNames.filter((name) => name !== '')),
    volumes: mountable,
  };
  yield* judgeResourceClaims(spec.resourceClaims, meta?.annotations, at.child('resourceClaims'));
  yield* judgeContainers(spec, containerRules, at.child('containers'));
  yield* judgeInitContainers(spec, containerRules, at.child('initContainers'));
  yield* judgeEphemeralContainers(spec, containerRules, at.child('ephemeralContainers'));
  yield validatePodLevelResources(spec, containerRules, at);
  yield* judgeHostNetworkPorts(spec, rules.isPod, at.child('containers'));
  // An empty policy has a default, as one that is not written.
  if (spec.restartPolicy !== '') yield oneOf(at.child('restartPolicy'), spec.restartPolicy, restartPolicies);
  if (spec.dnsPolicy !== '') yield oneOf(at.child('dnsPolicy'), spec.dnsPolicy, dnsPolicies);
  yield* judgeLabels(spec.nodeSelector, at.child('nodeSelector'));
  yield validatePodContext(spec, rules, at);
  yield* judgeAffinity(spec.affinity, rules, at.child('affinity'));
  yield validateDnsConfig(spec, rules.strictAddresses, at.child('dnsConfig'));
  yield* judgeReadinessGates(spec.readinessGates, at.child('readinessGates'));
  yield* judgeSchedulingGates(spec.schedulingGates, at.child('schedulingGates'));
  yield* judgeTopologySpread(goList(spec.topologySpreadConstraints), rules, at.child('topologySpreadConstraints'));
  yield [
    ...validateHostProcesses(spec, at),
    ...validateUserNamespace(spec, rules, at),
    ...validateHostnameOverride(spec, at),
    ...validateAccount(spec, at),
    ...validateName(spec, 'nodeName', dnsSubdomainProblems, at),
    ...validateDeadline(spec, at),
    ...validateName(spec, 'hostname', dnsLabelProblems, at),
    ...validateName(spec, 'subdomain', dnsLabelProblems, at),
  ];
  yield* judgeTolerations(goList(spec.tolerations), rules, at.child('tolerations'));
  yield* judgeHostAliases(spec.hostAliases, rules.strictAddresses, at.child('hostAliases'));
  // A runtime class, once written, may not be empty.
  const runtimeClass = spec.runtimeClassName;
  yield [
    ...validateName(spec, 'priorityClassName', dnsSubdomainProblems, at),
    ...(runtimeClass === undefined
      ? []
      : invalidFormat(at.child('runtimeClassName'), runtimeClass, dnsSubdomainProblems(runtimeClass))),
    ...validatePreemptionPolicy(spec.preemptionPolicy, at.child('preemptionPolicy')),
    ...validateOverhead(spec, containerRules, at),
    ...validateOs(spec, at),
  ];
  if (rules.release.featureGates.has('EnvFiles')) yield validateFileKeyVolumes(spec, at);
}

/** Variables are read from files of empty directories only (validateFileKeyRefVolumes). */
function validateFileKeyVolumes(spec: PodSpec, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [{ env }, place] of eachContainer(spec, at)) {
    goList(env).forEach(({ valueFrom }, index) => {
      if (valueFrom?.fileKeyRef === undefined) return;
      const name = goString(valueFrom.fileKeyRef.volumeName);
      const nameAt = place.child('env').index(index).child('valueFrom', 'fileKeyRef', 'volumeName');
      const volume = goList(spec.volumes).findLast((each) => goString(each.name) === name);
      if (volume === undefined) {
        errors.push(notFound(nameAt, name));
      } else if (volume.emptyDir === undefined && hasSource(volume)) {
        errors.push(invalid(nameAt, name, 'referenced volume must be of type emptyDir'));
      }
    });
  }
  return errors;
}

/** validateAffinity. */
function* judgeAffinity(affinity: Affinity | undefined, rules: PodRules, at: FieldPath): Batches {
  const allowInvalidSelectors = rules.allowInvalidAffinitySelectorValues;
  yield* judgeNodeAffinity(affinity?.nodeAffinity, rules.allowInvalidNodeAffinityValues, at.child('nodeAffinity'));
  yield* judgePodTerms(affinity?.podAffinity, allowInvalidSelectors, at.child('podAffinity'));
  yield* judgePodTerms(affinity?.podAntiAffinity, allowInvalidSelectors, at.child('podAntiAffinity'));
}

/** `serviceAccount` is the old name of the field. Source: Convert_v1_PodSpec_To_core_PodSpec */
function validateAccount(spec: PodSpec, at: FieldPath): FieldError[] {
  const place = at.child('serviceAccountName');
  const account = goString(spec.serviceAccountName);
  if (account !== '') return invalidFormat(place, account, dnsSubdomainProblems(account));
  const alias = goString(spec.serviceAccount);
  return alias === ''
    ? []
    : invalidFormat(at.child('serviceAccount').printedAs(place), alias, dnsSubdomainProblems(alias));
}

function validateName(
  spec: PodSpec,
  field: 'nodeName' | 'hostname' | 'subdomain' | 'priorityClassName',
  check: NameCheck,
  at: FieldPath,
): FieldError[] {
  const name = goString(spec[field]);
  return name === '' ? [] : invalidFormat(at.child(field), name, check(name));
}

function judgeReadinessGates(gates: PodSpec['readinessGates'], at: FieldPath): Batches {
  return inBatches(goList(gates), ({ conditionType }, index) => {
    const type = goString(conditionType);
    return invalidFormat(at.index(index).child('conditionType'), type, qualifiedNameProblems(type));
  });
}

/** Source: validatePodHostName, where the gate HostnameOverride has not dropped the field */
function validateHostnameOverride(spec: PodSpec, at: FieldPath): FieldError[] {
  const { hostnameOverride } = spec;
  if (hostnameOverride === undefined) return [];
  const place = at.child('hostnameOverride');
  const errors = (['setHostnameAsFQDN', 'hostNetwork'] as const).flatMap((field) =>
    spec[field] === true ? [forbidden(place, `may not be specified when ${field} is true`)] : [],
  );
  if (byteLength(hostnameOverride) > maxHostnameOverride) errors.push(tooLong(place, maxHostnameOverride));
  return [...errors, ...invalidFormat(place, hostnameOverride, dnsSubdomainProblems(hostnameOverride))];
}

function validateDeadline({ activeDeadlineSeconds: deadline }: PodSpec, at: FieldPath): FieldError[] {
  if (deadline === undefined || (deadline >= 1 && deadline <= maxInt32)) return [];
  return [invalid(at.child('activeDeadlineSeconds'), deadline, inclusiveRangeText(1, maxInt32))];
}

/** validatePodResourceClaim. */
function judgeResourceClaims(
  claims: PodSpec['resourceClaims'],
  annotations: ObjectMeta['annotations'],
  at: FieldPath,
): Batches {
  if (isMirrorPod(annotations)) {
    // Upstream names an empty field, once for each claim.
    const nowhere = FieldPath.root.key('');
    return inBatches(goList(claims), (_claim, index) => [
      forbidden(at.index(index).printedAs(nowhere), 'static pods do not support resource claims'),
    ]);
  }
  const names = new Set<string>();
  return inBatches(goList(claims), (claim, index) => {
    const errors: FieldError[] = [];
    const place = at.index(index);
    const name = goString(claim.name);
    if (name === '') errors.push(required(place.child('name')));
    else if (names.has(name)) errors.push(duplicate(place.child('name'), name));
    else append(errors, invalidFormat(place.child('name'), name, dnsLabelProblems(name)));
    names.add(name);

    const sources = (['resourceClaimName', 'resourceClaimTemplateName'] as const).flatMap((field) => {
      const source = claim[field];
      return source === undefined ? [] : [[field, source] as const];
    });
    if (sources.length === 2) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      errors.push(invalid(place, claim, detail));
    }
    if (sources.length === 0) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      errors.push(invalid(place, claim, detail));
    }
    for (const [field, source] of sources) {
      append(errors, invalidFormat(place.child(field), source, dnsSubdomainProblems(source)));
    }
    return errors;
  });
}
