import assert from 'node:assert/strict';
import { quickFixes } from '../../../server/src/language/checks/repairs.ts';
import { surroundings, TestWorkspace } from './test-workspace.ts';

const pod = (before: string, top = ''): string => `${top}apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
${before}  priorityClassName: ‹nope›
  containers: [{ name: a, image: a }]
`;

async function codesOf(source: string): Promise<unknown[]> {
  const workspace = await TestWorkspace.of({ 'a.yaml': source });
  return workspace.diagnostics('a.yaml').map(({ code }) => code);
}

for (const { name, wrap } of surroundings) {
  describe(`suppressions, ${name}`, () => {
    for (const [what, source, codes] of [
      ['nothing', pod(''), ['unknown-priority-class']],
      ['the next line', pod('  # podium-disable-next-line unknown-priority-class\n'), []],
      [
        'the next line, with a reason',
        pod('  # podium-disable-next-line unknown-priority-class -- made by Helm\n'),
        [],
      ],
      ['one of several codes', pod('  # podium-disable-next-line priority-mismatch, unknown-priority-class\n'), []],
      [
        'a line after other comments',
        pod('  # podium-disable-next-line unknown-priority-class\n  # another comment\n'),
        [],
      ],
      ['another code', pod('  # podium-disable-next-line priority-mismatch\n'), ['unknown-priority-class']],
      [
        'another line',
        pod('  # podium-disable-next-line unknown-priority-class\n  priority: 0\n'),
        ['unknown-priority-class'],
      ],
      ['the document', pod('', '# podium-disable unknown-priority-class\n'), []],
      ['no longer word', pod('  # podium-disabled unknown-priority-class\n'), ['unknown-priority-class']],
      [
        'an unknown code',
        pod('  # podium-disable-next-line unknown-class\n'),
        ['unknown-suppression', 'unknown-priority-class'],
      ],
      [
        'a text that only looks like a comment',
        pod('').replace('image: a', 'image: a, args: ["# podium-disable unknown-priority-class"]'),
        ['unknown-priority-class'],
      ],
    ] as const) {
      it(`turns off ${what}`, async () => {
        assert.deepEqual(await codesOf(wrap(source)), codes);
      });
    }

    it('turns off nothing in the next document', async () => {
      const both = wrap(
        `${pod('', '# podium-disable unknown-priority-class\n')}---\n${pod('').replace('name: web', 'name: api')}`,
      );
      assert.deepEqual(await codesOf(both), ['unknown-priority-class']);
    });

    it('offers to write both comments, and what it writes works', async () => {
      const workspace = await TestWorkspace.of({ 'a.yaml': wrap(pod('')) });
      const actions = quickFixes(workspace.file('a.yaml'), workspace.ranges('a.yaml')[0]!, workspace);
      const offered = actions.filter(({ title }) => title.startsWith('Turn off'));
      assert.deepEqual(
        offered.map(({ title }) => title),
        ['Turn off unknown-priority-class for this line', 'Turn off unknown-priority-class for this document'],
      );
      for (const { edit } of offered) assert.deepEqual(await codesOf(workspace.apply(edit!)['a.yaml']!), []);
    });

    it('corrects an unknown code', async () => {
      const workspace = await TestWorkspace.of({
        'a.yaml': wrap(pod('  # podium-disable-next-line ‹priority-mismtach›\n')),
      });
      const [fix] = quickFixes(workspace.file('a.yaml'), workspace.ranges('a.yaml')[0]!, workspace);
      assert.equal(fix?.title, 'Change to priority-mismatch');
      const after = workspace.apply(fix.edit!)['a.yaml'];
      assert.ok(after?.includes('# podium-disable-next-line priority-mismatch'));
    });
  });
}
