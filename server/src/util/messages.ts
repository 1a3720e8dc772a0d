import type { Carrier, Part } from './say.ts';

/** Noncharacters, which no text has that programs exchange. A message is `start key (next part)* end`. */
const start = '\ufdd0';
const next = '\ufdd1';
const end = '\ufdd2';

const marks = /[\ufdd0-\ufdd2]/g;

/** Texts as messages: the key of each with its parts, which may be messages, in one string. */
export const messages: Carrier = {
  made: (key, parts) => `${start}${[key, ...parts.map(asPart)].join(next)}${end}`,

  rendered(text, language) {
    if (!text.includes(start)) return text;
    // The innermost message that is open comes last; each is its key and its parts so far.
    const open: string[][] = [];
    let shown = '';
    const show = (words: string): void => {
      const fields = open.at(-1);
      if (fields === undefined) shown += words;
      else fields.push((fields.pop() ?? '') + words);
    };
    for (const piece of text.split(/([\ufdd0-\ufdd2])/)) {
      if (piece === start) {
        open.push(['']);
      } else if (piece === next) {
        open.at(-1)?.push('');
      } else if (piece === end) {
        const [key = '', ...parts] = open.pop() ?? [];
        show(language.fill(key, parts));
      } else {
        show(piece);
      }
    }
    // What was cut has no end.
    return shown + open.flat().join('');
  },
};

/** A part: the marks of messages that are not whole stand in a file, and go. */
function asPart(part: Part): Part {
  if (typeof part === 'number' || part.search(marks) < 0 || isWhole(part)) return part;
  return part.replace(marks, '');
}

function isWhole(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === start) depth++;
    else if (depth === 0 && (character === next || character === end)) return false;
    else if (character === end) depth--;
  }
  return depth === 0;
}
