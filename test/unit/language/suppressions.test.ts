import assert from 'node:assert/strict';
import { fixAllActions, quickFixes } from '../../../server/src/language/checks/repairs.ts';
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
      [
        'one of several codes',
        pod('  # podium-disable-next-line priority-mismatch, unknown-priority-class\n'),
        ['unused-suppression'],
      ],
      [
        'a line after other comments',
        pod('  # podium-disable-next-line unknown-priority-class\n  # another comment\n'),
        [],
      ],
      [
        'another code',
        pod('  # podium-disable-next-line priority-mismatch\n'),
        ['unused-suppression', 'unknown-priority-class'],
      ],
      [
        'another line',
        pod('  # podium-disable-next-line unknown-priority-class\n  priority: 0\n'),
        ['unused-suppression', 'unknown-priority-class'],
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

    it('[ED-8] reports a comment that turns off nothing, and removes it', async () => {
      const source = pod('  # podium-disable-next-line unknown-priority-class, yaml-syntax\n');
      const whole = wrap(`# podium-disable ‹nothing-to-schedule-on›\n${source}`);
      assert.deepEqual(await codesOf(whole), ['unknown-suppression', 'unused-suppression']);
      const plain = (text: string): string => text.replaceAll(/[‹›]/g, '');
      const fixed = async (text: string): Promise<string | undefined> => {
        const workspace = await TestWorkspace.of({ 'a.yaml': text });
        const edit = fixAllActions(workspace.file('a.yaml'), workspace)[0]?.edit;
        return edit === undefined ? undefined : workspace.apply(edit)['a.yaml'];
      };
      assert.equal(
        await fixed(wrap(source)),
        plain(wrap(pod('  # podium-disable-next-line unknown-priority-class\n'))),
      );
      const alone = pod('').replace('priorityClassName', '# podium-disable-next-line yaml-syntax\n  nodeName');
      assert.equal(
        await fixed(wrap(alone)),
        plain(wrap(alone.replace('# podium-disable-next-line yaml-syntax\n  ', ''))),
      );
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
