import type { Hover, MarkupContent, Position } from 'vscode-languageserver';
import type { Path } from '../../kubernetes/json.ts';
import { podTemplatePath } from '../../kubernetes/pod-template.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { Fact, Facts } from '../facts.ts';
import { fieldTitle } from '../field-types.ts';
import type { Release } from '../../kubernetes/release.ts';
import { kubernetesFor } from '../kubernetes-version.ts';
import { plain } from '../markdown.ts';
import { defaultSettings, type Settings } from '../settings.ts';
import { budgetHover, evictionHover } from './budget.ts';
import { gatesHover } from './gates.ts';
import { classHover, priorityHover } from './priority.ts';
import { quotaHover } from './quota.ts';
import { documentAtLine, offsetInDocument, placedRange } from '../../manifests/text-positions.ts';

export interface ManifestHover extends Hover {
  readonly contents: MarkupContent;
}

export function hover(
  file: ManifestFile,
  position: Position,
  facts: Facts,
  settings: Settings = defaultSettings,
): ManifestHover | null {
  const placed = documentAtLine(file.documents, position.line);
  const located = placed?.document.at(offsetInDocument(placed, position));
  if (placed === undefined || located === null || located === undefined) return null;
  const fact = facts.factOf(file.uri, placed.index, located.object);
  const kubernetes = kubernetesFor(facts, settings);
  const text = fact === undefined ? undefined : textAt(fact, located.path, facts, kubernetes.release);
  if (text === undefined || text === '') return null;
  const title = isHeading(located.path) ? '' : fieldTitle(kubernetes.release.types, located.object, located.path);
  const answer = [title, text].filter(isText).join('\n\n');
  const value = `${answer}\n\n*Kubernetes ${kubernetes.release.minor}: ${plain(kubernetes.why)}*`;
  return { contents: { kind: 'markdown', value }, range: placedRange(placed, located.range) };
}

function textAt(fact: Fact, path: Path, facts: Facts, release: Release): string | undefined {
  switch (fact.kind) {
    case 'PriorityClass':
      return classHover(fact, facts);
    case 'PodDisruptionBudget':
      return isHeading(path) || startsWith(path, ['spec']) ? budgetHover(fact, facts) : undefined;
    case 'ResourceQuota':
      return isHeading(path) || startsWith(path, ['spec']) ? quotaHover(fact, facts) : undefined;
    default:
      return podTextAt(fact, path, facts, release);
  }
}

/** Fields of a pod's spec whose hover is about priority. */
const priorityFields: ReadonlySet<string | number> = new Set(['priorityClassName', 'priority', 'preemptionPolicy']);

function podTextAt(fact: Fact, path: Path, facts: Facts, release: Release): string | undefined {
  const template = podTemplatePath(fact.kind);
  if (template === undefined) return undefined;
  if (isHeading(path)) {
    return [priorityHover(fact, facts, release), evictionHover(fact, facts)].filter(isText).join('\n\n');
  }
  if (!startsWith(path, template)) return undefined;
  const [spec, field, ...inside] = path.slice(template.length);
  // On `template:` itself, unless that is the whole pod.
  if (spec === undefined) return template.length > 0 ? priorityHover(fact, facts, release) : undefined;
  if (spec !== 'spec') return undefined;
  if (field === 'schedulingGates') return gatesHover(fact);
  if (field === undefined || (priorityFields.has(field) && inside.length === 0)) {
    return priorityHover(fact, facts, release);
  }
  return undefined;
}

/** On what names the object as a whole. */
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
