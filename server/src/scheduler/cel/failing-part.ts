import type { Device } from '../../kubernetes/objects.ts';
import { check } from './check.ts';
import { stored, type StoredScope } from './declarations.ts';
import { deviceValue } from './device-value.ts';
import { parse } from './parse.ts';
import { Evaluation, plan } from './plan.ts';
import type { Expr } from './syntax.ts';
import { tokensOf } from './tokens.ts';
import { CelError, CostExceeded, isList, Optional, QuantityValue, Semver, Uint, type Value } from './values.ts';

/** The device that is asked, by a selector of a release. */
interface Asked {
  readonly driver: string;
  readonly device: Device;
  readonly scope: StoredScope;
}

/**
 * Of a selector that a device does not pass, the first of its parts joined by `&&` that is false, with what the device
 * has: `memory 40Gi < 80Gi`. The expression itself where that cannot be said in short.
 */
export function failingPart(expression: string, scope: StoredScope, driver: string, device: Device): string {
  return failing(expression.trim(), { driver, device, scope });
}

function failing(source: string, asked: Asked): string {
  const { expr } = parse(source);
  if (expr === null) return source;
  if (expr.kind === 'call' && expr.name === '_&&_') {
    const part = partsOf(source, '&&').find((each) => isFalse(each, asked));
    return part === undefined ? source : failing(part, asked);
  }
  if (expr.kind === 'call' && expr.name === '_||_') {
    return none(alternativesOf(source).map((each) => failing(each, asked)));
  }
  return textOf(expr, asked) ?? withValues(source, expr, asked);
}

const opening: ReadonlySet<string> = new Set(['(', '[', '{']);
const closing: ReadonlySet<string> = new Set([')', ']', '}']);

function alternativesOf(source: string): readonly string[] {
  const { expr } = parse(source);
  return expr?.kind === 'call' && expr.name === '_||_' ? partsOf(source, '||').flatMap(alternativesOf) : [source];
}

/** What is said of several parts of which one would do: `index 1 not in [0, 2]` of the same that is asked for in each. */
function none(texts: readonly string[]): string {
  const unequal = texts.map((text) => / ≠ (?!.* ≠ )/.exec(text)?.index ?? -1);
  const [had = ''] = texts.map((text, index) => text.slice(0, Math.max(0, unequal[index]!)));
  return had !== '' && texts.every((text, index) => text.slice(0, Math.max(0, unequal[index]!)) === had)
    ? `${had} not in [${texts.map((text) => text.slice(had.length + ' ≠ '.length)).join(', ')}]`
    : [...new Set(texts)].join(' and ');
}

/** The parts that an operator joins outside of brackets; those of an expression in brackets. */
function partsOf(source: string, operator: '&&' | '||'): readonly string[] {
  const chars = Array.from(source);
  const { tokens } = tokensOf(source);
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { kind, text, at } of tokens) {
    if (kind !== 'mark') continue;
    depth += opening.has(text) ? 1 : closing.has(text) ? -1 : 0;
    if (text === operator && depth === 0) {
      parts.push(chars.slice(start, at).join(''));
      start = at + text.length;
    }
  }
  parts.push(chars.slice(start).join(''));
  if (parts.length > 1) return parts.map((each) => each.trim());
  const [first, last] = [tokens[0], tokens.at(-2)];
  const isWrapped = first?.text === '(' && last?.text === ')';
  return isWrapped ? partsOf(chars.slice(first.at + 1, last.at).join(''), operator) : parts;
}

function isFalse(source: string, asked: Asked): boolean {
  const { expr } = parse(source);
  return expr !== null && valueOf(expr, asked) === false;
}

/** Undefined where the expression has no value by itself, or fails. */
function valueOf(expr: Expr, { driver, device, scope }: Asked): Value | undefined {
  const input = deviceValue(driver, device, scope.readsLists);
  if (typeof input === 'string') return undefined;
  const checked = check(expr, stored(scope));
  if (checked.problems.length > 0) return undefined;
  try {
    const { step, slots } = plan(expr, checked);
    return step(new Evaluation(input, slots));
  } catch (error) {
    if (error instanceof CelError || error instanceof CostExceeded) return undefined;
    throw error;
  }
}

/** What holds instead of a relation that does not. */
const opposites: ReadonlyMap<string, string> = new Map([
  ['_==_', '≠'],
  ['_!=_', '='],
  ['_<_', '≥'],
  ['_<=_', '>'],
  ['_>_', '≤'],
  ['_>=_', '<'],
]);
const mirrored: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['>', '<'],
  ['≤', '≥'],
  ['≥', '≤'],
]);
/** `a.compareTo(b) == 1` is `a > b`. */
const compared: ReadonlyMap<string, string> = new Map([
  ['_==_ 1', '_>_'],
  ['_==_ -1', '_<_'],
  ['_>_ -1', '_>=_'],
  ['_<_ 1', '_<=_'],
  ['_>=_ 1', '_>_'],
  ['_<=_ -1', '_<_'],
  ['_!=_ -1', '_>=_'],
  ['_!=_ 1', '_<=_'],
]);

function textOf(expr: Expr, asked: Asked): string | undefined {
  if (expr.kind === 'select' && expr.isTest) return `no ${expr.field}`;
  const flag = nameOf(expr);
  if (flag !== undefined) return `${flag} = false`;
  if (expr.kind !== 'call') return undefined;
  const { name, target, args } = expr;
  const [left, right] = args;
  if (left === undefined) return undefined;
  if (name === '!_') {
    const negated = nameOf(left);
    return negated === undefined ? undefined : `${negated} = true`;
  }
  if (target !== null) {
    const symbol = name === 'isGreaterThan' ? '≤' : name === 'isLessThan' ? '≥' : undefined;
    return symbol === undefined || args.length !== 1 ? undefined : relation(target, symbol, left, asked);
  }
  if (right === undefined) return undefined;
  if (name === '@in') {
    const wanted = printed(valueOf(left, asked));
    const key = nameOf(left);
    if (key === undefined) return wanted === undefined || nameOf(right) === undefined ? undefined : `no ${wanted}`;
    const among = printed(valueOf(right, asked));
    return wanted === undefined || among === undefined ? undefined : `${key} ${wanted} not in ${among}`;
  }
  const isCompareTo = left.kind === 'call' && left.name === 'compareTo' && left.target !== null;
  if (isCompareTo && right.kind === 'literal' && typeof right.value === 'bigint') {
    const meant = right.value === 0n ? name : compared.get(`${name} ${right.value}`);
    const symbol = opposites.get(meant ?? '');
    return symbol === undefined ? undefined : relation(left.target, symbol, left.args[0]!, asked);
  }
  const symbol = opposites.get(name);
  return symbol === undefined ? undefined : relation(left, symbol, right, asked);
}

function relation(left: Expr, symbol: string, right: Expr, asked: Asked): string | undefined {
  const [one, other] = [printed(valueOf(left, asked)), printed(valueOf(right, asked))];
  if (one === undefined || other === undefined) return undefined;
  const name = nameOf(left);
  if (name !== undefined) return `${name} ${one} ${symbol} ${other}`;
  const mirror = nameOf(right);
  return mirror === undefined ? undefined : `${mirror} ${other} ${mirrored.get(symbol) ?? symbol} ${one}`;
}

/** What is called in the device: `memory` of `device.capacity["gpu.example.com"].memory`. */
function nameOf(expr: Expr): string | undefined {
  const [path, ...others] = pathOf(expr) ?? [];
  return path === 'device' && others.length > 0 ? others.at(-1) : undefined;
}

/** Undefined of what is no path. */
function pathOf(expr: Expr): readonly string[] | undefined {
  if (expr.kind === 'ident') return [expr.name];
  if (expr.kind === 'select' && !expr.isTest) {
    const path = pathOf(expr.operand);
    return path && [...path, expr.field];
  }
  if (expr.kind !== 'call') return undefined;
  const { name, target, args } = expr;
  if (target !== null) return name === 'orValue' || name === 'value' ? pathOf(target) : undefined;
  const [from, key] = args;
  if (from === undefined || key?.kind !== 'literal' || typeof key.value !== 'string') return undefined;
  if (!lookUps.has(name)) return undefined;
  const path = pathOf(from);
  return path && [...path, key.value];
}

const lookUps: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);

/** The source, and the values of what it asks of the device. */
function withValues(source: string, expr: Expr, asked: Asked): string {
  const values = new Map<string, string>();
  const visit = (each: Expr): void => {
    const name = nameOf(each);
    if (name !== undefined) {
      const value = printed(valueOf(each, asked));
      if (value !== undefined) values.set(name, value);
      return;
    }
    if (each.kind === 'select') visit(each.operand);
    if (each.kind === 'list') each.elements.forEach(visit);
    if (each.kind !== 'call') return;
    if (each.target !== null) visit(each.target);
    each.args.forEach(visit);
  };
  visit(expr);
  const written = source.replaceAll(/\s+/g, ' ');
  if (values.size === 0) return written;
  return `${written} (${[...values].map(([name, value]) => `${name} ${value}`).join(', ')})`;
}

/** Undefined of what has no short text. */
function printed(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (typeof value === 'bigint' || typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (value instanceof QuantityValue) return value.quantity.text;
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Semver) {
    const { major, minor, patch, pre } = value;
    return `${major}.${minor}.${patch}${pre.length === 0 ? '' : `-${pre.join('.')}`}`;
  }
  if (value instanceof Optional) return value.value === undefined ? 'none' : printed(value.value);
  if (value === undefined || value === null || !isList(value)) return undefined;
  const parts = value.map(printed);
  return parts.includes(undefined) ? undefined : `[${parts.join(', ')}]`;
}
