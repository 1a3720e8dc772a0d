import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { Operation, WrittenTaint } from './operation.ts';

/** An operation in a few words, for a button or a chip: `+2 nodes like general-a`, `checkout to 1 replica`. */
export function operationLabel(operation: Operation, nodeName: (name: string) => string = (name) => name): string {
  switch (operation.verb) {
    case 'drain':
      return say`drain ${nodeName(operation.node)}`;
    case 'cordon':
      return say`cordon ${nodeName(operation.node)}`;
    case 'fail':
      return say`${nodeName(operation.node)} fails`;
    case 'uncordon':
      return say`uncordon ${nodeName(operation.node)}`;
    case 'add': {
      const { count: amount, like, size, labels = {} } = operation;
      const nodes = say`+${count(amount, 'node')}`;
      if ('pool' in like) return say`${nodes} of ${like.pool}`;
      const model =
        'node' in like ? say`${nodes} like ${nodeName(like.node)}` : say`${nodes} of ${like.cpu} cpu, ${like.memory}`;
      const sized = size === undefined ? model : say`${model}, ${size.cpu} cpu, ${size.memory}`;
      return joined([sized, ...Object.entries(labels).map(([key, value]) => `${key}=${value}`)], ', ');
    }
    case 'remove':
      return operation.target.kind === 'Node'
        ? say`remove ${nodeName(operation.target.name)}`
        : say`remove budget ${operation.target.name}`;
    case 'delete':
      return say`delete ${operation.target.name}`;
    case 'finish':
      return say`finish ${operation.target.name}`;
    case 'arrive':
      return say`${operation.target.name} is deployed`;
    case 'unready':
      return say`new pods of ${operation.target.name} are not ready`;
    case 'ungate':
      return say`remove the gate of ${operation.target.name}`;
    case 'scale':
      return say`${operation.target.name} to ${count(operation.replicas, 'replica')}`;
    case 'priority':
      return say`${operation.target.name} as ${operation.className}`;
    case 'class':
      return joined(
        [
          operation.name,
          ...(operation.value === undefined ? [] : [say`to ${operation.value}`]),
          ...(operation.preemptionPolicy === undefined ? [] : [operation.preemptionPolicy]),
        ],
        ' ',
      );
    case 'request':
      return say`${operation.target.name} asks for ${Object.entries(operation.requests)
        .map(([resource, amount]) => `${amount} ${resource}`)
        .join(', ')}`;
    case 'budget':
      return say`budget ${operation.target.name} ${operation.bound} ${operation.value}`;
    case 'quota':
      return say`quota ${operation.target.name} ${Object.entries(operation.hard)
        .map(([resource, amount]) => `${resource} ${amount}`)
        .join(', ')}`;
    case 'limit':
      return say`${operation.target.name} up to ${Object.entries(operation.limits)
        .map(([resource, amount]) => `${amount} ${resource}`)
        .join(', ')}`;
    case 'tolerate':
      return say`${operation.target.name} tolerates ${tolerated(operation.toleration)}`;
    case 'pressure':
      return say`memory runs short on ${nodeName(operation.node)}`;
    case 'label':
      return operation.value === null
        ? say`${nodeName(operation.node)} without label ${operation.key}`
        : say`label ${nodeName(operation.node)} ${operation.key}=${operation.value}`;
    case 'taint':
      return operation.removes
        ? say`untaint ${nodeName(operation.node)} ${taintText(operation.taint)}`
        : say`taint ${nodeName(operation.node)} ${taintText(operation.taint)}`;
  }
}

function tolerated({ key = '', value }: { readonly key?: string; readonly value?: string }): string {
  return value === undefined ? key : `${key}=${value}`;
}

function taintText({ key, value, effect }: WrittenTaint): string {
  return `${tolerated({ key, ...(value === undefined ? {} : { value }) })}${effect === null ? '' : `:${effect}`}`;
}
