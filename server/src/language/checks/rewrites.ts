import { joined, say } from '../../util/say.ts';
import type { CodeAction, Range } from 'vscode-languageserver';
import { valueAt } from '../../util/values.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { documentAtLine, offsetInDocument } from '../../manifests/text-positions.ts';
import { rewrite } from './code-action-kinds.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { workspaceEdit } from './repairs.ts';
import { chartValue, ofWorkload, splitFile } from './refactorings.ts';
import { setValue } from '../rules/support/edits.ts';
import { madePod } from '../rules/support/made-pods.ts';

/** What a container gets where no LimitRange of its namespace says more: little, and enough to be counted. */
const plain = { cpu: '100m', memory: '128Mi' };

/** What rewrites need to know besides the workspace. */
export interface RewriteOptions {
  /** Whether files may be made beside a file, which nothing names as it is. */
  readonly maySplit: boolean;
  /** The values of the chart that it is a template of; null for any other file. */
  readonly values: string | null;
}

/** What may be written without anything being wrong. */
export function rewrites(
  file: ManifestFile,
  range: Range,
  facts: Facts,
  { maySplit, values }: RewriteOptions = { maySplit: false, values: null },
): CodeAction[] {
  if (values !== null) return chartValue(file, range, values);
  return [...ofObject(file, range, facts), ...(maySplit ? splitFile(file, range, facts) : [])];
}

/** Of the object under the cursor: the requests of a container, and what is made of a workload. */
function ofObject(file: ManifestFile, { start }: Range, facts: Facts): CodeAction[] {
  const placed = documentAtLine(file.documents, start.line);
  const cursor = placed?.document.pathAt(offsetInDocument(placed, start));
  if (placed === undefined || cursor?.object == null) return [];
  const { object, path } = cursor;
  const fact = facts.inDocument(file.uri, placed.index).find(({ manifest }) => manifest === object);
  if (fact?.template === undefined || object.rendering !== undefined || isStoredPod(fact)) return [];
  const spec = [...fact.template.path, 'spec'];
  const [field, index] = path.slice(spec.length);
  const isContainer = (field === 'containers' || field === 'initContainers') && typeof index === 'number';
  if (!isContainer || !spec.every((step, depth) => path[depth] === step)) return ofWorkload(fact, path, facts);
  return requestsOf(fact, [...spec, field, index], facts);
}

function requestsOf(fact: Fact, container: readonly (string | number)[], facts: Facts): CodeAction[] {
  const { value } = fact.manifest;
  const written = valueAt(value, [...container, 'resources', 'requests']);
  if (written !== undefined && written !== null) return [];
  // Limits that are written are requests too. Source: SetDefaults_Pod in pkg/apis/core/v1/defaults.go
  const made = valueAt(madePod(fact, facts), ['spec', ...container.slice(-2), 'resources', 'requests']);
  const requests = { ...plain, ...(made as Readonly<Record<string, string>> | undefined) };
  const edit = workspaceEdit([setValue(fact, [...container, 'resources', 'requests'], requests)], facts);
  const amounts = Object.entries(requests).map(([name, amount]) => say`${name} ${amount}`);
  return edit === undefined ? [] : [{ title: say`Write requests: ${joined(amounts, ', ')}`, kind: rewrite, edit }];
}
