import { greatest } from './extremes.ts';
import { inEnglish } from './say.ts';

/** Text as HTML shows it, in an element or in an attribute with double quotes. */
export function escapeMarkup(text: string): string {
  return inEnglish(text).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Names and messages as Markdown shows them: whatever it or HTML would read as markup is escaped, line ends become blanks. */
export function escapeMarkdown(text: string): string {
  return (
    inEnglish(text)
      .replace(/[\r\n]+/g, ' ')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replace(/[\\`*_{}[\]#|~>@]/g, '\\$&')
      // Where comments are kept, people and issues are named so; a mark without width keeps them from being called.
      .replace(/[@#](?=\w)/g, '$&&#8203;')
  );
}

/** A code block whose fence is longer than any run of back-ticks in the text. */
export function fenced(whole: string): string {
  const text = inEnglish(whole);
  const longest = Math.max(2, greatest([...text.matchAll(/`+/g)].map(([run]) => run.length)));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
