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
    window = await openWindow({ folder: workspace.folder, open: join(workspace.folder, 'apps', 'checkout.yaml') });
    workbench = new Workbench(window.page);
    await workbench.ready();
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  /** Lines as people type them: behind a key the editor goes in, Backspace goes out, and two blanks go in elsewhere. */
  async function type(text: string): Promise<void> {
    const { keyboard } = window.page;
    let indent = 0;
    for (const line of text.trimEnd().split('\n')) {
      const wanted = line.search(/\S/);
      for (; indent > wanted; indent -= 2) await keyboard.press('Backspace', { delay });
      await keyboard.type(' '.repeat(wanted - indent) + line.trimStart(), { delay });
      await keyboard.press('Enter', { delay });
      indent = line.endsWith(':') ? wanted + 2 : wanted;
    }
    for (; indent > 0; indent -= 2) await keyboard.press('Backspace', { delay });
  }

  for (const [name, text] of Object.entries(manifests)) {
    it(`[ED-7] stay as they are typed: ${name}`, async () => {
      await workbench.open(name);
      await type(text);
      await window.page.keyboard.press('ControlOrMeta+S');
      const path = join(workspace.folder, name);
      await eventually('the saved file', () => readFileSync(path, 'utf8') || undefined);
      assert.equal(readFileSync(path, 'utf8'), text);
    });
  }
});
