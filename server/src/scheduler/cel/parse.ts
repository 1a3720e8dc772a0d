import { expandMacro } from './macros.ts';
import { type CallExpr, type CelProblem, type Expr, type MapEntry, SyntaxProblem } from './syntax.ts';
import { type Token, tokensOf } from './tokens.ts';
import { Bytes, Uint } from './values.ts';

export interface Parsed {
  readonly expr: Expr | null;
  readonly problems: readonly CelProblem[];
}

/** Source: errors of cel-go's ANTLR parser */
const startsOfExpression =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const startMarks: ReadonlySet<string> = new Set(['[', '{', '(', '.', '-', '!']);

const reserved: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'package',
  'namespace',
  'null',
  'return',
  'true',
  'var',
  'void',
  'while',
]);

const relations: ReadonlySet<string> = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);
const sums: ReadonlySet<string> = new Set(['+', '-']);
const products: ReadonlySet<string> = new Set(['*', '/', '%']);

/** cel-go's limit of nested expressions. */
const mostNested = 250;

/** Reads an expression; after the first mistake it stops. Source: parser/gen/CEL.g4, parser/parser.go */
export function parse(text: string): Parsed {
  const { tokens, problems } = tokensOf(text);
  try {
    const expr = new Parser(tokens).all();
    return problems.length === 0 ? { expr, problems } : { expr: null, problems };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { expr: null, problems: [...problems, { at: error.at, message: error.message }] };
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  all(): Expr {
    const expr = this.#expression();
    const { kind, text, at } = this.#token;
    if (kind === 'end') return expr;
    const isExtraneous = this.#tokens[this.#next + 1]?.kind === 'end';
    throw new SyntaxProblem(
      at,
      `Syntax error: ${isExtraneous ? 'extraneous' : 'mismatched'} input '${text}' expecting <EOF>`,
    );
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }

  #isAt(mark: string): boolean {
    const { kind, text } = this.#token;
    return text === mark && (kind === 'mark' || (mark === 'in' && kind === 'ident'));
  }

  #take(mark: string): Token | null {
    if (!this.#isAt(mark)) return null;
    return this.#tokens[this.#next++]!;
  }

  #expect(mark: string): Token {
    const found = this.#take(mark);
    if (found !== null) return found;
    const { text, at } = this.#token;
    const isExtra = this.#tokens[this.#next + 1]?.text === mark;
    const message = isExtra ? `extraneous input '${text}' expecting '${mark}'` : `missing '${mark}' at '${text}'`;
    throw new SyntaxProblem(at, `Syntax error: ${message}`);
  }

  #expression(): Expr {
    this.#depth += 1;
    if (this.#depth > mostNested) {
      throw new SyntaxProblem(this.#token.at, `expression recursion limit exceeded: ${mostNested}`);
    }
    const condition = this.#or();
    const op = this.#take('?');
    let expr = condition;
    if (op !== null) {
      const yes = this.#or();
      this.#expect(':');
      const no = this.#expression();
      expr = call(op.at, '_?_:_', [condition, yes, no]);
    }
    this.#depth -= 1;
    return expr;
  }

  #or(): Expr {
    const terms = [this.#and()];
    const ops: number[] = [];
    for (let op = this.#take('||'); op !== null; op = this.#take('||')) {
      ops.push(op.at);
      terms.push(this.#and());
    }
    return balanced('_||_', terms, ops);
  }

  #and(): Expr {
    const terms = [this.#binary(0)];
    const ops: number[] = [];
    for (let op = this.#take('&&'); op !== null; op = this.#take('&&')) {
      ops.push(op.at);
      terms.push(this.#binary(0));
    }
    return balanced('_&&_', terms, ops);
  }

  /** Relations, then sums, then products. */
  #binary(level: 0 | 1 | 2): Expr {
    const operators = [relations, sums, products][level]!;
    const side = (): Expr => (level === 2 ? this.#unary() : this.#binary(level === 0 ? 1 : 2));
    let left = side();
    for (;;) {
      const { kind, text, at } = this.#token;
      if (!operators.has(text) || (kind !== 'mark' && text !== 'in')) return left;
      this.#next += 1;
      left = call(at, text === 'in' ? '@in' : `_${text}_`, [left, side()]);
    }
  }

  #unary(): Expr {
    const first = this.#token;
    for (const mark of ['!', '-'] as const) {
      if (!this.#isAt(mark)) continue;
      const [, after] = [this.#token, this.#tokens[this.#next + 1]];
      const isNegative = mark === '-' && (after?.kind === 'int' || after?.kind === 'float');
      if (isNegative) break;
      let count = 0;
      while (this.#take(mark) !== null) count += 1;
      const member = this.#member();
      return count % 2 === 0 ? member : call(first.at, mark === '!' ? '!_' : '-_', [member]);
    }
    return this.#member();
  }

  #member(): Expr {
    let expr = this.#primary();
    for (;;) {
      const dot = this.#take('.');
      if (dot !== null) {
        const isOptional = this.#take('?') !== null;
        const field = this.#token;
        if (field.kind !== 'ident' && field.kind !== 'quoted') {
          const message = `Syntax error: no viable alternative at input '.${field.kind === 'end' ? '' : field.text}'`;
          throw new SyntaxProblem(field.at, message);
        }
        this.#next += 1;
        const name = field.kind === 'quoted' ? field.text.slice(1, -1) : field.text;
        if (isOptional) {
          expr = call(dot.at, '_?._', [expr, { kind: 'literal', at: field.at, value: name }]);
          continue;
        }
        const open = this.#take('(');
        expr =
          open === null
            ? { kind: 'select', at: dot.at, operand: expr, field: name, isTest: false }
            : this.#called(open.at, name, expr);
        continue;
      }
      const bracket = this.#take('[');
      if (bracket === null) return expr;
      const isOptional = this.#take('?') !== null;
      const index = this.#expression();
      this.#expect(']');
      expr = call(bracket.at, isOptional ? '_[?_]' : '_[_]', [expr, index]);
    }
  }

  #called(at: number, name: string, target: Expr | null): Expr {
    const args: Expr[] = [];
    if (!this.#isAt(')')) {
      do args.push(this.#expression());
      while (this.#take(',') !== null);
    }
    this.#expect(')');
    const made: CallExpr = { kind: 'call', at, name, target, args };
    return expandMacro(made) ?? made;
  }

  #primary(): Expr {
    const token = this.#startOfExpression();
    const { kind, text, at } = token;
    this.#next += 1;
    switch (kind) {
      case 'int':
        return { kind: 'literal', at, value: integer(text, at) };
      case 'uint': {
        const value = BigInt(text.slice(0, -1));
        if (value >= 1n << 64n) throw new SyntaxProblem(at, 'invalid uint literal');
        return { kind: 'literal', at, value: new Uint(value) };
      }
      case 'float':
        return { kind: 'literal', at, value: Number(text) };
      case 'string':
        return { kind: 'literal', at, value: token.content! };
      case 'bytes':
        return { kind: 'literal', at, value: new Bytes(token.content!) };
      case 'ident':
        return this.#named(token, '');
      default:
    }
    switch (text) {
      case '-': {
        const number = this.#token;
        this.#next += 1;
        const value = number.kind === 'int' ? integer(`-${number.text}`, at) : -Number(number.text);
        return { kind: 'literal', at, value };
      }
      case '(': {
        const expr = this.#expression();
        this.#expect(')');
        return expr;
      }
      case '[':
        return this.#list(at);
      case '{':
        return this.#map(at);
      default: {
        const name = this.#token;
        if (name.kind !== 'ident') {
          throw new SyntaxProblem(name.at, `Syntax error: no viable alternative at input '.${name.text}'`);
        }
        this.#next += 1;
        return this.#named(name, '.');
      }
    }
  }

  #startOfExpression(): Token {
    const token = this.#token;
    const isStart = ({ kind, text }: Token): boolean =>
      kind === 'mark' ? startMarks.has(text) : kind !== 'end' && kind !== 'quoted' && text !== 'in';
    if (isStart(token)) return token;
    const after = this.#tokens[this.#next + 1];
    const how = after !== undefined && isStart(after) ? 'extraneous' : 'mismatched';
    throw new SyntaxProblem(token.at, `Syntax error: ${how} input '${token.text}' expecting ${startsOfExpression}`);
  }

  #named({ text, at }: Token, dot: '' | '.'): Expr {
    if (dot === '') {
      if (text === 'true' || text === 'false') return { kind: 'literal', at, value: text === 'true' };
      if (text === 'null') return { kind: 'literal', at, value: null };
    }
    const open = this.#take('(');
    if (reserved.has(text)) throw new SyntaxProblem(at, `reserved identifier: ${text}`);
    return open === null ? { kind: 'ident', at, name: dot + text } : this.#called(open.at, dot + text, null);
  }

  #list(at: number): Expr {
    const elements: Expr[] = [];
    const optional = new Set<number>();
    while (!this.#isAt(']')) {
      if (this.#take('?') !== null) optional.add(elements.length);
      elements.push(this.#expression());
      if (this.#take(',') === null) break;
    }
    this.#expect(']');
    return { kind: 'list', at, elements, optional };
  }

  #map(at: number): Expr {
    const entries: MapEntry[] = [];
    while (!this.#isAt('}')) {
      const isOptional = this.#take('?') !== null;
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression(), isOptional });
      if (this.#take(',') === null) break;
    }
    this.#expect('}');
    return { kind: 'map', at, entries };
  }
}

function integer(text: string, at: number): bigint {
  const isNegative = text.startsWith('-');
  const value = BigInt(isNegative ? text.slice(1) : text);
  const signed = isNegative ? -value : value;
  if (BigInt.asIntN(64, signed) !== signed) throw new SyntaxProblem(at, 'invalid int literal');
  return signed;
}

function call(at: number, name: string, args: readonly Expr[]): CallExpr {
  return { kind: 'call', at, name, target: null, args };
}

/** As cel-go nests a row of terms, so that no side is deep. Source: logicManager in parser/helper.go */
function balanced(name: string, terms: readonly Expr[], ops: readonly number[]): Expr {
  if (terms.length === 1) return terms[0]!;
  const nest = (low: number, high: number): Expr => {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? terms[middle]! : nest(low, middle - 1);
    const right = middle === high ? terms[middle + 1]! : nest(middle + 1, high);
    return call(ops[middle]!, name, [left, right]);
  };
  return nest(0, ops.length - 1);
}
