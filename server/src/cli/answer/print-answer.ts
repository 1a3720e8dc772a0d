import type { Node } from '../../kubernetes/objects.ts';
import type { SimulationInput } from '../../simulation/cluster/input.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import type { CompiledSelector } from '../../kubernetes/labels.ts';
import { parseSelector } from '../../kubernetes/selector-text.ts';
import { didYouMean, oneOf } from '../arguments.ts';
import { type CommandContext, UsageError } from '../command.ts';
import { jsonText } from '../terminal/json.ts';
import { inert, printableLines } from '../terminal/text.ts';
import type { AnswerTone, CommandAnswer } from './answer.ts';
import { answerMarkdown } from './render-markdown.ts';
import { answerPage } from './render-page.ts';
import { answerText } from './render-text.ts';

/** Options of every command that answers one question. */
export const answerOptions = {
  format: { type: 'string', default: 'text' },
  show: { type: 'string' },
  'what-if': { type: 'string', multiple: true },
  selector: { type: 'string', short: 'l' },
} as const;

export const answerHelp = `Output:
  --what-if OPERATION          answer after an operation of podium simulate; may be repeated
  --format text|markdown|json|html
                               default text
`;

export type AnswerValues = {
  readonly format: string;
  readonly show?: string | undefined;
};

/** Grows when a field changes its meaning or goes. */
const formatVersion = 1;

/** Answers in the form that is asked for. */
export function printAnswer(
  answer: CommandAnswer,
  data: object,
  { format, show }: AnswerValues,
  context: CommandContext,
): void {
  const form = oneOf('--format', format, ['text', 'markdown', 'json', 'html']);
  if (show !== undefined) oneOf('--show', show, ['transcript', 'all']);
  const json = { version: formatVersion, verdict: answer.verdict, ...data };
  context.structured?.(cutToRows(json));
  const rendered = {
    text: () => inert(answerText(answer, show !== undefined, context)),
    markdown: () => inert(printableLines(answerMarkdown(answer))),
    json: () => `${jsonText(json)}\n`,
    html: () => answerPage(answer),
  };
  context.stdout.write(rendered[form]());
}

/** As many rows of each list as an assistant reads. */
const mostRows = 40;

/** An answer as data, for an assistant, which reads all of what it gets. */
export function cutToRows(data: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, mostRows) : value]),
  );
}

/** Several answers as one. */
export function combined(verdict: string, tone: AnswerTone, all: readonly CommandAnswer[]): CommandAnswer {
  return {
    verdict,
    tone,
    parts: all.map((answer) => ({
      title: answer.verdict,
      tone: answer.tone,
      lines: answer.parts.flatMap(({ title, lines }) => [...(title === '' ? [] : [`${title}:`]), ...lines]),
      ...(answer.parts.some(({ rows }) => rows !== undefined)
        ? { rows: answer.parts.flatMap(({ rows = [] }) => rows) }
        : {}),
    })),
  };
}

/** The name of a node that kubectl would take: `general-c`, `node/general-c`. */
export function nodeNamed(argument: string): string {
  return argument.replace(/^(?:nodes?|no)\//, '');
}

/** That no node has the labels of `--selector`. */
export function noNodeText({ selector = '' }: { readonly selector?: string | undefined }, nodes: readonly Node[]) {
  return `no node carries ${selector}${nearestLabel(selector, nodes)}`;
}

/** What is said where no pod has the labels of `--selector`. */
export function noPodText({ selector = '' }: { readonly selector?: string | undefined }, pods: readonly Labelled[]) {
  return `no pod has the labels ${selector}${nearestLabel(selector, pods)}`;
}

interface Labelled {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
}

/** The pods of what is declared, as their workloads write them. */
export function declaredPods({ workspace, snapshot }: SimulationInput): readonly Labelled[] {
  return [...workspace, ...snapshot].flatMap(({ object }) => podTemplateOf(object) ?? []);
}

function nearestLabel(selector: string, labelled: readonly Labelled[]): string {
  const labels = labelled.flatMap(({ metadata }) => Object.entries(metadata?.labels ?? {}));
  return didYouMean(selector, new Set(labels.map((label) => label.join('='))));
}

/** The labels of `--selector`. Throws `UsageError`. */
export function selectorOf({ selector: text }: { readonly selector?: string | undefined }): CompiledSelector | null {
  if (text === undefined) return null;
  const selector = parseSelector(text);
  if (selector === null) throw new UsageError(`'${text}' is not a label selector`);
  return selector;
}
