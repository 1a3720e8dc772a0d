import { type CallExpr, type Expr, type FoldExpr, SyntaxProblem } from './syntax.ts';

/** What a fold gathers in. It is no name that an expression can have. */
const gathered = '@result';

/** What a call of a macro stands for; null when it is none. Source: parser/macro.go, ext/{bindings,comprehensions,lists}.go */
export function expandMacro(call: CallExpr): Expr | null {
  const { name, target, args } = call;
  if (target === null) return name === 'has' && args.length === 1 ? has(call) : null;
  if (target.kind === 'ident' && target.name === 'cel' && name === 'bind' && args.length === 3) return bound(call);
  const expand = macros.get(`${name}/${args.length}`);
  return expand === undefined ? null : expand(call, target);
}

type Macro = (call: CallExpr, target: Expr) => Expr;

function made(call: CallExpr, name: string, ...args: readonly Expr[]): Expr {
  return { kind: 'call', at: call.at, name, target: null, args };
}

function ident({ at }: CallExpr, name: string): Expr {
  return { kind: 'ident', at, name };
}

function literal({ at }: CallExpr, value: boolean | bigint): Expr {
  return { kind: 'literal', at, value };
}

function list({ at }: CallExpr, ...elements: readonly Expr[]): Expr {
  return { kind: 'list', at, elements, optional: new Set() };
}

function has({ at, args }: CallExpr): Expr {
  const [arg] = args;
  if (arg?.kind !== 'select' || arg.isTest) throw new SyntaxProblem(arg?.at ?? at, 'invalid argument to has() macro');
  return { kind: 'select', at, operand: arg.operand, field: arg.field, isTest: true };
}

function variableOf(expr: Expr, problem: string): string {
  if (expr.kind === 'ident' && !expr.name.includes('.')) return expr.name;
  throw new SyntaxProblem(expr.at, problem);
}

const noName = 'argument must be a simple name';
const noIdentifier = 'argument is not an identifier';

/** Gives a value a name in an expression. */
function named(call: CallExpr, name: string, value: Expr, inner: Expr): Expr {
  return {
    kind: 'fold',
    at: call.at,
    range: list(call),
    variable: '#unused',
    second: null,
    accumulator: name,
    init: value,
    condition: literal(call, false),
    step: ident(call, name),
    result: inner,
  };
}

function bound(call: CallExpr): Expr {
  const [name, value, inner] = call.args;
  if (name?.kind !== 'ident') {
    throw new SyntaxProblem(name!.at, 'cel.bind() variable names must be simple identifiers');
  }
  return named(call, name.name, value!, inner!);
}

interface Steps extends Pick<FoldExpr, 'condition' | 'init' | 'step'> {
  readonly result?: Expr;
}

/** A macro whose first arguments are `variables` names. */
function over(
  variables: 1 | 2,
  steps: (call: CallExpr, rest: readonly Expr[]) => Steps,
  problem = variables === 1 ? noName : noIdentifier,
): Macro {
  return (call, target) => {
    const names = call.args.slice(0, variables).map((name) => variableOf(name, problem));
    const [variable, second] = names;
    if (variable === second) throw new SyntaxProblem(call.args[1]!.at, `duplicate variable name: ${variable}`);
    const { init, condition, step, result } = steps(call, call.args.slice(variables));
    return {
      kind: 'fold',
      at: call.at,
      range: target,
      variable: variable!,
      second: second ?? null,
      accumulator: gathered,
      init,
      condition,
      step,
      result: result ?? ident(call, gathered),
    };
  };
}

function all(call: CallExpr, [test]: readonly Expr[]): Steps {
  return {
    init: literal(call, true),
    condition: made(call, '@not_strictly_false', ident(call, gathered)),
    step: made(call, '_&&_', ident(call, gathered), test!),
  };
}

function exists(call: CallExpr, [test]: readonly Expr[]): Steps {
  return {
    init: literal(call, false),
    condition: made(call, '@not_strictly_false', made(call, '!_', ident(call, gathered))),
    step: made(call, '_||_', ident(call, gathered), test!),
  };
}

function existsOne(call: CallExpr, [test]: readonly Expr[]): Steps {
  const added = made(call, '_+_', ident(call, gathered), literal(call, 1n));
  return {
    init: literal(call, 0n),
    condition: literal(call, true),
    step: made(call, '_?_:_', test!, added, ident(call, gathered)),
    result: made(call, '_==_', ident(call, gathered), literal(call, 1n)),
  };
}

/** `rest` is what each becomes, with a test before it where there are two. */
function transformed(call: CallExpr, rest: readonly Expr[], init: Expr, add: (value: Expr) => Expr): Steps {
  const [test, value] = rest.length === 2 ? rest : [undefined, rest[0]];
  const step = add(value!);
  return {
    init,
    condition: literal(call, true),
    step: test === undefined ? step : made(call, '_?_:_', test, step, ident(call, gathered)),
  };
}

function toList(call: CallExpr, rest: readonly Expr[]): Steps {
  return transformed(call, rest, list(call), (value) => made(call, '_+_', ident(call, gathered), list(call, value)));
}

function filtered(call: CallExpr, [test]: readonly Expr[]): Steps {
  return toList(call, [test!, { ...call.args[0]! }]);
}

function toMap(call: CallExpr, rest: readonly Expr[]): Steps {
  const init: Expr = { kind: 'map', at: call.at, entries: [] };
  const key = ident(call, variableOf(call.args[0]!, noIdentifier));
  return transformed(call, rest, init, (value) => made(call, 'cel.@mapInsert', ident(call, gathered), key, value));
}

function toEntries(call: CallExpr, rest: readonly Expr[]): Steps {
  const init: Expr = { kind: 'map', at: call.at, entries: [] };
  return transformed(call, rest, init, (value) => made(call, 'cel.@mapInsert', ident(call, gathered), value));
}

function optional(isFlat: boolean): Macro {
  return (call, target) => {
    const macro = isFlat ? 'optFlatMap' : 'optMap';
    const name = variableOf(call.args[0]!, `${macro}() variable name must be a simple identifier`);
    const value: Expr = { kind: 'call', at: call.at, name: 'value', target, args: [] };
    const inner = named(call, name, value, call.args[1]!);
    const has: Expr = { kind: 'call', at: call.at, name: 'hasValue', target, args: [] };
    return made(call, '_?_:_', has, isFlat ? inner : made(call, 'optional.of', inner), made(call, 'optional.none'));
  };
}

function sortBy(call: CallExpr, target: Expr): Expr {
  const input = '@__sortBy_input__';
  const keys = over(1, toList, noIdentifier)(call, ident(call, input));
  const sorted: Expr = {
    kind: 'call',
    at: call.at,
    name: '@sortByAssociatedKeys',
    target: ident(call, input),
    args: [keys],
  };
  return named(call, input, target, sorted);
}

const macros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['all/2', over(1, all)],
  ['exists/2', over(1, exists)],
  ['exists_one/2', over(1, existsOne)],
  ['existsOne/2', over(1, existsOne)],
  ['map/2', over(1, toList, noIdentifier)],
  ['map/3', over(1, toList, noIdentifier)],
  ['filter/2', over(1, filtered, noIdentifier)],
  ['all/3', over(2, all)],
  ['exists/3', over(2, exists)],
  ['exists_one/3', over(2, existsOne)],
  ['existsOne/3', over(2, existsOne)],
  ['transformList/3', over(2, toList)],
  ['transformList/4', over(2, toList)],
  ['transformMap/3', over(2, toMap)],
  ['transformMap/4', over(2, toMap)],
  ['transformMapEntry/3', over(2, toEntries)],
  ['transformMapEntry/4', over(2, toEntries)],
  ['optMap/2', optional(false)],
  ['optFlatMap/2', optional(true)],
  ['sortBy/2', sortBy],
]);
