import { labelValue } from '../../kubernetes/labels.ts';
import { compileRequiredNodeAffinity } from '../../kubernetes/node-selector.ts';
import type { Node, NodeSelector, PodSpec } from '../../kubernetes/objects.ts';
import { currentLabel } from '../../kubernetes/renamed-labels.ts';

const hostname = 'kubernetes.io/hostname';

/** Whether a pod may only use nodes that it names, by a field or by the label of their host. */
export function namesNodes(required: NodeSelector | undefined): boolean {
  const terms = required?.nodeSelectorTerms ?? [];
  return (
    terms.length > 0 &&
    terms.every(
      ({ matchFields = [], matchExpressions = [] }) =>
        matchFields.some(({ operator }) => operator === 'In') ||
        matchExpressions.some(({ key, operator }) => key === hostname && operator === 'In'),
    )
  );
}

/**
 * Labels that a copy of a node needs for a pod besides those that it has: what the pod selects, and those that are given.
 * Null where no labels do: a host name, a label that has another name now, or something that nodes must not have.
 */
export function labelsFor(
  spec: PodSpec | undefined,
  model: Node | undefined,
  given: Readonly<Record<string, string>>,
  nodes: readonly Node[],
): Readonly<Record<string, string>> | null {
  const own = model?.metadata?.labels;
  const needed = new Map<string, string>();
  const need = (key: string, value: string): void => {
    if (labelValue(own, key) !== value) needed.set(key, value);
  };
  for (const [key, value] of Object.entries(spec?.nodeSelector ?? {})) need(key, value);
  for (const [key, value] of Object.entries(given)) need(key, value);
  const isMet = (): boolean =>
    compileRequiredNodeAffinity(spec).matches({
      name: '',
      labels: { ...own, ...Object.fromEntries(needed), [hostname]: '' },
    });
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { key, operator, values = [] } of isMet()
    ? []
    : (required?.nodeSelectorTerms[0]?.matchExpressions ?? [])) {
    const there = needed.get(key) ?? labelValue(own, key);
    const others = nodes.flatMap(({ metadata }) => labelValue(metadata?.labels, key) ?? []);
    const value =
      operator === 'In'
        ? there !== undefined && values.includes(there)
          ? there
          : values[0]
        : operator === 'NotIn' && values.includes(there ?? '')
          ? others.find((each) => !values.includes(each))
          : operator === 'Exists'
            ? (there ?? others[0] ?? '')
            : there;
    if (value !== undefined) need(key, value);
  }
  const isOther =
    namesNodes(required) || [...needed.keys()].some((key) => key === hostname || currentLabel(key) !== undefined);
  return isOther || !isMet() ? null : Object.fromEntries(needed);
}
