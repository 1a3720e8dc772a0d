import { say } from '../../kit/say.ts';
import type { Node } from '../../kubernetes/objects.ts';
import { isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import type { AssumedNodes } from './input.ts';

export const defaultAssumedNodes: AssumedNodes = { count: 3, cpu: '4', memory: '16Gi', pods: 110 };

const mostAssumedNodes = 1000;

/** Reads `COUNT[:CPU[:MEMORY[:PODS]]]`, or says what is wrong with it. */
export function assumedNodesOf(text: string): AssumedNodes | string {
  const [count = '', cpu = defaultAssumedNodes.cpu, memory = defaultAssumedNodes.memory, written, ...rest] =
    text.split(':');
  if (rest.length > 0) return say`'${text}' is not COUNT[:CPU[:MEMORY[:PODS]]]`;
  for (const quantity of [cpu, memory]) {
    if (isQuantityError(parseQuantity(quantity))) return say`'${quantity}' is not a quantity`;
  }
  const pods = written ?? String(defaultAssumedNodes.pods);
  for (const [number, most] of [
    [count, mostAssumedNodes],
    [pods, Number.MAX_SAFE_INTEGER],
  ] as const) {
    const value = /^\d+$/.test(number) ? Number(number) : 0;
    if (value < 1 || value > most) return say`'${number}' is not a number from 1 to ${most}`;
  }
  return { count: Number(count), cpu, memory, pods: Number(pods) };
}

/** What a kubelet reports of a node that has this much: with the rest that each of them has, for what asks for it. */
export function reportedAmounts({
  cpu,
  memory,
  pods,
}: Readonly<Record<'cpu' | 'memory' | 'pods', string | number>>): Record<string, string> {
  return { cpu: String(cpu), 'ephemeral-storage': '100Gi', memory: String(memory), pods: String(pods) };
}

/** Whether a node is written without what its kubelet reports: for its labels or its taints. */
export function isWithoutSize({ status }: Node): boolean {
  return status?.allocatable === undefined && status?.capacity === undefined;
}

/**
 * A node without a status as its kubelet would report it if it were of an assumed size.
 * Source: pkg/kubelet/nodestatus/setters.go; pkg/kubelet/kubelet_node_status.go (initialNode)
 */
export function withSizeOf(node: Node, size: AssumedNodes): Node {
  const amounts = reportedAmounts(size);
  const { metadata = {} } = node;
  const labels = {
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': metadata.name ?? '',
    'kubernetes.io/os': 'linux',
    ...metadata.labels,
  };
  return {
    ...node,
    metadata: { ...metadata, labels },
    status: { ...node.status, capacity: amounts, allocatable: amounts },
  };
}

/** Nodes that nobody declared: `assumed-a`, `assumed-b`, … each in a zone of its own. */
export function makeAssumedNodes(wanted: AssumedNodes): Node[] {
  return Array.from({ length: wanted.count }, (_, index) => {
    const letter = letters(index);
    const name = `assumed-${letter}`;
    const amounts = reportedAmounts(wanted);
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: {
          'kubernetes.io/arch': 'amd64',
          'kubernetes.io/hostname': name,
          'kubernetes.io/os': 'linux',
          'topology.kubernetes.io/region': 'assumed',
          'topology.kubernetes.io/zone': `zone-${letter}`,
        },
      },
      status: { capacity: amounts, allocatable: amounts },
    };
  });
}

/** a to z, then aa, ab, … */
function letters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest === 0 ? '' : letters(rest - 1)) + String.fromCharCode(97 + (index % 26));
}
