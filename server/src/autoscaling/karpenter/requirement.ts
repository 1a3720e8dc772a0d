import type { RequirementWithMinValues } from './objects.ts';
import { stableKey } from './labels.ts';

/** Operators of a requirement when it is printed; bounds are printed behind them. */
export type SetOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

interface Parts {
  readonly key: string;
  /** Whether `values` are what is excluded. */
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  readonly gte?: number | undefined;
  readonly lte?: number | undefined;
  readonly minValues?: number | undefined;
}

/**
 * What a label may be: a set of values or the complement of one, with bounds for integers.
 * Source: sigs.k8s.io/karpenter pkg/scheduling/requirement.go at v1.13.0
 */
export class Requirement {
  readonly key: string;
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  /** Inclusive; `Gt` n is kept as n+1. */
  readonly gte: number | undefined;
  /** Inclusive; `Lt` n is kept as n−1. */
  readonly lte: number | undefined;
  readonly minValues: number | undefined;
  #identity: string | undefined;

  constructor({ key, complement, values, gte, lte, minValues }: Parts) {
    this.key = key;
    this.complement = complement;
    this.values = values;
    this.gte = gte;
    this.lte = lte;
    this.minValues = minValues;
  }

  static in(key: string, ...values: readonly string[]): Requirement {
    return new Requirement({ key: stableKey(key), complement: false, values: new Set(values) });
  }

  static exists(key: string): Requirement {
    return new Requirement({ key: stableKey(key), complement: true, values: new Set() });
  }

  static doesNotExist(key: string): Requirement {
    return Requirement.in(key);
  }

  /** Source: NewRequirementWithFlexibility */
  static of({ key: written, operator, values = [], minValues }: RequirementWithMinValues): Requirement {
    const key = stableKey(written);
    const bound = (): number => integerOf(values[0] ?? '') ?? 0;
    switch (operator) {
      case 'In':
        return new Requirement({ key, complement: false, values: new Set(values), minValues });
      case 'DoesNotExist':
        return new Requirement({ key, complement: false, values: new Set(), minValues });
      case 'NotIn':
        return new Requirement({ key, complement: true, values: new Set(values), minValues });
      case 'Gt':
        return new Requirement({ key, complement: true, values: new Set(), gte: bound() + 1, minValues });
      case 'Gte':
        return new Requirement({ key, complement: true, values: new Set(), gte: bound(), minValues });
      case 'Lt':
        return new Requirement({ key, complement: true, values: new Set(), lte: bound() - 1, minValues });
      case 'Lte':
        return new Requirement({ key, complement: true, values: new Set(), lte: bound(), minValues });
      default:
        return new Requirement({ key, complement: true, values: new Set(), minValues });
    }
  }

  get operator(): SetOperator {
    if (this.complement) return this.values.size > 0 ? 'NotIn' : 'Exists';
    return this.values.size > 0 ? 'In' : 'DoesNotExist';
  }

  /** Two requirements of one key with the same identity allow the same. */
  get identity(): string {
    return (this.#identity ??= JSON.stringify([
      this.complement,
      [...this.values].sort(),
      this.gte ?? null,
      this.lte ?? null,
      this.minValues ?? null,
    ]));
  }

  has(value: string): boolean {
    return this.values.has(value) !== this.complement && isWithin(value, this.gte, this.lte);
  }

  /** The one value that is left; undefined when there are several or none. */
  get only(): string | undefined {
    if (this.complement || this.values.size !== 1) return undefined;
    const [value] = this.values;
    return value;
  }

  /** Source: Requirement.Intersection */
  intersection(other: Requirement): Requirement {
    const { key } = this;
    const [gte, lte] = [larger(this.gte, other.gte), smaller(this.lte, other.lte)];
    const minValues = larger(this.minValues, other.minValues);
    if (gte !== undefined && lte !== undefined && gte > lte) {
      return new Requirement({ key, complement: false, values: new Set(), minValues });
    }
    const complement = this.complement && other.complement;
    const values = new Set<string>();
    const add = (value: string): void => {
      if (isWithin(value, gte, lte)) values.add(value);
    };
    if (complement) {
      for (const value of this.values) add(value);
      for (const value of other.values) add(value);
    } else {
      const [listed, filter] = this.complement ? [other, this] : [this, other];
      for (const value of listed.values) if (filter.values.has(value) !== filter.complement) add(value);
    }
    const bounds = complement ? { gte, lte } : {};
    return new Requirement({ key, complement, values, minValues, ...bounds });
  }

  /** Source: Requirement.HasIntersection */
  intersects(other: Requirement): boolean {
    const [gte, lte] = [larger(this.gte, other.gte), smaller(this.lte, other.lte)];
    if (gte !== undefined && lte !== undefined && gte > lte) return false;
    if (this.complement && other.complement) return true;
    const [listed, filter] = this.complement ? [other, this] : [this, other];
    for (const value of listed.values) {
      if (filter.values.has(value) !== filter.complement && isWithin(value, gte, lte)) return true;
    }
    return false;
  }

  withMinValues(minValues: number): Requirement {
    const { key, complement, values, gte, lte } = this;
    return new Requirement({ key, complement, values, gte, lte, minValues });
  }

  /** As upstream prints it. Source: Requirement.String */
  get text(): string {
    const { operator } = this;
    let text = `${this.key} ${operator}`;
    if (operator === 'In' || operator === 'NotIn') {
      const values = [...this.values].sort();
      const shown = values.length > 5 ? [...values.slice(0, 5), `and ${values.length - 5} others`] : values;
      text += ` [${shown.join(' ')}]`;
    }
    if (this.gte !== undefined) text += ` >=${this.gte}`;
    if (this.lte !== undefined) text += ` <=${this.lte}`;
    if (this.minValues !== undefined) text += ` minValues ${this.minValues}`;
    return text;
  }

  /** As it is written into a NodeClaim, which loses excluded values beside bounds. Source: NodeSelectorRequirement */
  get written(): readonly RequirementWithMinValues[] {
    const { key, gte, lte, minValues, operator } = this;
    const min = minValues === undefined ? {} : { minValues };
    const bounds: RequirementWithMinValues[] = [];
    if (gte !== undefined) bounds.push({ key, operator: 'Gte', values: [String(gte)], ...min });
    if (lte !== undefined) bounds.push({ key, operator: 'Lte', values: [String(lte)], ...min });
    if (bounds.length > 0) return bounds;
    const values = [...this.values].sort();
    return [{ key, operator, ...(values.length === 0 ? {} : { values }), ...min }];
  }
}

/** A whole number as Go's `strconv.Atoi` reads it. */
export function integerOf(text: string): number | undefined {
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined;
}

function isWithin(value: string, gte: number | undefined, lte: number | undefined): boolean {
  if (gte === undefined && lte === undefined) return true;
  const number = integerOf(value);
  if (number === undefined) return false;
  return (gte === undefined || number >= gte) && (lte === undefined || number <= lte);
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
