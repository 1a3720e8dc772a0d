import { RE2JS } from 're2js';
import type { Checked } from './check.ts';
import { durationOf, timestampOf } from './times.ts';
import type { CelProblem, Expr } from './syntax.ts';
import { formatType, isSame, type Type, withoutOptional } from './types.ts';

/** What is wrong with literals of an expression whose types are right. Source: cel/validator.go */
export function literalProblems(expr: Expr, checked: Checked): readonly CelProblem[] {
  const all = [...withDescendants(expr)];
  return [
    ...all.flatMap((each) => argumentProblems(each, 'duration', (text) => durationOf(text) !== null)),
    ...all.flatMap((each) => argumentProblems(each, 'timestamp', (text) => timestampOf(text) !== null)),
    ...all.flatMap((each) => argumentProblems(each, 'matches', isRegex)),
    ...[...withDescendants(expr, true)].flatMap((each) => mixedProblems(each, checked)),
  ];
}

/** Folds that stand for a name are looked through as well. `sparesFormat`: not what is in a call of `format`. */
function* withDescendants(expr: Expr, sparesFormat = false): Generator<Expr> {
  yield expr;
  if (sparesFormat && expr.kind === 'call' && expr.name === 'format') return;
  for (const child of childrenOf(expr)) yield* withDescendants(child, sparesFormat);
}

function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === null ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'fold':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}

function argumentProblems(expr: Expr, name: string, isRight: (text: string) => boolean): readonly CelProblem[] {
  if (expr.kind !== 'call' || expr.name !== name) return [];
  const [arg] = expr.args;
  if (arg?.kind !== 'literal' || typeof arg.value !== 'string' || isRight(arg.value)) return [];
  return [{ at: arg.at, message: `invalid ${name} argument` }];
}

function isRegex(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
}

function mixedProblems(expr: Expr, { typeOf }: Checked): readonly CelProblem[] {
  if (expr.kind === 'list') {
    const { elements, optional } = expr;
    const types = elements.map((each, at) => (optional.has(at) ? withoutOptional(typeOf(each)).type : typeOf(each)));
    const wrong = types.findIndex((type) => !isSame(types[0]!, type, false));
    return wrong === -1 ? [] : [mismatch(elements[wrong]!, types[0]!, types[wrong]!)];
  }
  if (expr.kind !== 'map') return [];
  const [first] = expr.entries;
  if (first === undefined) return [];
  const valueType = ({ value, isOptional }: (typeof expr.entries)[number]): Type =>
    isOptional ? withoutOptional(typeOf(value)).type : typeOf(value);
  return expr.entries.slice(1).flatMap((entry) => {
    const keys = isSame(typeOf(first.key), typeOf(entry.key), false)
      ? []
      : [mismatch(entry.key, typeOf(first.key), typeOf(entry.key))];
    return isSame(valueType(first), valueType(entry), false)
      ? keys
      : [...keys, mismatch(entry.value, valueType(first), valueType(entry))];
  });
}

function mismatch({ at }: Expr, expected: Type, found: Type): CelProblem {
  return { at, message: `expected type '${formatType(expected)}' but found '${formatType(found)}'` };
}
