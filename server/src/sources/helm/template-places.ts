import type { Path } from '../../kubernetes/json.ts';
import type { OffsetRange, PlacedDocument } from '../../manifests/manifest.ts';
import type { TemplatePlaces } from '../files/rendered-object.ts';

/** Where an object stands in a template, and which values its lines take. */
export interface TemplateObject extends TemplatePlaces {
  readonly placed: PlacedDocument;
  /** Which values may make one of the object. */
  valuesOf(path: Path): TakenValues | undefined;
}

export interface TakenValues {
  /** Paths below `.Values`, `['web', 'replicas']`: the first that is set. */
  readonly values: readonly Path[];
  /** How much of the path of the object they cover. */
  readonly covered: number;
  /** Whether several lines may make it, so that only the value tells which: the containers of a pod have a key each. */
  readonly isOneOf: boolean;
}

/**
 * The document of a template that makes an object, among the documents of its file. Of several that may, the one whose
 * name has the most in common with the object's, and then the one in the order of the text.
 *
 * @param nth how many objects of the kind come before it in what the template made
 */
export function findInTemplate(
  documents: readonly PlacedDocument[],
  kind: string,
  name: string,
  nth: number,
): TemplateObject | null {
  const kindLine = new RegExp(`^([ \\t]*)kind:[ \\t]*["']?${kind.replace(/\W/g, '')}["']?[ \\t]*(?:#.*)?$`, 'gm');
  const candidates: { placed: PlacedDocument; start: number; end: number }[] = [];
  for (const placed of documents) {
    for (const match of placed.document.text.matchAll(kindLine)) {
      // Kinds of other objects that a field refers to stand further to the right.
      if (match[1] !== '' && candidates.some((other) => other.placed === placed)) continue;
      candidates.push({ placed, start: match.index + match[1]!.length, end: match.index + match[0].length });
    }
  }
  if (candidates.length === 0) {
    const templated = documents.flatMap((placed) => {
      const match = /^kind:[ \t]*\{\{.*$/m.exec(placed.document.text);
      return match === null ? [] : [{ placed, start: match.index, end: match.index + match[0].length }];
    });
    if (templated.length !== 1) return null;
    candidates.push(...templated);
  }
  const rated = candidates.map((candidate) => ({ candidate, rating: nameRating(candidate.placed, name) }));
  const best = Math.max(...rated.map(({ rating }) => rating));
  const ties = rated.filter(({ rating }) => rating === best).map(({ candidate }) => candidate);
  const chosen = ties[Math.min(nth, ties.length - 1)]!;
  return new InTemplate(chosen.placed, { start: chosen.start, end: chosen.end });
}

/** How many letters of the name are written in the template; -1 when something is that the name has not. */
function nameRating({ document }: PlacedDocument, name: string): number {
  const written = /^ {2}name:[ \t](.*)$/m.exec(document.text)?.[1]?.trim() ?? '';
  if (written === '') return 0;
  const literals = splitAtActions(written.replace(/^["']|["']$/g, ''))
    .map(({ literal }) => literal)
    .filter((part) => part !== '');
  return literals.every((part) => name.includes(part)) ? literals.join('').length : -1;
}

interface Line extends OffsetRange {
  readonly text: string;
}

class InTemplate implements TemplateObject {
  readonly placed: PlacedDocument;
  readonly head: OffsetRange;

  constructor(placed: PlacedDocument, head: OffsetRange) {
    this.placed = placed;
    this.head = head;
  }

  keyOf(path: Path): OffsetRange | undefined {
    const [line, ...others] = this.#linesOf(path);
    return line === undefined || others.length > 0 ? undefined : { start: line.start, end: line.end };
  }

  valuesOf(path: Path): TakenValues | undefined {
    for (let length = path.length; length > 0; length--) {
      const lines = this.#linesOf(path.slice(0, length));
      const values = lines.flatMap((line) => {
        const own = expressionValues(line.text);
        return own.length > 0 ? own : this.#enclosingValues(line);
      });
      if (values.length > 0) return { values, covered: length, isOneOf: lines.length > 1 };
    }
    return undefined;
  }

  /** The lines that may have the last key of a path. */
  #linesOf(path: Path): readonly Line[] {
    const key = path.at(-1);
    if (typeof key !== 'string') return [];
    const { text } = this.placed.document;
    const escaped = key.replace(/[^\w-]/g, '\\$&');
    const pattern = new RegExp(`^[ \\t]*(?:- )?["']?${escaped}["']?:(?:[ \\t].*)?$`, 'gm');
    const isTop = path.length === 2 && path[0] === 'metadata';
    const parent = path.slice(0, -1).findLast((step) => typeof step === 'string');
    const lines = [...text.matchAll(pattern)].filter(
      ({ index, 0: line }) =>
        (!isTop || /^ {2}\w/.test(line)) && (parent === undefined || mayStandBelow(text, index, line, parent)),
    );
    if (lines.length === 0) return this.#withinLine(escaped);
    return lines.map(({ index, 0: line }) => {
      const start = index + /^[ \t]*(?:- )?/.exec(line)![0].length;
      // What fills a block follows on the next line: `resources:` and then `{{- toYaml .Values.resources }}`.
      const next = text.slice(index + line.length + 1).split('\n', 1)[0] ?? '';
      const isFilled = /:[ \t]*$/.test(line) && /^\s*\{\{-?\s*(?:toYaml|tpl|include|with)?/.test(next);
      return { start, end: index + line.trimEnd().length, text: isFilled ? `${line} ${next}` : line };
    });
  }

  /** In a map on one line: `{requests: {cpu: {{ .Values.cpu }}}}`. */
  #withinLine(key: string): readonly Line[] {
    const found = [...this.placed.document.text.matchAll(new RegExp(`[{,] *${key}: *["']?\\{\\{[^{}\\n]*\\}\\}`, 'g'))];
    if (found.length !== 1) return [];
    const [text] = found[0]!;
    const start = found[0]!.index + /^[{,] */.exec(text)![0].length;
    return [{ start, end: found[0]!.index + text.length, text }];
  }

  /** `{{ . }}` is what the nearest `with` around it names. */
  #enclosingValues({ start, text }: Line): readonly Path[] {
    if (!/\{\{-?\s*(?:toYaml\s+)?\.(?:\s|\}|-)/.test(text)) return [];
    const before = this.placed.document.text.slice(0, start);
    const opened = splitAtActions(before).findLast(({ action }) => opening.test(action));
    return opened === undefined ? [] : valuesPaths(opened.action.replace(opening, ''));
  }
}

const opening = /^-?\s*(?:with|if|range|else\s+with)\s/;

/** Whether the nearest key that a line stands below is one of a name; true where its text has no such key. */
function mayStandBelow(text: string, index: number, line: string, name: string): boolean {
  const column = keyColumn(line);
  const above = text.slice(0, index).split('\n').toReversed();
  for (const each of above) {
    const key = /^[ \t]*(?:- )*["']?([\w./-]+)["']?:(?:\s|$)/.exec(each)?.[1];
    if (key !== undefined && keyColumn(each) < column) return key === name;
  }
  return true;
}

function keyColumn(line: string): number {
  return /^[ \t]*(?:- )*/.exec(line)![0].length;
}

function expressionValues(line: string): readonly Path[] {
  const expression = splitAtActions(line)[1]?.action;
  return expression === undefined ? [] : valuesPaths(expression);
}

/** The text between the actions of a template, each with the action before it; the first has none. */
function splitAtActions(text: string): readonly { readonly action: string; readonly literal: string }[] {
  const [first = '', ...others] = text.split('{{');
  const parts = others.map((part) => {
    const end = part.indexOf('}}');
    return end === -1
      ? { action: '', literal: `{{${part}` }
      : { action: part.slice(0, end), literal: part.slice(end + 2) };
  });
  return [{ action: '', literal: first }, ...parts];
}

function valuesPaths(expression: string): readonly Path[] {
  return [...expression.matchAll(/\.Values((?:\.[A-Za-z_][\w-]*)+)/g)].map(([, names]) => names!.slice(1).split('.'));
}
