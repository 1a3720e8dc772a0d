import { say } from '../../util/say.ts';
import type { OperationProblem } from '../operations/parse-operation.ts';
import { parseTarget } from '../operations/parse-operation.ts';
import type { Target } from '../operations/operation.ts';

/** What a scenario asks of its end. */
export type Question = (
  | { readonly verb: 'evicted' | 'pending' | 'running'; readonly target: Target | null }
  | { readonly verb: 'fit' | 'threats' | 'drained' | 'removable'; readonly target: Target }
) & {
  /** As it is written. */
  readonly text: string;
  /** Undefined where the scenario only asks. */
  readonly expected?: Expectation;
};

/** What the number of an answer is compared with; whether a node is drained, or can go, counts as 1 or 0. */
export interface Expectation {
  readonly operator: '=' | '>=' | '<=';
  readonly amount: number;
}

/** Whether an answer is what is expected of it; null where nothing is. */
export function isMet({ expected }: Question, amount: number): boolean | null {
  if (expected === undefined) return null;
  if (expected.operator === '=') return amount === expected.amount;
  return expected.operator === '>=' ? amount >= expected.amount : amount <= expected.amount;
}

/** How each question is written. */
export const questionForms: Readonly<Record<Question['verb'], string>> = {
  evicted: 'evicted [KIND/NAMESPACE/NAME]',
  pending: 'pending [KIND/NAMESPACE/NAME]',
  running: 'running [KIND/NAMESPACE/NAME]',
  drained: 'drained node/NAME',
  removable: 'removable node/NAME',
  fit: 'fit KIND/NAMESPACE/NAME',
  threats: 'threats KIND/NAMESPACE/NAME',
};

const verbs = Object.keys(questionForms) as readonly Question['verb'][];

/** Questions about a node, which are answered with yes or no. */
export function isOfNode(verb: string): boolean {
  return verb === 'drained' || verb === 'removable';
}

/** What may follow each question: `= 0`, `>= 2`, `<= 5`; behind those about a node, `= yes` and `= no`. */
export const expectationForm = '= N | >= N | <= N';

/** Reads `evicted deployment/shop/cart`, and `evicted deployment/shop/cart = 0`. */
export function parseQuestion(text: string): Question | OperationProblem {
  const at = text.search(/[<>]?=/);
  const asked = at === -1 ? text : text.slice(0, at);
  const question = parseAsked(asked);
  if (at === -1 || 'problem' in question) return question;
  const written = text.slice(at).trim();
  const expected = parseExpectation(written, question.verb);
  if (expected !== undefined) return { ...question, text: text.trim(), expected };
  return {
    problem: isOfNode(question.verb)
      ? say`'${written}' is not understood; write = yes or = no`
      : say`'${written}' is not understood; write ${expectationForm}`,
  };
}

function parseExpectation(written: string, verb: Question['verb']): Expectation | undefined {
  const [, operator, amount] = /^(=|>=|<=)\s*([0-9]{1,9}|yes|no)$/.exec(written) ?? [];
  const isWord = amount === 'yes' || amount === 'no';
  if (operator === undefined || isWord !== isOfNode(verb) || (isWord && operator !== '=')) return undefined;
  return { operator: operator as Expectation['operator'], amount: isWord ? Number(amount === 'yes') : Number(amount) };
}

function parseAsked(text: string): Question | OperationProblem {
  const [first = '', named, ...rest] = text.trim().split(/\s+/);
  const verb = verbs.find((each) => each === first.toLowerCase());
  if (verb === undefined) return { problem: say`unknown question '${first}'; known are ${verbs.join(', ')}` };
  const target = named === undefined ? null : parseTarget(named);
  const wrong = { problem: say`'${text.trim()}' is not understood; write ${questionForms[verb]}` };
  if (rest.length > 0 || (named !== undefined && target === null)) return wrong;
  const isNode = target?.kind === 'Node';
  if (verb === 'evicted' || verb === 'pending' || verb === 'running') {
    return isNode ? wrong : { verb, target, text: text.trim() };
  }
  return target === null || isNode !== isOfNode(verb) ? wrong : { verb, target, text: text.trim() };
}
