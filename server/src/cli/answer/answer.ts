import { withWhatIfs } from '../../report-model/command-text.ts';
import type { Tone } from '../../report-model/report.ts';

/** The answer to one question: what a reader has to know first, and why. */
export interface CommandAnswer {
  /** One sentence. */
  readonly verdict: string;
  readonly tone: AnswerTone;
  readonly parts: readonly AnswerPart[];
  /** What another program prints, line by line; shown when it is asked for. */
  readonly transcript?: readonly string[];
}

export interface AnswerPart {
  /** Empty for lines that need none. */
  readonly title: string;
  readonly tone?: AnswerTone | undefined;
  readonly lines: readonly (string | PartLine)[];
  /** A table, its head first: a number, a name, figures, and a remark. */
  readonly rows?: readonly (readonly string[])[];
}

export type AnswerTone = Tone | 'faint';

export interface PartLine {
  readonly text: string;
  readonly tone: AnswerTone;
  /** To be copied: it is not broken into lines. */
  readonly isCommand?: true;
}

/** What has been typed, with operations besides. */
export function commandLine(command: string, whatIf: readonly string[]): PartLine {
  return { text: withWhatIfs(command, whatIf), tone: 'strong', isCommand: true };
}

export function textOf(line: string | PartLine): string {
  return typeof line === 'string' ? line : line.text;
}
