/** Of output that goes into a file or pipe. */
const defaultColumns = 100;

/** Below this, lines of one word each would be harder to read than lines that the terminal breaks. */
const fewestColumns = 40;

/**
 * How wide lines may be: what `COLUMNS` says, else what the terminal says. A terminal that does not know its width says
 * 0, and so does one that a program pretends to be.
 */
export function lineWidth(terminal: number | undefined, env: Readonly<Record<string, string | undefined>>): number {
  const wanted = [Number(env['COLUMNS']), terminal ?? 0].find((columns) => Number.isInteger(columns) && columns > 0);
  return Math.max(fewestColumns, wanted ?? defaultColumns);
}
