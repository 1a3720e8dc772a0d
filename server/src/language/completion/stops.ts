/** Texts in which an editor stops at places. Source: the snippet syntax of the language server protocol */

/** The n-th place, with the text that stands there until another is written. */
export function stop(n: number, text: string): string {
  return `\${${n}:${escaped(text)}}`;
}

/** Text without any place to stop. */
export function escaped(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

/** The text that is there when nobody fills anything in. */
export function withoutStops(text: string): string {
  return text.replace(/\$\{\d+:((?:\\.|[^}\\])*)\}/g, (_stop, filled: string) => filled).replace(/\\([\\$}])/g, '$1');
}
