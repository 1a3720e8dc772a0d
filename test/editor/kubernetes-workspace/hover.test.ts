import assert from 'node:assert/strict';
import { hoverThat, openFile, revertAll } from '../support/manifests.ts';

describe('hover', () => {
  afterEach(revertAll);

  it('[ED-1] resolves a class name through another file', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    assert.match(await hoverThat(document, 'shop-critical', /100000/), /priority-classes\.yaml/);
  });

  it('[PRI-6] names the global default for a workload without a class', async () => {
    const { document } = await openFile('apps', 'gift-cards.yaml');
    assert.match(await hoverThat(document, 'template:', /10000/), /shop-standard/);
  });

  it('explains a PriorityClass where it is declared', async () => {
    const { document } = await openFile('priority-classes.yaml');
    await hoverThat(document, 'batch-standard', /1000/);
  });

  it('says what a field is for that is not about scheduling', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    await hoverThat(document, 'targetPort', /The port of the pods, by its number or its name/);
  });
});
