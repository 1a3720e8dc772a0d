/** What a terminal would obey rather than show: controls, direction marks, and line ends that only some know. */
export const unsafeCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Those that JSON.stringify leaves as they are. */
const leftInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON with those written as `\u202e`: it reads as it was. */
export function escapeUnsafe(json: string): string {
  return json.replace(leftInJson, escaped);
}

/** One character as JSON may write it. */
export function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
