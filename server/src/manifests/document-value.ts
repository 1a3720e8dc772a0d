import { isObject } from '../util/values.ts';
import type { JsonObject } from '../kubernetes/json.ts';
import type { SourceNode } from './source-tree.ts';
import { readYaml } from './yaml-reader.ts';
import { isNotFinite } from './yaml-scalars.ts';

/** The value of a text of one document as kubectl takes it, or what it says of one that it cannot take. */
export function documentValue(text: string): { readonly value: JsonObject } | { readonly problem: string } {
  const { root } = readYaml(text);
  if (root === null) return { value: {} };
  const infinite = notFinite(root, text);
  // Source: UnsupportedValueError in Go's encoding/json
  if (infinite !== undefined) return { problem: `json: unsupported value: ${infinite}` };
  const { value } = root;
  return { value: isObject(value) ? value : {} };
}

/** Go's name of a number that JSON cannot carry. */
function notFinite(node: SourceNode, text: string): string | undefined {
  switch (node.kind) {
    case 'scalar': {
      const written = text.slice(node.start, node.end);
      if (node.style !== 'plain' || !isNotFinite(written)) return undefined;
      return /nan/i.test(written) ? 'NaN' : written.startsWith('-') ? '-Inf' : '+Inf';
    }
    case 'list':
      return firstOf(node.items, (item) => notFinite(item, text));
    case 'map':
      return firstOf(node.entries, ({ value }) => notFinite(value, text));
    case 'alias':
      return undefined;
  }
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
