import { list } from '../../util/words.ts';
import { say } from '../../util/say.ts';
import type { FieldType } from '../../kubernetes/api/index.ts';

/** More constants than these are not named one by one. */
const mostValues = 5;

/** What may be written in a field, for whoever does not read Go: `a list of text`. */
export function typeInWords(type: FieldType): string {
  switch (type.kind) {
    case 'bool':
      return say`true or false`;
    case 'int32':
    case 'int64':
      return say`a whole number`;
    case 'quantity':
      return say`an amount, as 250m or 1Gi`;
    case 'int-or-string':
      return say`a number or text`;
    case 'time':
      return say`a time`;
    case 'raw':
      return say`anything`;
    case 'string':
      return type.values.length === 0 || type.values.length > mostValues ? say`text` : list(type.values, mostValues);
    case 'list':
      return itemsInWords(type.item);
    case 'map':
      return valuesInWords(type.value);
    case 'struct':
      return say`a map`;
  }
}

function itemsInWords(item: FieldType): string {
  switch (item.kind) {
    case 'string':
      return say`a list of text`;
    case 'int32':
    case 'int64':
      return say`a list of whole numbers`;
    default:
      return say`a list`;
  }
}

function valuesInWords(value: FieldType): string {
  switch (value.kind) {
    case 'string':
      return say`text by name`;
    case 'quantity':
      return say`amounts by name`;
    default:
      return say`a map`;
  }
}
