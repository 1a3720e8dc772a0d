import type { Checked } from './check.ts';
import { listCost, mapCost, perCharacter, perRegexCharacter } from './cost.ts';
import type { CallExpr, Expr, FoldExpr } from './syntax.ts';
import { isSame, type Type } from './types.ts';
import { Bytes } from './values.ts';

/**
 * What a selector costs at most, reckoned from its text as the API server does before it stores one.
 * Source: Cost in cel-go checker/cost.go and ext/{lists,sets}.go, EstimateCallCost in apiserver/pkg/cel/library/cost.go,
 * sizeEstimator in dynamic-resource-allocation/cel/compile.go
 */
export function estimatedCost(expr: Expr, checked: Checked): number {
  return new Estimator(checked).cost(expr);
}

/** Where Go's unsigned integers end. */
const most = 2 ** 64;

interface Size {
  readonly min: number;
  readonly max: number;
}

interface Entries {
  readonly isList: boolean;
  readonly key: Size;
  readonly value: Size;
}

interface Variable {
  readonly path: Path | undefined;
  readonly size: Size | undefined;
  readonly entries: Entries | undefined;
}

/** The cost of a call without its arguments, and the size of what it returns. */
type Call = readonly [cost: number, size?: Size];

/** A slice of Go: paths that go on from the same one share its room, so that the later overwrites the earlier. */
interface Path {
  readonly names: string[];
  readonly length: number;
  readonly room: number;
}

function longer(path: Path | undefined, name: string): Path {
  const { names, length, room } = path ?? { names: [], length: 0, room: 0 };
  const isFull = length === room;
  const within = isFull ? names.slice(0, length) : names;
  within[length] = name;
  return { names: within, length: length + 1, room: isFull ? Math.max(1, room * 2) : room };
}

const unknown: Size = { min: 0, max: most };
const upTo = (max: number): Size => ({ min: 0, max });
const exactly = (size: number): Size => ({ min: size, max: size });
const bounded = (value: number): number => Math.min(value, most);
const add = (a: Size, b: Size): Size => ({ min: bounded(a.min + b.min), max: bounded(a.max + b.max) });
const times = (a: Size, b: Size): Size => ({ min: bounded(a.min * b.min), max: bounded(a.max * b.max) });
const union = (a: Size, b: Size): Size => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
const scaled = (max: number, factor: number): number => bounded(Math.ceil(max * factor));
const traversal = ({ max }: Size, passes = 1): number => scaled(max, passes * perCharacter);
const regex = (text: Size, pattern: Size): number =>
  bounded(scaled(bounded(text.max + 1), perCharacter) * scaled(pattern.max, perRegexCharacter));
const allocating = (size: Size, factor = 1): Call => [bounded(scaled(size.max, factor) + 1 + listCost), size];

function unionOf(one: Entries | undefined, other: Entries | undefined): Entries | undefined {
  if (one === undefined || other === undefined) return undefined;
  return { isList: one.isList, key: union(one.key, other.key), value: union(one.value, other.value) };
}

class Estimator {
  readonly #checked: Checked;
  readonly #paths = new Map<Expr, Path>();
  readonly #variables = new Map<string, Variable[]>();
  readonly #sizes = new Map<Expr, Size>();
  readonly #entries = new Map<Expr, Entries>();

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  cost(expr: Expr): number {
    switch (expr.kind) {
      case 'literal':
        return 0;
      case 'ident':
        if (this.#variable(expr.name) === undefined) this.#paths.set(expr, longer(undefined, expr.name));
        return 1;
      case 'select': {
        if (this.#checked.identOf(expr) !== undefined) return 1;
        const cost = this.cost(expr.operand);
        if (expr.isTest) return cost;
        this.#paths.set(expr, longer(this.#pathOf(expr.operand), expr.field));
        const { kind } = this.#checked.typeOf(expr.operand);
        return kind === 'map' || kind === 'struct' ? bounded(cost + 1) : cost;
      }
      case 'call':
        return this.#call(expr);
      case 'list': {
        const cost = this.#sum(expr.elements);
        this.#entries.set(expr, { isList: true, key: exactly(1), value: this.#largest(expr.elements) });
        return bounded(cost + listCost);
      }
      case 'map': {
        const [keys, values] = [expr.entries.map(({ key }) => key), expr.entries.map(({ value }) => value)];
        const cost = this.#sum([...keys, ...values]);
        this.#entries.set(expr, { isList: false, key: this.#largest(keys), value: this.#largest(values) });
        return bounded(cost + mapCost);
      }
      case 'fold':
        return isBinding(expr) ? this.#binding(expr) : this.#fold(expr);
    }
  }

  #sum(exprs: readonly Expr[]): number {
    return exprs.reduce((sum, each) => bounded(sum + this.cost(each)), 0);
  }

  #largest(exprs: readonly Expr[]): Size {
    if (exprs.length === 0) return exactly(0);
    return exprs.map((each) => this.#sizeOrUnknown(each)).reduce(union);
  }

  #variable(name: string): Variable | undefined {
    return this.#variables.get(name)?.at(-1);
  }

  #within<T>(variables: readonly (readonly [string, Variable])[], ask: () => T): T {
    for (const [name, variable] of variables) {
      this.#variables.set(name, [...(this.#variables.get(name) ?? []), variable]);
    }
    const answer = ask();
    for (const [name] of variables) this.#variables.get(name)!.pop();
    return answer;
  }

  #pathOf(expr: Expr): Path | undefined {
    return (expr.kind === 'ident' ? this.#variable(expr.name)?.path : undefined) ?? this.#paths.get(expr);
  }

  #entriesOf(expr: Expr): Entries | undefined {
    return this.#entries.get(expr) ?? (expr.kind === 'ident' ? this.#variable(expr.name)?.entries : undefined);
  }

  #sizeOf(expr: Expr): Size | undefined {
    const known = this.#sizes.get(expr) ?? writtenSize(expr);
    if (known !== undefined) return known;
    const declared = declaredSize(this.#pathOf(expr));
    if (declared !== undefined) {
      this.#sizes.set(expr, declared);
      return declared;
    }
    if (isScalar(this.#checked.typeOf(expr))) return exactly(1);
    return expr.kind === 'ident' ? this.#variable(expr.name)?.size : undefined;
  }

  #sizeOrUnknown(expr: Expr): Size {
    return this.#sizeOf(expr) ?? unknown;
  }

  #keep(expr: Expr, size: Size | undefined, entries?: Entries): void {
    if (size !== undefined) this.#sizes.set(expr, size);
    if (entries !== undefined) this.#entries.set(expr, entries);
  }

  /** `cel.bind`: the name stands for the value. */
  #binding(expr: FoldExpr): number {
    const cost = this.#sum([expr.range, expr.init]);
    const variable = {
      path: this.#pathOf(expr.init),
      size: this.#sizeOf(expr.init),
      entries: this.#entriesOf(expr.init),
    };
    const inner = this.#within([[expr.accumulator, variable]], () => this.cost(expr.result));
    this.#keep(expr, this.#sizeOf(expr.result), this.#entriesOf(expr.result));
    return bounded(cost + inner);
  }

  #fold(expr: FoldExpr): number {
    const { range, init } = expr;
    const cost = this.#sum([range, init]);
    const gathered = { path: this.#pathOf(init), size: this.#sizeOf(init), entries: this.#entriesOf(init) };
    const [each, result] = this.#within([[expr.accumulator, gathered]], () => {
      const step = this.#within(this.#loopVariables(expr), () => this.#sum([expr.condition, expr.step]));
      return [step, this.cost(expr.result)];
    });
    const count = this.#sizeOrUnknown(range);
    if (init.kind === 'literal') this.#keep(expr, this.#sizeOf(init));
    else if (init.kind === 'list' || init.kind === 'map') this.#keep(expr, count, this.#entriesOf(expr.step));
    return bounded(cost + result + bounded(count.max * each));
  }

  #loopVariables({ range, variable, second }: FoldExpr): (readonly [string, Variable])[] {
    const entries = this.#entriesOf(range);
    const isList = entries?.isList ?? this.#checked.typeOf(range).kind === 'list';
    const path = this.#pathOf(range);
    const named = (name: string, size: Size | undefined): Variable => ({
      path: longer(path, name),
      size,
      entries: undefined,
    });
    const value = (): Variable => named(isList ? '@items' : '@values', entries?.value);
    if (second !== null) {
      return [
        [variable, named(isList ? '@indices' : '@keys', entries?.key)],
        [second, value()],
      ];
    }
    return [[variable, isList ? value() : named('@keys', entries?.key)]];
  }

  #call(expr: CallExpr): number {
    const resolved = this.#checked.callOf(expr);
    // An optional field, which is no call to the checker
    if (resolved === undefined) return bounded(1 + this.cost(expr.args[0]!));
    const isMember = resolved.overloads[0]?.isMember === true;
    const [target, args] = isMember ? [resolved.args[0], resolved.args.slice(1)] : [undefined, resolved.args];
    const { name } = resolved;
    if (name === 'dyn') {
      const cost = this.cost(args[0]!);
      this.#keep(expr, this.#sizeOf(args[0]!), this.#entriesOf(args[0]!));
      return bounded(1 + cost);
    }
    const costs = args.map((arg) => {
      const cost = this.cost(arg);
      this.#sizeOf(arg);
      return cost;
    });
    const before = target === undefined ? 0 : this.cost(target);
    let largest = 0;
    let size: Size | undefined;
    for (const { id } of resolved.overloads) {
      const [own, result] = this.#callOf(expr, name, id, target, args);
      const cost =
        id === 'conditional'
          ? bounded(costs[0]! + Math.max(costs[1]!, costs[2]!))
          : bounded(own + costs.reduce((sum, each) => bounded(sum + each), 0));
      largest = Math.max(largest, cost);
      if (result !== undefined) size = size === undefined ? result : union(size, result);
      if (id === 'index_list' || id === 'index_map') {
        size = this.#entriesOf(args[0]!)?.value;
        this.#paths.set(expr, longer(this.#pathOf(args[0]!), id === 'index_list' ? '@items' : '@values'));
      }
      size ??= this.#sizeOf(expr);
    }
    this.#keep(expr, size);
    return bounded(before + largest);
  }

  #callOf(expr: CallExpr, name: string, id: string, target: Expr | undefined, args: readonly Expr[]): Call {
    const [first, second] = args.map((arg) => this.#sizeOrUnknown(arg));
    const of = target === undefined ? unknown : this.#sizeOrUnknown(target);
    const given = target === undefined ? (first ?? unknown) : of;
    switch (name) {
      case 'check':
        return [350_000];
      case 'fieldSelector':
      case 'labelSelector':
        return [bounded(10 + traversal(first!) + scaled(scaled(first!.max, 0.5), 50))];
      case 'isSorted':
      case 'sum':
      case 'max':
      case 'min':
      case 'indexOf':
      case 'lastIndexOf':
        return [this.#searched(target!, of)];
      case 'url':
      case 'lowerAscii':
      case 'upperAscii':
      case 'substring':
      case 'trim':
        return [traversal(given), given];
      case 'replace':
        return [traversal(of, 2), replaced(of, first!, second!)];
      case 'split': {
        const limit = args[1]?.kind === 'literal' && typeof args[1].value === 'bigint' ? args[1].value : undefined;
        return [traversal(of, 2), upTo(limit === undefined ? of.max : Number(BigInt.asUintN(64, limit)))];
      }
      case 'join': {
        const separators = { min: Math.max(0, of.min - 1), max: Math.max(0, of.max - 1) };
        const size = add(
          times(of, this.#itemSize(target!)),
          first === undefined ? exactly(0) : times(first, separators),
        );
        return [traversal(size), size];
      }
      case 'find':
      case 'findAll':
        return [regex(of, first!), upTo(of.max)];
      case 'ip':
        return [id === 'cidr_ip' ? 1 : traversal(first!)];
      case 'ip.isCanonical':
        return [traversal(first!, 2)];
      case 'containsIP':
        return [bounded(4 + (id === 'cidr_contains_ip_string' ? traversal(first!) : 0))];
      case 'containsCIDR':
        return [bounded(7 + (id === 'cidr_contains_cidr_string' ? traversal(first!) : 0))];
      case 'cidr':
      case 'isIP':
      case 'isCIDR':
      case 'quantity':
      case 'isQuantity':
      case 'semver':
      case 'isSemver':
        return [traversal(first!)];
      case 'validate':
        return [scaled(traversal(first!), 128 * perRegexCharacter)];
      case 'includes':
        return [48];
      case 'sets.contains':
      case 'sets.intersects':
        return [bounded(times(first!, second!).max + 1)];
      case 'sets.equivalent':
        return [bounded(scaled(times(first!, second!).max, 2) + 1)];
      case 'slice':
        return allocating(exactly(wrapped(literalOr(args[1]!, of.max) - literalOr(args[0]!, 0))));
      case 'lists.range':
        return allocating(exactly(literalOr(args[0]!, most)));
      case 'reverse':
        return allocating(of);
      case 'flatten':
        return allocating(of, args[0] === undefined ? 1 : literalOr(args[0], most));
      case 'distinct':
        return allocating(times(of, of), 2);
      case 'sort':
      case '@sortByAssociatedKeys': {
        const sorted = name === 'sort' ? of : first!;
        return allocating(times(sorted, sorted), /^list_(?:string|bytes)_/.test(id) ? 2 + perCharacter : 2);
      }
      case '_==_':
        return [this.#equality(args, first!, second!)];
      case '_!=_':
        return [scaled(Math.min(first!.max, second!.max), perCharacter)];
      default:
        return this.#callOfOverload(expr, id, of, args);
    }
  }

  #callOfOverload(expr: CallExpr, id: string, of: Size, args: readonly Expr[]): Call {
    const [first = unknown, second = unknown, third = unknown] = args.map((arg) => this.#sizeOrUnknown(arg));
    switch (id) {
      case 'string_format':
        return [traversal(of)];
      case 'string_to_bytes':
        return [traversal(first), { min: first.min, max: bounded(first.max * 4) }];
      case 'bytes_to_string':
        return [traversal(first), { min: Math.floor(first.min / 4), max: first.max }];
      case 'strings_quote':
        return [traversal(first), add(times(first, { min: 1, max: 2 }), exactly(2))];
      case 'starts_with_string':
      case 'ends_with_string':
        return [traversal(first)];
      case 'in_list':
        return [second.max];
      case 'matches_string':
        return [regex(of, first)];
      case 'contains_string':
        return [bounded(traversal(of) * traversal(first))];
      case 'logical_or':
      case 'logical_and':
        return [0];
      case 'conditional':
        this.#keep(expr, undefined, unionOf(this.#entriesOf(args[1]!), this.#entriesOf(args[2]!)));
        return [0, union(second, third)];
      case 'add_string':
      case 'add_bytes':
      case 'add_list': {
        const size = add(first, second);
        this.#keep(expr, undefined, unionOf(this.#entriesOf(args[0]!), this.#entriesOf(args[1]!)));
        return [id === 'add_list' ? 1 : traversal(size), size];
      }
      default:
        return [
          /^(?:less|greater)(?:_equals)?_(?:string|bytes)$/.test(id)
            ? scaled(Math.min(first.max, second.max), perCharacter)
            : 1,
        ];
    }
  }

  /** One traversal of a list, or of a text. */
  #searched(target: Expr, of: Size): number {
    const item = this.#checked.typeOf(target).params[0];
    if (item === undefined) return traversal(of);
    const isText = item.kind === 'string' || item.kind === 'bytes';
    return bounded(of.max * (isText ? bounded(1 + traversal(this.#itemSize(target))) : 1));
  }

  #itemSize(list: Expr): Size {
    if (this.#checked.typeOf(list).params.length === 0) return exactly(0);
    const path = this.#pathOf(list);
    const names = path === undefined ? [] : path.names.slice(0, path.length);
    return declaredSize(path && { names: [...names, '@items'], length: path.length + 1, room: 0 }) ?? unknown;
  }

  #equality([one, other]: readonly Expr[], first: Size, second: Size): number {
    const type = this.#checked.typeOf(one!);
    if (isSame(type, this.#checked.typeOf(other!))) {
      switch (type.name) {
        case 'kubernetes.NamedFormat':
          return traversal(exactly(64));
        case 'kubernetes.URL':
          return traversal(this.#sizeOf(other!) ?? exactly(1));
        default:
          if (type.kind === 'struct' || type.name.startsWith('net.')) return 1;
      }
    }
    return scaled(Math.min(first.max, second.max), perCharacter);
  }
}

function isBinding({ range, condition, accumulator }: FoldExpr): boolean {
  const isEmpty = range.kind === 'list' && range.elements.length === 0;
  return isEmpty && condition.kind === 'literal' && condition.value === false && accumulator !== '__result__';
}

function writtenSize(expr: Expr): Size | undefined {
  switch (expr.kind) {
    case 'literal': {
      const { value } = expr;
      if (typeof value === 'string') return exactly(Array.from(value).length);
      return exactly(value instanceof Bytes ? value.text.length : 1);
    }
    case 'list':
      return exactly(expr.elements.length);
    case 'map':
      return exactly(expr.entries.length);
    default:
      return undefined;
  }
}

const scalars: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar({ kind, name, params }: Type): boolean {
  return name === 'optional_type' ? isScalar(params[0]!) : scalars.has(kind);
}

interface Declared {
  readonly size: number;
  readonly fields?: ReadonlyMap<string, Declared>;
  readonly key?: Declared;
  readonly value?: Declared;
}

const attribute: Declared = { size: 64 };
const mapTo = (keySize: number, value: Declared): Declared => ({ size: 32, key: { size: keySize }, value });

/** The bounds of the API: DeviceMaxDomainLength, DeviceMaxIDLength, DeviceAttributeMaxValueLength and so on. */
const device: Declared = {
  size: 0,
  fields: new Map([
    ['driver', { size: 63 }],
    ['allowMultipleAllocations', { size: 1 }],
    ['attributes', mapTo(63, mapTo(32, attribute))],
    ['capacity', mapTo(63, mapTo(32, { size: 0 }))],
  ]),
};

function declaredSize(path: Path | undefined): Size | undefined {
  if (path?.names[0] !== 'device') return undefined;
  let at: Declared | undefined = device;
  for (const name of path.names.slice(1, path.length)) {
    if (name === '@items' || name === '@values') at = at.value;
    else if (name === '@keys') at = at.key;
    // All attributes have the same bound, whatever their names
    else at = at.fields?.get(name) ?? (at.value === attribute ? attribute : undefined);
    if (at === undefined) return undefined;
  }
  return upTo(at.size);
}

function literalOr(expr: Expr, otherwise: number): number {
  if (expr.kind !== 'literal' || typeof expr.value !== 'bigint') return otherwise;
  return Math.max(0, Number(expr.value));
}

/** A difference below zero, as Go has it. */
function wrapped(value: number): number {
  return value < 0 ? most + value : value;
}

function replaced(of: Size, found: Size, by: Size): Size {
  const bound = (size: number, isNone: boolean, isKept: boolean, each: number): readonly [number, number] =>
    isNone ? [bounded(size + 1), size] : isKept ? [0, size] : [Math.ceil(size / each), 0];
  const [largest, longest] = bound(of.max, found.min === 0, by.max <= found.min, found.min);
  const [fewest, shortest] = bound(of.min, found.max === 0, found.max <= by.min, found.max);
  return add(times({ min: fewest, max: largest }, by), { min: shortest, max: longest });
}
