import { isNumber } from '../util/exact-integer.ts';
/**
 * The adapter over the YAML library, with `yaml-composing.ts`. The library splits text into tokens and composes them;
 * what the scalars mean, which key wins, and what an alias stands for is decided here, in one pass, because the
 * library reads YAML 1.2 and its own alias and duplicate checks take quadratic time.
 */
import { say } from '../util/say.ts';
import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { runToEnd } from '../util/steps.ts';
import type { Json } from '../kubernetes/json.ts';
import { maxAliasedValues } from './limits.ts';
import type { ManifestProblem, OffsetRange } from './manifest.ts';
import { MapBuilder } from './map-builder.ts';
import { type PlainReading, readPlainYaml } from './plain-yaml.ts';
import type { SourceEntry, SourceList, SourceMap, SourceNode, SourceScalar } from './source-tree.ts';
import { behindAlias, entryOf } from './source-tree.ts';
import { hasTemplatedField } from './template-actions.ts';
import { explainSyntaxError, isRefused } from './syntax-messages.ts';
import { compose, type ComposedPieces } from './yaml-composing.ts';
import { textWithSeparators, withLibraryBreaks } from './yaml-breaks.ts';
import { unindentedParts } from './yaml-lexing.ts';
import { isBlank } from './document-text.ts';
import { otherDocument, refusedText, withApostrophes } from './yaml-refusals.ts';
import { isNotFinite, resolvePlainScalar, resolveTaggedScalar } from './yaml-scalars.ts';

export interface YamlReading {
  /** Null when the document is empty, too deep or a template. Of what was let go, the same as before is made again. */
  readonly root: SourceNode | null;
  readonly problems: readonly ManifestProblem[];
  /** Ranges of the comments, in order. */
  readonly comments: readonly OffsetRange[];
  /** True when the text has Helm or Go template actions. Then nothing else is read. */
  readonly template: boolean;
  /** Text after an opening quote that is never closed, which was read as if it were not there. */
  readonly unclosed: readonly OffsetRange[];
  /**
   * Forgets the tree, or does so no longer: of what is quickly read again. Trees are most of the memory that files
   * take, and of files that nobody has open hardly any is looked at.
   */
  letGo?(isWanted: boolean): void;
}

/** Values that the library composes in one go: some milliseconds' worth. */
const defaultPieceSize = 1_000;
/** Values and problems between two steps. */
const stepSize = 1_000;
/** Each quote that is never closed costs another reading, so large texts get fewer. */
const maxUnclosedQuotes = 4;
const maxReread = 256 * 1024;
/** How often a text is read again with lines that the library takes for the end of something. */
const maxJoinings = 4;

/** As `readYamlInSteps`, without pausing. */
export function readYaml(text: string): YamlReading {
  return runToEnd(readYamlInSteps(text));
}

/**
 * Reads one document (see `splitDocuments`). Never throws; what can be read of broken text is in the tree. Offsets
 * count from the start of `text`. Yields after some milliseconds' worth of work.
 */
export function* readYamlInSteps(text: string): Generator<void, YamlReading> {
  const plain = readPlainYaml(text);
  const reading = plain === null ? yield* readAnyYaml(text) : new PlainYaml(text, plain);
  const { comments } = reading;
  const hasEntries = text.includes('-|') && entryWithDefault.test(text);
  if (!hasEntries && !hasActionsInComments(text, comments)) return reading;
  return { root: null, problems: none, comments, template: true, unclosed: none };
}

/**
 * Whether tools take a comment in the place of a value for what is filled in there: ytt, Octopus, Azure Pipelines. One
 * elsewhere changes nothing of what kubectl applies, and nobody hides a manifest behind it.
 * Sources: ytt, docs for "Language" (`#@`); Octopus, "Variable substitutions" (`#{Name}`)
 */
function hasActionsInComments(text: string, comments: readonly OffsetRange[]): boolean {
  return comments.some(
    ({ start, end }) =>
      /^#(?:@[ \t]|\{[A-Za-z_][\w.-]*\})/.test(text.slice(start, end)) &&
      /:[ \t]+$/.test(text.slice(Math.max(0, start - 3), start)),
  );
}

const none: readonly never[] = [];

/** The last readings whose tree was asked for again: who asks about a document mostly asks more than once. */
const lookedAt: PlainYaml[] = [];
const mostLookedAt = 16;

/** What was read the short way, which is as short a second time. */
class PlainYaml implements YamlReading {
  readonly problems: readonly ManifestProblem[] = none;
  readonly template = false;
  readonly unclosed: readonly OffsetRange[] = none;
  readonly comments: readonly OffsetRange[];
  readonly #text: string;
  #root: SourceNode | null;
  #isWanted = true;

  constructor(text: string, { root, comments }: PlainReading) {
    this.comments = comments.length === 0 ? none : comments;
    this.#text = text;
    this.#root = root;
  }

  get root(): SourceNode {
    if (this.#root === null) {
      // There was an answer for this text before.
      this.#root = readPlainYaml(this.#text)!.root;
      lookedAt.push(this);
      if (lookedAt.length > mostLookedAt) lookedAt.shift()!.#forget();
    }
    return this.#root;
  }

  letGo(isWanted: boolean): void {
    this.#isWanted = isWanted;
    this.#forget();
  }

  #forget(): void {
    if (!this.#isWanted) this.#root = null;
  }
}

/** As `readYaml` of a file that is no template of Helm's, whatever its texts say: a kustomization, values of a chart. */
export function readYamlData(text: string): YamlReading {
  const reading = readYaml(text);
  if (!reading.template) return reading;
  const data = runToEnd(readAnyYaml(text, defaultPieceSize, false));
  return data.problems.some(({ severity }) => severity === 'error') ? reading : data;
}

/** Statements and comments of Jinja on lines of their own, and directives of Terraform, which YAML has no place for. */
const jinja = /^[ \t]*(?:\{[%#].*[%#]\}[ \t]*$|%\{ ?(?:if|for|end))/m;

/** Values that are filled in, as `@NAME@`, `%NAME%`, `{NAME}` and `<what: for example this>`. */
const filledIn =
  /^[ \t-]*(?:\w[\w.-]*:[ \t]+)?(?:@[A-Z][A-Z0-9_]*@|%{1,2}[A-Z][A-Z0-9_]*%{1,2}|\{[A-Z][A-Z0-9_]*\}|<[A-Za-z][^<>\n]*>)/m;

/**
 * A word in capitals in the place of an entry, which a program replaces; of Gen3 with what it is otherwise.
 * Source: uc-cdis/cloud-automation, gen3/lib/g3k_manifest.sh (`NAME|-entry-|`)
 */
export const openEntry = /^[ \t]*(\$?[A-Z][A-Z0-9]*_[A-Z0-9_-]*)(?:[ \t]*\r?$|\|-)/m;
const entryWithDefault = /^[ \t]*[A-Z][\w-]*\|-.*-\|/m;

/** Whether a text is a command of a shell with manifests as its input, or the last part of that, or an inventory of Ansible. */
export function isOtherText(text: string): boolean {
  return /^(?:#.*\n|\s)*(?:\w+ .*<<-? ?['"]?\w|\[\w+:)/.test(text) || (!text.includes('<<') && /\nEOF\s*$/.test(text));
}

/**
 * As `readYamlInSteps`, by the library, whatever the text.
 *
 * @param mayBeTemplate whether template actions in texts make it a template
 */
export function* readAnyYaml(
  text: string,
  pieceSize = defaultPieceSize,
  mayBeTemplate = true,
): Generator<void, YamlReading> {
  const problems: ManifestProblem[] = [];
  const unclosed: OffsetRange[] = [];
  let readable = withLibraryBreaks(withoutInnerMark(text));
  let joined: readonly OffsetRange[] = [];
  let composed = yield* compose(readable, joined, pieceSize, mayBeTemplate);
  for (let round = 0; round < maxJoinings && composed.gaveUpAt.length > 0; round++) {
    const starts = [...new Set([...joined.map(({ start }) => start), ...composed.gaveUpAt])];
    const parts = unindentedParts(
      readable,
      starts.sort((a, b) => a - b),
    );
    if (parts.length === joined.length) break;
    joined = parts;
    composed = yield* compose(readable, joined, pieceSize, mayBeTemplate);
  }
  // A quote that is never closed swallows the rest of the document. Take it away and read what stands behind it.
  const rereads = Math.min(maxUnclosedQuotes, Math.ceil(maxReread / text.length));
  while (composed.unclosedQuote !== null && unclosed.length < rereads) {
    const range = { start: composed.unclosedQuote, end: lineEndAt(text, composed.unclosedQuote) };
    problems.push(problemAt(range, 'yaml-syntax', say`This quote is never closed.`));
    unclosed.push(range);
    readable = readable.slice(0, range.start) + ' '.repeat(range.end - range.start) + readable.slice(range.end);
    composed = yield* compose(readable, joined, pieceSize, mayBeTemplate);
  }
  const behind = directiveBehind(readable, composed.errors);
  if (behind !== null) {
    const rest = readable.slice(behind.end);
    if (!isBlank(rest)) problems.push(otherDocument(text, behind.end + rest.search(/[^\s#]/)));
    readable = readable.slice(0, behind.start);
    composed = yield* compose(readable, joined, pieceSize, mayBeTemplate);
  }
  const { contents, errors, comments, tooDeep } = composed;
  if (composed.template) return { root: null, problems: [], comments, template: true, unclosed };
  if (tooDeep !== null) return { root: null, problems: [tooDeep], comments, template: false, unclosed };
  const builder = new TreeBuilder(readable, text, problems, composed.pieces);
  const root = contents === null || contents === undefined ? null : yield* builder.node(contents);
  const isBroken = contents === undefined || errors.length > 0;
  const isTemplate = composed.templateText && (isBroken || (root !== null && hasTemplatedField(root)));
  if (isTemplate || (isBroken && (jinja.test(text) || filledIn.test(text) || isOtherText(text)))) {
    return { root: null, problems: [], comments, template: true, unclosed };
  }
  problems.push(...refusedText(readable), ...composed.refused);
  const [first] = errors.filter(isRefused).sort((one, other) => one.pos[0] - other.pos[0]);
  if (first === undefined) return { root, problems, comments, template: false, unclosed };
  // kubectl stops there, too: what is found behind it mostly follows from it.
  const told = problems.filter(({ range }) => range.start < first.pos[0]);
  const problem = explainSyntaxError(readable, first.code, first.message, first.pos);
  const line = text.slice(text.lastIndexOf('\n', problem.range.start) + 1, lineEndAt(text, problem.range.start));
  // A key of a ConfigMap may only lack its colon.
  if (openEntry.test(line) && !/^kind: ?(?:ConfigMap|Secret)/m.test(text)) {
    return { root: null, problems: [], comments, template: true, unclosed };
  }
  told.push(problem);
  return { root, problems: told, comments, template: false, unclosed };
}

/** The text without the byte order mark behind its `---`: kubectl reads each document as a stream of its own. */
function withoutInnerMark(text: string): string {
  return text.replace(/^(\uFEFF?(?:[ \t]*(?:#.*)?\r?\n)*---[ \t]*(?:#.*)?\r?\n)\uFEFF/, '$1\n');
}

/**
 * A directive in the first column behind what a document says: to go-yaml the document ends before it. Nothing of what
 * follows is read, as kubectl reads each document as a stream of its own.
 */
function directiveBehind(text: string, errors: readonly { readonly pos: readonly number[] }[]): OffsetRange | null {
  for (const { pos } of errors) {
    const start = pos[0] ?? 0;
    const isLine = text[start] === '%' && (start === 0 || text[start - 1] === '\n');
    const end = isLine ? lineEndAt(text, start) : start;
    if (isLine && isDirective(text.slice(start, end)) && !isBlank(text.slice(0, start))) return { start, end };
  }
  return null;
}

function isDirective(line: string): boolean {
  const [name, first = '', second = '', third = ''] = line.split(/[ \t]+/);
  if (name === '%YAML') return /^\d+\.\d+$/.test(first) && /^(?:#|$)/.test(second);
  return name === '%TAG' && first !== '' && second !== '' && /^(?:#|$)/.test(third);
}

function lineEndAt(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' && end - 1 > offset ? end - 1 : end;
}

function problemAt(range: OffsetRange, code: ManifestProblem['code'], message: string): ManifestProblem {
  return { code, severity: 'error', message, range };
}

/** An anchored node; `null` while it is still being read, so that an alias inside it is recognised as a cycle. */
interface Anchored {
  readonly node: SourceNode | null;
  readonly size: number;
}

/** Turns the library's nodes into the source tree. */
class TreeBuilder {
  readonly #text: string;
  readonly #written: string | null;
  readonly #problems: ManifestProblem[];
  readonly #pieces: ComposedPieces;
  readonly #anchors = new Map<string, Anchored>();
  #built = 0;
  #aliased = 0;
  #budgetReported = false;
  /** Values in the node read last, those behind its aliases included. */
  #size = 0;

  /** @param written the text with the line breaks that only go-yaml knows */
  constructor(text: string, written: string, problems: ManifestProblem[], pieces: ComposedPieces) {
    this.#text = text;
    this.#written = text === written ? null : written;
    this.#problems = problems;
    this.#pieces = pieces;
  }

  *node(node: ParsedNode): Generator<void, SourceNode> {
    if (!isMap(node) && !isSeq(node)) return this.#leaf(node);
    const { anchor } = node;
    if (anchor !== undefined) this.#anchors.set(anchor, { node: null, size: 0 });
    const before = this.#size;
    this.#size = 0;
    const source = isMap(node) ? yield* this.#map(node) : yield* this.#list(node);
    const size = this.#size + 1;
    this.#size = before + size;
    if (anchor !== undefined) this.#anchors.set(anchor, { node: source, size });
    return source;
  }

  /** What holds nothing else; most values do not, and cost no generator. */
  #leaf(node: Scalar.Parsed | Alias.Parsed): SourceNode {
    this.#built++;
    if (isAlias(node)) return this.#alias(node.source, node.range[0], node.range[1]);
    const source = this.#scalar(node);
    this.#size++;
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, { node: source, size: 1 });
    return source;
  }

  /** Whether it is time to let others go first. */
  #isStep(): boolean {
    if (this.#built < stepSize) return false;
    this.#built = 0;
    return true;
  }

  #alias(name: string, start: number, end: number): SourceNode {
    const anchored = this.#anchors.get(name);
    const range = { start, end };
    let target = anchored?.node ?? null;
    if (anchored === undefined) {
      this.#problems.push(problemAt(range, 'yaml-alias', say`There is no anchor “&${name}” before this alias.`));
    } else if (target === null) {
      this.#problems.push(problemAt(range, 'yaml-alias', say`The anchor “&${name}” contains itself.`));
    } else if (!this.#repeat(anchored.size, range)) {
      target = null;
    }
    return { kind: 'alias', ...range, value: target?.value ?? null, target };
  }

  /** Counts values that an alias or a merge key repeats; false when there are too many. */
  #repeat(size: number, range: OffsetRange): boolean {
    this.#aliased += size;
    this.#size += size;
    if (this.#aliased <= maxAliasedValues) return true;
    if (!this.#budgetReported) {
      this.#budgetReported = true;
      const limit = maxAliasedValues.toLocaleString('en-US');
      const message = say`The aliases of this document expand to more than ${limit} values; kubectl refuses such a document.`;
      this.#problems.push(problemAt(range, 'yaml-alias', message));
    }
    return false;
  }

  #scalar(node: Scalar.Parsed): SourceScalar {
    const [start, valueEnd] = node.range;
    const text = this.#textOf(node);
    if (node.type === Scalar.BLOCK_FOLDED || node.type === Scalar.BLOCK_LITERAL) {
      const end = start + this.#text.slice(start, valueEnd).trimEnd().length;
      return { kind: 'scalar', start, end, value: this.#taggedText(node, text, start, end), style: 'block' };
    }
    if (node.type !== Scalar.PLAIN) {
      return {
        kind: 'scalar',
        start,
        end: valueEnd,
        value: this.#taggedText(node, withApostrophes(text), start, valueEnd),
        style: 'quoted',
      };
    }
    if (start === valueEnd) {
      const value = node.tag === undefined ? null : this.#tagged(node.tag, '', start, valueEnd);
      return { kind: 'scalar', start, end: valueEnd, value, style: 'empty' };
    }
    if (node.tag !== undefined && node.tag !== '!') {
      const value = this.#tagged(node.tag, text, start, valueEnd);
      return { kind: 'scalar', start, end: valueEnd, value, style: 'plain' };
    }
    if (node.tag === undefined && isNotFinite(text)) {
      const message = say`${text} is a number that JSON cannot carry, so kubectl refuses it. Quote it if text is meant.`;
      this.#problems.push(problemAt({ start, end: valueEnd }, 'yaml-syntax', message));
    }
    const value = node.tag === '!' ? text : resolvePlainScalar(text);
    return { kind: 'scalar', start, end: valueEnd, value, style: 'plain' };
  }

  /** What a scalar says, in which separators of lines stay where they are. */
  #textOf({ range: [start, end], source, type }: Scalar.Parsed): string {
    if (this.#written === null) return source;
    const isBlock = type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL;
    const style = isBlock ? 'block' : type === Scalar.PLAIN ? 'plain' : 'quoted';
    return textWithSeparators(this.#written.slice(start, end), style) ?? source;
  }

  #taggedText(node: Scalar.Parsed, text: string, start: number, end: number): SourceScalar['value'] {
    return node.tag === undefined || node.tag === '!' ? text : this.#tagged(node.tag, text, start, end);
  }

  #tagged(tag: string, text: string, start: number, end: number): SourceScalar['value'] {
    const value = resolveTaggedScalar(tag, text);
    if (value !== undefined) return value;
    const name = tag.replace('tag:yaml.org,2002:', '!!');
    this.#problems.push(problemAt({ start, end }, 'yaml-syntax', say`“${text}” cannot be read as a ${name}.`));
    return text;
  }

  *#list(node: YAMLSeq.Parsed): Generator<void, SourceList> {
    const start = this.#pieces.startOf(node.srcToken) ?? node.range[0];
    const items: SourceNode[] = [];
    const value: Json[] = [];
    let end = start;
    for (const item of this.#pieces.itemsOf(node.srcToken, node.items)) {
      const source =
        (node.flow === true ? this.#wordOf(item) : null) ??
        (isCollection(item) ? yield* this.node(item) : this.#leaf(item));
      if (this.#isStep()) yield;
      items.push(source);
      value.push(source.value);
      end = Math.max(end, source.end);
    }
    if (node.flow === true) end = Math.max(end, node.range[1]);
    return { kind: 'list', start, end, value, items };
  }

  *#map(node: YAMLMap.Parsed): Generator<void, SourceMap> {
    const start = this.#pieces.startOf(node.srcToken) ?? node.range[0];
    const building = new MapBuilder(this.#problems);
    let end = start;
    for (const pair of this.#pieces.itemsOf(node.srcToken, node.items)) {
      const { key } = pair;
      const names = yield* this.#keys(key, building);
      const { value: given } = pair;
      let value: SourceNode;
      if (given === null) value = emptyAt(key.range[1]);
      else value = isCollection(given) ? yield* this.node(given) : this.#leaf(given);
      if (this.#isStep()) yield;
      end = Math.max(end, key.range[1], names?.keyEnd ?? 0, value.end);
      if (names === null) continue;
      const isWord = node.flow === true && this.#takesColon(key, given);
      const entry = { ...names, ...(isWord ? { name: `${names.name}:` } : {}), value };
      if (entry.merge) this.#merge(entry, building);
      else building.add(entry);
    }
    if (node.flow === true) end = Math.max(end, node.range[1]);
    const { value, entries, effective } = building;
    return { kind: 'map', start, end, value, entries, effective };
  }

  /**
   * Whether the colon behind a word in brackets is a part of it: to go-yaml only a blank makes it the end of a key.
   * Source: sigs.k8s.io/yaml/goyaml.v2/scannerc.go (yaml_parser_scan_plain_scalar)
   */
  #takesColon(key: ParsedNode, given: ParsedNode | null): boolean {
    const end = key.range[1];
    if (!isScalar(key) || key.type !== Scalar.PLAIN || this.#text[end] !== ':') return false;
    const next = this.#text[end + 1] ?? '';
    if (next === '[' || next === '{') {
      const range = { start: key.range[0], end: end + 1 };
      this.#problems.push(problemAt(range, 'yaml-syntax', say`kubectl needs a space between “:” and what follows it.`));
    }
    return (next === ',' || next === ']' || next === '}') && (given === null || given.range[0] === given.range[1]);
  }

  /** `z:` in a list in brackets, which is a word, and no map as to the library. */
  #wordOf(item: ParsedNode): SourceNode | null {
    if (!isMap(item) || item.items.length !== 1 || this.#text[item.range[0]] === '{') return null;
    const { key, value } = item.items[0]!;
    if (!this.#takesColon(key, value)) return null;
    const [start, end] = key.range;
    this.#size++;
    return { kind: 'scalar', start, end: end + 1, value: this.#text.slice(start, end + 1), style: 'plain' };
  }

  /** Reads a key; half-typed lines before it become entries of their own. Null when it cannot be a key. */
  *#keys(key: ParsedNode, building: MapBuilder): Generator<void, Omit<SourceEntry, 'value'> | null> {
    const [start, end] = key.range;
    const plain = isScalar(key) && key.type === Scalar.PLAIN;
    if (plain && key.anchor === undefined && key.tag === undefined) {
      // A half-typed line, `prio`, and the key of the next line are one key to the library. Take them apart.
      const written = this.#text.slice(start, end);
      const lineBreak = written.lastIndexOf('\n');
      if (lineBreak !== -1) {
        let at = start;
        for (const line of written.slice(0, lineBreak).split('\n')) {
          const name = line.trim();
          const keyStart = at + line.indexOf(name);
          if (name !== '' && !name.startsWith('#')) {
            const keyEnd = keyStart + name.length;
            building.add({ name, keyStart, keyEnd, value: emptyAt(keyEnd), merge: false });
          }
          at += line.length + 1;
        }
        const last = written.slice(lineBreak + 1).trimStart();
        this.#size++;
        return {
          name: keyName(resolvePlainScalar(last)) ?? last,
          keyStart: end - last.length,
          keyEnd: end,
          merge: false,
        };
      }
      if (written === '<<') return { name: '<<', keyStart: start, keyEnd: end, merge: true };
    }
    const source = yield* this.node(key);
    const { value } = source;
    if (value !== null && typeof value === 'object' && !isNumber(value)) {
      const message = say`A key must be text; a map or a list cannot be one.`;
      this.#problems.push(
        problemAt({ start, end: Math.min(end, lineEndAt(this.#text, start)) }, 'yaml-syntax', message),
      );
      return null;
    }
    if (value === null && end > start) {
      const message = say`A key must be text; null cannot be one. Quote it if text is meant.`;
      this.#problems.push(problemAt({ start, end }, 'yaml-syntax', message));
    }
    if (end === start) {
      // The library puts a key that is not written behind what came before it; it stands at its colon.
      const colon = this.#nextWritten(start);
      return { name: keyName(value) ?? '', keyStart: colon, keyEnd: colon, merge: false };
    }
    return { name: keyName(value) ?? this.#text.slice(start, end), keyStart: start, keyEnd: end, merge: false };
  }

  /** Where the next thing is written that is neither blank nor a comment. */
  #nextWritten(from: number): number {
    let at = from;
    for (; at < this.#text.length; at++) {
      const character = this.#text[at]!;
      if (character === '#') at = lineEndAt(this.#text, at);
      else if (!' \t\r\n'.includes(character)) break;
    }
    return Math.min(at, this.#text.length);
  }

  /**
   * Merges in the order of the text, as go-yaml v2 does: a merge key overrides what stands before it.
   * Source: sigs.k8s.io/yaml/goyaml.v2/decode.go (mapping, merge)
   */
  #merge(entry: SourceEntry, building: MapBuilder): void {
    building.addMerge(entry);
    const given = behindAlias(entry.value);
    // The first map of a list takes precedence, so it is merged last.
    const sources = given?.kind === 'list' ? given.items.map(behindAlias).reverse() : [given];
    const range = {
      start: entry.value.start,
      end: Math.min(entry.value.end, lineEndAt(this.#text, entry.value.start)),
    };
    for (const source of sources) {
      // A missing anchor was reported at the alias.
      if (source === null) continue;
      if (source.kind !== 'map') {
        this.#problems.push(problemAt(range, 'yaml-alias', say`Only a map or a list of maps can be merged with “<<”.`));
        continue;
      }
      const keys = Object.keys(source.value);
      if (!this.#repeat(keys.length, range)) return;
      for (const name of keys) {
        const from = entryOf(source, name);
        if (from !== undefined) building.override(name, from);
      }
    }
  }
}

function emptyAt(offset: number): SourceScalar {
  return { kind: 'scalar', start: offset, end: offset, value: null, style: 'empty' };
}

/** A key as text. Source: sigs.k8s.io/yaml/yaml.go (convertToJSONableObject) */
function keyName(value: SourceScalar['value']): string | null {
  return value === null ? null : String(value);
}
