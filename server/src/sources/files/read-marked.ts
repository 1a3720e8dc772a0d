import type { Json } from '../../kubernetes/json.ts';
import { readData } from '../../manifests/read-data.ts';

// Characters of Unicode's private use area stand for the braces while YAML is read.
const openMark = '\uE0F0';
const closeMark = '\uE0F1';

/**
 * Reads YAML whose `{{` is for another program to fill in: values of a chart, an ApplicationSet. The manifest reader
 * would take it for a chart's template.
 */
export function readMarked(text: string): { readonly value: Json; readonly problem: string | null } {
  if (!text.includes('{{')) return readData(text);
  const { value, problem } = readData(marked(text));
  return {
    value: JSON.parse(JSON.stringify(value).replaceAll(openMark, '{{').replaceAll(closeMark, '}}')) as Json,
    problem,
  };
}

/** Braces that end a map in a map are none of an action. */
function marked(text: string): string {
  let depth = 0;
  return text.replaceAll(/\{\{|\}\}/g, (braces) => {
    if (braces === '{{') {
      depth++;
      return openMark;
    }
    if (depth === 0) return braces;
    depth--;
    return closeMark;
  });
}
