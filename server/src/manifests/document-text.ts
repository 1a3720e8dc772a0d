import { say } from '../util/say.ts';
import type { ManifestProblem } from './manifest.ts';

/** Nothing but white space, comments, directives and document markers. */
export function isBlank(text: string): boolean {
  return text.split('\n').every((line) => /^\uFEFF?(?:\s*(?:#.*)?|(?:---|\.\.\.)(?:\s+(?:#.*)?)?|%.*)$/s.test(line));
}

/** For text that cannot be read as it is: somebody wrote an apiVersion and a kind. Of a schema both are maps. */
export function looksLikeManifest(text: string): boolean {
  return (
    /^(?:apiVersion:|[ \t]*(?:\{[ \t]*)?"apiVersion"[ \t]*:(?![ \t]*\{))/m.test(text) &&
    /^(?:kind:|.*"kind"\s*:(?!\s*\{))/m.test(text)
  );
}

/** The problem that takes the place of reading; it points at the first line. */
export function tooLarge(
  code: 'document-too-large' | 'file-too-large',
  what: 'document' | 'file',
  text: string,
  limit: number,
): ManifestProblem {
  const size = (length: number): string => `${(length / 1024 / 1024).toFixed(1)} MB`;
  const message =
    what === 'file'
      ? say`This file has ${size(text.length)}; Podium reads a file of up to ${size(limit)}.`
      : say`This document has ${size(text.length)}; Podium reads a document of up to ${size(limit)}.`;
  return { code, severity: 'warning', message, range: { start: 0, end: shownLineEnd(text, 0) } };
}

/** The end of the line at an offset, or a sensible part of a very long one. */
export function shownLineEnd(text: string, offset: number): number {
  const shown = 200;
  const lineBreak = text.slice(offset, offset + shown).search(/[\r\n]/);
  return lineBreak === -1 ? Math.min(offset + shown, text.length) : offset + lineBreak;
}

/** A copy that does not keep the text it was cut from in memory, as V8's slices of strings do. */
export function detached(part: string): string {
  return ` ${part}`.slice(1);
}

/**
 * The text with as many characters, in which a carriage return alone ends a line as it does in YAML. The library takes
 * it for a part of the line.
 * Source: sigs.k8s.io/yaml/goyaml.v2/yamlprivateh.go (is_break)
 */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r(?!\n)/g, '\n') : text;
}

/** The spec of a CustomResourceDefinition, thousands of lines of schema, is no manifest and is not read. */
export function withoutSchema(text: string): string {
  const isDefinition = /^kind:[ \t]*["']?CustomResourceDefinition\b/m.test(text);
  const spec = isDefinition ? text.search(/^spec:/m) : -1;
  return spec === -1 ? text : text.slice(0, spec);
}

/** The text of a definition without the schemas of its versions. */
export function withoutVersions(text: string): string {
  const meta = withoutSchema(text);
  if (meta === text) return text;
  const kept: string[] = [];
  let within = -1;
  for (const line of text.slice(meta.length).split('\n')) {
    const start = line.search(/\S/);
    if (within >= 0 && (start === -1 || start > within)) continue;
    // An item of a list may begin with it.
    const key = /^[ ]*(?:- )?(?=schema:)/.exec(line);
    within = key === null ? -1 : key[0].length;
    if (key === null) kept.push(line);
    else if (key[0].includes('-')) kept.push(`${key[0]}schema: {}`);
  }
  return meta + kept.join('\n');
}
