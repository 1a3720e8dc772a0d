/**
 * Line breaks that go-yaml knows and the YAML library does not: those of YAML 1.1. The next line (U+0085) is a line feed
 * like any other; the separators of lines and paragraphs (U+2028, U+2029) end lines as well, and stay in a text.
 * Source: sigs.k8s.io/yaml/goyaml.v2/yamlprivateh.go (is_break), scannerc.go (read_line,
 * yaml_parser_scan_flow_scalar, yaml_parser_scan_block_scalar)
 */
import { CST } from 'yaml';

const nextLine = /\u0085/g;
const separators = /[\u2028\u2029]/g;
const blanksAndBreaks = /[ \t\r\n\u2028\u2029]+/g;

// From the area of Unicode that stands for nothing.
const marks: ReadonlyMap<string, string> = new Map([
  ['\u2028', '\uE0F3'],
  ['\u2029', '\uE0F4'],
  ['\n', '\uE0F5'],
]);
const meanings: ReadonlyMap<string, string> = new Map([...marks].map(([sign, mark]) => [mark, sign]));

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
  if (written.search(separators) === -1) return undefined;
  const text = written.replace(nextLine, '\n');
  const token = style === 'block' ? blockToken(text) : flowToken(text, style);
  const refusals: string[] = [];
  const resolved = CST.resolveAsScalar(token, true, (_, code) => {
    refusals.push(code);
  });
  if (refusals.length > 0) return undefined;
  return resolved.value.replace(/[\uE0F3-\uE0F5]/g, (mark) => meanings.get(mark)!);
}

function flowToken(text: string, style: 'plain' | 'quoted'): CST.FlowScalar {
  const source = text.replace(blanksAndBreaks, (run) => {
    const signs = run.replace(/[ \t\r]/g, '');
    if (signs.search(separators) === -1) return run;
    // A line feed alone is a blank, and before others it is nothing.
    return Array.from(signs.startsWith('\n') ? signs.slice(1) : signs, (sign) => marks.get(sign)!).join('');
  });
  const quoted = text.startsWith('"') ? 'double-quoted-scalar' : 'single-quoted-scalar';
  return { type: style === 'plain' ? 'scalar' : quoted, offset: 0, indent: 0, source };
}

function blockToken(text: string): CST.BlockScalar {
  const headerEnd = text.search(/[\n\u2028\u2029]/);
  const content = text.slice(headerEnd + 1);
  const indent = /^ */.exec(content)?.[0].length ?? 0;
  // The blanks that a line is indented by are no part of it.
  const source = content.replace(
    /([\u2028\u2029])( *)/g,
    (_, sign: string, blanks: string) => `${marks.get(sign)!}${blanks.slice(indent)}`,
  );
  return {
    type: 'block-scalar',
    offset: 0,
    indent: 0,
    props: [
      { type: 'block-scalar-header', offset: 0, indent: 0, source: text.slice(0, headerEnd).trimEnd() },
      { type: 'newline', offset: headerEnd, indent: 0, source: '\n' },
    ],
    source,
  };
}
