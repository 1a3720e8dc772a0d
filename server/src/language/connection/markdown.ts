/** Text from manifests is text, never markup: everything that goes into Markdown passes through here. */

import { said } from '../../util/say.ts';

/** Longer texts are cut, so that an answer has a bound whatever a file says. A name has 253 characters at most. */
const longest = { code: 300, plain: 2000 };

/** Escapes what Markdown or HTML would take for markup. */
export function plain(text: string): string {
  const oneLine = cut(said(text), longest.plain).replace(/\s+/g, ' ').trim();
  // A list begins with a dash or a number, but only at the start.
  return oneLine.replace(/[\\`*_{}[\]()#|~<>&$]/g, '\\$&').replace(/^(?=[-+]|\d+[.)])/, '\u200b');
}

/** Inline code, whatever back-ticks it contains. */
export function code(text: string): string {
  const oneLine = cut(text, longest.code).replace(/\s+/g, ' ');
  if (oneLine === '') return '` `';
  const ticks = Math.max(0, ...(oneLine.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(ticks + 1);
  return ticks === 0 ? `${fence}${oneLine}${fence}` : `${fence} ${oneLine} ${fence}`;
}

/** A fenced block, longer fences than any in the text. */
export function block(text: string): string {
  const shown = said(text);
  const ticks = Math.max(2, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(ticks + 1);
  return `${fence}text\n${shown}\n${fence}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** A link to a line of a file. `line` counts from 0. */
export function link(label: string, uri: string, line: number): string {
  // Parentheses and spaces would end the target; an address has no others that matter here.
  const target = uri.replace(/[()\s<>]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `[${label}](${target}#L${line + 1})`;
}
