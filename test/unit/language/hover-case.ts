import assert from 'node:assert/strict';
import { hover } from '../../../server/src/language/hovers/hover.ts';
import { surroundings, TestWorkspace, type TestWorkspaceOptions } from './test-workspace.ts';

export interface HoverCase extends TestWorkspaceOptions {
  /** `‹…›` marks the word under the cursor, which is also the range of the answer. */
  readonly manifest: string;
  readonly others?: Readonly<Record<string, string>>;
  /** What the answer says, in order; none for no answer. */
  readonly says: readonly (string | RegExp)[];
}

/** Hovers over a mark, in a file that begins with it and in others. */
export async function checkHover(hoverCase: HoverCase): Promise<void> {
  for (const { name, wrap } of surroundings) {
    const workspace = await TestWorkspace.of({ ...hoverCase.others, 'a.yaml': wrap(hoverCase.manifest) }, hoverCase);
    const answer = hover(workspace.file('a.yaml'), workspace.cursor('a.yaml'), workspace.facts);
    if (hoverCase.says.length === 0) {
      assert.equal(answer, null, name);
      continue;
    }
    assert.ok(answer !== null, `${name}: no hover`);
    assert.deepEqual(answer.range, workspace.ranges('a.yaml')[0], name);
    let rest = answer.contents.value;
    for (const expected of hoverCase.says) {
      const at = typeof expected === 'string' ? rest.indexOf(expected) : rest.search(expected);
      assert.ok(at >= 0, `${name}: ${String(expected)} is missing (after what was found) in:\n${rest}`);
      rest = rest.slice(at);
    }
  }
}
