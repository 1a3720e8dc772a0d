import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode-languageserver';
import { placedDiagnosticsInSteps } from '../../../server/src/language/checks/file-diagnostics.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { maxFindings, maxRelated } from '../../../server/src/language/checks/rule-runner.ts';
import type { Fact } from '../../../server/src/language/index/fact.ts';
import { inlayHints } from '../../../server/src/language/inlay/hints.ts';
import { fixAllActions, quickFixes } from '../../../server/src/language/checks/repairs.ts';
import { defaultSettings } from '../../../server/src/language/settings/settings.ts';
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

const affine = (index: number): string => `apiVersion: v1
kind: Pod
metadata: { name: pod-${index}, namespace: n${index % 2}, labels: { app: app-${index} } }
spec:
  nodeSelector: { disk: d${index} }
  schedulerName: s${index}
  containers: [{ name: a, image: a, resources: { requests: { cpu: ${index}m } } }]
  affinity:
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        - { topologyKey: zone-${index}, labelSelector: { matchLabels: { app: gone-${index} } } }
`;

const quota = (index: number): string => `apiVersion: v1
kind: ResourceQuota
metadata: { name: quota-${index}, namespace: n${index % 2} }
spec: { hard: { requests.cpu: ${index}m } }
`;

const limitRange = (index: number): string => `apiVersion: v1
kind: LimitRange
metadata: { name: range-${index}, namespace: elsewhere }
spec: { limits: [{ type: Container, default: { cpu: ${index}m } }] }
`;

const autoscaler = (index: number): string => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: scaler-${index} }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web-${index} }, maxReplicas: 9 }
`;

const definition = (index: number): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things${index}.x-k8s.io }
`;

const resource = (index: number): string => `apiVersion: x-k8s.io/v1
kind: Thing${index}
metadata: { name: a }
`;

const node = (index: number): string => `apiVersion: v1
kind: Node
metadata: { name: node-${index}, labels: { disk: d${index}, zone-${index}: a } }
`;

const daemon = (index: number): string => `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: d${index} }
spec: { selector: { matchLabels: { app: d } }, template: { metadata: { labels: { app: d } }, spec: { nodeName: gone-${index}, containers: [{ name: a, image: a }] } } }
`;

/** Counts how often an object of a list of all, or what is in any object, is looked at from now on. */
function countLooks(workspace: TestWorkspace): () => number {
  let looks = 0;
  const lists = new WeakMap<readonly Fact[], readonly Fact[]>();
  const { facts } = workspace;
  const ofKind = facts.ofKind.bind(facts);
  facts.ofKind = (kind) => {
    const list = ofKind(kind);
    let counted = lists.get(list);
    if (counted === undefined) {
      counted = new Proxy(list, {
        get(target, key, receiver) {
          if (typeof key === 'string' && /^\d/.test(key)) looks += 1;
          return Reflect.get(target, key, receiver) as unknown;
        },
      });
      lists.set(list, counted);
      for (const fact of list) countGetters(fact);
    }
    return counted;
  };
  const countGetters = (fact: Fact): void => {
    for (const property of ['object', 'template'] as const) {
      const value = fact[property];
      Object.defineProperty(fact, property, {
        get() {
          looks += 1;
          return value;
        },
      });
    }
  };
  return () => looks;
}

function said(diagnostic: Pick<Diagnostic, 'message'> | undefined): string {
  const message = diagnostic?.message ?? '';
  return typeof message === 'string' ? message : message.value;
}

/** Mocha ends a test that takes far longer than these do: work that compares all with all does not end in time. */
describe('Work and answers are bounded', function () {
  const shown = (workspace: TestWorkspace, path: string) =>
    runToEnd(
      placedDiagnosticsInSteps(workspace.file(path), workspace.checker, workspace.facts, workspace.settings, ''),
    ).map(({ diagnostic }) => diagnostic);

  it('says of 900 budgets that select one pod what a reader can take in, and how many more there are', async () => {
    const workspace = await TestWorkspace.of({
      'budgets.yaml': many(900, (index) => budget(index)) + `---\n${pod(0)}`,
    });
    const diagnostics = shown(workspace, 'budgets.yaml').filter(({ code }) => code === 'budget-overlap');
    assert.equal(diagnostics.length, maxFindings + 1);
    assert.equal(diagnostics.at(-1)?.message, `And ${900 - maxFindings} more findings of this rule in this file.`);
    assert.match(said(diagnostics[0]), /^The budget "budget-1" and 898 others select Pod default\/pod-0 too\./);
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

  it('judges a pod with 130,000 labels that are refused, and says how many it does not tell', async () => {
    const labels = Array.from({ length: 130_000 }, (_, index) => `    -x${index}: a\n`).join('');
    const text = `apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n${labels}spec: { containers: [{ name: a, image: a }] }\n`;
    const workspace = await TestWorkspace.of({ 'pod.yaml': text });
    const diagnostics = shown(workspace, 'pod.yaml').filter(({ code }) => code === 'invalid-pod');
    assert.equal(diagnostics.length, maxFindings + 1);
    assert.equal(
      diagnostics.at(-1)?.message,
      'And 900 more findings of this rule in this file, and up to 129000 more refusals.',
    );
  });

  it('decodes a pod with 15,000 values of a wrong type and 6,000 fields that are none, and counts them', async () => {
    const containers = `    - { name: 1, image: 2, ports: a, imagee: b }\n`.repeat(5_000);
    const fields = Array.from({ length: 1_000 }, (_, index) => `  x${index}: a\n`).join('');
    const text = `apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n${fields}  containers:\n${containers}`;
    const workspace = await TestWorkspace.of({ 'pod.yaml': text });
    for (const [code, all] of [
      ['wrong-type', 15_000],
      ['unknown-field', 6_000],
    ] as const) {
      const diagnostics = shown(workspace, 'pod.yaml').filter((each) => each.code === code);
      assert.equal(diagnostics.length, maxFindings + 1, code);
      const [made = 0, unmade = 0] = (said(diagnostics.at(-1)).match(/\d+/g) ?? []).map(Number);
      assert.equal(maxFindings + made + unmade, all, said(diagnostics.at(-1)));
    }
  });

  it('proposes a class among thousands of long names', async () => {
    const long = (index: number): string => `${'a.'.repeat(120)}c${index}`;
    const workspace = await TestWorkspace.of({
      'classes.yaml': many(4_000, (index) => defaultClass(index).replace(`class-${index}`, long(index))),
      'pods.yaml': many(5, (index) => pod(index, `${long(3_000 + index)}x`)),
    });
    const whole = { start: { line: 0, character: 0 }, end: { line: Infinity, character: 0 } };
    const titles = quickFixes(workspace.file('pods.yaml'), whole, workspace).map(({ title }) => title);
    for (let index = 3_000; index < 3_005; index += 1) {
      assert.ok(
        titles.some((title) => title.startsWith(`Use PriorityClass ${long(index)} `)),
        long(index),
      );
    }
  });

  it('gives one finding to each budget of a fleet of 200 folders', async () => {
    const files: Record<string, string> = { 'pods.yaml': many(5, pod) };
    for (let folder = 0; folder < 200; folder += 1) {
      const own = (app: number): string => budget(1000 * folder + app, `{ matchLabels: { app: app-${app} } }`);
      files[`f${folder}/budgets.yaml`] = many(5, own);
    }
    const workspace = await TestWorkspace.of(files);
    const overlaps = Object.keys(files)
      .flatMap((path) => shown(workspace, path))
      .filter(({ code }) => code === 'budget-overlap');
    assert.equal(overlaps.length, 1000);
    for (const { message } of overlaps) assert.match(said({ message }), /and 198 others select /);
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

  it('looks at each object a number of times that does not grow with the others', async () => {
    const objects = (count: number): Readonly<Record<string, string>> => ({
      'pods.yaml': many(count, (index) => affine(index)),
      'budgets.yaml': many(count, (index) => budget(index, `{ matchLabels: { app: app-${index} } }`)),
      'quotas.yaml': many(count, quota),
      'scalers.yaml': many(count, autoscaler),
      'ranges.yaml': many(count, limitRange),
      'classes.yaml': many(count, (index) => defaultClass(index % 3)),
      'definitions.yaml': many(count, definition),
      'resources.yaml': many(count, resource),
      'nodes.yaml': many(count, node),
      'daemons.yaml': many(count, daemon),
    });
    const checked = async (count: number): Promise<number> => {
      const workspace = await TestWorkspace.of(objects(count));
      const looks = countLooks(workspace);
      for (const path of Object.keys(objects(0))) {
        workspace.findings(path);
        const end = { line: Infinity, character: 0 };
        const wanted = { ...defaultSettings, inlayHints: { priority: true, replicas: true, selectors: true } };
        inlayHints(workspace.file(path), { start: { line: 0, character: 0 }, end }, workspace.facts, wanted);
        fixAllActions(workspace.file(path), workspace);
      }
      return looks();
    };
    const [few, twice] = [await checked(60), await checked(120)];
    assert.ok(twice < 2.3 * few, `${few} looks at 60 objects of each kind, ${twice} at 120`);
  });

  it('judges 2,000 classes over 2,000 pods', async () => {
    const workspace = await TestWorkspace.of({
      'classes.yaml': many(2000, defaultClass),
      'pods.yaml': many(2000, (index) => pod(index, `class-${index}`)),
    });
    assert.equal(workspace.findings('classes.yaml').length, 2000);
    assert.equal(workspace.findings('pods.yaml').length, 0);
  });
});
