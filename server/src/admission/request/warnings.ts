import { own } from '../../util/own.ts';
import { append } from '../../util/append.ts';
import type {
  KubeObject,
  Node,
  NodeSelectorTerm,
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  ResourceList,
  StatefulSet,
  StorageClass,
} from '../../kubernetes/objects.ts';
import { podTemplatePath } from '../../kubernetes/pod-template.ts';
import { formatQuantity, isQuantityError, parseQuantity, quantityMilliValue } from '../../kubernetes/quantity.ts';
import { FieldPath } from '../format/field-path.ts';
import { dnsLabelProblems } from '../format/names.ts';

/**
 * The `Warning` headers of an answer: what the server accepts, and would rather not.
 * Sources: pkg/api/{pod,node,persistentvolume,persistentvolumeclaim,storage}, and WarningsOnCreate of the strategies
 */
export function warningsOf(object: KubeObject): readonly string[] {
  const path = podTemplatePath(object.kind);
  const named = nameWarnings(object);
  if (path !== undefined) {
    const at = FieldPath.from(path);
    let template: unknown = object;
    for (const step of path) template = own(template as Readonly<Record<string, unknown>> | undefined, String(step));
    const { spec, metadata } = (template ?? {}) as Pod;
    const claims = object.kind === 'StatefulSet' ? ((object as StatefulSet).spec?.volumeClaimTemplates ?? []) : [];
    const claimsAt = FieldPath.to('spec', 'volumeClaimTemplates');
    return [
      ...named,
      ...podWarnings(spec ?? { containers: [] }, metadata, at),
      ...claims.flatMap((claim, index) => claimSpecWarnings(claim, claimsAt.index(index))),
    ];
  }
  switch (object.kind) {
    case 'PersistentVolumeClaim':
      return claimWarnings(object);
    case 'PersistentVolume':
      return volumeWarnings(object);
    case 'Node':
      return nodeWarnings(object);
    case 'StorageClass':
      return classWarnings(object as StorageClass);
    default:
      return [];
  }
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

/** warningsForPodSpecAndMeta. */
function podWarnings(spec: PodSpec, metadata: ObjectMeta | undefined, at: FieldPath): string[] {
  const specAt = at.child('spec');
  return [
    ...labelWarnings(spec, specAt),
    ...annotationWarnings(metadata, at),
    ...duplicateWarnings(spec, specAt),
    ...(spec.volumes ?? []).flatMap((volume, index) => {
      const place = specAt.child('volumes').index(index);
      const claim = volume.ephemeral?.volumeClaimTemplate;
      return [
        ...sourceWarnings(volume, place),
        ...(claim === undefined ? [] : claimSpecWarnings(claim, place.child('ephemeral', 'volumeClaimTemplate'))),
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
    append(warnings, termWarnings(preference, preferredAt.index(index).child('preference')));
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

function termWarnings(term: NodeSelectorTerm, at: FieldPath): string[] {
  return (term.matchExpressions ?? []).flatMap(({ key }, index) => {
    const advice = renamedLabels.get(key);
    if (advice === undefined) return [];
    return [`${at.child('matchExpressions').index(index).child('key').text}: ${key} is ${advice}`];
  });
}

function annotationWarnings(metadata: ObjectMeta | undefined, at: FieldPath): string[] {
  const place = at.child('metadata', 'annotations');
  return Object.keys(metadata?.annotations ?? {}).flatMap((key) => {
    const advice = annotationAdvice(key);
    return advice === undefined ? [] : [`${place.key(key).text}: ${advice}`];
  });
}

function annotationAdvice(key: string): string | undefined {
  if (key === 'seccomp.security.alpha.kubernetes.io/pod') {
    return 'non-functional in v1.27+; use the "seccompProfile" field instead';
  }
  if (key.startsWith('container.seccomp.security.alpha.kubernetes.io/')) {
    return 'non-functional in v1.27+; use the "seccompProfile" field instead';
  }
  if (key === 'scheduler.alpha.kubernetes.io/critical-pod') {
    return 'non-functional in v1.16+; use the "priorityClassName" field instead';
  }
  if (key.startsWith('container.apparmor.security.beta.kubernetes.io/')) {
    return 'deprecated since v1.30; use the "appArmorProfile" field instead';
  }
  return undefined;
}

function duplicateWarnings(spec: PodSpec, at: FieldPath): string[] {
  const warnings: string[] = [];
  const secrets = (spec.imagePullSecrets ?? []).map(({ name = '' }) => name);
  secrets.forEach((name, index) => {
    const place = at.child('imagePullSecrets').index(index).child('name').text;
    if (name === '') warnings.push(`${place}: invalid empty name ${JSON.stringify(name)}`);
    else if (secrets.indexOf(name) < index) warnings.push(`${place}: duplicate name ${JSON.stringify(name)}`);
  });
  const addresses = (spec.hostAliases ?? []).map(({ ip }) => ip);
  addresses.forEach((ip, index) => {
    if (addresses.indexOf(ip) === index) return;
    warnings.push(`${at.child('hostAliases').index(index).child('ip').text}: duplicate ip ${JSON.stringify(ip)}`);
  });
  return warnings;
}

function sourceWarnings(holder: object, at: FieldPath): string[] {
  return deadSources.flatMap(([source, advice]) =>
    Object.hasOwn(holder, source) ? [`${at.child(source).text}: ${advice}`] : [],
  );
}

function containerWarnings(spec: PodSpec, at: FieldPath): string[] {
  const warnings: string[] = [];
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
          const text = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
          warnings.push(`${place.child('env').index(number).text}: ${text}`);
        }
        names.add(name);
      });
      (container.ports ?? []).forEach(({ containerPort, protocol = 'TCP', hostIP = '', hostPort = 0 }, number) => {
        const portAt = place.child('ports').index(number).text;
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
      });
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
  return [
    `${at.text}: fractional byte value ${JSON.stringify(formatQuantity(quantity))} is invalid, must be an integer`,
  ];
}

const betaClass = 'volume.beta.kubernetes.io/storage-class';
const betaClassAdvice = 'deprecated since v1.8; use "storageClassName" attribute instead';

function claimWarnings(claim: PersistentVolumeClaim): string[] {
  return [...betaClassWarnings(claim), ...claimSpecWarnings(claim, FieldPath.root)];
}

function betaClassWarnings({ metadata }: KubeObject): string[] {
  if (metadata?.annotations?.[betaClass] === undefined) return [];
  return [`${FieldPath.to('metadata', 'annotations').key(betaClass).text}: ${betaClassAdvice}`];
}

function claimSpecWarnings({ spec }: PersistentVolumeClaim, at: FieldPath): string[] {
  const resources = at.child('spec', 'resources');
  return (['requests', 'limits'] as const).flatMap((list) =>
    fractionWarning(spec?.resources?.[list]?.['storage'], resources.child(list).key('storage')),
  );
}

function volumeWarnings(volume: PersistentVolume): string[] {
  const at = FieldPath.to('spec');
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return [
    ...betaClassWarnings(volume),
    ...(volume.spec?.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          `${at.child('persistentVolumeReclaimPolicy').text}: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.`,
        ]
      : []),
    ...terms.flatMap((term, index) =>
      termWarnings(term, at.child('nodeAffinity', 'required', 'nodeSelectorTerms').index(index)),
    ),
    ...fractionWarning(volume.spec?.capacity?.['storage'], at.child('capacity').key('storage')),
    ...sourceWarnings(volume.spec ?? {}, at),
  ];
}

function nodeWarnings({ spec }: Node): string[] {
  return [
    ...(spec?.configSource === undefined
      ? []
      : ['spec.configSource: the dynamic kubelet configuration feature was removed']),
    ...((spec?.externalID ?? '') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
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
