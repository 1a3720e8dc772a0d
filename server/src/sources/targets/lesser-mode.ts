import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import type { AppliedSource } from './applied-source.ts';

/** Names of the tools that have rendered some of the sources without a sandbox of the operating system. */
export function toolsWithoutSandbox(sources: readonly AppliedSource[]): readonly string[] {
  return [...new Set(sources.flatMap(({ withoutSandbox }) => withoutSandbox))].sort();
}

/** Says that they have, as a sentence without a full stop. */
export function lesserMode(tools: readonly string[]): string {
  return say`${list(tools)} ran without a sandbox of the operating system, on a copy of the files; what needs more is not rendered`;
}
