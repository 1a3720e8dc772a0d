import { valueAt } from '../util/values.ts';
import type { JsonObject } from './json.ts';

/** A variable of some templating tool: nobody knows what it will be. */
export function isPlaceholder(text: string): boolean {
  return /[$%@{}<>]|^_[A-Z0-9_]+_$/.test(text);
}

/** The last two: an expression of Chainsaw, and what SOPS has encrypted. */
const variable =
  /\$\{[^${}]*\}|\$[A-Z_(]|<[^<>=()]+>|\{\{|\{[A-Za-z_][\w.-]*\}|__[A-Z][A-Z0-9_]*__|^_[A-Z0-9_]+_$|([@%])[A-Z][A-Z0-9_]*\1|^@[^@]+@$|^%[^%]+%$|^\(.+\)$|^ENC\[[A-Z]/;

/** Whether a text surely names such a variable, where a single sign of one may as well be a mistake. */
export function holdsVariable(text: string): boolean {
  return variable.test(text);
}

/** What an object is called by. */
export interface Identified {
  readonly kind: string;
  readonly namespace: string;
  /** Empty where the API server is to make one. */
  readonly name: string;
  readonly value: JsonObject;
}

/** A word in capitals within a name, which no name may have: `disk-wipe-HOSTNAME`. */
const inCapitals = /(?:^|[-.])[A-Z][A-Z0-9_]{2,}(?=$|[-.])/;

/**
 * A name that asks for one, and that no object may have: `service_name`, `your_namespace`, `[JOB_NAME]`, `__JOB__`. In
 * small letters it says in two words what is asked for; `my_app_name` is what somebody called an object.
 */
const inWords =
  /^\[.+\]$|^__[A-Z\d_]+__$|^[Yy](?:our|OUR)_\w|^[a-z\d]+_(?:name|namespace|id)$|\w_(?:NAME|NAMESPACE|ID)$/;

/** What an object is called by, as far as nobody knows it yet: then it is a template of what will be applied. */
export function openName({ kind, namespace, name, value }: Identified): string | undefined {
  const base = name === '' ? valueAt(value, ['metadata', 'generateName']) : name;
  return [kind, namespace, base].find(
    (part) =>
      typeof part === 'string' &&
      (holdsVariable(part) || (part !== kind && (inCapitals.test(part) || inWords.test(part)))),
  ) as string | undefined;
}
