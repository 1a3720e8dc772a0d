import type { Message, MessageWriter } from 'vscode-languageserver';
import { isTranslated, said, withoutMarks } from '../../util/say.ts';

/** A connection's way out, on which texts get into the language of the editor. */
export function sayingMessages(writer: MessageWriter): MessageWriter {
  const write = writer.write.bind(writer);
  writer.write = (message: Message) => write(isTranslated() ? (inLanguage(message) as Message) : message);
  return writer;
}

/** What is no text for people, even where it reads like one: names, what is written into files, what comes back. */
const kept: ReadonlySet<string> = new Set([
  'jsonrpc',
  'method',
  'code',
  'source',
  'uri',
  'targetUri',
  'newText',
  'insertText',
  'filterText',
  'sortText',
  'data',
  'arguments',
  'command',
  'kind',
  'name',
  'namespace',
  'label',
  'mark',
  'tone',
  'plugin',
  'className',
  'lostAt',
  'decidedBy',
  'state',
  'from',
]);

const whole = new WeakSet<object>();

/** Leaves a value as it is when it is sent: what the command line says. */
export function asItIs<Value extends object>(value: Value): Value {
  whole.add(value);
  return value;
}

/** A value with its texts in the language of the editor; the same one where there are none. */
function inLanguage(value: unknown): unknown {
  if (typeof value === 'string') return withoutMarks(said(value));
  if (typeof value !== 'object' || value === null || whole.has(value)) return value;
  if (Array.isArray(value)) return replaced(value, value.map(inLanguage));
  const entries = Object.entries(value);
  const translated = entries.map(([key, item]) => (kept.has(key) ? (item as unknown) : inLanguage(item)));
  const before = entries.map(([, item]) => item as unknown);
  if (replaced(before, translated) === before) return value;
  return Object.fromEntries(entries.map(([key], at) => [key, translated[at]]));
}

/** The first, unless the second is another. */
function replaced(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return before.every((item, at) => item === after[at]) ? before : after;
}
