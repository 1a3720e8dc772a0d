import type { FieldError } from '../../kubernetes/field-error.ts';
import {
  formatQuantity,
  isQuantityError,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
} from '../../kubernetes/quantity.ts';
import { invalid } from './field-errors.ts';
import type { FieldPath } from './field-path.ts';
import { hugePageSizeText, isIntegerResource } from './resource-names.ts';

/**
 * Judges the amount of a resource, wherever one stands.
 * Source: ValidateResourceQuantityValue in pkg/apis/core/validation/validation.go
 */
export function validateAmount(name: string, quantity: Quantity, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (quantity.nanos < 0n) errors.push(invalid(at, formatQuantity(quantity), 'must be greater than or equal to 0'));
  if (isIntegerResource(name) && quantityMilliValue(quantity) % 1000n !== 0n) {
    errors.push(invalid(at, formatQuantity(quantity), 'must be an integer'));
  }
  return errors;
}

/**
 * Whether an amount of huge pages is a whole number of pages.
 * Source: IsHugePageResourceValueDivisible in pkg/apis/core/helper/helpers.go
 */
export function isWholePages(name: string, quantity: Quantity): boolean {
  const pageSize = parseQuantity(hugePageSizeText(name));
  if (isQuantityError(pageSize)) return false;
  const size = quantityValue(pageSize);
  if (size <= 0n || quantityMilliValue(pageSize) % 1000n !== 0n) return false;
  return quantityValue(quantity) % size === 0n;
}
