import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { descendants } from '../support/processes.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

describe('a language server that ends again and again', () => {
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

  it('is started again, and after the fifth time when the user asks for it', async () => {
    const workbench = new Workbench(window.page);
    await workbench.ready();
    const killed = new Set<number>();
    const living = (): number | undefined =>
      descendants(window.pid, 'server.mjs').find((candidate) => !killed.has(candidate));
    for (let end = 1; end <= 5; end++) {
      const pid = await eventually(`server ${end}`, living);
      killed.add(pid);
      process.kill(pid, 'SIGKILL');
    }
    const message = await workbench.notification(/ended 5 times within 3 minutes/);
    await message.getByRole('button', { name: 'Show Logs' }).waitFor();
    await message.getByRole('button', { name: 'Restart Language Server' }).click();
    await eventually('a server that was asked for', living);
    await workbench.open('orders-db.yaml');
    await workbench.lensAtTop(/fits/);
  });
});
