import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileUri } from '../support/extension.ts';
import { diagnostic, noDiagnostic, openFile, replace, revertAll } from '../support/manifests.ts';

const vital = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: shop-vital }\nvalue: 5\n';

describe('files that change outside the editor', () => {
  const folder = fileUri('generated').fsPath;

  before(() => {
    mkdirSync(folder);
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(revertAll);

  it('[ED-6] count when they are created, changed, renamed and deleted', async () => {
    const file = fileUri('generated', 'classes.yaml').fsPath;
    const renamed = fileUri('generated', 'renamed.yaml').fsPath;
    const editor = await openFile('apps', 'checkout.yaml');
    const { uri } = editor.document;
    await replace(editor, 'shop-critical', 'shop-vital');
    await diagnostic(uri, 'unknown-priority-class');
    writeFileSync(file, vital);
    await noDiagnostic(uri, 'unknown-priority-class');
    writeFileSync(file, vital.replace('shop-vital', 'shop-other'));
    await diagnostic(uri, 'unknown-priority-class');
    writeFileSync(file, vital);
    await noDiagnostic(uri, 'unknown-priority-class');
    renameSync(file, renamed);
    writeFileSync(renamed, vital.replace('shop-vital', 'shop-third'));
    await diagnostic(uri, 'unknown-priority-class');
    writeFileSync(renamed, vital);
    await noDiagnostic(uri, 'unknown-priority-class');
    rmSync(renamed);
    await diagnostic(uri, 'unknown-priority-class');
  });

  it('do not win over what is open', async () => {
    const classes = await openFile('priority-classes.yaml');
    await replace(classes, 'name: shop-critical', 'name: shop-vital');
    const editor = await openFile('apps', 'checkout.yaml');
    await diagnostic(editor.document.uri, 'unknown-priority-class');
    await replace(editor, 'shop-critical', 'shop-vital');
    await noDiagnostic(editor.document.uri, 'unknown-priority-class');
  });
});
