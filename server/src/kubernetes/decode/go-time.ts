/** Why Go does not read a text as a time in the form of RFC 3339; undefined where it does. Source: time.Parse, format.go */
export function timeProblem(text: string): string | undefined {
  let rest = text;
  const numbers: number[] = [];
  for (const [digits, name, least, most] of parts) {
    const isSeparator = name === '';
    if (isSeparator) {
      if (!rest.startsWith(digits)) return cannotParse(text, rest, digits);
      rest = rest.slice(digits.length);
      continue;
    }
    const read = readNumber(rest, digits);
    if (read === undefined) return cannotParse(text, rest, digits);
    rest = read.rest;
    if (digits === '05') rest = rest.replace(/^[.,]\d+/, '');
    numbers.push(read.value);
    if (read.value < least || read.value > most) return outOfRange(text, name);
  }
  const zone = /^(?:Z|([+-])(\d\d):(\d\d))/.exec(rest);
  if (zone === null) return cannotParse(text, rest, 'Z07:00');
  if (Number(zone[2] ?? 0) > 24) return outOfRange(text, 'time zone offset hour');
  if (Number(zone[3] ?? 0) > 60) return outOfRange(text, 'time zone offset minute');
  rest = rest.slice(zone[0].length);
  if (rest !== '') return `parsing time ${JSON.stringify(text)}: extra text: ${JSON.stringify(rest)}`;
  const [year = 0, month = 0, day = 0] = numbers;
  return day < 1 || day > daysIn(year, month) ? outOfRange(text, 'day') : undefined;
}

const layout = '2006-01-02T15:04:05Z07:00';

/** The layout in its parts: separators, and numbers with their bounds. Whether there is such a day is seen at the end. */
const parts: readonly (readonly [digits: string, name: string, least: number, most: number])[] = [
  ['2006', 'year', 0, 9999],
  ['-', '', 0, 0],
  ['01', 'month', 1, 12],
  ['-', '', 0, 0],
  ['02', 'day', 0, 99],
  ['T', '', 0, 0],
  ['15', 'hour', 0, 23],
  [':', '', 0, 0],
  ['04', 'minute', 0, 59],
  [':', '', 0, 0],
  ['05', 'second', 0, 59],
];

/** Hours may have one digit. */
function readNumber(text: string, digits: string): { readonly value: number; readonly rest: string } | undefined {
  const written = (digits === '2006' ? /^\d{4}/ : digits === '15' ? /^\d{1,2}/ : /^\d\d/).exec(text)?.[0];
  return written === undefined ? undefined : { value: Number(written), rest: text.slice(written.length) };
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function cannotParse(text: string, rest: string, part: string): string {
  const [whole, left, wanted] = [text, rest, part].map((each) => JSON.stringify(each));
  return `parsing time ${whole} as ${JSON.stringify(layout)}: cannot parse ${left} as ${wanted}`;
}

function outOfRange(text: string, part: string): string {
  return `parsing time ${JSON.stringify(text)}: ${part} out of range`;
}
