import { terminalStyle, type Style } from '../terminal/style.ts';
import { columnsOf, printable, wrap, type Span } from '../terminal/text.ts';

/** What each section of the table is drawn with. */
export interface Canvas {
  readonly columns: number;
  readonly style: Style;
  line(text?: string): void;
  /** Running text, broken to the width. */
  text(spans: readonly Span[], indent: string, hanging?: string): void;
  /** As `text`, behind something that is printed as it is. */
  lead(lead: string, paint: (text: string) => string, spans: readonly Span[], hanging: string): void;
  heading(title: string, note?: string): void;
  /** Behind what was cut, which section has it; nothing for a tool, which has no options. */
  readonly more: (section: string) => string;
}

/** A canvas and the lines that are drawn on it. They are cut to 60 to 120 columns, unless there is no end to them. */
export function canvasFor(options: { readonly columns: number; readonly colour: boolean; readonly command?: string }): {
  readonly canvas: Canvas;
  readonly lines: string[];
} {
  const lines: string[] = [];
  const style = terminalStyle(options.colour);
  const columns = Math.max(
    60,
    options.columns === Number.MAX_SAFE_INTEGER ? options.columns : Math.min(120, options.columns),
  );
  const safely = (spans: readonly Span[]) => spans.map((span) => ({ ...span, text: printable(span.text) }));
  const canvas: Canvas = {
    columns,
    style,
    line: (text = '') => lines.push(text),
    text: (spans, indent, hanging = indent) => {
      lines.push(...wrap(safely(spans), columns, indent, hanging));
    },
    lead: (lead, paint, spans, hanging) => {
      const [first = '', ...rest] = wrap(safely(spans), columns, ' '.repeat(columnsOf(lead)), hanging);
      lines.push(`${paint(printable(lead))}${first.trimStart()}`.trimEnd(), ...rest);
    },
    more: (section) => (options.command === undefined ? '' : ` · --show ${section}`),
    heading: (title, note = '') => {
      lines.push('', `${style.strong(title)}${note === '' ? '' : `  ${style.faint(printable(note))}`}`);
    },
  };
  return { canvas, lines };
}
