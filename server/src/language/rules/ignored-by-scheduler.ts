import { say } from '../../util/say.ts';
import { valueAt } from '../../util/values.ts';
import { compileLabelSelector, labelValue } from '../../kubernetes/labels.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { Node, PodDisruptionBudget, PodSpec } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { derived } from '../index/derived.ts';
import type { FactsReader } from '../index/fact.ts';
import { isLabelOfPool, isTaintOfPool } from '../index/pools.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';

export const ignoredByScheduler: ObjectRule = {
  code: 'ignored-by-scheduler',
  title: 'The scheduler ignores a field without a message',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts, release }) {
    if (fact.kind === 'PodDisruptionBudget') {
      // Source: filterPodsWithPDBViolation in pkg/scheduler/framework/plugins/defaultpreemption
      const { selector } = (fact.object as PodDisruptionBudget).spec ?? {};
      if (selector === undefined || !compileLabelSelector(selector).isEmpty) return;
      const message = say`Evictions count this budget for all pods of the namespace. Preemption leaves a budget with an empty selector out.`;
      yield findingAt(fact, ['spec', 'selector'], message);
      return;
    }
    const { template } = fact;
    if (template === undefined) return;
    const written = valueAt(fact.manifest.value, [...template.path, 'spec']);
    for (const { path, message } of [...droppedFrom(written, release), ...ignoredIn(template.spec, facts)]) {
      yield findingAt(fact, [...template.path, 'spec', ...path], message);
    }
  },
};

interface Ignored {
  readonly path: Path;
  readonly message: string;
}

/** Source: pkg/api/pod/util.go (dropDisabledFields): without its gate a field is dropped before anybody reads it. */
function* droppedFrom(written: unknown, release: Release): Iterable<Ignored> {
  for (const field of ['schedulingGroup', 'workloadRef']) {
    if (valueAt(written, [field]) === undefined || !knows(release, field)) continue;
    if (release.featureGates.has('GenericWorkload')) {
      // Source: the plugin GangScheduling of 1.35, which reads Workloads.
      if (field === 'workloadRef') {
        const message = say`Podium does not model how Kubernetes ${release.minor} schedules the pods of a Workload together: it places each by itself. It does for PodGroups, from Kubernetes 1.36.`;
        yield { path: [field], message };
      }
      continue;
    }
    const message = say`The API server drops this, and the scheduler places the pod as any other: it needs the feature gate GenericWorkload, which is off in Kubernetes ${release.minor} by default.`;
    yield { path: [field], message };
  }
}

function* ignoredIn(spec: PodSpec, facts: FactsReader): Iterable<Ignored> {
  // Source: countPodsMatchSelector in pkg/scheduler/framework/plugins/podtopologyspread/common.go
  for (const [index, { labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const { isEmpty, invalid } = compileLabelSelector(labelSelector);
    if (invalid !== undefined || !isEmpty) continue;
    const message = say`With an empty selector this constraint counts no pods, and spreads nothing.`;
    yield { path: ['topologySpreadConstraints', index, 'labelSelector'], message };
  }
  yield* osOnly(spec, facts);
  yield* onNoNode(spec, facts);
}

const osLabel = 'kubernetes.io/os';

/** Source: rejectPodAdmissionBasedOnOSField in pkg/kubelet/lifecycle/predicate.go: nobody looks at it before the kubelet. */
function* osOnly(
  { os, nodeSelector = {}, affinity, runtimeClassName }: PodSpec,
  facts: FactsReader,
): Iterable<Ignored> {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const selects = terms.some(({ matchExpressions = [] }) => matchExpressions.some(({ key }) => key === osLabel));
  // What a RuntimeClass selects is added to the pod.
  if (os === undefined || Object.hasOwn(nodeSelector, osLabel) || selects || runtimeClassName !== undefined) return;
  // Every cluster has nodes of Linux.
  const others = facts
    .ofKind('Node')
    .filter(({ object }) => labelValue(object.metadata?.labels, osLabel) === 'windows');
  if (os.name !== 'windows' && others.length === 0) return;
  const message = say`The scheduler does not look at this, and the kubelet of a node with another operating system refuses the pod (PodOSNotSupported). Select nodes with ${`${osLabel}: ${os.name}`}.`;
  yield { path: ['os'], message };
}

function knows({ types }: Release, field: string): boolean {
  return types.struct('core/v1', 'PodSpec')?.fields.has(field) === true;
}

interface NodeKeys {
  readonly labels: ReadonlySet<string>;
  readonly taints: ReadonlySet<string>;
}

const keysOfNodes = derived(['Node'], (nodes): NodeKeys | null => {
  if (nodes.length === 0) return null;
  const all = nodes.map(({ object }) => object as Node);
  return {
    labels: new Set(all.flatMap(({ metadata }) => Object.keys(metadata?.labels ?? {}))),
    taints: new Set(all.flatMap(({ spec }) => spec?.taints ?? []).map(({ key }) => key)),
  };
});

/** Taints that the control plane sets and takes away as a node goes, and the one that addons tolerate anywhere. */
const ofTheSystem = /^(?:node(?:-role)?\.(?:kubernetes|cloudprovider\.kubernetes)\.io\/|CriticalAddonsOnly$)/;

/** Keys that no known node has: a required one is told by `no-node-matches`. */
function* onNoNode(spec: PodSpec, facts: FactsReader): Iterable<Ignored> {
  const tolerations = [...(spec.tolerations ?? []).entries()].filter(
    ([, { key = '' }]) => key !== '' && !ofTheSystem.test(key),
  );
  const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  if (tolerations.length === 0 && preferred.length === 0) return;
  const keys = keysOfNodes(facts);
  if (keys === null) return;
  for (const [index, { key = '' }] of tolerations) {
    if (keys.taints.has(key) || isTaintOfPool(key, facts)) continue;
    yield { path: ['tolerations', index, 'key'], message: say`No known node has a taint ${key}.` };
  }
  for (const [term, { preference }] of preferred.entries()) {
    for (const [index, { key, operator }] of (preference.matchExpressions ?? []).entries()) {
      if (operator === 'DoesNotExist' || operator === 'NotIn') continue;
      if (keys.labels.has(key) || isLabelOfPool(key, facts)) continue;
      const list = 'preferredDuringSchedulingIgnoredDuringExecution';
      const path = ['affinity', 'nodeAffinity', list, term, 'preference', 'matchExpressions', index, 'key'];
      yield { path, message: say`No known node has a label ${key}: the preference changes nothing.` };
    }
  }
}
