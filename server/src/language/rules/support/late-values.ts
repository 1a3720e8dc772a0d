import type { Path } from '../../../kubernetes/json.ts';
import type { ManifestDocument } from '../../../manifests/manifest.ts';
import { valueAtPath } from '../../../sources/files/json-paths.ts';
import type { Fact } from '../../index/fact.ts';
import type { Finding } from './rule.ts';

/** `${NAME:=5Gi}`, which Flux fills in, and `%NAME%`, which scripts do: the API server never sees them. */
const lateValue = /\$\{[A-Za-z_](?:[^$}\n]|\$(?!\{))*\}|%[A-Z][A-Z0-9_]*%/;

/** Whether a finding is about a value that something else stands for when the object is applied. */
export function isAboutLateValue(
  { range, path }: Finding,
  document: ManifestDocument,
  fact: Fact | undefined,
): boolean {
  const { text } = document;
  // A finding at a key is about what follows it.
  const lineBreak = text[range.end] === ':' ? text.indexOf('\n', range.end) : range.end;
  if (lateValue.test(text.slice(range.start, lineBreak === -1 ? text.length : lineBreak))) return true;
  const manifest = fact?.manifest;
  const at: Path | undefined = path ?? manifest?.rendering?.pathOf(range);
  const value = manifest === undefined || at === undefined ? undefined : valueAtPath(manifest.value, at);
  return typeof value === 'string' && lateValue.test(value);
}
