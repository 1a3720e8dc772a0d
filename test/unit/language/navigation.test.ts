import assert from 'node:assert/strict';
import type { TextEdit } from 'vscode-languageserver';
import { codeLenses, priorityText } from '../../../server/src/language/code-lens.ts';
import { completion } from '../../../server/src/language/completion.ts';
import { definition, references } from '../../../server/src/language/navigation.ts';
import { applyEdits, surroundings, TestWorkspace } from './test-workspace.ts';

const classes = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: ‹high› }
value: 100000
description: For checkout.
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: low }
value: -10
preemptionPolicy: Never
`;

const pod = (className: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  priorityClassName: ${className}
  containers: []
`;

const quota = `apiVersion: v1
kind: ResourceQuota
metadata: { name: q }
spec:
  scopeSelector:
    matchExpressions:
      - { scopeName: PriorityClass, operator: In, values: [‹high›, low] }
`;

for (const { name, wrap } of surroundings) {
  describe(`navigation, ${name}`, () => {
    it('[ED-6] goes from a name to its class', async () => {
      const workspace = await TestWorkspace.of({ 'a.yaml': wrap(pod('‹high›')), 'classes.yaml': wrap(classes) });
      const found = definition(workspace.file('a.yaml'), workspace.cursor('a.yaml'), workspace.facts);
      assert.deepEqual(found, [{ uri: 'file:///classes.yaml', range: workspace.ranges('classes.yaml')[0] }]);
    });

    it('[ED-6] finds everybody who uses a class', async () => {
      const files = { 'a.yaml': wrap(pod('‹high›')), 'classes.yaml': wrap(classes), 'quota.yaml': wrap(quota) };
      const workspace = await TestWorkspace.of(files);
      const found = references(
        workspace.file('classes.yaml'),
        workspace.cursor('classes.yaml'),
        workspace.facts,
        false,
      );
      const expected = ['a.yaml', 'quota.yaml'].map((path) => ({
        uri: `file:///${path}`,
        range: workspace.ranges(path)[0],
      }));
      assert.deepEqual(found, expected);
    });

    for (const [where, written, expected] of [
      ['where nothing is written yet', '‹›', 'high'],
      ['in a half-typed name', '‹hi›', 'high'],
      ['in quotes', '‹"hi"›', '"high"'],
    ] as const) {
      it(`completes a class ${where}`, async () => {
        const workspace = await TestWorkspace.of({ 'a.yaml': wrap(pod(written)), 'classes.yaml': classes });
        const end = workspace.ranges('a.yaml')[0]!.end;
        const items = completion(workspace.file('a.yaml'), end, workspace.facts);
        assert.deepEqual(
          items.map(({ label }) => label),
          ['system-node-critical', 'system-cluster-critical', 'high', 'low'],
        );
        const high = items.find(({ label }) => label === 'high')!;
        assert.equal(high.detail, 'priority 100000');
        assert.equal(items.find(({ label }) => label === 'low')!.detail, 'priority -10, never preempts');
        const edit = high.textEdit as TextEdit;
        assert.equal(applyEdits(workspace.text('a.yaml'), [edit]), wrap(pod(expected)));
      });
    }

    it('begins the choice at the class that is written', async () => {
      for (const name of ['low', '"low"']) {
        const workspace = await TestWorkspace.of({ 'a.yaml': wrap(pod(`‹${name}›`)), 'classes.yaml': classes });
        const items = completion(workspace.file('a.yaml'), workspace.cursor('a.yaml'), workspace.facts);
        assert.deepEqual(
          items.filter(({ preselect }) => preselect === true).map(({ label }) => label),
          ['low'],
        );
      }
    });

    it('completes the values that the API defines for a field', async () => {
      const policy = pod('high').replace('priorityClassName', 'preemptionPolicy').replace('high', '‹"Ne"›');
      const workspace = await TestWorkspace.of({ 'a.yaml': wrap(policy) });
      const items = completion(workspace.file('a.yaml'), workspace.cursor('a.yaml'), workspace.facts);
      assert.deepEqual(
        items.map(({ label, detail }) => [label, detail]),
        [
          ['PreemptLowerPriority', 'PodSpec.preemptionPolicy'],
          ['Never', 'PodSpec.preemptionPolicy'],
        ],
      );
      assert.equal(
        applyEdits(workspace.text('a.yaml'), [items[1]!.textEdit as TextEdit]),
        wrap(policy.replace('‹"Ne"›', '"Never"')),
      );
    });

    it('completes nothing elsewhere', async () => {
      const workspace = await TestWorkspace.of({ 'a.yaml': wrap(pod('high').replace('name: web', 'name: ‹web›')) });
      assert.deepEqual(completion(workspace.file('a.yaml'), workspace.cursor('a.yaml'), workspace.facts), []);
    });

    it('[ED-4] puts a lens at each workload, and at nothing else', async () => {
      const workspace = await TestWorkspace.of({
        'a.yaml': wrap(`${classes.replaceAll(/[‹›]/g, '')}---\n‹›${pod('high')}`),
      });
      const lenses = codeLenses(workspace.file('a.yaml'), [{ name: '', facts: workspace.facts }]);
      assert.deepEqual(lenses, [
        {
          range: workspace.ranges('a.yaml')[0],
          data: { kind: 'Pod', namespace: 'default', name: 'web', uri: 'file:///a.yaml' },
        },
      ]);
      const target = { kind: 'Pod', namespace: 'default', name: 'web', uri: 'file:///a.yaml' };
      assert.equal(priorityText(target, workspace.facts), 'priority 100000 (high)');
    });
  });
}
