import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode-languageserver';
import { placedDiagnosticsOf } from '../../../server/src/language/file-diagnostics.ts';
import { maxFindings, maxRelated } from '../../../server/src/language/check-file.ts';
import { fixAllActions } from '../../../server/src/language/repairs.ts';
import { TestWorkspace } from './test-workspace.ts';

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('---\n');

const budget = (index: number, selector = '{}'): string => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: budget-${index} }
spec: { minAvailable: 1, selector: ${selector} }
`;

const pod = (index: number, className = ''): string => `apiVersion: v1
kind: Pod
metadata: { name: pod-${index}, labels: { app: app-${index}, tier: web } }
spec: { ${className === '' ? '' : `priorityClassName: ${className}, `}containers: [{ name: a, image: a }] }
`;

const defaultClass = (index: number): string => `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: class-${index} }
value: ${index}
globalDefault: true
`;

function said(diagnostic: Pick<Diagnostic, 'message'> | undefined): string {
  const message = diagnostic?.message ?? '';
  return typeof message === 'string' ? message : message.value;
}

/** Mocha ends a test that takes far longer than these do: work that compares all with all does not end in time. */
describe('Work and answers are bounded', function () {
  this.timeout(60_000);

  const shown = (workspace: TestWorkspace, path: string) =>
    placedDiagnosticsOf(workspace.file(path), workspace.checker, workspace.facts, workspace.settings, '').map(
      ({ diagnostic }) => diagnostic,
    );

  it('says of 900 budgets that select one pod what a reader can take in, and how many more there are', async () => {
    const workspace = await TestWorkspace.of({
      'budgets.yaml': many(900, (index) => budget(index)) + `---\n${pod(0)}`,
    });
    const diagnostics = shown(workspace, 'budgets.yaml').filter(({ code }) => code === 'budget-overlap');
    assert.equal(diagnostics.length, maxFindings + 1);
    assert.equal(diagnostics.at(-1)?.message, `And ${900 - maxFindings} more findings of this rule in this file.`);
    assert.match(said(diagnostics[0]), /^The budget "budget-1" and 898 others select pods of Pod default\/pod-0 too\./);
    for (const { relatedInformation = [] } of diagnostics) assert.ok(relatedInformation.length <= maxRelated);
  });

  it('names ten of 500 default classes, and says how many more there are', async () => {
    const workspace = await TestWorkspace.of({ 'classes.yaml': many(500, defaultClass) });
    const diagnostics = shown(workspace, 'classes.yaml');
    assert.equal(diagnostics.length, maxFindings + 1);
    const related = diagnostics[0]?.relatedInformation ?? [];
    assert.equal(related.length, maxRelated);
    assert.equal(related.at(-1)?.message, 'class-10 is marked as the global default too, and 489 more');
  });

  it('shows the gravest findings of a rule where it cannot show all', async () => {
    const deployment = (index: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web-${index} }
spec: { selector: {}, template: { metadata: { labels: { app: web-${index} } }, spec: {} } }
`;
    const autoscaler = (index: number): string => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web-${index} }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web-${index} }, maxReplicas: 9 }
`;
    const last = maxFindings + 50;
    const workspace = await TestWorkspace.of({
      'budgets.yaml': many(last + 1, (index) => budget(index, `{ matchLabels: { app: web-${index} } }`)),
      'web.yaml': many(last + 1, deployment),
      'autoscalers.yaml': many(last, autoscaler),
    });
    const diagnostics = shown(workspace, 'budgets.yaml').filter(({ code }) => code === 'budget-blocks-evictions');
    assert.equal(diagnostics.length, maxFindings + 1);
    assert.deepEqual([diagnostics[0]?.severity, diagnostics.at(-1)?.severity], [3, 2]);
    assert.equal(diagnostics.at(-1)?.range.start.line, workspace.text('budgets.yaml').split('\n').length - 2);
  });

  it('repairs all that can be repaired, not only what is shown', async () => {
    const object = (index: number): string => defaultClass(index).replace(' }', ', namespace: shop }');
    const workspace = await TestWorkspace.of({ 'classes.yaml': many(maxFindings + 20, object) });
    const [action] = fixAllActions(workspace.file('classes.yaml'), workspace);
    assert.ok(action?.edit !== undefined);
    assert.ok(!workspace.apply(action.edit)['classes.yaml']?.includes('namespace'));
  });

  it('judges a pod with 130,000 labels that are refused, each of them', async () => {
    const labels = Array.from({ length: 130_000 }, (_, index) => `    -x${index}: a\n`).join('');
    const text = `apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n${labels}spec: { containers: [{ name: a, image: a }] }\n`;
    const workspace = await TestWorkspace.of({ 'pod.yaml': text });
    const diagnostics = shown(workspace, 'pod.yaml').filter(({ code }) => code === 'invalid-pod');
    assert.equal(diagnostics.at(-1)?.message, `And ${130_000 - maxFindings} more findings of this rule in this file.`);
  });

  it('gives one finding to each budget of a fleet of 200 folders', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, folder) => [
        `f${folder}/apps.yaml`,
        many(5, (app) => pod(app) + `---\n${budget(1000 * folder + app, `{ matchLabels: { app: app-${app} } }`)}`),
      ]),
    );
    const workspace = await TestWorkspace.of(files);
    const overlaps = Object.keys(files)
      .flatMap((path) => shown(workspace, path))
      .filter(({ code }) => code === 'budget-overlap');
    assert.equal(overlaps.length, 1000);
    for (const { message } of overlaps) assert.match(said({ message }), /and 198 others select pods/);
  });

  for (const [name, selector] of [
    ['the same pods', () => '{}'],
    [
      'the same pods in as many words',
      (index: number) => `{ matchExpressions: [{ key: tier, operator: In, values: [web, x${index}] }] }`,
    ],
    ['a pod each', (index: number) => `{ matchLabels: { app: app-${index} } }`],
  ] as const) {
    it(`judges 2,000 budgets over 2,000 pods: ${name}`, async () => {
      const workspace = await TestWorkspace.of({
        'budgets.yaml': many(2000, (index) => budget(index, selector(index))),
        'pods.yaml': many(2000, (index) => pod(index)),
      });
      const codes = new Set(workspace.findings('budgets.yaml').map(({ rule }) => rule.code));
      assert.equal(codes.has('budget-overlap'), name !== 'a pod each');
    });
  }

  it('judges 2,000 classes over 2,000 pods', async () => {
    const workspace = await TestWorkspace.of({
      'classes.yaml': many(2000, defaultClass),
      'pods.yaml': many(2000, (index) => pod(index, `class-${index}`)),
    });
    assert.equal(workspace.findings('classes.yaml').length, 2000);
    assert.equal(workspace.findings('pods.yaml').length, 0);
  });
});
