import { type Listener, type Part, sentenceKey } from './say.ts';

/** A text by its English; by grammatical number, where the language has several: one, few, many. */
export type Translations = Readonly<Record<string, string | readonly string[]>>;

/** Says texts in another language as soon as they are made. */
export class Translation implements Listener {
  readonly #texts: ReadonlyMap<string, string | readonly string[]>;
  readonly #plural: Intl.PluralRules;

  constructor(locale: string, texts: Translations) {
    this.#texts = new Map(Object.entries(texts));
    this.#plural = new Intl.PluralRules(locale);
  }

  made(_english: string, key: string, parts: readonly Part[]): string {
    return this.fill(key, parts);
  }

  said(text: string): string {
    const found = this.#texts.get(text);
    return typeof found === 'string' ? found : text;
  }

  /** The text of a key with its parts, which are in the other language already. */
  fill(key: string, parts: readonly Part[]): string {
    if (key === sentenceKey) return `${parts[0]!}`.replace(/^\p{Script=Cyrillic}/u, (first) => first.toUpperCase());
    const found = this.#texts.get(key) ?? key;
    const text = typeof found === 'string' ? found : this.#form(found, parts[0]!);
    return parts.length === 0 ? text : text.replace(/\{(\d+)\}/g, (_all, at: string) => `${parts[Number(at)] ?? ''}`);
  }

  #form(forms: readonly string[], amount: Part): string {
    const category = this.#plural.select(Number(`${amount}`.replaceAll(',', '')));
    const at = category === 'one' ? 0 : category === 'many' ? 2 : 1;
    return forms[at] ?? forms.at(-1)!;
  }
}

/** Source: apimachinery/pkg/util/validation/validation.go (dns1123SubdomainFmt) */
const nameOfObject = /^[a-z0-9.-]+$/;

/** How many texts are remembered for long. */
const remembered = 100_000;

/**
 * Leaves texts English while answers are worked out, and says them in another language when they are shown: it
 * remembers of each what it was made of. Of very many texts the oldest are forgotten, and stay English.
 */
export class LateTranslation implements Listener {
  readonly #translation: Translation;
  readonly #isName: (text: string) => boolean;
  #young = new Map<string, Made>();
  #old = new Map<string, Made>();

  /** @param isName whether something is called so: then it is a name and no word of ours */
  constructor(translation: Translation, isName: (text: string) => boolean = () => false) {
    this.#translation = translation;
    this.#isName = isName;
  }

  made(english: string, key: string, parts: readonly Part[]): string {
    // Without parts it is its own key; and what is one of its parts is made of that one.
    if (parts.length === 0 || parts.includes(english)) return english;
    this.#young.set(english, { key, parts });
    if (this.#young.size >= remembered) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    return english;
  }

  said(text: string): string {
    const made = this.#young.get(text) ?? this.#old.get(text);
    if (made === undefined) {
      const other = this.#translation.said(text);
      return other !== text && nameOfObject.test(text) && this.#isName(text) ? text : other;
    }
    const parts = made.parts.map((part) => (typeof part === 'string' ? this.said(part) : part));
    return this.#translation.fill(made.key, parts);
  }
}

interface Made {
  readonly key: string;
  /** Texts among them are shorter than what was made of them, so that saying it comes to an end. */
  readonly parts: readonly Part[];
}
