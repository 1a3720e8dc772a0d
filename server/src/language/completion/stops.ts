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
  let plain = '';
  let inStop = false;
  for (let at = 0; at < text.length; at++) {
    const start = inStop ? undefined : /^\$\{\d{1,9}:/.exec(text.slice(at, at + 12))?.[0];
    if (start !== undefined) {
      inStop = true;
      at += start.length - 1;
    } else if (!inStop && text.startsWith('$0', at)) {
      at += 1;
    } else if (inStop && text[at] === '}') {
      inStop = false;
    } else {
      if (text[at] === '\\' && /[\\$}]/.test(text[at + 1] ?? '')) at++;
      plain += text[at]!;
    }
  }
  return plain;
}
