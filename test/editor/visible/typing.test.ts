import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { descendants } from '../support/processes.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { yamlExtension } from '../support/yaml-extension.ts';

const manifests: Readonly<Record<string, string>> = {
  'typed-pod.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: worker
  namespace: shop
spec:
  priorityClassName: shop-critical
  restartPolicy: Never
  nodeName: general-a
  hostNetwork: true
  containers:
    - name: main
      image: nginx
`,
  'typed-deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: reviews
  namespace: shop
spec:
  replicas: 2
  selector:
    matchLabels:
      app: reviews
  template:
    metadata:
      labels:
        app: reviews
    spec:
      priorityClassName: shop-standard
      tolerations:
        - key: dedicated
          operator: Equal
          value: data
          effect: NoSchedule
      containers:
        - name: reviews
          image: reviews:1
          resources:
            requests:
              cpu: 250m
              memory: 256Mi
`,
  'typed-stateful.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
  namespace: shop
spec:
  serviceName: db
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      serviceAccountName: db
      containers:
        - name: db
          image: db:1
`,
  'typed-budget.yaml': `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: reviews
  namespace: shop
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      app: reviews
`,
  'typed-quota.yaml': `apiVersion: v1
kind: ResourceQuota
metadata:
  name: compute
  namespace: shop
spec:
  hard:
    pods: "50"
    requests.cpu: "20"
    count/deployments.apps: "10"
`,
};

/** Milliseconds between two keys of somebody who types well. */
const delay = 110;

/** What is typed in a window, in which another extension answers too or not. */
const besides: readonly (readonly [beside: string, names: readonly string[]])[] = [
  ['', ['typed-pod.yaml', 'typed-deployment.yaml', 'typed-budget.yaml', 'typed-quota.yaml']],
  [' beside the YAML language server', ['typed-pod.yaml', 'typed-stateful.yaml']],
];

for (const [beside, names] of besides) {
  describe(`manifests that are typed from memory${beside}`, () => {
    let workspace: Workspace;
    let window: EditorWindow;
    let workbench: Workbench;

    before(async () => {
      workspace = makeWorkspace('kubernetes-workspace');
      for (const name of [...names, 'kind.yaml', 'node.yaml']) writeFileSync(join(workspace.folder, name), '');
      window = await openWindow({
        folder: workspace.folder,
        open: join(workspace.folder, 'apps', 'checkout.yaml'),
        // Every blank is typed.
        settings: { '[yaml]': { 'editor.autoIndent': 'none' } },
        ...(beside === '' ? {} : { beside: { 'redhat.vscode-yaml': await yamlExtension() } }),
      });
      workbench = new Workbench(window.page);
      await workbench.ready();
    });

    after(async () => {
      await window.close();
      workspace.remove();
    });

    async function saved(name: string): Promise<string> {
      await window.page.keyboard.press('ControlOrMeta+S');
      const path = join(workspace.folder, name);
      return eventually('the saved file', () => readFileSync(path, 'utf8') || undefined);
    }

    for (const name of names) {
      it(`[ED-7] stay as they are typed: ${name}`, async () => {
        await workbench.open(name);
        await window.page.keyboard.type(manifests[name]!, { delay });
        assert.equal(await saved(name), manifests[name]);
      });
    }

    if (beside !== '') {
      it('[ED-7] stay as they are typed while that server is silent', async () => {
        const { keyboard } = window.page;
        const [server] = descendants(window.pid, 'yaml-language-server');
        const text = 'apiVersion: v1\nkind: Pod\nspec:\n  nodeName: general-';
        await workbench.open('node.yaml');
        await keyboard.type(text, { delay });
        await window.page.locator('.suggest-widget.visible').getByText('general-a').waitFor();
        process.kill(server!, 'SIGSTOP');
        try {
          await keyboard.type('a\n', { delay });
        } finally {
          process.kill(server!, 'SIGCONT');
        }
        assert.equal(await saved('node.yaml'), `${text}a\n`);
      });
    }

    it('[ED-7] have lists with nothing in them twice, which go on behind a key that was chosen', async () => {
      const { keyboard } = window.page;
      const rows = window.page.locator('.suggest-widget.visible .monaco-list-row');
      await workbench.open('kind.yaml');
      await keyboard.type('kin', { delay });
      await rows.filter({ hasText: 'kind' }).waitFor();
      assert.equal(await rows.count(), 1);
      await keyboard.press('Enter');
      await rows.filter({ hasText: 'Deployment' }).waitFor();
      const labels = await rows.locator('.label-name').allInnerTexts();
      assert.deepEqual(labels, [...new Set(labels)]);
      await keyboard.press('Enter');
      assert.match(await saved('kind.yaml'), /^apiVersion: apps\/v1\nkind: Deployment\nmetadata:\n/);
    });
  });
}
