import { joined, say } from '../../util/say.ts';
import type { Hover, MarkupContent } from 'vscode-languageserver';
import type { Path } from '../../kubernetes/json.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { type KnownNodes, knownNodes } from '../index/known-nodes.ts';
import type { Settings } from '../settings/settings.ts';

export interface ManifestHover extends Hover {
  readonly contents: MarkupContent;
}

/** What a hover is about, and what its answer rests on. */
export interface HoverPlace {
  readonly fact: Fact;
  /** From the spec of the pods, for a field of theirs; else from the top of the object. */
  readonly path: Path;
  readonly facts: Facts;
  readonly release: Release;
  readonly settings: Settings;
}

/** What answers for some fields; undefined where it has nothing to say of a place. */
export type Answer = (place: HoverPlace) => string | undefined;

export function nodesOf({ facts, settings }: HoverPlace): KnownNodes {
  return knownNodes(facts, settings);
}

/** Whether a path begins with steps. */
export function startsWith(path: Path, start: Path): boolean {
  return start.every((step, index) => path[index] === step);
}

/** Paragraphs, those that have something to say. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return joined(parts.filter(isText), '\n\n');
}

/** A list of points; empty without any. */
export function points(lines: readonly string[]): string {
  return joined(
    lines.map((line) => say`- ${line}`),
    '\n',
  );
}

export function isText(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** On what names the object as a whole. */
export function isHeading(path: Path): boolean {
  return (
    (path.length === 1 && path[0] === 'kind') || (path.length === 2 && path[0] === 'metadata' && path[1] === 'name')
  );
}
