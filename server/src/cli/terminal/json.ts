import { UsageError } from '../command.ts';
import { escapeUnsafe } from '../../kit/unsafe-characters.ts';

/** A value as JSON that can be shown: what a terminal would obey stands there as `\u202e`, and is read as it was. */
export function jsonText(value: unknown, indent = 2): string {
  try {
    return escapeUnsafe(JSON.stringify(value, null, indent));
  } catch (error) {
    // The longest text that there can be has some 500 million characters.
    if (error instanceof RangeError) throw new UsageError('the answer is too long for JSON: ask about less at once');
    throw error;
  }
}
