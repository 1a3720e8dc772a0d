import { isList, isObject } from '../../util/values.ts';
import type { ManifestDocument } from '../../manifests/manifest.ts';

/** The schema that a language server for YAML takes for a document; undefined where nothing names one. */
export function schemaOf(document: ManifestDocument, uri: string, schemas: unknown): string | undefined {
  // Of the comments before a document the first that names one counts, and before all settings.
  const head = firstContent(document);
  for (const { text, range } of document.comments()) {
    if (range.start >= head) break;
    // Source: yaml-language-server, services/modelineUtil.ts
    if (!/^#\s+(?:yaml-language-server\s*:|\$schema:)/.test(text)) continue;
    const named = /\$schema(?:=|:[^\S\r\n]*)(\S+)/.exec(text);
    if (named !== null) return named[1]!;
  }
  if (!isObject(schemas)) return undefined;
  for (const [schema, patterns] of Object.entries(schemas)) {
    const all: readonly unknown[] = isList(patterns) ? patterns : [patterns];
    if (all.some((pattern) => typeof pattern === 'string' && endsAs(uri, pattern))) return schema;
  }
  return undefined;
}

/** The offset of what stands first in a document, behind comments. */
export function firstContent({ text }: ManifestDocument): number {
  return /^(?:\s*(?:#[^\n]*|---[^\n]*|%[^\n]*)?\n)*/.exec(text)![0].length;
}

/** Whether a file ends as a pattern says, in which `*` is anything. Source: yaml-language-server, utils/filePatternAssociation.ts */
function endsAs(uri: string, pattern: string): boolean {
  const parts = pattern.split('*');
  const last = parts.pop()!;
  if (!uri.endsWith(last)) return false;
  let end = uri.length - last.length;
  for (const part of parts.reverse()) {
    const at = uri.lastIndexOf(part, end - part.length);
    if (at < 0 || end < part.length) return false;
    end = at;
  }
  return true;
}
