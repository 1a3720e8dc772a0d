import { inEnglish, say } from '../util/say.ts';

/** Why a snapshot cannot be read; `line` counts from 1. */
export function faultAtLine(line: number, message: string): string {
  return say`cannot be read at line ${line}: ${message}`;
}

/** The line of a fault, from 0; the first where it has none. */
export function lineOf(fault: string): number {
  return Number(/^cannot be read at line (\d+): /.exec(inEnglish(fault))?.[1] ?? 1) - 1;
}
