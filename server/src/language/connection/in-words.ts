import { type Check, translated } from '../../report-model/check.ts';
import { isTranslated, said } from '../../util/say.ts';
import { asItIs } from './said-messages.ts';

/** A value of a table of fields, of which only what the table calls prose is in the language of the editor. */
export function inWords<T, Value extends T & object>(check: Check<T>, value: Value): Value {
  return asItIs(isTranslated() ? translated(check, value, said) : value);
}
