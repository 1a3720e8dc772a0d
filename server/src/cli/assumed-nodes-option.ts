import { isQuantityError, parseQuantity } from '../kubernetes/quantity.ts';
import { defaultAssumedNodes, type AssumedNodes } from '../simulation/index.ts';
import { UsageError } from './command.ts';

const maxAssumedNodes = 1000;

/** Reads `COUNT[:CPU[:MEMORY[:PODS]]]`. Throws `UsageError`. */
export function parseAssumedNodes(text: string): AssumedNodes {
  const [count, cpu = defaultAssumedNodes.cpu, memory = defaultAssumedNodes.memory, pods, ...rest] = text.split(':');
  if (rest.length > 0) throw new UsageError(`--assume-nodes must be COUNT[:CPU[:MEMORY[:PODS]]], not '${text}'`);
  for (const quantity of [cpu, memory]) {
    if (isQuantityError(parseQuantity(quantity))) {
      throw new UsageError(`--assume-nodes: '${quantity}' is not a quantity`);
    }
  }
  return {
    count: wholeNumber(count ?? '', maxAssumedNodes),
    cpu,
    memory,
    pods: pods === undefined ? defaultAssumedNodes.pods : wholeNumber(pods, Number.MAX_SAFE_INTEGER),
  };
}

function wholeNumber(text: string, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new UsageError(`--assume-nodes: '${text}' is not a number from 1 to ${most}`);
  return value;
}
