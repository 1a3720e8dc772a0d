import assert from 'node:assert/strict';
import { hoverText, hoverThat, openFile, rangeOf, revertAll } from '../support/manifests.ts';

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

  it('says nothing about what is not scheduling', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    // Somebody answers about this file.
    await hoverThat(document, 'shop-critical', /100000/);
    assert.equal(await hoverText(document, rangeOf(document, 'targetPort').start), '');
  });
});
