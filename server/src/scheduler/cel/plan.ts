import { costOf, listCost, mapCost } from './cost.ts';
import type { Checked, ResolvedCall } from './check.ts';
import { typeNames } from './declarations.ts';
import { conversions } from './conversions.ts';
import { at, find, findOptional, functions } from './functions.ts';
import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr } from './syntax.ts';
import { dynType } from './types.ts';
import {
  CelError,
  CelMap,
  CostExceeded,
  equal,
  isList,
  isOfType,
  noOverload,
  Optional,
  typeNameOf,
  TypeValue,
  type Value,
  type Fn,
} from './values.ts';

/** Source: CELSelectorExpressionMaxCost */
const costLimit = 1_000_000;

/** One evaluation: what names have, and what it has cost. A name whose value failed has the error. */
export class Evaluation {
  readonly slots: (Value | CelError | undefined)[];
  #cost = 0;

  constructor(device: CelMap, slots: number) {
    this.slots = new Array<Value | CelError | undefined>(slots);
    this.slots[0] = device;
  }

  charge(cost: number): void {
    this.#cost += cost;
    if (this.#cost > costLimit) throw new CostExceeded();
  }
}

type Step = (evaluation: Evaluation) => Value;

/** Steps whose value never changes have it with them. */
type Planned = Step & { readonly constant?: Value };

export interface Plan {
  readonly step: Step;
  readonly slots: number;
}

/** Makes a checked expression ready to be evaluated again and again. Source: interpreter/planner.go */
export function plan(expr: Expr, checked: Checked): Plan {
  const planner = new Planner(checked);
  const step = planner.plan(expr);
  return { step, slots: planner.slots };
}

class Planner {
  readonly #checked: Checked;
  #scope: ReadonlyMap<string, number> = new Map([['device', 0]]);
  slots = 1;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  plan(expr: Expr): Planned {
    switch (expr.kind) {
      case 'literal':
        return constant(expr.value);
      case 'ident':
        return this.#ident(this.#checked.identOf(expr) ?? expr.name);
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

  #ident(name: string): Planned {
    const slot = this.#scope.get(name);
    if (slot === undefined) return constant(new TypeValue(typeNames.get(name) ?? dynType));
    return (evaluation) => {
      evaluation.charge(1);
      const value = evaluation.slots[slot];
      if (value instanceof CelError) throw value;
      return value!;
    };
  }

  /** What precedes a key: of what is no attribute yet one is made. */
  #operand(expr: Expr): Step {
    const step = this.plan(expr);
    const isAttribute = expr.kind === 'ident' || expr.kind === 'select' || (expr.kind === 'call' && isKey(expr));
    if (isAttribute) return step;
    return (evaluation) => {
      const value = step(evaluation);
      evaluation.charge(1);
      return value;
    };
  }

  #select(expr: SelectExpr): Planned {
    const ident = this.#checked.identOf(expr);
    if (ident !== undefined) return this.#ident(ident);
    const operand = this.#operand(expr.operand);
    const { field, isTest } = expr;
    if (isTest) return (evaluation) => isPresent(operand(evaluation), field);
    return (evaluation) => {
      const container = operand(evaluation);
      evaluation.charge(1);
      return container instanceof Optional ? findOptional(container, field) : at(container, field);
    };
  }

  #call(expr: CallExpr): Planned {
    const { name } = expr;
    switch (name) {
      case '_&&_':
        return this.#logic(expr, false);
      case '_||_':
        return this.#logic(expr, true);
      case '_?_:_':
        return this.#condition(expr);
      case '@not_strictly_false':
        return this.#notFalse(expr);
      case '!_':
        return this.#not(expr);
      case '_==_':
      case '_!=_':
        return this.#equality(expr, name === '_==_');
      case '_[_]':
      case '_[?_]':
      case '_?._':
        return this.#key(expr);
      default:
        return this.#function(expr);
    }
  }

  /** Either side may decide, whatever becomes of the other. Source: evalAnd, evalOr */
  #logic({ args }: CallExpr, decides: boolean): Planned {
    const terms = args.map((arg) => this.plan(arg));
    return (evaluation) => {
      let failure: CelError | null = null;
      for (const term of terms) {
        try {
          const value = term(evaluation);
          if (value === decides) return decides;
          if (typeof value !== 'boolean') failure ??= new CelError(noOverload);
        } catch (error) {
          if (!(error instanceof CelError)) throw error;
          failure ??= error;
        }
      }
      if (failure !== null) throw failure;
      return !decides;
    };
  }

  #condition({ args }: CallExpr): Planned {
    const [test, yes, no] = args.map((arg) => this.plan(arg)) as [Planned, Planned, Planned];
    return (evaluation) => {
      const value = test(evaluation);
      if (typeof value !== 'boolean') throw new CelError(noOverload);
      return value ? yes(evaluation) : no(evaluation);
    };
  }

  #notFalse({ args }: CallExpr): Planned {
    const inner = this.plan(args[0]!);
    return (evaluation) => {
      let value: Value = true;
      try {
        value = inner(evaluation);
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
      }
      evaluation.charge(1);
      return value !== false;
    };
  }

  #not({ args }: CallExpr): Planned {
    const inner = this.plan(args[0]!);
    return (evaluation) => {
      const value = inner(evaluation);
      evaluation.charge(1);
      if (typeof value !== 'boolean') throw new CelError(`${noOverload}: !_`);
      return !value;
    };
  }

  #equality({ args, name }: CallExpr, wantsEqual: boolean): Planned {
    const [left, right] = args.map((arg) => this.plan(arg)) as [Planned, Planned];
    const cost = costOf(name, '');
    return (evaluation) => {
      const [a, b] = [left(evaluation), right(evaluation)];
      evaluation.charge(cost([a, b], null));
      if (wantsEqual) return equal(a, b);
      try {
        return !equal(a, b);
      } catch (error) {
        if (error instanceof CelError) return true;
        throw error;
      }
    };
  }

  #key({ name, args }: CallExpr): Planned {
    const operand = this.#operand(args[0]!);
    const key = this.plan(args[1]!);
    const isOptional = name !== '_[_]';
    return (evaluation) => {
      const container = operand(evaluation);
      const value = key(evaluation);
      evaluation.charge(1);
      return isOptional || container instanceof Optional ? findOptional(container, value) : at(container, value);
    };
  }

  #function(expr: CallExpr): Planned {
    const call = this.#checked.callOf(expr)!;
    const { name, overloads } = call;
    const args = call.args.map((arg) => this.plan(arg));
    const run = functions.get(name);
    if (run === undefined) throw new CelError(`${noOverload}: ${name}`);
    const constants = args.map(({ constant: value }) => value);
    const [only] = constants;
    if (conversions.has(name) && args.length === 1 && only !== undefined) return constant(run(only));
    if (name === '@in' && overloads.length === 1 && isPlainList(constants[1])) return member(args[0]!, constants[1]);
    const overload = overloads.length === 1 ? overloads[0]!.id : '';
    const cost = costOf(name, overload);
    return (evaluation) => {
      const values = args.map((arg) => arg(evaluation));
      // A list that is too long to be paid is not made.
      if (name === 'lists.range' && Number(values[0]) > costLimit) throw new CostExceeded();
      const result = called(call, run, values);
      evaluation.charge(cost(values, result));
      return result;
    };
  }

  #list({ elements, optional }: ListExpr): Planned {
    const steps = elements.map((element) => this.plan(element));
    const values = steps.map(({ constant: value }) => value);
    if (values.every((value) => value !== undefined) && optional.size === 0) return constant(values);
    return (evaluation) => {
      const made: Value[] = [];
      for (const [place, step] of steps.entries()) {
        const value = step(evaluation);
        if (!optional.has(place)) {
          made.push(value);
        } else if (!(value instanceof Optional)) {
          throw new CelError(
            `cannot initialize optional list element from non-optional value of type ${typeNameOf(value)}`,
          );
        } else if (value.value !== undefined) {
          made.push(value.value);
        }
      }
      evaluation.charge(listCost);
      return made;
    };
  }

  #map({ entries }: MapExpr): Planned {
    const steps = entries.map(({ key, value, isOptional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      isOptional,
    }));
    const known = steps.map(({ key, value }) => [key.constant, value.constant] as const);
    const areConstant = known.every((pair): pair is readonly [Value, Value] => !pair.includes(undefined));
    if (areConstant && steps.every(({ isOptional }) => !isOptional)) return constant(new CelMap(known));
    return (evaluation) => {
      const made: (readonly [Value, Value])[] = [];
      for (const { key, value, isOptional } of steps) {
        const pair = [key(evaluation), value(evaluation)] as const;
        if (!isOptional) made.push(pair);
        else if (pair[1] instanceof Optional && pair[1].value !== undefined) made.push([pair[0], pair[1].value]);
      }
      evaluation.charge(mapCost);
      return new CelMap(made);
    };
  }

  #fold(expr: FoldExpr): Planned {
    const range = this.plan(expr.range);
    const init = this.plan(expr.init);
    const before = this.#scope;
    const [gathered, first, second] = [this.slots++, this.slots++, this.slots++];
    const within = new Map(before).set(expr.accumulator, gathered);
    const inside = new Map(within).set(expr.variable, first);
    if (expr.second !== null) inside.set(expr.second, second);
    this.#scope = inside;
    const condition = this.plan(expr.condition);
    const gathers = isList(init.constant ?? null) && (init.constant as readonly Value[]).length === 0;
    const step = gathers ? this.#appending(expr, gathered) : this.plan(expr.step);
    this.#scope = within;
    const result = this.plan(expr.result);
    this.#scope = before;
    const hasTwo = expr.second !== null;
    return (evaluation) => {
      const { slots } = evaluation;
      const over = range(evaluation);
      if (!isList(over) && !(over instanceof CelMap)) throw new CelError(noOverload);
      const start = gathers ? [] : settled(init, evaluation);
      slots[gathered] = start;
      for (const [own, other] of hasTwo ? pairsOf(over) : elementsOf(over)) {
        slots[first] = own;
        slots[second] = other;
        if (settled(condition, evaluation) === false) break;
        slots[gathered] = settled(step, evaluation);
      }
      return result(evaluation);
    };
  }

  /** A step that adds to a list adds to the one that there is: the real one does not copy it either. */
  #appending({ step, accumulator }: FoldExpr, slot: number): Step {
    const append = (expr: Expr): Step | null => {
      if (expr.kind !== 'call' || expr.name !== '_+_') return null;
      const [left, right] = expr.args;
      if (left?.kind !== 'ident' || left.name !== accumulator || right?.kind !== 'list') return null;
      const added = this.plan(right);
      return (evaluation) => {
        const made = added(evaluation) as readonly Value[];
        const list = evaluation.slots[slot];
        if (list instanceof CelError) throw list;
        evaluation.charge(2);
        (list as Value[]).push(...made);
        return list!;
      };
    };
    const whole = append(step);
    if (whole !== null) return whole;
    if (step.kind === 'call' && step.name === '_?_:_') {
      const [test, yes] = step.args;
      const [decide, add, keep] = [this.plan(test!), append(yes!), this.plan(step.args[2]!)];
      if (add !== null) {
        return (evaluation) => {
          const value = decide(evaluation);
          if (typeof value !== 'boolean') throw new CelError(noOverload);
          return value ? add(evaluation) : keep(evaluation);
        };
      }
    }
    return this.plan(step);
  }
}

function constant(value: Value): Planned {
  return Object.assign((): Value => value, { constant: value });
}

function isKey({ name }: CallExpr): boolean {
  return name === '_[_]' || name === '_[?_]' || name === '_?._';
}

function isPresent(container: Value, field: string): boolean {
  if (container instanceof Optional) return container.value !== undefined && isPresent(container.value, field);
  if (container instanceof CelMap) return container.get(field) !== undefined;
  return find(container, field) !== undefined;
}

/** The value of a step, or its error. */
function settled(step: Step, evaluation: Evaluation): Value | CelError {
  try {
    return step(evaluation);
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}

function* elementsOf(over: CelMap | readonly Value[]): Generator<readonly [Value, Value]> {
  for (const element of isList(over) ? over : over.keys()) yield [element, null];
}

function pairsOf(over: CelMap | readonly Value[]): Iterable<readonly [Value, Value]> {
  return isList(over) ? over.map((element, place) => [BigInt(place), element] as const) : over.entries();
}

/** Lists whose members are looked up cost nothing. Source: maybeOptimizeSetMembership */
function isPlainList(value: Value | undefined): value is readonly Value[] {
  return value !== undefined && isList(value) && value.every((each) => typeof each !== 'object');
}

function member(step: Step, list: readonly Value[]): Planned {
  return (evaluation) => {
    const value = step(evaluation);
    return list.some((each) => equal(each, value));
  };
}

/** Functions of the language itself look at their arguments themselves. */
function called({ name, overloads }: ResolvedCall, run: Fn, values: readonly Value[]): Value {
  const args = values as readonly [Value, ...Value[]];
  if (name.startsWith('_') || name.startsWith('-') || name === '@in' || name === 'size' || conversions.has(name)) {
    return run(...args);
  }
  const isFitting = overloads.some(({ args: types }) => types.every((type, place) => isOfType(values[place]!, type)));
  if (!isFitting) throw new CelError(`${noOverload}: ${name}(${values.map(typeNameOf).join(', ')})`);
  return run(...args);
}
