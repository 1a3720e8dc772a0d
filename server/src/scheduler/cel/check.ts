import { type Declarations, deviceType, type Overload, typeNames } from './declarations.ts';
import type { CallExpr, CelProblem, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr } from './syntax.ts';
import {
  assign,
  assignAll,
  type Bindings,
  boolType,
  dynType,
  errorType,
  formatType,
  intType,
  isDyn,
  isSame,
  listOf,
  mapOf,
  mostGeneral,
  optionalOf,
  paramType,
  stringType,
  substitute,
  type Type,
  typeOf,
  withoutOptional,
} from './types.ts';
import { typeNameOf } from './values.ts';

/** What the checker found out of an expression. */
export interface Checked {
  readonly type: Type;
  readonly typeOf: (expr: Expr) => Type;
  /** Of a call: its function, qualified, and the ways to call it that the types allow. */
  readonly callOf: (expr: CallExpr) => ResolvedCall | undefined;
  /** What a name with dots stands for, where it is no selection. */
  readonly identOf: (expr: Expr) => string | undefined;
  readonly problems: readonly CelProblem[];
}

export interface ResolvedCall {
  readonly name: string;
  /** The target is left out where it is part of the name. */
  readonly args: readonly Expr[];
  readonly overloads: readonly Overload[];
}

/** Infers the types of an expression over the variable `device`. Source: checker/checker.go */
export function check(expr: Expr, declarations: Declarations): Checked {
  const checker = new Checker(declarations);
  checker.check(expr);
  return checker.result(expr);
}

class Checker {
  readonly #declarations: Declarations;
  readonly #types = new Map<Expr, Type>();
  readonly #calls = new Map<CallExpr, ResolvedCall>();
  readonly #idents = new Map<Expr, string>();
  readonly #problems: CelProblem[] = [];
  #bindings: Bindings = new Map();
  #scopes: ReadonlyMap<string, Type> = new Map([['device', deviceType]]);
  #variables = 0;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  result(expr: Expr): Checked {
    const known = new Map([...this.#types].map(([each, type]) => [each, substitute(this.#bindings, type, true)]));
    const typeOf = (each: Expr): Type => known.get(each) ?? errorType;
    return {
      type: typeOf(expr),
      typeOf,
      callOf: (call) => this.#calls.get(call),
      identOf: (each) => this.#idents.get(each),
      problems: this.#problems,
    };
  }

  check(expr: Expr): Type {
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #typeOf(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal': {
        const name = typeNameOf(expr.value);
        return typeNames.get(name)!;
      }
      case 'ident': {
        const type = this.#identType(expr.name);
        if (type !== undefined) {
          this.#idents.set(expr, expr.name.replace(/^\./, ''));
          return type;
        }
        return this.#undeclared(expr.at, expr.name);
      }
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'fold':
        return this.#fold(expr);
    }
  }

  #problem(at: number, message: string): Type {
    this.#problems.push({ at, message });
    return errorType;
  }

  #undeclared(at: number, name: string): Type {
    return this.#problem(at, `undeclared reference to '${name}' (in container '')`);
  }

  #mismatch(at: number, expected: Type, found: Type): Type {
    return this.#problem(at, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  #identType(written: string): Type | undefined {
    const name = written.startsWith('.') ? written.slice(1) : written;
    const variable = this.#scopes.get(name);
    if (variable !== undefined) return variable;
    const type = typeNames.get(name);
    return type === undefined ? undefined : typeOf(type);
  }

  #assign(wanted: Type, given: Type): boolean {
    const bindings = assign(this.#bindings, wanted, given);
    if (bindings !== null) this.#bindings = bindings;
    return bindings !== null;
  }

  #select(expr: SelectExpr): Type {
    const qualified = expr.isTest ? null : qualifiedName(expr);
    const ident = qualified === null ? undefined : this.#identType(qualified);
    if (ident !== undefined) {
      this.#idents.set(expr, qualified!);
      return ident;
    }
    const type = this.#fieldType(expr.at, expr.operand, expr.field, false);
    return expr.isTest ? boolType : substitute(this.#bindings, type, false);
  }

  #fieldType(at: number, operand: Expr, field: string, makesOptional: boolean): Type {
    const { type, isOptional } = withoutOptional(substitute(this.#bindings, this.check(operand), false));
    const found = this.#memberType(at, type, field);
    return isOptional || makesOptional ? optionalOf(found) : found;
  }

  #memberType(at: number, type: Type, field: string): Type {
    switch (type.kind) {
      case 'map':
        return type.params[1]!;
      case 'struct': {
        if (type.name !== deviceType.name) return this.#problem(at, `unexpected failed resolution of '${type.name}'`);
        return this.#declarations.fields.get(field) ?? this.#problem(at, `undefined field '${field}'`);
      }
      case 'param':
        this.#assign(dynType, type);
        return dynType;
      default:
        if (!isDyn(type) && type.kind !== 'error') {
          this.#problem(at, `type '${formatType(type)}' does not support field selection`);
        }
        return dynType;
    }
  }

  #call(expr: CallExpr): Type {
    const { name, target, args, at } = expr;
    if (name === '_?._') {
      const [operand, field] = args;
      const text = field?.kind === 'literal' && typeof field.value === 'string' ? field.value : '';
      this.#types.set(field!, stringType);
      return substitute(this.#bindings, this.#fieldType(at, operand!, text, true), false);
    }
    for (const arg of args) this.check(arg);
    if (target === null) {
      const plain = name.startsWith('.') ? name.slice(1) : name;
      const overloads = this.#declarations.functions.get(plain);
      if (overloads === undefined) return this.#undeclared(at, name);
      return this.#resolve(expr, plain, overloads, false, args);
    }
    const prefix = qualifiedName(target);
    const qualified = prefix === null ? undefined : `${prefix}.${name}`;
    const global = qualified === undefined ? undefined : this.#declarations.functions.get(qualified);
    if (global !== undefined) return this.#resolve(expr, qualified!, global, false, args);
    this.check(target);
    const members = this.#declarations.functions.get(name);
    if (members === undefined) return this.#undeclared(at, name);
    return this.#resolve(expr, name, members, true, [target, ...args]);
  }

  #resolve(
    expr: CallExpr,
    name: string,
    overloads: readonly Overload[],
    isMember: boolean,
    args: readonly Expr[],
  ): Type {
    const types = args.map((arg) => this.#types.get(arg)!);
    if (name === '_&&_' || name === '_||_') {
      this.#calls.set(expr, { name, args, overloads });
      const wrong = args.filter((_, at) => !this.#assign(types[at]!, boolType));
      for (const arg of wrong) this.#mismatch(arg.at, boolType, this.#types.get(arg)!);
      return wrong.length === 0 ? boolType : errorType;
    }
    const fitting: Overload[] = [];
    let result: Type | null = null;
    for (const overload of overloads) {
      if (overload.isMember !== isMember) continue;
      const own = new Map(overload.typeParams.map((param) => [param, this.#newVariable()]));
      const wanted = overload.args.map((arg) => substitute(own, arg, false));
      const bindings = assignAll(this.#bindings, types, wanted);
      if (bindings === null) continue;
      this.#bindings = bindings;
      fitting.push(overload);
      const type = substitute(bindings, substitute(own, overload.result, false), false);
      if (result === null) result = type;
      else if (!isDyn(result) && !isSame(type, result)) result = dynType;
    }
    if (result === null) {
      const given = types.map((type) => formatType(substitute(this.#bindings, type, true)));
      const signature = isMember ? `${given[0]}.(${given.slice(1).join(', ')})` : `(${given.join(', ')})`;
      return this.#problem(expr.at, `found no matching overload for '${name}' applied to '${signature}'`);
    }
    this.#calls.set(expr, { name, args, overloads: fitting });
    return result;
  }

  #newVariable(): Type {
    return paramType(`_var${this.#variables++}`);
  }

  #join(at: number, before: Type | null, type: Type): Type {
    if (before === null) return type;
    return this.#assign(before, type) ? mostGeneral(before, type) : this.#mismatch(at, before, type);
  }

  /** Of an element that may have no value: what it has. */
  #unwrapped(expr: Expr, type: Type): Type {
    const { type: inner, isOptional } = withoutOptional(type);
    if (!isOptional && !isDyn(inner)) this.#mismatch(expr.at, optionalOf(inner), inner);
    return inner;
  }

  #list({ elements, optional }: ListExpr): Type {
    let joined: Type | null = null;
    for (const [at, element] of elements.entries()) {
      const type = this.check(element);
      joined = this.#join(element.at, joined, optional.has(at) ? this.#unwrapped(element, type) : type);
    }
    return listOf(joined ?? this.#newVariable());
  }

  #map({ entries }: MapExpr): Type {
    let keys: Type | null = null;
    let values: Type | null = null;
    for (const { key, value, isOptional } of entries) {
      keys = this.#join(key.at, keys, this.check(key));
      const type = this.check(value);
      values = this.#join(value.at, values, isOptional ? this.#unwrapped(value, type) : type);
    }
    return mapOf(keys ?? this.#newVariable(), values ?? this.#newVariable());
  }

  #fold(expr: FoldExpr): Type {
    const range = substitute(this.#bindings, this.check(expr.range), false);
    const gathered = this.check(expr.init);
    const before = this.#scopes;
    const within = new Map(before).set(expr.accumulator, gathered);
    const [first, second] = this.#rangeTypes(expr, range);
    const inside = new Map(within).set(expr.variable, first);
    if (expr.second !== null) inside.set(expr.second, second);
    this.#scopes = inside;
    this.#expect(expr.condition, boolType);
    this.#expect(expr.step, gathered);
    this.#scopes = within;
    const result = this.check(expr.result);
    this.#scopes = before;
    return substitute(this.#bindings, result, false);
  }

  #expect(expr: Expr, type: Type): void {
    const found = this.check(expr);
    if (!this.#assign(type, found)) this.#mismatch(expr.at, type, found);
  }

  #rangeTypes({ range: { at }, second }: FoldExpr, range: Type): readonly [Type, Type] {
    switch (range.kind) {
      case 'list':
        return second === null ? [range.params[0]!, dynType] : [intType, range.params[0]!];
      case 'map':
        return [range.params[0]!, range.params[1]!];
      case 'dyn':
      case 'error':
      case 'param':
        this.#assign(dynType, range);
        return [dynType, dynType];
      default:
    }
    this.#problem(
      at,
      `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
    return [errorType, errorType];
  }
}

/** `a.b.c` as a name; null for anything else. */
function qualifiedName(expr: Expr): string | null {
  if (expr.kind === 'ident') return expr.name.replace(/^\./, '');
  if (expr.kind !== 'select' || expr.isTest) return null;
  const prefix = qualifiedName(expr.operand);
  return prefix === null ? null : `${prefix}.${expr.field}`;
}

/** Whether a selector may end in it. Source: CompileCELExpression */
export function isSelectorResult(type: Type, { attribute }: Declarations): boolean {
  return isSame(type, boolType) || isSame(type, attribute);
}
