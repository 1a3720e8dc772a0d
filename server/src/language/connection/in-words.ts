import { type Check, translated } from '../../report-model/check.ts';
import { said } from '../../util/say.ts';
import { asItIs } from './said-messages.ts';

/** A value of a table of fields in the language of the editor: only what the table calls prose has texts. */
export function inWords<T, Value extends T & object>(check: Check<T>, value: Value): Value {
  return asItIs(translated(check, value, said));
}
