import { say } from '../../util/say.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { PodSpec } from '../../kubernetes/objects.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';

/**
 * Prefixes that a kubelet may not set on its own node.
 * Source: plugin/pkg/admission/noderestriction/admission.go and pkg/kubelet/apis/well_known_labels.go
 */
const protectedPrefix = 'node-restriction.kubernetes.io/';

export const forgeableIsolationLabel: ObjectRule = {
  code: 'forgeable-isolation-label',
  title: 'Pods are isolated by a node label that any kubelet may set on itself',
  severity: 'hint',
  scope: 'object',
  *check({ fact }) {
    const { template } = fact;
    if (template === undefined) return;
    const tolerated = new Set(template.spec.tolerations?.map(({ key }) => key ?? '') ?? []);
    for (const { key, path } of selectedKeys(template.spec)) {
      // A label with a taint of the same name keeps nodes for some pods only: isolation, not just choice.
      if (!tolerated.has(key) || isKubernetesLabel(key)) continue;
      const message = say`A kubelet can set the label "${key}" on its own node, and so attract these pods. For isolation use a label that begins with ${protectedPrefix}, which the NodeRestriction plugin keeps kubelets from setting.`;
      yield findingAt(fact, [...template.path, 'spec', ...path], message);
    }
  },
};

function selectedKeys(spec: PodSpec): { readonly key: string; readonly path: Path }[] {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms: Path = [
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
    'nodeSelectorTerms',
  ];
  return [
    ...Object.keys(spec.nodeSelector ?? {}).map((key) => ({ key, path: ['nodeSelector', key] })),
    ...(required?.nodeSelectorTerms ?? []).flatMap(({ matchExpressions }, term) =>
      (matchExpressions ?? []).map(({ key }, index) => ({
        key,
        path: [...terms, term, 'matchExpressions', index, 'key'],
      })),
    ),
  ];
}

/** Labels of Kubernetes itself: a kubelet may set only a fixed few of them. */
function isKubernetesLabel(key: string): boolean {
  const prefix = key.slice(0, Math.max(0, key.indexOf('/')));
  return /(?:^|\.)(?:kubernetes|k8s)\.io$/.test(prefix);
}
