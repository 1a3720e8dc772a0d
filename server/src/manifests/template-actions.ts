import type { SourceEntry, SourceNode } from './source-tree.ts';

/** What only Helm charts say, wherever it stands. */
const helm = /\{\{[^{}\n]{0,200}?(?:\.(?:Values|Release|Chart|Capabilities)\b|\b(?:include|tpl|toYaml)\s+["(.$])/;

/** Whether a text, or a scalar of it, shows that it is a template of Helm's. */
export function isOfHelm(text: string): boolean {
  return helm.test(text);
}

/** A HelmRelease of Flux hands its values to a chart, which fills in templates in them itself. */
const release = /^["']?kind["']?:[ \t]*["']?HelmRelease["']?[ \t]*(?:#.*)?$/m;

/** Whether actions of Helm in quoted text do not show yet that a text is a template. */
export function mayHoldValues(text: string): boolean {
  return release.test(text);
}

/** Maps and fields whose text is made for programs that may have templates of their own. */
const freeText = new Set([
  'annotations',
  'data',
  'stringData',
  'literals',
  'args',
  'command',
  'env',
  'description',
  'message',
]);

/**
 * Recognises Helm and Go template actions while the tokens of a document go by. Between tokens `{{` is always one.
 * Inside a scalar it may be meant for another program (alert texts, Vault annotations, dashboards), so there only what
 * is Helm's own ends the reading at once; `hasTemplatedField` decides about the rest.
 */
export class TemplateTracker {
  #openBrace = -1;
  readonly #holdsValues: boolean;
  /** `{{` stands in a plain or quoted scalar. */
  inFlowScalar = false;

  constructor(text: string) {
    this.#holdsValues = mayHoldValues(text);
  }

  /** The text of a scalar. True when it shows that the document is a template. */
  scalar(text: string, block: boolean): boolean {
    if (!text.includes('{{')) return false;
    if (!block) this.inFlowScalar = true;
    return !this.#holdsValues && isOfHelm(text);
  }

  /** Any other token that is no comment. */
  token(lexeme: string, offset: number): boolean {
    const first = lexeme.charCodeAt(0);
    if (first === 0x22 || first === 0x27) return this.scalar(lexeme, false);
    // With or behind the `|` of a text, where nothing may stand: `|{{- toYaml … | nindent 4 }}`.
    if (lexeme.includes('{{')) return true;
    if (first !== 0x7b /* { */) return false;
    if (this.#openBrace === offset - 1) return true;
    this.#openBrace = offset;
    return false;
  }
}

/** Whether a key or a field that is not free text has a template action in it. */
export function hasTemplatedField(root: SourceNode): boolean {
  if (root.kind !== 'map' || !root.entries.some(isKindOfRelease)) return hasAction(root);
  return root.entries.some(({ name, value }) => {
    if (name !== 'spec' || value.kind !== 'map') return name.includes('{{') || hasAction(value);
    return value.entries.some(
      (entry) => entry.name !== 'values' && (entry.name.includes('{{') || hasAction(entry.value)),
    );
  });
}

function isKindOfRelease({ name, value }: SourceEntry): boolean {
  return name === 'kind' && value.kind === 'scalar' && value.value === 'HelmRelease';
}

function hasAction(node: SourceNode): boolean {
  switch (node.kind) {
    case 'scalar':
      return node.style !== 'block' && typeof node.value === 'string' && node.value.includes('{{');
    case 'list':
      return node.items.some(hasAction);
    case 'map':
      return node.entries.some(
        (entry) => entry.name.includes('{{') || (!freeText.has(entry.name) && hasAction(entry.value)),
      );
    case 'alias':
      return false;
  }
}
