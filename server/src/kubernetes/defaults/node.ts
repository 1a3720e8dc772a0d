import type { Node } from '../objects.ts';
import { roundResourceList } from './resource-list.ts';

/**
 * Gives a node the capacity it reports as what can be allocated, if it does not say; amounts in thousandths.
 * Source: pkg/apis/core/v1/defaults.go SetDefaults_NodeStatus, SetDefaults_ResourceList
 */
export function defaultNode(node: Node): Node {
  const { status } = node;
  if (status === undefined) return node;
  const capacity = status.capacity === undefined ? undefined : roundResourceList(status.capacity);
  const allocatable = status.allocatable === undefined ? capacity : roundResourceList(status.allocatable);
  if (capacity === status.capacity && allocatable === status.allocatable) return node;
  return {
    ...node,
    status: {
      ...status,
      ...(capacity === undefined ? {} : { capacity }),
      ...(allocatable === undefined ? {} : { allocatable }),
    },
  };
}
