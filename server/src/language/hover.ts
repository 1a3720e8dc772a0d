import type { Hover, MarkupContent, Position } from 'vscode-languageserver';
import type { Path } from '../kubernetes/json.ts';
import { podTemplatePath } from '../kubernetes/pod-template.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import type { Fact, Facts } from './facts.ts';
import type { Feature } from './feature.ts';
import { fieldTitle } from './field-types.ts';
import { budgetHover, evictionHover } from './hovers/budget.ts';
import { gatesHover } from './hovers/gates.ts';
import { classHover, priorityHover } from './hovers/priority.ts';
import { quotaHover } from './hovers/quota.ts';
import { documentAtLine, offsetInDocument, placedRange } from '../manifests/text-positions.ts';

/** Explains what the cursor is on: priority, budgets, quotas and gates. */
export const hoverFeature: Feature = {
  capabilities: { hoverProvider: true },
  register(connection, session) {
    connection.onHover((params, token) =>
      session.answer('hover', params.textDocument.uri, token, (file) => {
        const found = hover(file, params.position, session.facts);
        return found === null || session.workspaceRead ? found : stillReading(found);
      }),
    );
  },
};

function stillReading({ contents, ...rest }: ManifestHover): ManifestHover {
  const value = `${contents.value}\n\n*Podium is still reading the workspace: more may be declared than is counted here.*`;
  return { ...rest, contents: { ...contents, value } };
}

interface ManifestHover extends Hover {
  readonly contents: MarkupContent;
}

export function hover(file: ManifestFile, position: Position, facts: Facts): ManifestHover | null {
  const placed = documentAtLine(file.documents, position.line);
  const located = placed?.document.at(offsetInDocument(placed, position));
  if (placed === undefined || located === null || located === undefined) return null;
  const fact = facts.factOf(file.uri, placed.index, located.object);
  const text = fact === undefined ? undefined : textAt(fact, located.path, facts);
  if (text === undefined || text === '') return null;
  const title = isHeading(located.path) ? '' : fieldTitle(located.object, located.path);
  const value = [title, text].filter(isText).join('\n\n');
  return { contents: { kind: 'markdown', value }, range: placedRange(placed, located.range) };
}

function textAt(fact: Fact, path: Path, facts: Facts): string | undefined {
  switch (fact.kind) {
    case 'PriorityClass':
      return classHover(fact, facts);
    case 'PodDisruptionBudget':
      return isHeading(path) || startsWith(path, ['spec']) ? budgetHover(fact, facts) : undefined;
    case 'ResourceQuota':
      return isHeading(path) || startsWith(path, ['spec']) ? quotaHover(fact, facts) : undefined;
    default:
      return podTextAt(fact, path, facts);
  }
}

/** Fields of a pod's spec whose hover is about priority. */
const priorityFields: ReadonlySet<string | number> = new Set(['priorityClassName', 'priority', 'preemptionPolicy']);

function podTextAt(fact: Fact, path: Path, facts: Facts): string | undefined {
  const template = podTemplatePath(fact.kind);
  if (template === undefined) return undefined;
  if (isHeading(path)) return [priorityHover(fact, facts), evictionHover(fact, facts)].filter(isText).join('\n\n');
  if (!startsWith(path, template)) return undefined;
  const [spec, field, ...inside] = path.slice(template.length);
  // On the key `template`. A bare Pod is its own template and has no such key.
  if (spec === undefined) return template.length > 0 ? priorityHover(fact, facts) : undefined;
  if (spec !== 'spec') return undefined;
  if (field === 'schedulingGates') return gatesHover(fact);
  if (field === undefined || (priorityFields.has(field) && inside.length === 0)) return priorityHover(fact, facts);
  return undefined;
}

/** Whether a path is `kind` or `metadata.name`, where the hover is about the whole object. */
function isHeading(path: Path): boolean {
  return (
    (path.length === 1 && path[0] === 'kind') || (path.length === 2 && path[0] === 'metadata' && path[1] === 'name')
  );
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((step, index) => path[index] === step);
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
