import type { Device } from '../../kubernetes/objects.ts';
import { check, isSelectorResult } from './check.ts';
import { declarations } from './declarations.ts';
import { deviceValue } from './device-value.ts';
import { literalProblems } from './literals.ts';
import { parse } from './parse.ts';
import { Evaluation, plan, type Plan } from './plan.ts';
import type { CelProblem } from './syntax.ts';
import { typeText } from './types.ts';
import { CelError, CostExceeded, typeNameOf, type Value } from './values.ts';

export type { CelProblem } from './syntax.ts';
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
}

/**
 * Compiles a selector as the scheduler does. `hasIncludes`: the release lets selectors ask lists of attributes.
 * Source: CompileCELExpression in dynamic-resource-allocation/cel/compile.go
 */
export function compileSelector(expression: string, hasIncludes: boolean): CompiledSelector | SelectorRefusal {
  const parsed = parse(expression);
  if (parsed.expr === null) return refused(expression, parsed.problems);
  const checked = check(parsed.expr, declarations(hasIncludes));
  if (checked.problems.length > 0) return refused(expression, checked.problems);
  const literals = literalProblems(parsed.expr, checked);
  if (literals.length > 0) return refused(expression, literals);
  if (!isSelectorResult(checked.type)) {
    return { error: `must evaluate to bool or the unknown type, not ${typeText(checked.type)}`, problems: [] };
  }
  let planned: Plan;
  try {
    planned = plan(parsed.expr, checked);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { error: `program instantiation failed: ${error.message}`, problems: [] };
  }
  return { matches: (driver, device) => evaluate(planned, driver, device) };
}

function evaluate({ step, slots }: Plan, driver: string, device: Device): SelectorResult {
  const input = deviceValue(driver, device);
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
