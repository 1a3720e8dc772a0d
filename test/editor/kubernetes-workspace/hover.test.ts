import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { hoverText, openFile, rangeOf, revertAll } from '../support/manifests.ts';

describe('hover', () => {
  afterEach(revertAll);

  it('[ED-1] resolves a class name through another file', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    const { start } = rangeOf(document, 'shop-critical');
    const text = await eventually('a hover with the value', async () => {
      const shown = await hoverText(document, start);
      return shown.includes('100000') ? shown : undefined;
    });
    assert.match(text, /priority-classes\.yaml/);
  });

  it('[PRI-6] names the global default for a workload without a class', async () => {
    const { document } = await openFile('apps', 'gift-cards.yaml');
    const { start } = rangeOf(document, 'template:');
    const text = await hoverText(document, start);
    assert.match(text, /10000/);
    assert.match(text, /shop-standard/);
  });

  it('explains a PriorityClass where it is declared', async () => {
    const { document } = await openFile('priority-classes.yaml');
    assert.match(await hoverText(document, rangeOf(document, 'batch-standard').start), /1000/);
  });

  it('says nothing about what is not scheduling', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    assert.equal(await hoverText(document, rangeOf(document, 'targetPort').start), '');
  });
});
