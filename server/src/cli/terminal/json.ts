import { UsageError } from '../command.ts';
import { escapeUnsafe } from '../../util/unsafe-characters.ts';

/**
 * A value as JSON that can be shown: what a terminal would obey stands there as `\u202e`, and is read as it was. With an
 * indent, a list of numbers is one line: there may be thousands, each with thousands of nodes.
 */
export function jsonText(value: unknown, indent: 0 | 2 = 2): string {
  try {
    if (indent === 0) return escapeUnsafe(JSON.stringify(value));
    const parts: string[] = [];
    write(value, '\n', parts);
    return escapeUnsafe(parts.join(''));
  } catch (error) {
    // The longest text that there can be has some 500 million characters.
    if (error instanceof RangeError) {
      throw new UsageError('the answer is too long for JSON: ask about less at once', true);
    }
    throw error;
  }
}

/** @param line what begins a line of the value's own depth */
function write(value: unknown, line: string, parts: string[]): void {
  const inner = `${line}  `;
  if (Array.isArray(value)) {
    if (value.every((each) => Number.isFinite(each))) {
      parts.push(`[${value.join(',')}]`);
      return;
    }
    for (const [at, each] of value.entries()) {
      parts.push(at === 0 ? '[' : ',', inner);
      write(each, inner, parts);
    }
    parts.push(line, ']');
    return;
  }
  if (typeof value !== 'object' || value === null) {
    // As in JSON.stringify, what is not there stands in a list as null.
    parts.push(value === undefined ? 'null' : JSON.stringify(value));
    return;
  }
  let isFirst = true;
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    parts.push(isFirst ? '{' : ',', inner, JSON.stringify(key), ': ');
    write(each, inner, parts);
    isFirst = false;
  }
  parts.push(isFirst ? '{}' : `${line}}`);
}
