import { count } from '../../kit/words.ts';
import type { Operation, WrittenTaint } from './operation.ts';

/** An operation in a few words, for a button or a chip: `+2 nodes like general-a`, `checkout to 1 replica`. */
export function operationLabel(operation: Operation, nodeName: (name: string) => string = (name) => name): string {
  switch (operation.verb) {
    case 'drain':
    case 'cordon':
    case 'uncordon':
      return `${operation.verb} ${nodeName(operation.node)}`;
    case 'add': {
      const { count: amount, like } = operation;
      const nodes = `+${count(amount, 'node')}`;
      return 'node' in like ? `${nodes} like ${nodeName(like.node)}` : `${nodes} of ${like.cpu} cpu, ${like.memory}`;
    }
    case 'remove':
      return operation.target.kind === 'Node'
        ? `remove ${nodeName(operation.target.name)}`
        : `remove budget ${operation.target.name}`;
    case 'delete':
    case 'finish':
      return `${operation.verb} ${operation.target.name}`;
    case 'arrive':
      return `${operation.target.name} arrives`;
    case 'ungate':
      return `remove the gate of ${operation.target.name}`;
    case 'scale':
      return `${operation.target.name} to ${count(operation.replicas, 'replica')}`;
    case 'priority':
      return `${operation.target.name} as ${operation.className}`;
    case 'class':
      return [
        operation.name,
        ...(operation.value === undefined ? [] : [`to ${operation.value}`]),
        ...(operation.preemptionPolicy === undefined ? [] : [operation.preemptionPolicy]),
      ].join(' ');
    case 'request':
      return `${operation.target.name} asks for ${Object.entries(operation.requests)
        .map(([resource, amount]) => `${amount} ${resource}`)
        .join(', ')}`;
    case 'budget':
      return `budget ${operation.target.name} ${operation.bound} ${operation.value}`;
    case 'tolerate':
      return `${operation.target.name} tolerates ${tolerated(operation.toleration)}`;
    case 'pressure':
      return `memory runs short on ${nodeName(operation.node)}`;
    case 'label':
      return operation.value === null
        ? `${nodeName(operation.node)} without label ${operation.key}`
        : `label ${nodeName(operation.node)} ${operation.key}=${operation.value}`;
    case 'taint':
      return `${operation.removes ? 'untaint' : 'taint'} ${nodeName(operation.node)} ${taintText(operation.taint)}`;
  }
}

function tolerated({ key = '', value }: { readonly key?: string; readonly value?: string }): string {
  return value === undefined ? key : `${key}=${value}`;
}

function taintText({ key, value, effect }: WrittenTaint): string {
  return `${tolerated({ key, ...(value === undefined ? {} : { value }) })}${effect === null ? '' : `:${effect}`}`;
}
