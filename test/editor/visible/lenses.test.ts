import { join } from 'node:path';
import { takePicture } from '../support/pictures.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

describe('code lenses of three workloads', () => {
  let workspace: Workspace;
  let window: EditorWindow;

  before(async () => {
    workspace = makeWorkspace('kubernetes-workspace');
    window = await openWindow({ folder: workspace.folder, open: join(workspace.folder, 'apps', 'checkout.yaml') });
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  it('[ED-4] tell who preempts, who fits and who waits', async () => {
    const workbench = new Workbench(window.page);
    await workbench.ready();
    await workbench.command('View: Close Primary Side Bar');
    await workbench.command('View: Three Rows Editor Layout');
    await workbench.goToGroup(2, 3);
    await workbench.open('orders-db.yaml');
    await workbench.lensAtTop(/fits/);
    await workbench.goToGroup(3, 3);
    await workbench.open('order-history-export.yaml');
    for (const outcome of [/preempts/, /pending/]) await workbench.lens(outcome).waitFor();
    await takePicture(window.page, 'lenses');
  });
});
