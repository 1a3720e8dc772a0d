import assert from 'node:assert/strict';
import { quickFixes } from '../../../../server/src/language/checks/repairs.ts';
import { TestWorkspace } from '../test-workspace.ts';
import { checkRule } from './check-rule.ts';

const pod = (name: string, image = 'web'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: main, image: ${image} }] }\n`;

describe('declared-twice', () => {
  it('warns at the second of one file', () =>
    checkRule('declared-twice', {
      manifest: `${pod('web')}---\n${pod('‹web›', 'web:2')}`,
      severity: 'warning',
      message: 'Pod default/web is declared before, and a cluster has one of each name',
    }));

  it('[ED-8] leads to the other declaration', async () => {
    const workspace = await TestWorkspace.of({ 'a.yaml': `${pod('web')}---\n${pod('‹web›', 'web:2')}` });
    const actions = quickFixes(workspace.file('a.yaml'), workspace.ranges('a.yaml')[0]!, workspace);
    const { command } = actions.find(({ title }) => title === 'Go to Pod default/web') ?? {};
    assert.deepEqual([command?.command, command?.arguments], ['vscode.open', [`${workspace.file('a.yaml').uri}#L3`]]);
  });

  it('warns of one that is written alike', () =>
    checkRule('declared-twice', { manifest: `${pod('web')}---\n${pod('‹web›')}`, severity: 'warning' }));

  it('accepts alternatives, which are in files of their own', async () => {
    for (const [path, image] of [
      ['0.yaml', 'web'],
      ['other/0.yaml', 'other'],
      ['manifest-ha.yaml', 'other'],
    ] as const) {
      await checkRule('declared-twice', { manifest: pod('web'), others: { [path]: pod('web', image) } });
    }
  });

  it('accepts one name in two namespaces and of two kinds', () =>
    checkRule('declared-twice', {
      manifest: `${pod('web')}---\n${pod('web, namespace: shop')}---\napiVersion: v1\nkind: Service\nmetadata: { name: web }\n`,
    }));

  it('accepts objects that get their names from the cluster', () =>
    checkRule('declared-twice', {
      manifest: `${pod('web').replace('name: web', 'generateName: web-')}---\n${pod('web').replace('name: web', 'generateName: web-')}`,
    }));
});
