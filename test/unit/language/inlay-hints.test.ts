import assert from 'node:assert/strict';
import { inlayHints } from '../../../server/src/language/inlay/hints.ts';
import { defaultSettings, type Settings } from '../../../server/src/language/settings/settings.ts';
import { TestWorkspace } from './test-workspace.ts';

const files = {
  'classes.yaml': `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: standard }
value: 10000
globalDefault: true
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 100000
`,
  'shop.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: # what runs
      containers: [{ name: main, image: app }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: cart, namespace: shop }
spec:
  selector: { matchLabels: { app: cart } }
  template:
    metadata: { labels: { app: cart } }
    spec:
      priorityClassName: high
      containers: [{ name: main, image: app }]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: cart-scaler, namespace: shop }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: cart }, minReplicas: 2, maxReplicas: 9 }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web-scaler, namespace: shop }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, maxReplicas: 5 }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  selector:
    app: web
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: nobody, namespace: shop }
spec:
  minAvailable: 1
  selector: { matchLabels: { app: gone } }
---
apiVersion: v1
kind: Pod
metadata: { name: fixed, namespace: shop }
spec:
  priority: 10000
  containers: []
`,
};

const all = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

async function hints(wanted: Settings['inlayHints'] = defaultSettings.inlayHints, range = all) {
  const workspace = await TestWorkspace.of(files);
  const lines = workspace.text('shop.yaml').split('\n');
  return inlayHints(workspace.file('shop.yaml'), range, workspace.facts, {
    ...defaultSettings,
    inlayHints: wanted,
  }).map(({ position, label }) => {
    const line = lines[position.line]!;
    return `${line.slice(0, position.character).trim()} ‹${typeof label === 'string' ? label : ''}›${line.slice(position.character)}`;
  });
}

describe('inlay hints', () => {
  it('tell what is not written: priorities, bounds of autoscalers, pods of selectors', async () => {
    assert.deepEqual(await hints(), [
      'spec: # what runs ‹priority 10,000 (standard)›',
      'replicas: 3 ‹web-scaler keeps 1 to 5›',
      'priorityClassName: high ‹100,000›',
      'spec: ‹cart-scaler keeps 2 to 9›',
      'selector: ‹selects 3 pods›',
      'selector: { matchLabels: { app: gone } } ‹selects nothing here›',
    ]);
  });

  it('can each be turned off', async () => {
    const none = { priority: false, replicas: false, selectors: false };
    assert.deepEqual(await hints(none), []);
    assert.equal((await hints({ ...none, priority: true })).length, 2);
    assert.equal((await hints({ ...none, replicas: true })).length, 2);
    assert.equal((await hints({ ...none, selectors: true })).length, 2);
  });

  it('count the workloads of others where an autoscaler says nothing of whom it scales', async () => {
    const empty =
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: empty, namespace: shop }\n';
    const workspace = await TestWorkspace.of({ 'a-empty.yaml': empty, ...files });
    const found = inlayHints(workspace.file('shop.yaml'), all, workspace.facts, defaultSettings);
    assert.equal(found.length, 6);
    const [first] = workspace.findings('a-empty.yaml').map(({ finding }) => finding.message);
    assert.equal(first, 'spec.maxReplicas: Required value: must be set and greater than 0');
  });

  it('are made for the lines that are asked for', async () => {
    const range = { start: { line: 4, character: 0 }, end: { line: 4, character: 5 } };
    assert.deepEqual(await hints(defaultSettings.inlayHints, range), ['replicas: 3 ‹web-scaler keeps 1 to 5›']);
  });
});
