/**
 * An integer of 64 bits that a JavaScript number rounds: it counts as the nearest number, and is told in all its digits.
 * It passes as a number, but is neither text nor an object of fields (`isObject`).
 */
export class ExactInteger extends Number {
  readonly #integer: bigint;

  constructor(integer: bigint) {
    super(integer);
    this.#integer = integer;
  }

  override toString(): string {
    return this.#integer.toString();
  }
}

export function exactInteger(integer: bigint): number {
  return new ExactInteger(integer) as unknown as number;
}

/** Whether a value of unknown make is a number, exact ones included. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' || value instanceof ExactInteger;
}
