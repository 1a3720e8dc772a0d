/**
 * Replaces `${name:=text}` and `${name:-text}` by that text, as Flux does where no value is known; the rest stays as it is
 * written.
 */
export function substituteDefaults(text: string): string {
  return replacePlaceholders(text, (_, operation, written) => presetIn(operation) ?? written);
}

/** The text that is given for the case that there is no value: what stands after the name. */
export function presetIn(operation: string): string | undefined {
  return /^(?::?=|:?-)([^]*)$/.exec(operation)?.[1];
}

/** Replaces each `${name}` in a text, those in presets first; `$${name}` becomes `${name}`. */
export function replacePlaceholders(
  text: string,
  replace: (name: string, operation: string, written: string) => string,
): string {
  let result = '';
  let done = 0;
  let end = -1;
  for (let start = text.indexOf('${'); start !== -1; start = text.indexOf('${', Math.max(start + 2, done))) {
    if (end < start) end = text.indexOf('}', start);
    if (end === -1) break;
    const isNamed = /[A-Za-z_]/.test(text[start + 2]!);
    const isNested = isNamed && /^\w+:?[=-].*\$\{/.test(text.slice(start + 2, end));
    if (isNested) end = outerEnd(text, start) ?? end;
    if (!isNamed && end > start + 2) continue;
    const isEscaped = start > done && text[start - 1] === '$';
    result += text.slice(done, isEscaped ? start - 1 : start);
    done = end + 1;
    const written = text.slice(start, done);
    if (isEscaped || !isNamed) {
      result += written;
    } else {
      const name = /^\w+/.exec(written.slice(2))![0];
      const operation = written.slice(2 + name.length, -1);
      result += replace(name, isNested ? replacePlaceholders(operation, replace) : operation, written);
    }
  }
  return result + text.slice(done);
}

/** Placeholders within each other are followed so far. */
const deepest = 8;

/** Where a placeholder ends whose preset has others in it. */
function outerEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (const { 0: mark, index } of text.slice(start).matchAll(/\$\{|\}/g)) {
    depth += mark === '}' ? -1 : 1;
    if (depth === 0) return start + index;
    if (depth > deepest) return undefined;
  }
  return undefined;
}
