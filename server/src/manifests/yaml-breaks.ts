/**
 * Line breaks that go-yaml knows and the YAML library does not: those of YAML 1.1. The next line (U+0085) is a line feed
 * like any other; the separators of lines and paragraphs (U+2028, U+2029) end lines as well, and stay in a text.
 * Source: sigs.k8s.io/yaml/goyaml.v2/yamlprivateh.go (is_break), scannerc.go (read_line,
 * yaml_parser_scan_flow_scalar, yaml_parser_scan_block_scalar)
 */
import { CST } from 'yaml';

const nextLine = /\u0085/g;
const separators = /[\u2028\u2029]/g;
const escapesAndBlanks = /(?<!\\)(\\*)([ \t\r\n\u2028\u2029]+)/g;

const signs = '\u2028\u2029\n';
// From the area of Unicode that stands for nothing.
const firstMark = 0xe0f3;

function mark(sign: string): string {
  return String.fromCharCode(firstMark + signs.indexOf(sign));
}

/** The text with as many characters, in which all line breaks are such to the library. */
export function withLibraryBreaks(text: string): string {
  return text.replace(nextLine, '\n').replace(separators, '\n');
}

/**
 * What a scalar says, by its text with the separators in it; undefined where there are none, and where the library does
 * not like it.
 *
 * @param written from its first sign to its last, quotes and the header of a block included
 */
export function textWithSeparators(written: string, style: 'plain' | 'quoted' | 'block'): string | undefined {
  const text = written.replace(nextLine, '\n');
  if (text.search(separators) === -1 && !(style === 'quoted' && brokenEscape.test(text))) return undefined;
  const [token, end] = style === 'block' ? blockToken(text) : [flowToken(text, style), ''];
  const refusals: string[] = [];
  const resolved = CST.resolveAsScalar(token, true, (_, code) => {
    refusals.push(code);
  });
  if (refusals.length > 0) return undefined;
  return resolved.value.replace(/[\uE0F3-\uE0F5]/g, (each) => signs[each.charCodeAt(0) - firstMark]!) + end;
}

/** Of which the library makes a blank, and go-yaml the line breaks behind the first. */
const brokenEscape = /\\\r?\n[ \t]*\r?\n/;

function flowToken(text: string, style: 'plain' | 'quoted'): CST.FlowScalar {
  const isDouble = text.startsWith('"');
  const source = text.replace(escapesAndBlanks, (_, slashes: string, run: string) => {
    if (!isDouble || slashes.length % 2 === 0) return slashes + folded(run);
    // The first is escaped: a blank stays, and a line break is taken away with all blanks behind it.
    if (/^[ \t]/.test(run)) return slashes + run[0]! + folded(run.slice(1));
    const found = run.replace(/[ \t\r]/g, '');
    return slashes.slice(1) + Array.from(found.slice(1), mark).join('');
  });
  const quoted = isDouble ? 'double-quoted-scalar' : 'single-quoted-scalar';
  return { type: style === 'plain' ? 'scalar' : quoted, offset: 0, indent: 0, source };
}

function folded(run: string): string {
  const found = run.replace(/[ \t\r]/g, '');
  if (found.search(separators) === -1) return run;
  // A line feed alone is a blank, and before others it is nothing.
  return Array.from(found.startsWith('\n') ? found.slice(1) : found, mark).join('');
}

/**
 * The block to its last line that is not empty, and the line breaks at its end that stay: the last one's own, and with
 * `+` those of empty lines too, each as it is written.
 */
function blockToken(text: string): [token: CST.BlockScalar, end: string] {
  const headerEnd = text.search(/[\n\u2028\u2029]/);
  const [, style = '', first = '', sign = '', last = ''] =
    /^([|>])([1-9]?)([-+]?)([1-9]?)/.exec(text.slice(0, headerEnd)) ?? [];
  // Lines, and between them what ends them.
  const lines = text.slice(headerEnd + 1).split(/([\n\u2028\u2029])/);
  const indent = /^ */.exec(lines[0]!)![0].length;
  const isEmpty = (line: string): boolean => line.length <= indent + 1 && /^ *\r?$/.test(line);
  let at = lines.length - 1;
  while (at > 0 && isEmpty(lines[at]!)) at -= 2;
  const breaks = lines.slice(at + 1).filter((_, index) => index % 2 === 0);
  const own = isEmpty(lines[at]!) ? '' : (breaks.shift() ?? '');
  const end = sign === '-' ? '' : sign === '+' ? own + breaks.join('') : own;
  // The blanks that a line is indented by are no part of it.
  const content = lines.slice(0, at + 1).join('');
  const source = content.replace(
    /([\u2028\u2029])( *)/g,
    (_, sign: string, blanks: string) => `${mark(sign)}${blanks.slice(indent)}`,
  );
  const header = `${style}${first}${last}-`;
  const token: CST.BlockScalar = {
    type: 'block-scalar',
    offset: 0,
    indent: 0,
    props: [
      { type: 'block-scalar-header', offset: 0, indent: 0, source: header },
      { type: 'newline', offset: header.length, indent: 0, source: '\n' },
    ],
    source: `${source}\n`,
  };
  return [token, end];
}
