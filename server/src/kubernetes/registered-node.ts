import type { Node } from './objects.ts';

/** Labels of a node that the kubelet adds besides its name, as they mostly are. */
export const bareLabels: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/arch', 'amd64'],
  ['kubernetes.io/os', 'linux'],
]);

/** Whether a node is written without what its kubelet reports: for its labels or its taints. */
export function isWithoutSize({ status }: Node): boolean {
  return status?.allocatable === undefined && status?.capacity === undefined;
}

/**
 * A node with the labels that its kubelet would add where none has reported.
 * Source: pkg/kubelet/kubelet_node_status.go (initialNode)
 */
export function asRegistered(node: Node): Node {
  if (!isWithoutSize(node)) return node;
  const { metadata = {} } = node;
  const added = { ...Object.fromEntries(bareLabels), 'kubernetes.io/hostname': metadata.name ?? '' };
  return { ...node, metadata: { ...metadata, labels: { ...added, ...metadata.labels } } };
}
