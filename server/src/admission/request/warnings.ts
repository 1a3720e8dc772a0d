import { own } from '../../util/own.ts';
import { append } from '../../util/append.ts';
import type {
  CronJob,
  CSIDriver,
  CSIStorageCapacity,
  Job,
  Kinds,
  KubeObject,
  Node,
  NodeSelectorTerm,
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  ResourceList,
  ResourceQuota,
  ResourceSlice,
  Service,
  StatefulSet,
  StorageClass,
} from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { betaStorageClass } from '../../kubernetes/storage-class-of.ts';
import { podTemplateOf, podTemplatePath } from '../../kubernetes/pod-template.ts';
import {
  compareQuantities,
  formatQuantity,
  isQuantityError,
  parseQuantity,
  quantityMilliValue,
} from '../../kubernetes/quantity.ts';
import { FieldPath } from '../format/field-path.ts';
import { goQuote } from '../format/go-quote.ts';
import { goList } from '../format/go-zero.ts';
import { addressWarnings, rangeWarnings } from '../format/ip-addresses.ts';
import { dnsLabelProblems, labelValueProblems } from '../format/names.ts';
import { type ComparedType, semanticallyEqual } from '../format/semantic-equality.ts';
import { podRanges } from '../cluster/node.ts';
import { containerAppArmor } from '../pods/annotations.ts';
import { eachContainer } from '../pods/each-container.ts';
import type { AppArmorProfile } from '../pods/security-profiles.ts';
import type { Volume } from '../volumes/volume-sources.ts';
import { sortedKeys } from './identify.ts';
import type { Release } from '../../kubernetes/release.ts';

/**
 * The `Warning` headers of an answer: what the server accepts, and would rather not.
 * Sources: pkg/api/{pod,node,persistentvolume,persistentvolumeclaim,storage}, and WarningsOnCreate of the strategies
 */
export function warningsOf(object: KubeObject, release: Release): readonly string[] {
  if (podTemplatePath(object.kind) !== undefined) {
    return [...nameWarnings(object), ...templateWarnings(object), ...ownWarnings(object)];
  }
  // The object is of the kind that it is looked up by.
  return own(kindWarnings, object.kind ?? '')?.(object as never, release) ?? [];
}

type Warnings<Kind extends KubeObject> = (object: Kind, release: Release) => readonly string[];

const kindWarnings: { readonly [Kind in keyof Kinds]?: Warnings<Kinds[Kind]> } = {
  ResourceQuota: (quota, { behaviours }) => (behaviours.warnsOfQuotas ? quotaWarnings(quota) : []),
  PersistentVolumeClaim: claimWarnings,
  PersistentVolume: volumeWarnings,
  Node: nodeWarnings,
  StorageClass: classWarnings,
  CSIStorageCapacity: capacityWarnings,
  CSIDriver: driverWarnings,
  ResourceSlice: (slice, { behaviours }) => (behaviours.warnsOfDrivers ? sliceWarnings(slice) : []),
  Service: (service, { behaviours }) => serviceWarnings(service, behaviours),
  RuntimeClass: ({ scheduling }) =>
    Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
      const advice = renamedLabels.get(key);
      return advice === undefined ? [] : [`scheduling.nodeSelector: ${advice}`];
    }),
};

/** Of the next version of a stored object. Source: WarningsOnUpdate of the strategies */
export function updateWarnings(next: KubeObject, old: KubeObject, release: Release): readonly string[] {
  const { kind = '' } = next;
  if (kind === 'Pod' || kind === 'ResourceQuota') return [];
  if (kind === 'CSIDriver') {
    const [now, before] = [next, old].map((driver) => goList((driver as CSIDriver).spec.tokenRequests));
    return JSON.stringify(now) === JSON.stringify(before) ? [] : warningsOf(next, release);
  }
  if (podTemplatePath(kind) === undefined) return warningsOf(next, release);
  const schedule = kind === 'CronJob' ? (next as CronJob).spec.schedule : '';
  const zoned = schedule.includes('TZ')
    ? [
        'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
      ]
    : [];
  // Upstream looks at the stored template of a ReplicationController.
  const template = kind === 'ReplicationController' ? old : next;
  return [...(isNewGeneration(next, old) ? templateWarnings(template) : []), ...ownWarnings(next, 'Spec'), ...zoned];
}

/** What raises the generation of a kind that makes pods. Source: PrepareForUpdate of the strategies */
const specTypes: ReadonlyMap<string, ComparedType> = new Map([
  ['Deployment', 'apps/v1 DeploymentSpec'],
  ['ReplicaSet', 'apps/v1 ReplicaSetSpec'],
  ['StatefulSet', 'apps/v1 StatefulSetSpec'],
  ['ReplicationController', 'core/v1 ReplicationControllerSpec'],
  ['Job', 'batch/v1 JobSpec'],
  ['CronJob', 'batch/v1 CronJobSpec'],
]);

/** Whether the server counts a change; that of a DaemonSet which matters here is of its template. */
function isNewGeneration(next: KubeObject, old: KubeObject): boolean {
  const type = specTypes.get(next.kind ?? '');
  if (type === undefined) return !semanticallyEqual(podTemplateOf(next), podTemplateOf(old), 'core/v1 PodTemplateSpec');
  const [now, before] = [next, old].map((object) => (object as Job).spec);
  if (!semanticallyEqual(now, before, type)) return true;
  const [notes, stored] = [next, old].map(({ metadata }) => sortedKeys(metadata?.annotations ?? {}));
  return next.kind === 'Deployment' && JSON.stringify(notes) !== JSON.stringify(stored);
}

function templateWarnings(object: KubeObject): readonly string[] {
  const path = podTemplatePath(object.kind) ?? [];
  let template: unknown = object;
  for (const step of path) template = own(template as Readonly<Record<string, unknown>> | undefined, String(step));
  const { spec, metadata } = (template ?? {}) as Pod;
  const at = FieldPath.from(path);
  return [
    ...(object.kind === 'Job' ? jobWarnings((object as Job).spec, FieldPath.to('spec')) : []),
    ...(object.kind === 'CronJob'
      ? jobWarnings((object as CronJob).spec.jobTemplate.spec, FieldPath.to('spec', 'jobTemplate', 'spec'))
      : []),
    ...podWarnings(spec ?? { containers: [] }, metadata, at),
  ];
}

/** WarningsForJobSpec in pkg/api/job/warnings.go. */
function jobWarnings(spec: Job['spec'], at: FieldPath): string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {};
  if (completionMode !== 'Indexed' || completions <= 100_000 || parallelism <= 10_000) return [];
  return [
    `${at.text}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
  ];
}

/** Of a StatefulSet, beside its template. @param step what upstream prints behind a claim on updates */
function ownWarnings(object: KubeObject, step?: string): readonly string[] {
  if (object.kind !== 'StatefulSet') return [];
  const { volumeClaimTemplates = [], revisionHistoryLimit = 0 } = (object as StatefulSet).spec ?? {};
  const at = FieldPath.to('spec', 'volumeClaimTemplates');
  const warnings = volumeClaimTemplates.flatMap(({ spec }, index) =>
    claimSpecWarnings(spec, step === undefined ? at.index(index) : at.index(index).child(step)),
  );
  if (revisionHistoryLimit >= 0) return warnings;
  return [
    ...warnings,
    'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
  ];
}

/** Source: WarningsOnCreate in pkg/registry/core/resourcequota/strategy.go */
function quotaWarnings({ spec }: ResourceQuota): string[] {
  const amounts = readResourceList(spec?.hard);
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const bare = name === 'cpu' || name === 'memory' ? [name] : [];
    const asked = [`requests.${name}`, ...bare].find((each) => amounts.has(each));
    const [request, limit] = [amounts.get(asked ?? ''), amounts.get(`limits.${name}`)];
    if (request === undefined || limit === undefined || compareQuantities(request, limit) <= 0) return [];
    return [
      `ResourceQuota ${asked} (${formatQuantity(request)}) should be less than limits.${name} (${formatQuantity(limit)})`,
    ];
  });
}

const namesPods: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'ReplicationController', 'Job', 'CronJob']);

function nameWarnings({ kind = '', metadata }: KubeObject): string[] {
  const problems = dnsLabelProblems(metadata?.name ?? '');
  if (problems.length === 0 || (kind !== 'Pod' && !namesPods.has(kind))) return [];
  const use = kind === 'Pod' ? "this is used in the Pod's hostname" : 'this is used in Pod names and hostnames';
  const advice = 'which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: ${use}, ${advice}: [${problems.join(' ')}]`];
}

/** Labels of nodes that have another name now. Source: deprecatedNodeLabels in pkg/api/node/util.go */
const renamedLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
]);

/** Sources of volumes that no longer work. Sources: pkg/api/pod/warnings.go, pkg/api/persistentvolume/util.go */
const deadSources: readonly (readonly [string, string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** Of those, the ones that are told of persistent volumes. */
const alsoPersistent: ReadonlySet<string> = new Set([
  'photonPersistentDisk',
  'scaleIO',
  'storageos',
  'glusterfs',
  'cephfs',
  'rbd',
]);

/** warningsForPodSpecAndMeta. */
function podWarnings(spec: PodSpec, metadata: ObjectMeta | undefined, at: FieldPath): string[] {
  const specAt = at.child('spec');
  return [
    ...labelWarnings(spec, specAt),
    ...annotationWarnings(spec, metadata, at),
    ...duplicateWarnings(spec, specAt),
    ...pathWarnings(spec.volumes ?? []),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((address, index) =>
      addressWarnings(address, specAt.child('dnsConfig', 'nameservers').index(index)),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) =>
      addressWarnings(ip, specAt.child('hostAliases').index(index).child('ip')),
    ),
    ...(spec.volumes ?? []).flatMap((volume, index) => {
      const place = specAt.child('volumes').index(index);
      const claim = volume.ephemeral?.volumeClaimTemplate;
      return [
        ...sourceWarnings(volume, place),
        ...(claim === undefined
          ? []
          : claimSpecWarnings(claim.spec, place.child('ephemeral', 'volumeClaimTemplate', 'spec'))),
      ];
    }),
    ...fractionWarnings(spec.overhead, specAt.child('overhead')),
    ...containerWarnings(spec, specAt),
    ...affinityWarnings(spec, specAt.child('affinity')),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${specAt.child('terminationGracePeriodSeconds').text}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
  ];
}

function labelWarnings(spec: PodSpec, at: FieldPath): string[] {
  const selectorAt = at.child('nodeSelector');
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const affinityAt = at.child('affinity', 'nodeAffinity');
  const requiredAt = affinityAt.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  const preferredAt = affinityAt.child('preferredDuringSchedulingIgnoredDuringExecution');
  const warnings = Object.keys(spec.nodeSelector ?? {}).flatMap((key) => {
    const advice = renamedLabels.get(key);
    return advice === undefined ? [] : [`${selectorAt.key(key).text}: ${advice}`];
  });
  required.forEach((term, index) => {
    append(warnings, termWarnings(term, requiredAt.index(index)));
  });
  preferred.forEach(({ preference }, index) => {
    append(warnings, termWarnings(preference, preferredAt.index(index).child('preference'), true));
  });
  (spec.topologySpreadConstraints ?? []).forEach((constraint, index) => {
    const place = at.child('topologySpreadConstraints').index(index);
    const advice = renamedLabels.get(constraint.topologyKey);
    if (advice !== undefined) {
      warnings.push(`${place.child('topologyKey').text}: ${constraint.topologyKey} is ${advice}`);
    }
    if (constraint.labelSelector === undefined) {
      warnings.push(`${place.child('labelSelector').text}: a null labelSelector results in matching no pod`);
    }
  });
  return warnings;
}

/** @param judgesValues of preferred terms, whose values nobody refuses */
function termWarnings(term: NodeSelectorTerm, at: FieldPath, judgesValues = false): string[] {
  return (term.matchExpressions ?? []).flatMap(({ key, values = [] }, index) => {
    const place = at.child('matchExpressions').index(index);
    const advice = renamedLabels.get(key);
    const problems = (judgesValues ? values : []).flatMap((value, number) =>
      labelValueProblems(value).map(
        (problem) => `${place.child('values').index(number).text}: ${value} is invalid, ${problem}`,
      ),
    );
    return [...(advice === undefined ? [] : [`${place.child('key').text}: ${key} is ${advice}`]), ...problems];
  });
}

const oldAnnotations: readonly (readonly [string, string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

/** Profiles in annotations are told of where there is no field that says the same. */
function annotationWarnings(spec: PodSpec, metadata: ObjectMeta | undefined, at: FieldPath): string[] {
  const annotations = metadata?.annotations ?? {};
  const warnings: string[] = [];
  const warn = (key: string, advice: string): void => {
    if (own(annotations, key) === undefined) return;
    warnings.push(`${at.child('metadata', 'annotations').key(key).text}: ${advice}`);
  };
  for (const [key, advice] of oldAnnotations) warn(key, advice);
  const seccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';
  const ofPod = spec.securityContext;
  if (ofPod?.seccompProfile === undefined) warn('seccomp.security.alpha.kubernetes.io/pod', seccomp);
  for (const [{ name, securityContext }] of eachContainer(spec, at)) {
    if (securityContext?.seccompProfile === undefined) {
      warn(`container.seccomp.security.alpha.kubernetes.io/${name}`, seccomp);
    }
    const key = `${containerAppArmor}${name}`;
    if (
      securityContext?.appArmorProfile !== undefined ||
      isSameProfile(ofPod?.appArmorProfile, own(annotations, key))
    ) {
      continue;
    }
    // Of a pod nothing is copied on Windows, and nothing told. Source: applyAppArmorVersionSkew
    if (at === FieldPath.root && spec.os?.name === 'windows') continue;
    warn(key, 'deprecated since v1.30; use the "appArmorProfile" field instead');
  }
  return warnings;
}

function isSameProfile(profile: AppArmorProfile | undefined, annotation = ''): boolean {
  if (profile?.type === 'Localhost') return annotation === `localhost/${profile.localhostProfile}`;
  return annotation === (profile?.type === 'RuntimeDefault' ? 'runtime/default' : profile?.type.toLowerCase());
}

interface FilePath {
  readonly path: string;
  /** In a projected volume, where the file is from. */
  readonly source: string;
}

/** Files of one volume of which one hides another (warningsForOverlappingVirtualPaths). */
function pathWarnings(volumes: readonly Volume[]): string[] {
  const paths = (items: readonly { readonly path: string }[] = [], source = ''): FilePath[] =>
    items.map(({ path }) => ({ path: withoutSlashes(path), source }));
  return volumes.flatMap(({ name, configMap, secret, downwardAPI, projected }) => {
    const warnings: string[] = [];
    const warn = (what: string, files: readonly FilePath[]): void => {
      files.forEach((file, index) => {
        for (const other of files.slice(0, index)) {
          if (!overlap(file.path, other.path)) continue;
          const detail = `${fileText(file)} with ${fileText(other)}`;
          warnings.push(`volume ${goQuote(name)} (${what}): overlapping paths: ${detail}`);
        }
      });
    };
    warn(`ConfigMap ${goQuote(configMap?.name ?? '')}`, paths(configMap?.items));
    warn(`Secret ${goQuote(secret?.secretName ?? '')}`, paths(secret?.items));
    warn('DownwardAPI', paths(downwardAPI?.items));
    const files = (projected?.sources ?? []).flatMap((source) => {
      const token = source.serviceAccountToken;
      if (source.configMap?.items !== undefined) {
        return paths(source.configMap.items, `ConfigMap ${goQuote(source.configMap.name ?? '')}`);
      }
      if (source.secret?.items !== undefined) {
        return paths(source.secret.items, `Secret ${goQuote(source.secret.name ?? '')}`);
      }
      if (source.downwardAPI?.items !== undefined) return paths(source.downwardAPI.items, 'DownwardAPI');
      if (token !== undefined) return paths([token], 'ServiceAccountToken');
      if (source.configMap === undefined && source.secret === undefined && source.downwardAPI === undefined) {
        warnings.push(`volume ${goQuote(name)} (Projected) has no sources provided`);
      }
      return [];
    });
    warn('Projected', files);
    return warnings;
  });
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function overlap(one: string, other: string): boolean {
  if (one === '' || other === '') return false;
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function fileText({ path, source }: FilePath): string {
  return goQuote(path) + (source === '' ? '' : ` (${source})`);
}

function duplicateWarnings(spec: PodSpec, at: FieldPath): string[] {
  const warnings: string[] = [];
  const secrets = (spec.imagePullSecrets ?? []).map(({ name = '' }) => name);
  secrets.forEach((name, index) => {
    const place = at.child('imagePullSecrets').index(index).child('name').text;
    if (name === '') warnings.push(`${place}: invalid empty name ""`);
    if (secrets.indexOf(name) < index) warnings.push(`${place}: duplicate name ${goQuote(name)}`);
  });
  const addresses = (spec.hostAliases ?? []).map(({ ip }) => ip);
  addresses.forEach((ip, index) => {
    if (addresses.indexOf(ip) === index) return;
    warnings.push(`${at.child('hostAliases').index(index).child('ip').text}: duplicate ip ${goQuote(ip)}`);
  });
  return warnings;
}

function sourceWarnings(holder: object, at: FieldPath, sources = deadSources): string[] {
  return sources.flatMap(([source, advice]) =>
    Object.hasOwn(holder, source) ? [`${at.child(source === 'storageos' ? 'storageOS' : source).text}: ${advice}`] : [],
  );
}

function containerWarnings(spec: PodSpec, at: FieldPath): string[] {
  const warnings: string[] = [];
  const portNames = new Map<string, string>();
  const ports = new Map<string, { readonly hostIP: string; readonly hostPort: number; readonly at: string }[]>();
  for (const list of ['initContainers', 'containers'] as const) {
    (spec[list] ?? []).forEach((container, index) => {
      const place = at.child(list).index(index);
      for (const amounts of ['limits', 'requests'] as const) {
        append(warnings, fractionWarnings(container.resources?.[amounts], place.child('resources', amounts)));
      }
      const names = new Set<string>();
      (container.env ?? []).forEach(({ name, value = '', valueFrom }, number) => {
        const reference = `$(${name})`;
        const hides = valueFrom !== undefined || value === reference || !value.includes(reference);
        if (names.has(name) && hides) {
          const text = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`;
          warnings.push(`${place.child('env').index(number).text}: ${text}`);
        }
        names.add(name);
      });
      (container.ports ?? []).forEach(
        ({ name = '', containerPort, protocol = 'TCP', hostIP = '', hostPort = 0 }, number) => {
          const portAt = place.child('ports').index(number).text;
          if (hostIP !== '' && hostPort === 0) {
            const port = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
            warnings.push(`${portAt}: hostIP set without hostPort: ${port}`);
          }
          const first = portNames.get(name);
          if (name !== '' && first === undefined) portNames.set(name, portAt);
          if (first !== undefined) {
            const text = `services and probes that select ports by name will use ${first}`;
            warnings.push(`${portAt}: duplicate port name ${goQuote(name)} with ${first}, ${text}`);
          }
          const known = ports.get(`${containerPort}/${protocol}`) ?? [];
          for (const other of known) {
            if (hostIP === other.hostIP && hostPort === other.hostPort) {
              warnings.push(`${portAt}: duplicate port definition with ${other.at}`);
            } else if (hostPort === 0 || other.hostPort === 0) {
              warnings.push(`${portAt}: overlapping port definition with ${other.at}`);
            } else if (hostPort === other.hostPort && (hostIP === '') !== (other.hostIP === '')) {
              warnings.push(`${portAt}: dangerously ambiguous port definition with ${other.at}`);
            }
          }
          ports.set(`${containerPort}/${protocol}`, [...known, { hostIP, hostPort, at: portAt }]);
        },
      );
    });
  }
  return warnings;
}

function affinityWarnings({ affinity }: PodSpec, at: FieldPath): string[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) => {
    const { requiredDuringSchedulingIgnoredDuringExecution: required = [], ...rest } = affinity?.[kind] ?? {};
    const preferred = rest.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const place = at.child(kind);
    const terms = [
      ...required.map((term, index) => ({
        term,
        termAt: place.child('requiredDuringSchedulingIgnoredDuringExecution').index(index),
      })),
      ...preferred.map(({ podAffinityTerm: term }, index) => ({
        term,
        termAt: place.child('preferredDuringSchedulingIgnoredDuringExecution').index(index).child('podAffinityTerm'),
      })),
    ];
    return terms.flatMap(({ term, termAt }) =>
      term.labelSelector === undefined
        ? [`${termAt.child('labelSelector').text}: a null labelSelector results in matching no pod`]
        : [],
    );
  });
}

function fractionWarnings(amounts: ResourceList | undefined, at: FieldPath): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => fractionWarning(own(amounts, name), at.key(name)));
}

function fractionWarning(amount: string | number | undefined, at: FieldPath): string[] {
  const quantity = amount === undefined ? undefined : parseQuantity(amount);
  if (quantity === undefined || isQuantityError(quantity) || quantityMilliValue(quantity) % 1000n === 0n) return [];
  return [`${at.text}: fractional byte value "${formatQuantity(quantity)}" is invalid, must be an integer`];
}

const betaOptions = 'volume.beta.kubernetes.io/mount-options';
const betaClassAdvice = 'deprecated since v1.8; use "storageClassName" attribute instead';

function claimWarnings(claim: PersistentVolumeClaim): string[] {
  return [...betaClassWarnings(claim), ...claimSpecWarnings(claim.spec, FieldPath.to('spec'))];
}

function betaClassWarnings({ metadata }: KubeObject): string[] {
  if (metadata?.annotations?.[betaStorageClass] === undefined) return [];
  return [`${FieldPath.to('metadata', 'annotations').key(betaStorageClass).text}: ${betaClassAdvice}`];
}

function claimSpecWarnings(spec: PersistentVolumeClaim['spec'], at: FieldPath): string[] {
  const resources = at.child('resources');
  return (['requests', 'limits'] as const).flatMap((list) =>
    fractionWarning(spec?.resources?.[list]?.['storage'], resources.child(list).key('storage')),
  );
}

function volumeWarnings(volume: PersistentVolume): string[] {
  const at = FieldPath.to('spec');
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return [
    ...betaClassWarnings(volume),
    ...(volume.metadata?.annotations?.[betaOptions] === undefined
      ? []
      : [
          `${FieldPath.to('metadata', 'annotations').key(betaOptions).text}: deprecated since v1.31; use "mountOptions" attribute instead`,
        ]),
    ...(volume.spec?.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          `${at.child('persistentVolumeReclaimPolicy').text}: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.`,
        ]
      : []),
    ...terms.flatMap((term, index) =>
      termWarnings(term, at.child('nodeAffinity', 'required', 'nodeSelectorTerms').index(index)),
    ),
    ...sourceWarnings(
      volume.spec ?? {},
      at,
      deadSources.filter(([source]) => alsoPersistent.has(source)),
    ),
  ];
}

function nodeWarnings(node: Node): string[] {
  const { spec } = node;
  return [
    ...(spec?.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...podRanges(node).flatMap((range, index) => rangeWarnings(range, FieldPath.to('spec', 'podCIDRs').index(index))),
    ...((spec?.externalID ?? '') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
  ];
}

function sliceWarnings({ spec: { driver } }: ResourceSlice): string[] {
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`];
}

/** Source: GetWarningsForService in pkg/api/service/warnings.go */
function serviceWarnings({ metadata, spec = {} }: Service, { warnsOfServices }: Release['behaviours']): string[] {
  const at = FieldPath.to('spec');
  const { type = 'ClusterIP', clusterIP = '', externalIPs = [], loadBalancerIP = '', externalName = '' } = spec;
  const clusterIPs = spec.clusterIPs ?? [clusterIP];
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None';
  const isExternal = type === 'ExternalName';
  const ignored = (isSet: boolean, field: string): string[] =>
    isHeadless && isSet ? [`spec.${field} is ignored for headless services`] : [];
  return [
    ...(own(metadata?.annotations ?? {}, 'service.kubernetes.io/topology-aware-hints') === undefined
      ? []
      : [
          'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
        ]),
    ...(clusterIP === '' || clusterIP === 'None'
      ? []
      : clusterIPs.flatMap((each, index) => addressWarnings(each, at.child('clusterIPs').index(index)))),
    ...ignored(loadBalancerIP !== '', 'loadBalancerIP'),
    ...ignored(externalIPs.length > 0, 'externalIPs'),
    ...ignored((spec.sessionAffinity ?? 'None') !== 'None', 'SessionAffinity'),
    ...externalIPs.flatMap((each, index) => addressWarnings(each, at.child('externalIPs').index(index))),
    ...(warnsOfServices.includes('externalIPs') && externalIPs.length > 0 && !isHeadless && !isExternal
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(loadBalancerIP === '' ? [] : addressWarnings(loadBalancerIP, at.child('loadBalancerIP'))),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((each, index) =>
      // With a space beside it, it is taken, and no range to this.
      each === each.trim() ? rangeWarnings(each, at.child('loadBalancerSourceRanges').index(index)) : [],
    ),
    ...(isExternal && externalIPs.length > 0 ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(!isExternal && externalName !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(warnsOfServices.includes('PreferClose') && spec.trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function classWarnings({ allowedTopologies = [] }: StorageClass): string[] {
  return allowedTopologies.flatMap((term, index) =>
    (term.matchLabelExpressions ?? []).flatMap(({ key }, number) => {
      const advice = renamedLabels.get(key);
      const at = FieldPath.to('allowedTopologies').index(index).child('matchLabelExpressions').index(number);
      return advice === undefined ? [] : [`${at.child('key').text}: ${advice}`];
    }),
  );
}

/** Source: GetWarningsForNodeSelector in pkg/api/node/util.go */
function capacityWarnings({ nodeTopology }: CSIStorageCapacity): string[] {
  const at = FieldPath.to('nodeTopology');
  return [
    ...termWarnings({ matchExpressions: nodeTopology?.matchExpressions ?? [] }, at),
    ...Object.keys(nodeTopology?.matchLabels ?? {}).flatMap((key) => {
      const advice = renamedLabels.get(key);
      return advice === undefined ? [] : [`${at.child('matchLabels', key).text}: ${advice}`];
    }),
  ];
}

/** Source: WarningsOnCreate in pkg/registry/storage/csidriver/strategy.go */
function driverWarnings({ spec }: CSIDriver, { featureGates }: Release): string[] {
  if (!featureGates.has('CSIServiceAccountTokenSecrets') || spec.serviceAccountTokenInSecrets !== undefined) return [];
  if (goList(spec.tokenRequests).length === 0) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}
