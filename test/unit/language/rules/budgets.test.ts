import assert from 'node:assert/strict';
import { quickFixes } from '../../../../server/src/language/checks/repairs.ts';
import { TestWorkspace } from '../test-workspace.ts';
import { checkRule } from './check-rule.ts';

const budget = (spec: string, name = 'web'): string => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: ${name}, namespace: shop }
spec: { ${spec} }
`;

const workload = (
  kind: string,
  more: string,
  name = 'web',
): string => `apiVersion: ${kind === 'Job' ? 'batch/v1' : 'apps/v1'}
kind: ${kind}
metadata: { name: ${name}, namespace: shop }
spec:
  ${more}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: a, image: a }] }
`;

const selector = 'selector: { matchLabels: { app: web } }';

describe('budget-blocks-evictions', () => {
  for (const [name, bound, replicas] of [
    ['as many as there are', 'minAvailable: ‹2›', 2],
    ['none that may go', 'maxUnavailable: ‹0›', 5],
    ['a percentage that rounds up to all', 'minAvailable: ‹50%›', 1],
    ['all of them', 'minAvailable: ‹100%›', 10],
  ] as const) {
    it(`[EVI-5] warns of ${name}`, () =>
      checkRule('budget-blocks-evictions', {
        manifest: budget(`${bound}, ${selector}`),
        others: { 'web.yaml': workload('Deployment', `replicas: ${replicas}`) },
        severity: 'warning',
        message:
          /^Blocks every drain: keeps \d+ of \d+ pods?(?: \(50%, rounded up\))?, so each eviction is refused \(429\)\.$/,
      }));
  }

  it('[#34] says that a percentage is rounded up, and not where it gives a whole number', async () => {
    const others = { 'web.yaml': workload('Deployment', 'replicas: 3') };
    await checkRule('budget-blocks-evictions', {
      manifest: budget(`minAvailable: ‹70%›, ${selector}`),
      others,
      message: 'keeps 3 of 3 pods (70%, rounded up), so each',
    });
    await checkRule('budget-blocks-evictions', {
      manifest: budget(`minAvailable: ‹100%›, ${selector}`),
      others,
      message: 'keeps 3 of 3 pods, so each',
    });
  });

  it('[EVI-5] counts a workload once that is declared twice, as two ways of installing it do (#36)', () =>
    checkRule('budget-blocks-evictions', {
      manifest: budget(`minAvailable: ‹1›, ${selector}`),
      others: {
        'web.yaml': workload('Deployment', 'replicas: 1'),
        'other/web.yaml': workload('Deployment', 'replicas: 1'),
      },
      message: /^Blocks every drain: keeps 1 of 1 pod,/,
    }));

  for (const [name, before, after] of [
    ['a number', 'minAvailable: ‹2›', 'maxUnavailable: 1'],
    ['a percentage', 'minAvailable: ‹"100%"›', 'maxUnavailable: 1'],
    ['none', 'maxUnavailable: ‹0›', 'maxUnavailable: 1'],
  ] as const) {
    it(`[EVI-5] lets one pod go instead of ${name}`, () =>
      checkRule('budget-blocks-evictions', {
        manifest: budget(`${before}, ${selector}`),
        others: { 'web.yaml': workload('Deployment', 'replicas: 2') },
        fixes: { 'Let one pod go at a time: maxUnavailable: 1': budget(`${after}, ${selector}`) },
      }));
  }

  it('[EVI-5] writes the bound that is missing', () =>
    checkRule('budget-blocks-evictions', {
      manifest: budget(selector).replace('spec: {', '‹spec›: {'),
      others: { 'web.yaml': workload('Deployment', 'replicas: 2') },
      fixes: {
        'Let one pod go at a time: maxUnavailable: 1': budget(selector).replace(' } }\n', ' }, maxUnavailable: 1 }\n'),
      },
    }));

  it('[EVI-5] offers no bound for pods that no bound lets go', async () => {
    const bare = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: shop, labels: { app: web } }\nspec: {}\n';
    const path = 'budget.yaml';
    const files = { [path]: budget(`minAvailable: ‹1›, ${selector}`), 'pod.yaml': bare };
    const workspace = await TestWorkspace.of(files);
    assert.equal(workspace.findings(path).length, 1);
    const titles = quickFixes(workspace.file(path), workspace.ranges(path)[0]!, workspace).map(({ title }) => title);
    assert.deepEqual(
      titles.filter((title) => title.includes('maxUnavailable')),
      [],
    );
  });

  it('[EVI-5] informs only, where an autoscaler may add pods', () =>
    checkRule('budget-blocks-evictions', {
      manifest: budget(`minAvailable: ‹2›, ${selector}`),
      others: {
        'web.yaml': workload('Deployment', 'replicas: 7'),
        'hpa.yaml': `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: shop }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 2, maxReplicas: 9 }
`,
      },
      severity: 'information',
      message: 'while the autoscaler is at its minimum',
    }));

  it('[EVI-5] warns beside an autoscaler without a spec', () =>
    checkRule('budget-blocks-evictions', {
      manifest: budget(`maxUnavailable: ‹0›, ${selector}`),
      others: {
        'web.yaml': workload('Deployment', 'replicas: 7'),
        'hpa.yaml':
          'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: web, namespace: shop }\n',
      },
    }));

  it('[EVI-5] warns of pods whose controller has no scale', () =>
    checkRule('budget-blocks-evictions', {
      manifest: budget(`maxUnavailable: ‹1›, ${selector}`),
      others: { 'web.yaml': workload('Job', 'parallelism: 3') },
      message: 'maxUnavailable needs pods whose number can be read; Job',
    }));

  it('[EVI-5] tells of the pods of a DaemonSet, which nobody counts either', () =>
    checkRule('budget-blocks-evictions', {
      manifest: budget(`maxUnavailable: ‹1›, ${selector}`),
      others: { 'web.yaml': workload('DaemonSet', 'minReadySeconds: 1') },
      severity: 'information',
      message: 'maxUnavailable needs pods whose number can be read; DaemonSet',
    }));

  it('[EVI-5] warns of a pod that nothing controls', () =>
    checkRule('budget-blocks-evictions', {
      manifest: budget(`maxUnavailable: ‹1›, ${selector}`),
      others: {
        'p.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata: { name: p, namespace: shop, labels: { app: web } }\nspec: { containers: [{ name: a, image: a }] }\n',
      },
      message: 'maxUnavailable needs pods with a controller; Pod',
    }));

  for (const [name, bound, replicas] of [
    ['one that may go', 'maxUnavailable: 1', 2],
    ['a workload that is scaled to zero', 'minAvailable: 1', 0],
  ] as const) {
    it(`[EVI-6] accepts ${name}`, () =>
      checkRule('budget-blocks-evictions', {
        manifest: budget(`${bound}, ${selector}`),
        others: { 'web.yaml': workload('Deployment', `replicas: ${replicas}`) },
      }));
  }
});

describe('budget-overlap', () => {
  it('[EVI-2] names the other budget and the workload', () =>
    checkRule('budget-overlap', {
      manifest: budget(`maxUnavailable: 1, ‹selector›: {}`),
      others: {
        'web.yaml': workload('Deployment', 'replicas: 2').replace('name: web,', 'name: ‹web›,'),
        'other.yaml': budget(`maxUnavailable: 1, ‹selector›: { matchLabels: { app: web } }`, 'other'),
      },
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    }));

  it('[#34] names a pod that runs and has a label that its template has not', () => {
    const made = (labels: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: web-0, namespace: shop, labels: { app: web${labels} }, ownerReferences: [{ apiVersion: apps/v1, kind: StatefulSet, name: web, uid: o, controller: true }] }\nspec: { nodeName: n, containers: [{ name: a, image: a }] }\nstatus: { phase: Running }\n`;
    const others = (labels: string): Readonly<Record<string, string>> => ({
      'web.yaml': workload('StatefulSet', 'replicas: 1'),
      'pod.yaml': made(labels),
      'other.yaml': budget(`maxUnavailable: 1, ${selector}`, 'other'),
    });
    const role = (key: string): string => budget(`maxUnavailable: 1, ${key}: { matchLabels: { role: primary } }`);
    return Promise.all([
      checkRule('budget-overlap', {
        manifest: role('‹selector›'),
        others: others(', role: primary'),
        message: 'The budget "other" selects Pod shop/web-0 too.',
      }),
      checkRule('budget-overlap', { manifest: role('selector'), others: others('') }),
    ]);
  });

  it('[EVI-2] takes two declarations of one budget for two environments', () =>
    checkRule('budget-overlap', {
      manifest: budget(`maxUnavailable: 1, ${selector}`),
      others: {
        'web.yaml': workload('Deployment', 'replicas: 2'),
        'staging.yaml': budget(`maxUnavailable: 2, ${selector}`),
      },
    }));
});

describe('budget-selects-nothing', () => {
  it('says nothing where no workload of the namespace is known', () =>
    checkRule('budget-selects-nothing', { manifest: budget(`maxUnavailable: 1, ${selector}`) }));

  /** As many as are cut out of a list, and more, of which each is looked at. */
  for (const amount of [3, 20]) {
    const names = Array.from({ length: amount }, (_, index) => `web-${index}`);
    const others = {
      'web.yaml': names
        .map((name) => workload('Deployment', 'replicas: 2').replaceAll('web', name))
        .toSorted()
        .join('---\n'),
    };
    const leavingOut = (requirement: string): string => `{ matchExpressions: [{ key: app, ${requirement} }] }`;

    it(`finds what a selector leaves of ${amount} workloads`, () =>
      checkRule('budget-selects-nothing', {
        manifest: budget(
          `maxUnavailable: 1, selector: ${leavingOut(`operator: NotIn, values: [${names.slice(1).join(', ')}]`)}`,
        ),
        others,
      }));

    for (const requirement of [`operator: NotIn, values: [${names.join(', ')}]`, 'operator: DoesNotExist']) {
      it(`finds nothing where a selector leaves out all ${amount} workloads by ${requirement.split(/[ ,]+/, 2)[1]!}`, () =>
        checkRule('budget-selects-nothing', {
          manifest: budget(`maxUnavailable: 1, ‹selector›: ${leavingOut(requirement)}`),
          others,
        }));
    }
  }

  it('[ED-8] takes the label of a workload that is nearly the same', async () => {
    const others = { 'web.yaml': workload('Deployment', 'replicas: 2').replaceAll('web', 'checkout') };
    const selecting = (app: string): string => `selector: { matchLabels: { app: ${app} } }`;
    const selected = (app: string): string => budget(`maxUnavailable: 1, ${selecting(app)}`);
    await checkRule('budget-selects-nothing', {
      manifest: selected('chekout').replace('selector', '‹selector›'),
      others,
      severity: 'warning',
      message: 'so this budget protects nothing; did you mean app: checkout?',
      fixes: { 'Change to checkout': selected('checkout') },
    });
    await checkRule('budget-selects-nothing', {
      manifest: selected('checkout-2').replace('selector', '‹selector›'),
      others: { 'web.yaml': workload('Deployment', 'replicas: 2').replaceAll('web', 'checkout-1') },
      severity: 'information',
      message: /protects nothing\.$/,
      fixes: { 'Change to checkout-1': selected('checkout-1') },
    });
  });

  it('finds pods behind an empty selector', () =>
    checkRule('budget-selects-nothing', {
      manifest: budget('maxUnavailable: 1, selector: {}'),
      others: { 'web.yaml': workload('Deployment', 'replicas: 2') },
    }));
});

describe('invalid-disruption-budget', () => {
  for (const [name, spec, message] of [
    ['a percentage over 100', `maxUnavailable: ‹150%›, ${selector}`, 'must not be greater than 100%'],
    ['a negative bound', `minAvailable: ‹-1›, ${selector}`, 'must be greater than or equal to 0'],
    [
      'an eviction policy',
      `maxUnavailable: 1, unhealthyPodEvictionPolicy: ‹Sometimes›, ${selector}`,
      'supported values: "AlwaysAllow", "IfHealthyBudget"',
    ],
  ] as const) {
    it(`[EVI-6] refuses ${name}`, () =>
      checkRule('invalid-disruption-budget', { manifest: budget(spec), severity: 'error', message }));
  }

  it('[EVI-6] refuses two bounds, at the spec that holds them', () =>
    checkRule('invalid-disruption-budget', {
      manifest: budget(`minAvailable: 1, maxUnavailable: 1, ${selector}`).replace('\nspec:', '\n‹spec›:'),
      message: 'minAvailable and maxUnavailable cannot be both set',
    }));
});
