/**
 * Texts that people read. Each is written in English, which is its key, with what is put into it as arguments. Whoever
 * shows texts in another language listens to how they are made; without a listener, as on the command line, a text is
 * its English and nothing else happens.
 */

/** What is put into a text: a text again, a name, or a number. */
export type Part = string | number;

/** Who shows texts in another language. */
export interface Listener {
  /** A text was made; `key` is its English with `{0}`, `{1}`… for its parts. The answer takes its place. */
  made(english: string, key: string, parts: readonly Part[]): string;
  /** A text, or what was made of texts, in the other language; as it is where nobody has translated it. */
  said(text: string): string;
}

let listener: Listener | undefined;

/** Set once, by whoever shows texts, before the first of them is made. */
export function listenToTexts(other: Listener | undefined): void {
  listener = other;
}

/** Whether texts are said in another language than English. */
export function isTranslated(): boolean {
  return listener !== undefined;
}

/** A text in the language of whoever it is shown to, for those that cut it, escape it or put it into markup. */
export function said(text: string): string {
  return listener === undefined ? text : listener.said(text);
}

/** Noncharacters, which no text has that programs exchange. */
const marks = { start: '\ufdd0', end: '\ufdd1' } as const;

/** What a user wrote, for texts that it is put into: it is shown as it is, also where a text of ours reads the same. */
export function asWritten(text: string): string {
  return listener === undefined || text === '' ? text : `${marks.start}${text}${marks.end}`;
}

/** A text as it is shown, without the marks of what users wrote. */
export function withoutMarks(text: string): string {
  return text.includes(marks.start) ? text.replaceAll(/[\ufdd0\ufdd1]/g, '') : text;
}

/** A text with its parts, which may be texts. */
export function say(template: TemplateStringsArray, ...parts: readonly Part[]): string {
  let english = template[0]!;
  for (let at = 0; at < parts.length; at++) english += `${parts[at]!}${template[at + 1]!}`;
  return listener === undefined ? english : listener.made(english, keyOf(template), parts);
}

/** `Array.join` for texts. */
export function joined(texts: readonly string[], between: string): string {
  const english = texts.join(between);
  if (listener !== undefined && /\p{L}/u.test(between)) {
    return texts.reduce((before, text) => listener!.made(before + between + text, `{0}${between}{1}`, [before, text]));
  }
  return listener === undefined || texts.length < 2
    ? english
    : listener.made(english, texts.map((_text, at) => `{${at}}`).join(between), texts);
}

/** A text whose words an amount decides, which is its first part: `{0} pods`. */
export function sayAmount(english: string, key: string, amount: string): string {
  return listener === undefined ? english : listener.made(english, key, [amount]);
}

/** The key of what a text is when it begins a sentence. */
export const sentenceKey = '^{0}';

/** A text that begins a sentence in English. */
export function saySentence(english: string, text: string): string {
  return listener === undefined || english === text ? english : listener.made(english, sentenceKey, [text]);
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
