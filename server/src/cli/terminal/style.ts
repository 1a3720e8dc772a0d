import type { Tone } from '../../report-model/report.ts';

type Paint = (text: string) => string;

/** Paints text for a terminal, or leaves it alone. Only the sixteen colours of the terminal's own theme are used. */
export interface Style {
  readonly strong: Paint;
  readonly faint: Paint;
  readonly good: Paint;
  readonly bad: Paint;
  readonly warning: Paint;
  readonly tone: (tone: Tone, text: string) => string;
}

/** Source: ECMA-48, select graphic rendition. */
const codes = {
  strong: ['1', '22'],
  faint: ['2', '22'],
  bad: ['31', '39'],
  good: ['32', '39'],
  warning: ['33', '39'],
} as const;

export function terminalStyle(colour: boolean): Style {
  const paint =
    (name: keyof typeof codes): Paint =>
    (text) =>
      colour && text !== '' ? `\u001b[${codes[name][0]}m${text}\u001b[${codes[name][1]}m` : text;
  const style = {
    strong: paint('strong'),
    faint: paint('faint'),
    good: paint('good'),
    bad: paint('bad'),
    warning: paint('warning'),
  };
  return {
    ...style,
    tone: (tone, text) => (tone === 'plain' ? text : style[tone](text)),
  };
}

/**
 * Colour is for people: a terminal that can show it, and nobody who asked for none (no-color.org). `FORCE_COLOR` asks for
 * it where there is no terminal, as in the log of a runner (force-color.org).
 */
export function wantsColour(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const forced = environment['FORCE_COLOR'] ?? '';
  if (forced !== '' && (environment['NO_COLOR'] ?? '') === '') return forced !== '0' && forced !== 'false';
  return isTerminal && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
}
