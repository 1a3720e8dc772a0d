import type { Message, MessageWriter } from 'vscode-languageserver';
import { inEnglish, said } from '../../util/say.ts';

/** A connection's way out, on which texts get into the language of the editor. */
export function sayingMessages(writer: MessageWriter): MessageWriter {
  const write = writer.write.bind(writer);
  writer.write = (message: Message) => write(shown(message, said) as Message);
  return writer;
}

/** What is written into files, or compared with what stands there. */
const written: ReadonlySet<string> = new Set(['newText', 'insertText', 'filterText', 'sortText', 'arguments']);

const whole = new WeakSet<object>();

/** Leaves a value as it is when it is sent: its texts are in the language of the editor already. */
export function asItIs<Value extends object>(value: Value): Value {
  whole.add(value);
  return value;
}

/** A value with its texts as they are shown; the same one where there are none. */
function shown(value: unknown, language: (text: string) => string): unknown {
  if (typeof value === 'string') return language(value);
  if (typeof value !== 'object' || value === null || whole.has(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => shown(item, language));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const entries = Object.entries(value);
  const items = entries.map(([key, item]): unknown => {
    // What comes back as it was sent.
    if (key === 'data') return item;
    return shown(item, written.has(key) ? inEnglish : language);
  });
  if (items.every((item, at) => item === entries[at]![1])) return value;
  return Object.fromEntries(entries.map(([key], at) => [key, items[at]]));
}
