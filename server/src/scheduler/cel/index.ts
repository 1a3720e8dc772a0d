import type { Device } from '../../kubernetes/objects.ts';
import { check, type Checked, isSelectorResult } from './check.ts';
import { type Declarations, declarations, type SelectorScope, stored, type StoredScope } from './declarations.ts';
import { deviceValue } from './device-value.ts';
import { estimatedCost } from './estimate.ts';
import { literalProblems } from './literals.ts';
import { parse } from './parse.ts';
import { Evaluation, plan, type Plan } from './plan.ts';
import type { CelProblem, Expr } from './syntax.ts';
import { typeText } from './types.ts';
import { CelError, CostExceeded, typeNameOf, type Value } from './values.ts';

export type { CelProblem } from './syntax.ts';
export type { StoredScope } from './declarations.ts';
export { failingPart } from './failing-part.ts';

/** Whether a device passes, or the text of the error that ends the evaluation. */
export type SelectorResult = boolean | { readonly error: string };

/** A selector of devices that compiles. */
export interface CompiledSelector {
  readonly matches: (driver: string, device: Device) => SelectorResult;
}

/** Why a selector does not compile. */
export interface SelectorRefusal {
  /** The text of the scheduler and of the API server. */
  readonly error: string;
  /** Where the mistakes are, in code points; none where the result has the wrong type. */
  readonly problems: readonly CelProblem[];
  /** The API server takes it for an error of its own, not of the value. */
  readonly isInternal?: true;
}

/** Compiles a selector as the scheduler does. Source: CompileCELExpression in dynamic-resource-allocation/cel/compile.go */
export function compileSelector(expression: string, scope: StoredScope): CompiledSelector | SelectorRefusal {
  const compiled = compile(expression, stored(scope));
  if ('error' in compiled) return compiled;
  const { planned } = compiled;
  return { matches: (driver, device) => evaluate(planned, deviceValue(driver, device, scope.readsLists)) };
}

/** CELSelectorExpressionMaxCost */
const highestCost = 1_000_000;

/** Why the API server takes no new object with a selector. Source: validateCELSelector in pkg/apis/resource/validation */
export function refuseSelector(expression: string, scope: SelectorScope): SelectorRefusal | 'too complex' | null {
  const compiled = compile(expression, declarations(scope));
  if ('error' in compiled) return compiled;
  return estimatedCost(compiled.expr, compiled.checked) > highestCost ? 'too complex' : null;
}

/** What a selector costs at most, by its text; for one that compiles. */
export function selectorCost(expression: string): number | null {
  const compiled = compile(expression, stored({ includes: true, readsLists: false }));
  return 'error' in compiled ? null : estimatedCost(compiled.expr, compiled.checked);
}

interface Compiled {
  readonly expr: Expr;
  readonly checked: Checked;
  readonly planned: Plan;
}

function compile(expression: string, declared: Declarations): Compiled | SelectorRefusal {
  const { expr, problems } = parse(expression);
  if (expr === null) return refused(expression, problems);
  const checked = check(expr, declared);
  if (checked.problems.length > 0) return refused(expression, checked.problems);
  const literals = literalProblems(expr, checked);
  if (literals.length > 0) return refused(expression, literals);
  if (!isSelectorResult(checked.type, declared)) {
    return { error: `must evaluate to bool or the unknown type, not ${typeText(checked.type)}`, problems: [] };
  }
  try {
    return { expr, checked, planned: plan(expr, checked) };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { error: `program instantiation failed: ${error.message}`, problems: [], isInternal: true };
  }
}

function evaluate({ step, slots }: Plan, input: ReturnType<typeof deviceValue>): SelectorResult {
  if (typeof input === 'string') return { error: input };
  try {
    const result = step(new Evaluation(input, slots));
    return typeof result === 'boolean' ? result : { error: notBool(result) };
  } catch (error) {
    if (error instanceof CelError || error instanceof CostExceeded) return { error: error.message };
    throw error;
  }
}

/** What Go says of a value that is no bool. */
function notBool(value: Value): string {
  const name = typeNameOf(value);
  const why =
    name === 'string'
      ? "unsupported native conversion from string to 'bool'"
      : name === 'double'
        ? "type conversion error from Double to 'bool'"
        : name === 'kubernetes.Semver'
          ? "type conversion error from 'Semver' to 'bool'"
          : `unsupported type conversion from '${name}' to bool`;
  return `CEL result of type ${name} could not be converted to bool: ${why}`;
}

/** Source: Errors.ToDisplayString in cel-go common/errors.go */
function refused(expression: string, problems: readonly CelProblem[]): SelectorRefusal {
  const placed = problems.map((problem) => ({ ...problem, ...placeOf(expression, problem.at) }));
  placed.sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = expression.split('\n');
  const texts = placed.slice(0, mostErrors).map(({ line, column, message }) => {
    const source = (lines[line - 1] ?? '').replaceAll('\t', ' ');
    const chars = Array.from(source);
    const isWide = (char: string | undefined): boolean => char !== undefined && char > '\u007f';
    const dots = chars.slice(0, column).map((char) => (isWide(char) ? '\uff0e' : '.'));
    const mark = isWide(chars[column]) ? '\uff3e' : '^';
    return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${source}\n | ${dots.join('')}${mark}`;
  });
  if (placed.length > mostErrors) texts.push(`${placed.length - mostErrors} more errors were truncated`);
  return { error: `compilation failed: ${texts.join('\n')}`, problems };
}

const mostErrors = 100;

function placeOf(expression: string, at: number): { readonly line: number; readonly column: number } {
  const before = Array.from(expression).slice(0, at).join('').split('\n');
  return { line: before.length, column: Array.from(before.at(-1)!).length };
}
