import { amountMark, fillIn, keysOfForms, type Language, type Part } from './say.ts';

/** A text; by grammatical number, where the language has several: one, few, many. */
type Forms = string | readonly string[];

/** Texts by their English, or by what packages call them. */
export type Translations = Readonly<Record<string, Forms>>;

/** What finds a text by its English. */
interface Catalog {
  get(english: string): Forms | undefined;
}

/** Only a text that is translated begins otherwise: names are in Latin letters, and what is left English is rare. */
const forms: ReadonlyMap<string, (text: string) => string> = new Map([
  [keysOfForms.sentence, (text) => text.replace(/^\p{Script=Cyrillic}/u, (first) => first.toUpperCase())],
  [keysOfForms.inside, (text) => text.replace(/^\p{Script=Cyrillic}/u, (first) => first.toLowerCase())],
  [keysOfForms.unstopped, (text) => text.replace(/[.。]$/, '')],
]);

/** A language besides English. A text that its catalog lacks is English. */
export class Translation implements Language {
  readonly #texts: Catalog;
  readonly #plural: Intl.PluralRules;

  constructor(locale: string, texts: Catalog) {
    this.#texts = texts;
    this.#plural = new Intl.PluralRules(locale);
  }

  fill(key: string, parts: readonly Part[]): string {
    const form = forms.get(key);
    if (form !== undefined) return form(`${parts[0] ?? ''}`);
    const isAmount = key.startsWith(amountMark);
    const found = this.#texts.get(isAmount ? key.slice(1) : key);
    if (found === undefined) return isAmount ? `${parts[1] ?? ''}` : fillIn(key, parts);
    return fillIn(typeof found === 'string' ? found : this.#form(found, parts[0] ?? ''), parts);
  }

  #form(forms: readonly string[], amount: Part): string {
    const category = this.#plural.select(Number(`${amount}`.replaceAll(',', '')));
    const at = category === 'one' ? 0 : category === 'many' ? 2 : 1;
    return forms[at] ?? forms.at(-1)!;
  }
}
