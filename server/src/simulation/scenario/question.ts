import { say } from '../../kit/say.ts';
import type { OperationProblem } from './parse-operation.ts';
import { parseTarget } from './parse-operation.ts';
import type { Target } from './operation.ts';

/** What a scenario asks of its end. */
export type Question =
  | { readonly verb: 'evicted' | 'pending' | 'running'; readonly target: Target | null; readonly text: string }
  | { readonly verb: 'fit' | 'threats' | 'drained'; readonly target: Target; readonly text: string };

/** How each question is written. */
export const questionForms: Readonly<Record<Question['verb'], string>> = {
  evicted: 'evicted [KIND/NAMESPACE/NAME]',
  pending: 'pending [KIND/NAMESPACE/NAME]',
  running: 'running [KIND/NAMESPACE/NAME]',
  drained: 'drained node/NAME',
  fit: 'fit KIND/NAMESPACE/NAME',
  threats: 'threats KIND/NAMESPACE/NAME',
};

const verbs = Object.keys(questionForms) as readonly Question['verb'][];

/** Reads `evicted deployment/shop/cart`. */
export function parseQuestion(text: string): Question | OperationProblem {
  const [first = '', named, ...rest] = text.trim().split(/\s+/);
  const verb = verbs.find((each) => each === first.toLowerCase());
  if (verb === undefined) return { problem: say`unknown question '${first}'; known are ${verbs.join(', ')}` };
  const target = named === undefined ? null : parseTarget(named);
  const wrong = { problem: say`'${text.trim()}' is not understood; write ${questionForms[verb]}` };
  if (rest.length > 0 || (named !== undefined && target === null)) return wrong;
  const isOfNode = target?.kind === 'Node';
  if (verb === 'evicted' || verb === 'pending' || verb === 'running') {
    return isOfNode ? wrong : { verb, target, text: text.trim() };
  }
  return target === null || isOfNode !== (verb === 'drained') ? wrong : { verb, target, text: text.trim() };
}
