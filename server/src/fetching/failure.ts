/** Something was not fetched; the message is that of the program that was asked where it has one. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

const maxWords = 400;

/** What a program complains, on one line and without passwords. */
export function ownWords(text: string): string {
  const words = text
    .replace(/\s+/g, ' ')
    .replace(/\/\/[^/@\s]{1,500}@/g, '//***@')
    .trim();
  return words.length > maxWords ? `${words.slice(0, maxWords - 1)}…` : words;
}
