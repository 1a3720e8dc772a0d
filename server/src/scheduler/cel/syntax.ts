import type { Value } from './values.ts';

/** A parsed expression. `at` is where cel-go says it is: an offset in code points. */
export type Expr =
  | { readonly kind: 'literal'; readonly at: number; readonly value: Value }
  | { readonly kind: 'ident'; readonly at: number; readonly name: string }
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | FoldExpr;

export interface SelectExpr {
  readonly kind: 'select';
  readonly at: number;
  readonly operand: Expr;
  readonly field: string;
  /** Of the macro `has`. */
  readonly isTest: boolean;
}

export interface CallExpr {
  readonly kind: 'call';
  readonly at: number;
  readonly name: string;
  readonly target: Expr | null;
  readonly args: readonly Expr[];
}

export interface ListExpr {
  readonly kind: 'list';
  readonly at: number;
  readonly elements: readonly Expr[];
  /** Positions of the elements that are left out if they have no value. */
  readonly optional: ReadonlySet<number>;
}

export interface MapExpr {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: Expr;
  readonly value: Expr;
  readonly isOptional: boolean;
}

/** What macros over lists and maps become. Source: ast.ComprehensionExpr */
export interface FoldExpr {
  readonly kind: 'fold';
  readonly at: number;
  readonly range: Expr;
  readonly variable: string;
  readonly second: string | null;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** A mistake in an expression, at an offset in code points. */
export interface CelProblem {
  readonly at: number;
  readonly message: string;
}

/** Thrown inside of the parser, and caught by it. */
export class SyntaxProblem extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}
