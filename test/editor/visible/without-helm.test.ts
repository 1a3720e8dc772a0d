import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { takePicture } from '../support/pictures.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const helmRelease = (name: string): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: ${name}, namespace: shop }
spec: { chart: { spec: { chart: ${name}, version: 1.0.0, sourceRef: { kind: HelmRepository, name: charts } } } }
---
`;

const repository = `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: charts, namespace: shop }
spec: { url: https://charts.example }
`;

describeWithTools('charts of releases on a machine without helm', () => {
  const tools = mkdtempSync(join(tmpdir(), 'podium-kubectl-'));
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;

  before(async () => {
    symlinkSync(join(toolFolder('v34'), 'kubectl'), join(tools, 'kubectl'));
    workspace = makeWorkspace('overlays');
    writeFileSync(join(workspace.folder, 'releases.yaml'), helmRelease('one') + helmRelease('two') + repository);
    window = await openWindow({
      folder: workspace.folder,
      open: join(workspace.folder, 'releases.yaml'),
      env: { PATH: tools },
    });
    workbench = new Workbench(window.page);
  });

  after(async () => {
    await window.close();
    workspace.remove();
    rmSync(tools, { recursive: true });
  });

  const row = (text: RegExp): Locator =>
    window.page.locator('.sidebar .monaco-list-row').filter({ hasText: text }).first();

  it('[ED-5] are not seen, with the reason and what it needs, before the question is answered and after', async () => {
    await workbench.sideBar('Podium');
    await row(/^Allow kubectl to render it/).waitFor();
    await row(/not rendered/).waitFor();
    await row(/^helm is not installed/).waitFor();
    await row(/^Allow kubectl to render it/).click();
    await row(/^Fetch remote charts and bases…/).waitFor();
    await row(/^helm is not installed/).waitFor();
    await row(/^2 HelmReleases/).waitFor();
    await takePicture(window.page, 'without-helm');
  });

  it('[ED-5] say once why none was fetched', async () => {
    // The tooltip of a row that has come under the mouse would be in the way.
    await window.page.mouse.move(0, 0);
    await window.page.locator('.hover-contents').first().waitFor({ state: 'hidden' });
    await row(/^Fetch remote charts and bases…/).click();
    await window.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
    const told = await workbench.notification(
      /fetched 0 of 2\. Not fetched: one 1\.0\.0 of https:\/\/charts\.example and two 1\.0\.0 of https:\/\/charts\.example: helm is not installed\./,
    );
    await told.waitFor();
  });
});
