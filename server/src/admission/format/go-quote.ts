/** Text as Go quotes it. Source: strconv.Quote */
export function goQuote(text: string): string {
  return `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escaped)}"`;
}

const escapes: ReadonlyMap<string, string> = new Map(
  ['a\x07', 'b\b', 'f\f', 'n\n', 'r\r', 't\t', 'v\v', '""', '\\\\'].map(([name, letter]) => [letter!, `\\${name}`]),
);

function escaped(letter: string): string {
  const short = escapes.get(letter);
  if (short !== undefined) return short;
  const code = letter.codePointAt(0)!;
  const [kind, width] = code < 0x80 ? (['x', 2] as const) : code < 0x10000 ? (['u', 4] as const) : (['U', 8] as const);
  return `\\${kind}${code.toString(16).padStart(width, '0')}`;
}

/** What Go's encoder of JSON writes otherwise than others do. */
export function withGoEscapes(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
