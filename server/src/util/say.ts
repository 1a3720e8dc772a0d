/**
 * Texts that people read. Each is written in English, which is its key in the catalogs, with what is put into it as
 * parts. There are three ways to make them, of which a program takes one before its first text:
 *
 * - English at once, on the command line.
 * - In another language at once, in a page, whose language is known when it is opened (`speak`).
 * - As messages, in the server, which works out answers before anybody says in which language they are shown
 *   (`carry`): key and parts in one string, rendered by `said` where they leave. What users wrote is in no
 *   message but as a part, so that it stays as it is.
 */

/** What is put into a text: a text again, a name, or a number. */
export type Part = string | number;

/** How a language says a text. */
export interface Language {
  /** The text of a key, with its parts in the language already. */
  fill(key: string, parts: readonly Part[]): string;
}

/** Before the key of a text whose words an amount decides: its parts are the amount, and the text in English. */
export const amountMark = '#';

/** Keys of what is made of one other text: the beginning of a sentence, the rest of one, one without its full stop. */
export const keysOfForms = { sentence: '^{0}', inside: ',{0}', unstopped: '.{0}' } as const;

const forms: ReadonlyMap<string, (text: string) => string> = new Map([
  [
    keysOfForms.sentence,
    // The first word has a capital, unless it is a name, as paths and fields are.
    (text) => (/^[a-z]+(?![^\s,:;])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text),
  ],
  [
    keysOfForms.inside,
    // Names of objects have no capitals; what has two is an abbreviation.
    (text) => (/^\p{Lu}\P{Lu}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text),
  ],
  [keysOfForms.unstopped, (text) => (text.endsWith('.') ? text.slice(0, -1) : text)],
]);

const english: Language = {
  fill(key, parts) {
    const form = forms.get(key);
    if (form !== undefined) return form(`${parts[0] ?? ''}`);
    return key.startsWith(amountMark) ? `${parts[1] ?? ''}` : fillIn(key, parts);
  },
};

/** Puts parts where `{0}`, `{1}`… stand. */
export function fillIn(text: string, parts: readonly Part[]): string {
  return parts.length === 0 ? text : text.replace(/\{(\d+)\}/g, (_all, at: string) => `${parts[Number(at)] ?? ''}`);
}

/** How texts are kept that are shown later (`messages.ts`). */
export interface Carrier {
  made(key: string, parts: readonly Part[]): string;
  /** A text in which each message is replaced by what a language says. */
  rendered(text: string, language: Language): string;
}

let language = english;
let carrier: Carrier | undefined;

/** Has texts made in a language from now on; of messages, those that are rendered from now on. */
export function speak(other: Language | undefined): void {
  language = other ?? english;
}

/** Has texts made as messages from now on. */
export function carry(messages: Carrier | undefined): void {
  carrier = messages;
}

/** A text as it is shown in the language that is spoken. */
export function said(text: string): string {
  return carrier === undefined ? text : carrier.rendered(text, language);
}

/** A text as it is shown to those whose language is English whatever the editor's is: assistants, files that are kept. */
export function inEnglish(text: string): string {
  return carrier === undefined ? text : carrier.rendered(text, english);
}

function isEnglish(): boolean {
  return carrier === undefined && language === english;
}

function made(key: string, parts: readonly Part[]): string {
  return carrier === undefined ? language.fill(key, parts) : carrier.made(key, parts);
}

/** A text with its parts, which may be texts. */
export function say(template: TemplateStringsArray, ...parts: readonly Part[]): string {
  if (!isEnglish()) return made(keyOf(template), parts);
  let text = template[0]!;
  for (let at = 0; at < parts.length; at++) text += `${parts[at]!}${template[at + 1]!}`;
  return text;
}

/** `Array.join` for texts; words between them are a text as well. */
export function joined(texts: readonly string[], between: string): string {
  if (isEnglish() || !/\p{L}/u.test(between)) return texts.join(between);
  return texts.length < 2 ? texts.join('') : texts.reduce((before, text) => made(`{0}${between}{1}`, [before, text]));
}

/** A text whose words an amount decides: `{0} pods`. */
export function sayAmount(text: string, key: string, amount: string): string {
  return isEnglish() ? text : made(`${amountMark}${key}`, [amount, text]);
}

/** A text that begins a sentence. */
export function saySentence(text: string): string {
  return made(keysOfForms.sentence, [text]);
}

/** A sentence that another goes on with. */
export function sayInside(sentence: string): string {
  return made(keysOfForms.inside, [sentence]);
}

/** A sentence without its full stop. */
export function sayUnstopped(sentence: string): string {
  return made(keysOfForms.unstopped, [sentence]);
}

const keys = new WeakMap<TemplateStringsArray, string>();

function keyOf(template: TemplateStringsArray): string {
  let key = keys.get(template);
  if (key === undefined) {
    key = template.slice(1).reduce((text, rest, at) => `${text}{${at}}${rest}`, template[0]!);
    keys.set(template, key);
  }
  return key;
}
