import assert from 'node:assert/strict';
import type { Hover } from 'vscode-languageserver/node';
import { TestClient } from './test-client.ts';

const classes = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: checkout-high
value: 100000
description: Takes orders.
`;

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: checkout
  namespace: shop
spec:
  selector:
    matchLabels: { app: checkout }
  template:
    metadata:
      labels: { app: checkout }
    spec:
      priorityClassName: checkout-high
      containers:
        - name: app
          image: shop/checkout
`;

describe('language server over a pipe', () => {
  it('[ED-1] [ED-6] hovers a class that another file declares', async () => {
    const client = await TestClient.start({ files: { 'classes.yaml': classes } });
    const uri = await client.open('checkout.yaml', deployment);
    const hover = await client.request<Hover>('textDocument/hover', {
      textDocument: { uri },
      position: { line: 12, character: 28 },
    });
    const text = JSON.stringify(hover.contents);
    assert.match(text, /Priority 100000/);
    assert.match(text, /classes\.yaml#L4/);
    assert.match(text, /Takes orders/);
    assert.equal(await client.stop(), 0);
  });

  it('[ED-9] tells in the log what was read, and what came of the sources', async () => {
    const overlay = 'resources: [classes.yaml]\n';
    const client = await TestClient.start({
      files: { 'classes.yaml': classes, 'kustomization.yaml': overlay },
      env: { PATH: '' },
    });
    await client.until(
      () => client.log.some((line) => line.startsWith('Sources:')),
      () => client.log.join('\n'),
    );
    const story = client.log.join('\n');
    assert.match(story, /^Folders: file:\S+ \((?:not )?trusted\)$/m);
    assert.match(story, /^Read 1 file with 1 object in \d+ ms$/m);
    assert.match(story, /^Sources: [01] of 1 rendered; .*kubectl is not installed, helm is not installed; \d+ ms$/m);
    assert.equal(await client.stop(), 0);
  });

  it('[PRI-4] [ED-6] shows a problem when a class goes away in another editor, and takes it back', async () => {
    const client = await TestClient.start({ files: { 'classes.yaml': classes } });
    const uri = await client.open('checkout.yaml', deployment);
    const other = await client.open('classes.yaml', classes);
    await client.diagnostics(uri, (diagnostics) => diagnostics.length === 0);
    await client.change(other, classes.replace('checkout-high', 'checkout-higher'));
    await client.diagnostics(uri, ([diagnostic]) => diagnostic?.code === 'unknown-priority-class');
    await client.change(other, classes);
    await client.diagnostics(uri, (diagnostics) => diagnostics.length === 0);
    await client.stop();
  });
});
