import { readHeader } from '../kubernetes/snapshot-header.ts';
import { valueAt } from '../util/values.ts';
import { documentValue } from './document-value.ts';
import type { ManifestDocument, ManifestFile } from './manifest.ts';

/** The version of the API server, where a file has it as `kubectl version -o yaml` or `-o json` prints it: `v1.35.2`. */
export function serverVersionIn({ documents }: ManifestFile): string | undefined {
  const header = documents.at(-1)?.document.objects.at(-1);
  const read = header === undefined ? null : readHeader(header.value);
  if (read !== null && read.serverVersion !== '') return read.serverVersion;
  for (const { document } of documents) {
    const version = serverVersionOf(document);
    if (version !== undefined) return version;
  }
  return undefined;
}

/** Undefined for a document that is something else. */
export function serverVersionOf({ content, text }: ManifestDocument): string | undefined {
  if (content !== 'data' || !text.includes('serverVersion')) return undefined;
  const read = documentValue(text);
  const version = 'value' in read ? valueAt(read.value, ['serverVersion', 'gitVersion']) : undefined;
  return typeof version === 'string' ? version : undefined;
}
