import type {
  LabelSelector,
  NodeSelectorTerm,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from '../../kubernetes/objects.ts';
import type { WorkingPod, WorkingSpread } from './working-pod.ts';

interface Relaxed {
  readonly pod: WorkingPod;
  /** As Karpenter logs it. */
  readonly reason: string;
}

const toleratesPreferences: Toleration = { operator: 'Exists', effect: 'PreferNoSchedule' };

/**
 * The pod without the next thing that can be given up; undefined when nothing is left. An alternative of the required
 * node affinity goes before any preference. Source: karpenter pkg/controllers/provisioning/scheduling/preferences.go
 */
export function relax(pod: WorkingPod, someTaintPrefers: boolean): Relaxed | undefined {
  const { nodeTerms, preferredNodes, preferredAffinity, preferredAntiAffinity, spreads } = pod;
  if (nodeTerms !== undefined && nodeTerms.length > 1) {
    const reason = removing('affinity.nodeAffinity.requiredDuring', nodeTermJson(nodeTerms[0]!));
    return { pod: { ...pod, nodeTerms: nodeTerms.slice(1) }, reason };
  }
  if (preferredAffinity.length > 0) {
    const [{ weight, term }] = preferredAffinity as [(typeof preferredAffinity)[0]];
    const reason = removing('affinity.podAffinity.preferredDuring', { weight, podAffinityTerm: podTermJson(term) });
    return { pod: { ...pod, preferredAffinity: preferredAffinity.slice(1) }, reason };
  }
  if (preferredAntiAffinity.length > 0) {
    const [{ weight, term }] = preferredAntiAffinity as [(typeof preferredAntiAffinity)[0]];
    const reason = removing('affinity.podAntiAffinity.preferredDuring', { weight, podAffinityTerm: podTermJson(term) });
    return { pod: { ...pod, preferredAntiAffinity: preferredAntiAffinity.slice(1) }, reason };
  }
  if (preferredNodes.length > 0) {
    const [{ weight, term }] = preferredNodes as [(typeof preferredNodes)[0]];
    const reason = removing('affinity.nodeAffinity.preferredDuring', { weight, preference: nodeTermJson(term) });
    return { pod: { ...pod, preferredNodes: preferredNodes.slice(1) }, reason };
  }
  const soft = spreads.findIndex(({ constraint }) => constraint.whenUnsatisfiable === 'ScheduleAnyway');
  if (soft >= 0) {
    const reason = `removing: spec.topologySpreadConstraints = ${goJson(spreadJson(spreads[soft]!))}`;
    // The last takes the place of the one that goes.
    const left = spreads.with(soft, spreads.at(-1)!).slice(0, -1);
    return { pod: { ...pod, spreads: left }, reason };
  }
  if (!someTaintPrefers || pod.tolerations.some(isToleranceOfPreferences)) return undefined;
  return {
    pod: { ...pod, tolerations: [...pod.tolerations, toleratesPreferences] },
    reason: 'adding: toleration for PreferNoSchedule taints',
  };
}

/** A pod of a DaemonSet does not mind preferences. */
export function toleratingPreferences(pod: WorkingPod): WorkingPod {
  if (pod.tolerations.some(isToleranceOfPreferences)) return pod;
  return { ...pod, tolerations: [...pod.tolerations, toleratesPreferences] };
}

function isToleranceOfPreferences({ key = '', value = '', operator, effect }: Toleration): boolean {
  return key === '' && value === '' && operator === 'Exists' && effect === 'PreferNoSchedule';
}

function removing(path: string, term: object): string {
  return `removing: spec.${path}SchedulingIgnoredDuringExecution[0]=${goJson(term)}`;
}

/** The fields in the order of the Go structs, which is how they are printed; empty ones are left out. */
function nodeTermJson({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): object {
  const read = (list: typeof matchExpressions): object[] =>
    list.map(({ key, operator, values = [] }) => ({ key, operator, ...(values.length > 0 ? { values } : {}) }));
  return {
    ...(matchExpressions.length > 0 ? { matchExpressions: read(matchExpressions) } : {}),
    ...(matchFields.length > 0 ? { matchFields: read(matchFields) } : {}),
  };
}

function podTermJson(term: PodAffinityTerm): object {
  const { labelSelector, namespaces = [], topologyKey, namespaceSelector, matchLabelKeys = [] } = term;
  const { mismatchLabelKeys = [] } = term;
  return {
    ...(labelSelector === undefined ? {} : { labelSelector: selectorJson(labelSelector) }),
    ...(namespaces.length > 0 ? { namespaces } : {}),
    topologyKey,
    ...(namespaceSelector === undefined ? {} : { namespaceSelector: selectorJson(namespaceSelector) }),
    ...(matchLabelKeys.length > 0 ? { matchLabelKeys } : {}),
    ...(mismatchLabelKeys.length > 0 ? { mismatchLabelKeys } : {}),
  };
}

function spreadJson({ constraint, selector }: WorkingSpread): object {
  const {
    maxSkew,
    topologyKey,
    whenUnsatisfiable,
    minDomains,
    matchLabelKeys = [],
  }: TopologySpreadConstraint = constraint;
  const { nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
  return {
    maxSkew,
    topologyKey,
    whenUnsatisfiable,
    ...(selector === undefined ? {} : { labelSelector: selectorJson(selector) }),
    ...(minDomains === undefined ? {} : { minDomains }),
    ...(nodeAffinityPolicy === undefined ? {} : { nodeAffinityPolicy }),
    ...(nodeTaintsPolicy === undefined ? {} : { nodeTaintsPolicy }),
    ...(matchLabelKeys.length > 0 ? { matchLabelKeys } : {}),
  };
}

function selectorJson({ matchLabels = {}, matchExpressions = [] }: LabelSelector): object {
  const labels = Object.entries(matchLabels).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(labels.length > 0 ? { matchLabels: Object.fromEntries(labels) } : {}),
    ...(matchExpressions.length > 0
      ? {
          matchExpressions: matchExpressions.map(({ key, operator, values = [] }) => ({
            key,
            operator,
            ...(values.length > 0 ? { values } : {}),
          })),
        }
      : {}),
  };
}

/** Go escapes what HTML would take for markup. */
function goJson(value: object): string {
  return JSON.stringify(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}
