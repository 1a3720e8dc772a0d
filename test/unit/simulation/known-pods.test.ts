import assert from 'node:assert/strict';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { KnownPods, simulate, type SimulationInput } from '../../../server/src/simulation/index.ts';
import { applyOperation } from '../../../server/src/simulation/operations/apply-operation.ts';
import { parseOperation } from '../../../server/src/simulation/operations/parse-operation.ts';
import { loadSample } from './load-sample.ts';

function after(input: SimulationInput, text: string): SimulationInput {
  const operation = parseOperation(text);
  assert.ok(!('problem' in operation), text);
  return applyOperation(input, operation).input;
}

/** As it is written: what is worked out when it is read is read. */
function reportOn(input: SimulationInput): string {
  return JSON.stringify(runToEnd(simulate(input, { kind: 'workspace' })));
}

describe('pods that scenes have in common', () => {
  const sample = loadSample();

  it('are in each what they would be in a scene of its own, whatever was tried before', () => {
    const known = new KnownPods();
    for (const text of [
      'cordon node/general-a',
      'scale deployment/shop/checkout 1',
      'class batch-standard value=150000',
      'priority deployment/shop/cart shop-critical',
      'request deployment/shop/cart cpu=200m',
      'remove pdb/shop-batch/search-indexer',
      'add 2 nodes like general-a',
      'remove node/general-b',
      'label node/general-a zone=x',
      'delete deployment/shop-batch/thumbnailer',
    ]) {
      assert.equal(reportOn({ ...after(sample, text), known }), reportOn(after(sample, text)), text);
      assert.equal(reportOn({ ...sample, known }), reportOn(sample), `as it is, after ${text}`);
    }
  });

  it('are apart for each minor of Kubernetes', () => {
    const known = new KnownPods();
    for (const kubernetes of ['1.34', '1.36', '1.35', '1.34'] as const) {
      assert.equal(reportOn({ ...sample, kubernetes, known }), reportOn({ ...sample, kubernetes }), kubernetes);
    }
  });

  it('take their priority from the classes of now where they name a class and no number', () => {
    const known = new KnownPods();
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'runs', namespace: 'default', uid: 'u' },
      spec: {
        nodeName: 'a',
        priorityClassName: 'gold',
        containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }],
      },
      status: { phase: 'Running' },
    };
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, status: { allocatable: { cpu: '4' } } };
    const priorityWith = (value: number): number | undefined => {
      const gold = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'gold' }, value };
      const workspace = [gold, node, pod].map((object) => ({ object }));
      return runToEnd(simulate({ workspace, snapshot: [], known }, { kind: 'workspace' })).pods[0]?.priority;
    };
    assert.deepEqual([priorityWith(10), priorityWith(20)], [10, 20]);
  });
});
