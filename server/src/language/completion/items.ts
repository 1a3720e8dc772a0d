import { say } from '../../util/say.ts';
import type { CompletionItem } from 'vscode-languageserver';
import type { FieldType } from '../../kubernetes/api/index.ts';
import type { PlacedDocument } from '../../manifests/manifest.ts';
import { placedRange } from '../../manifests/text-positions.ts';
import { fieldWords } from '../field-docs/field-words.ts';
import { plain } from '../connection/markdown.ts';
import { typeInWords } from '../field-docs/type-words.ts';
import { yamlText } from '../rules/support/edits.ts';
import type { Choice, CompletionContext, Snippet } from './context.ts';
import type { KeyChoice } from './keys.ts';
import type { Slot } from './slot.ts';
import { escaped, withoutStops } from './stops.ts';
import { leadsOn } from './values.ts';

/** Sources: CompletionItemKind, InsertTextFormat and InsertTextMode of the language server protocol */
const itemKinds = { property: 10, value: 12, snippet: 15, enumMember: 20 } as const;
const formats = { plainText: 1, snippet: 2 } as const;
/** Indentation is written as it has to be; the editor's own would not know the dash of an item. */
const asItIs = 1;

/** VS Code opens the list as if somebody typed, as long as the command has no arguments. */
const reopening: Pick<CompletionItem, 'command'> = {
  command: { title: '', command: 'editor.action.triggerSuggest' },
};

type Place = Pick<CompletionItem, 'filterText' | 'textEdit' | 'insertTextFormat' | 'insertTextMode'>;

/** A word within a text, in place of its beginning before the cursor. */
export function wordItem(
  placed: PlacedDocument,
  { label, detail }: Choice,
  offset: number,
  replaced: number,
): CompletionItem {
  const range = placedRange(placed, { start: offset - replaced, end: offset });
  return { label, kind: itemKinds.value, detail, filterText: label, textEdit: { range, newText: label } };
}

/** Turns choices into items for one slot. */
export class ItemMaker {
  readonly #placed: PlacedDocument;
  readonly #slot: Slot;
  readonly #context: CompletionContext;

  constructor(placed: PlacedDocument, slot: Slot, context: CompletionContext) {
    this.#placed = placed;
    this.#slot = slot;
    this.#context = context;
  }

  /** A field of a struct. */
  key({ name, field, type, required, children }: KeyChoice): CompletionItem {
    const words = fieldWords(field);
    const more = words === undefined || words.docs === '' ? '' : say`\n\n[Kubernetes documentation](${words.docs})`;
    return {
      label: name,
      kind: itemKinds.property,
      detail: typeInWords(type),
      ...(required ? { labelDetails: { description: 'required' } } : {}),
      ...(words === undefined ? {} : { documentation: { kind: 'markdown', value: say`${plain(words.text)}${more}` } }),
      ...(this.#withChildren(name, children) ?? this.#entry(name, name, type)),
      ...this.#next(field, type),
    };
  }

  /** A key of a map of texts or amounts. */
  mapKey({ label, detail }: Choice, type: FieldType): CompletionItem {
    const next = type.kind === 'quantity' || type.kind === 'string' ? reopening : {};
    const entry = this.#entry(label, yamlText(label), type);
    return { label, kind: itemKinds.value, detail, ...entry, ...(this.#context.reopens === true ? next : {}) };
  }

  value({ label, detail, description = '', isWord }: Choice): CompletionItem {
    const { quote, form, lead } = this.#slot;
    const isJson = form === 'json' && isWord !== true;
    const text = isWord === true ? label : quoted(label, isJson ? '"' : quote, yamlText(label));
    return {
      label,
      kind: itemKinds.enumMember,
      ...(detail === '' ? {} : { detail }),
      ...(description === '' ? {} : { documentation: { kind: 'markdown', value: plain(description) } }),
      // The editor selects what is written now; without this it would select the first.
      ...(label === this.#slot.written ? { preselect: true } : {}),
      ...this.#edit(label, `${lead}${text}`, false),
      // It takes the quotes away: not from who has written both of them, and goes on with Enter.
      ...(isWord === true && quote !== '' ? { filterText: `${quote}${label}` } : {}),
    };
  }

  /** A kind with what has to be written with it: its version, and in a document that says nothing else its parts. */
  kind(choice: Choice, apiVersion: string, body: readonly string[]): CompletionItem {
    const { range, lead, newline } = this.#slot;
    const { line } = this.#placed.document.positionAt(range.start);
    const start = { line: this.#placed.line + line, character: 0 };
    const text = [choice.label, ...body].join(newline);
    const filled = this.#context.snippets ? text : withoutStops(text);
    return {
      ...this.value(choice),
      ...(body.length === 0 ? {} : this.#edit(choice.label, `${lead}${filled}`, true)),
      ...(apiVersion === ''
        ? {}
        : { additionalTextEdits: [{ range: { start, end: start }, newText: `apiVersion: ${apiVersion}${newline}` }] }),
    };
  }

  /** A text of several lines, which begins where the slot is. */
  snippet({ label, detail, lines }: Snippet): CompletionItem {
    const { lead, column, newline } = this.#slot;
    const text = lines.join(`${newline}${' '.repeat(column)}`);
    const filled = this.#context.snippets ? text : withoutStops(text);
    return {
      label,
      kind: itemKinds.snippet,
      detail,
      documentation: { kind: 'markdown', value: `\`\`\`yaml\n${withoutStops(lines.join('\n'))}\n\`\`\`` },
      // No editor finds it by a key with its colon: that is typed to its end, and Enter begins a line.
      ...this.#edit(label.replaceAll(':', ' '), `${lead}${filled}`, true),
    };
  }

  /** A key with the keys below it; undefined where there is no room for them. */
  #withChildren(name: string, children: readonly string[] | undefined): Place | undefined {
    const { quote, form, lead, hasColon, column, newline } = this.#slot;
    if (children === undefined || hasColon || quote !== '' || form !== 'block') return undefined;
    const below = `${newline}${' '.repeat(column + 2)}`;
    const text = `${name}:${below}${children.join(below)}`;
    return this.#edit(name, `${lead}${this.#context.snippets ? text : withoutStops(text)}`, true);
  }

  /** Opens the next list, where there is something to choose behind the key. */
  #next(field: string, type: FieldType): Pick<CompletionItem, 'command'> {
    const saysWhatItIs = this.#slot.path.length === 0 && /\.(?:apiVersion|kind)$/.test(field);
    const leads = saysWhatItIs || leadsOn(field, type);
    return this.#context.reopens === true && !this.#slot.hasColon && leads ? reopening : {};
  }

  /** A key with what stands behind it. */
  #entry(name: string, plainKey: string, type: FieldType): Place {
    const { quote, form, lead, hasColon } = this.#slot;
    const key = quoted(name, form === 'json' ? '"' : quote, plainKey);
    if (hasColon) return this.#edit(name, `${lead}${key}`, false);
    const [open, close] = this.#opening(type);
    if (!this.#context.snippets) return this.#edit(name, `${lead}${key}:${open}${close}`, false);
    return this.#edit(name, `${lead}${escaped(key)}:${open}$0${close}`, true);
  }

  /** What follows the colon, before and after the cursor. */
  #opening(type: FieldType): readonly [string, string] {
    const { form, column, newline } = this.#slot;
    const isList = type.kind === 'list';
    const isMap = type.kind === 'struct' || type.kind === 'map';
    if (form === 'block') {
      const below = `${newline}${' '.repeat(column + 2)}`;
      if (isList) return [`${below}- `, ''];
      return isMap ? [below, ''] : [' ', ''];
    }
    if (isList) return [' [', ']'];
    if (isMap) return [' { ', ' }'];
    return form === 'json' && isText(type) ? [' "', '"'] : [' ', ''];
  }

  #edit(label: string, newText: string, isSnippet: boolean): Place {
    const { quote, range } = this.#slot;
    return {
      filterText: `${quote}${label}${quote}`,
      textEdit: { range: placedRange(this.#placed, range), newText },
      insertTextFormat: isSnippet && this.#context.snippets ? formats.snippet : formats.plainText,
      insertTextMode: asItIs,
    };
  }
}

function isText({ kind }: FieldType): boolean {
  return kind === 'string' || kind === 'quantity' || kind === 'time';
}

function quoted(text: string, quote: Slot['quote'], plainText: string): string {
  if (quote === '"') return JSON.stringify(text);
  return quote === "'" ? `'${text.replaceAll("'", "''")}'` : plainText;
}
