import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

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
};

/** Milliseconds between two keys of somebody who types well. */
const delay = 110;

describe('manifests that are typed from memory', () => {
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;

  before(async () => {
    workspace = makeWorkspace('kubernetes-workspace');
    for (const name of Object.keys(manifests)) writeFileSync(join(workspace.folder, name), '');
    window = await openWindow({
      folder: workspace.folder,
      open: join(workspace.folder, 'apps', 'checkout.yaml'),
      // Every blank is typed.
      settings: { '[yaml]': { 'editor.autoIndent': 'none' } },
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

  for (const [name, text] of Object.entries(manifests)) {
    it(`[ED-7] stay as they are typed: ${name}`, async () => {
      await workbench.open(name);
      await window.page.keyboard.type(text, { delay });
      assert.equal(await saved(name), text);
    });
  }
});
