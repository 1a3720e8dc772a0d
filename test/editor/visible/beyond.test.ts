import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packedChart, type Servers, startServers, writeRelease } from '../../support/chart-servers.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { startStubServer, type StubServer } from '../../support/stub-api-server.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const node = (name: string): object => ({
  metadata: { name, labels: {} },
  status: { allocatable: { cpu: '8', memory: '32Gi', pods: '110' }, nodeInfo: { kubeletVersion: 'v1.35.1' } },
});

const pod = `apiVersion: v1
kind: Pod
metadata: { name: of-the-chart }
spec: { containers: [{ name: a, image: a }] }
`;

describeWithTools('what reaches beyond this machine, in VS Code', () => {
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;
  let servers: Servers;
  let cluster: StubServer;
  const outside = mkdtempSync(join(tmpdir(), 'podium-outside-'));

  before(async () => {
    servers = await startServers();
    servers.addChart('podinfo', '6.3.5', packedChart('podinfo', '6.3.5', { 'templates/pod.yaml': pod }));
    cluster = await startStubServer({ lists: { '/api/v1/nodes': [node('a'), node('b')], '/api/v1/pods': [] } });
    workspace = makeWorkspace('overlays');
    writeRelease(workspace.folder, `${servers.url}/charts`);
    window = await openWindow({
      folder: workspace.folder,
      open: join(workspace.folder, 'base', 'web.yaml'),
      env: {
        PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`,
        VSCODE_CLI: '1',
        KUBECONFIG: cluster.kubeconfig,
      },
    });
    workbench = new Workbench(window.page);
    await workbench.ready();
    await workbench.sideBar('Podium');
    await workbench.row(/^Allow kubectl and helm/).click();
  });

  after(async () => {
    await window.close();
    workspace.remove();
    await servers.close();
    await cluster.close();
    rmSync(outside, { recursive: true });
  });

  const rows = () => window.page.locator('.quick-input-list .monaco-list-row');
  /** While the dialogue looks at the folder that was typed, it takes no answer: it is pressed until it is taken. */
  const acceptDialogue = async (): Promise<void> => {
    const dialogue = window.page.locator('.quick-input-widget');
    for (let isTaken = false; !isTaken;) {
      await dialogue
        .getByRole('button', { name: 'OK' })
        .click({ timeout: 1000 })
        .catch(() => undefined);
      isTaken = await dialogue.waitFor({ state: 'hidden', timeout: 1000 }).then(
        () => true,
        () => false,
      );
    }
  };

  it('is fetched when the user has seen what and from where', async () => {
    await workbench.command('Podium: Fetch Remote Charts and Bases');
    await rows()
      .filter({ hasText: new RegExp(`podinfo 6.3.5.*chart · ${servers.url}/charts`, 's') })
      .waitFor();
    assert.equal(servers.requests.length, 0);
    await window.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
    const told = await workbench.notification(/Podium has fetched 1 chart or base/);
    await told.waitFor();
    assert.ok(servers.requests.includes('GET /charts/podinfo-6.3.5.tgz'));
  });

  it('is a cluster that is asked when its context and a file were chosen, used on request and asked again', async () => {
    const { page } = window;
    const path = join(outside, 'cluster.json');
    await workbench.command('Podium: Capture Cluster Snapshot');
    await rows()
      .filter({ hasText: /stub\/one.*current/s })
      .waitFor();
    await rows().filter({ hasText: 'stub/two' }).click();
    const name = page.locator('.quick-input-widget input[type="text"]');
    await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).waitFor();
    // The dialogue looks at the folder before it shows the name that is proposed.
    const proposed = `document.querySelector('.quick-input-widget input[type="text"]').value.endsWith('/stub-two.snapshot.json')`;
    await page.waitForFunction(proposed);
    assert.equal(cluster.requests.length, 0);
    await name.fill(path);
    await acceptDialogue();
    const written = await workbench.notification(
      /Wrote .*cluster\.json: 2 objects of stub\/two, Kubernetes v1\.35\.1: 2 nodes, 0 pods/,
    );
    await written.getByRole('button', { name: 'Use It for Answers' }).click();
    const status = page
      .locator('.hover-language-status')
      .filter({ hasText: /2 nodes from the cluster snapshot/ })
      .first();
    const showStatus = async (): Promise<void> => {
      await page.locator('.statusbar-item[id="status.languageStatus"]').hover();
      await status.waitFor();
    };
    await showStatus();
    const settings: unknown = JSON.parse(readFileSync(join(workspace.folder, '.vscode', 'settings.json'), 'utf8'));
    assert.deepEqual(settings, { 'podium.cluster.snapshot': path });
    const before = cluster.requests.length;
    const asked = () =>
      workbench.notification(
        /Ask the cluster of the context stub\/two with .*kubectl, and write .*cluster\.json again/,
      );
    // The item is drawn anew with whatever is told of it, and a press on what is gone by then does nothing. The deadline
    // of the test ends what never comes.
    for (let isAsked = false; !isAsked;) {
      await status.getByText('Refresh', { exact: true }).click();
      const question = await asked();
      isAsked = await question.waitFor({ timeout: 30_000 }).then(
        () => true,
        () => false,
      );
      if (!isAsked) await showStatus();
    }
    assert.equal(cluster.requests.length, before);
    rmSync(path);
    // By key: the hover that it was asked from may still lie above it.
    const question = await asked();
    await question.getByRole('button', { name: 'Refresh', exact: true }).press('Enter');
    const again = await workbench.notification(/Wrote .*cluster\.json: 2 objects of stub\/two/);
    await again.waitFor();
    assert.ok(existsSync(path));
  });
});
