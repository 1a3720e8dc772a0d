import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemPriorityClasses } from '../../../server/src/admission/priority/priority.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { ArrivalPreviews, KnownPods, simulate, type Scenario } from '../../../server/src/simulation/index.ts';
import { budget, input, node, pod, podSpec, priorityClass, running, headlineOf, workload } from './cluster-builder.ts';
import { loadSample } from './load-sample.ts';

const arrivalOf = (
  workloadKind: string,
  name: string,
  namespace = 'default',
): Scenario & { readonly kind: 'workload' } => ({
  kind: 'workload',
  workloadKind,
  namespace,
  name,
});

describe('[ED-4] ArrivalPreviews', () => {
  it('gives the report that a simulation gives, whatever was previewed before', () => {
    const sample = loadSample();
    const previews = new ArrivalPreviews(sample);
    const checkout = arrivalOf('Deployment', 'checkout', 'shop');
    runToEnd(previews.arrivalOf(checkout));
    for (const scenario of [{ kind: 'workspace' }, checkout, { kind: 'workspace' }] as const) {
      assert.deepEqual(runToEnd(previews.simulate(scenario)), runToEnd(simulate(sample, scenario)));
    }
    assert.deepEqual(runToEnd(previews.arrivalOf(checkout)), runToEnd(new ArrivalPreviews(sample).arrivalOf(checkout)));
  });

  const high = priorityClass('high', 1000);

  function previewOf(objects: Parameters<typeof input>[0], kind: string, name: string) {
    return runToEnd(new ArrivalPreviews(input(objects)).arrivalOf(arrivalOf(kind, name)));
  }

  it('says where it fits', () => {
    assert.deepEqual(
      previewOf([node('a', 1), node('b', 4), workload('Deployment', 'web', 2, podSpec(2))], 'Deployment', 'web'),
      {
        kind: 'fits',
        text: 'fits on b',
        assumed: false,
      },
    );
  });

  it('says what the roll-out of an edit does to a workload that the snapshot has', () => {
    const spec = podSpec(2);
    const stored = [
      node('a', 4),
      workload('Deployment', 'web', 1, spec),
      running('web-x', 2, 'a', 0, { owner: 'ReplicaSet/web-x', labels: { app: 'web', 'pod-template-hash': 'x' } }),
    ];
    const textOf = (cpu: number): string | undefined => {
      const snapshot = input(stored).workspace;
      const { workspace } = input([workload('Deployment', 'web', 1, podSpec(cpu))]);
      const scenario = arrivalOf('Deployment', 'web');
      return runToEnd(new ArrivalPreviews({ workspace, snapshot }).arrivalOf(scenario))?.text;
    };
    assert.equal(textOf(2), 'runs on a');
    assert.equal(textOf(1), 'rolls out in 1 step');
    assert.match(textOf(3) ?? '', /^roll-out stops at 0 of 1: 1 new pod finds no node beside the old ones/);
  });

  it('says how many it preempts, where, and how many budgets that violates', () => {
    const objects = [
      high,
      node('a', 4),
      running('x', 2, 'a', 0, { labels: { app: 'batch' } }),
      running('y', 2, 'a', 0, { labels: { app: 'batch' } }),
      budget('batch', { app: 'batch' }, { minAvailable: 2 }),
      workload('Deployment', 'web', 1, podSpec(4, { priorityClassName: 'high' })),
    ];
    assert.deepEqual(previewOf(objects, 'Deployment', 'web'), {
      kind: 'preempts',
      text: 'preempts 2 pods and breaks 1 budget on a',
      brief: 'preempts 2 pods and breaks 1 budget',
      assumed: false,
    });
  });

  it('gives the cause for a workload that stays pending', () => {
    const preview = previewOf([node('a', 4), workload('Deployment', 'web', 3, podSpec(2))], 'Deployment', 'web');
    assert.equal(preview?.kind, 'pending');
    assert.match(preview.text, /^1 of 3 pending: it asks for 2 cpu; no cpu free on a, the only node it may use/);
  });

  it('knows gated, rejected, running and empty workloads, and marks assumed nodes', () => {
    assert.equal(
      previewOf([pod('held', 1, { schedulingGates: [{ name: 'example.com/wait' }] })], 'Pod', 'held')?.kind,
      'gated',
    );
    const gold = pod('new', 1, { priorityClassName: 'gold' });
    assert.equal(
      previewOf([gold], 'Pod', 'new')?.text,
      'rejected unless PriorityClass gold exists; it is not declared here',
    );
    const all = [...systemPriorityClasses].map(([name, value]) => priorityClass(name, value));
    assert.equal(
      runToEnd(new ArrivalPreviews(input([gold], all)).arrivalOf(arrivalOf('Pod', 'new')))?.text,
      'rejected: pods "new" is forbidden: no PriorityClass with name gold was found',
    );
    assert.equal(previewOf([node('a', 4), running('there', 1, 'a', 0)], 'Pod', 'there')?.text, 'runs on a');
    assert.equal(previewOf([workload('Deployment', 'web', 0, podSpec(1))], 'Deployment', 'web')?.text, 'makes no pods');
    assert.deepEqual(previewOf([pod('web', 1)], 'Pod', 'web'), {
      kind: 'fits',
      text: 'nodes assumed',
      assumed: true,
    });
    assert.equal(previewOf([], 'Deployment', 'nothing'), null);
  });

  it('[#33] lets everything run as it is committed once for the edits of a workload', () => {
    const known = new KnownPods();
    const others = Array.from({ length: 60 }, (_, at) => workload('Deployment', `other-${at}`, 1, podSpec(1)));
    const web = (cpu: number) => workload('Deployment', 'web', 1, podSpec(cpu));
    const stepsOf = (cpu: number): readonly [steps: number, text: string | undefined] => {
      const edited = { ...input([node('a', 64), ...others, web(cpu)]), known };
      const committed = input([web(1)]).workspace[0]!.object;
      const preview = new ArrivalPreviews(edited).rollOutSince(arrivalOf('Deployment', 'web'), committed, 'HEAD');
      let steps = 0;
      for (let next = preview.next(); ; next = preview.next()) {
        if (next.done === true) return [steps, next.value?.text];
        steps += 1;
      }
    };
    const [first, before] = stepsOf(2);
    const [second, after] = stepsOf(4);
    assert.match(before ?? '', /^since HEAD: rolls out/);
    assert.match(after ?? '', /^since HEAD: roll-out stops/);
    assert.ok(second < first / 2, `${first} steps, then ${second}`);
  });

  it('says of every workload of the sample what its report says', () => {
    const sample = loadSample();
    const previews = new ArrivalPreviews(sample);
    const told = [
      [
        'Deployment',
        'shop',
        'checkout',
        'preempts 3 pods and breaks 1 budget on general-a and general-b',
        /^checkout evicts thumbnailer \(down\), search-indexer and nightly-report and breaks 1 budget/,
      ],
      ['StatefulSet', 'shop', 'orders-db', 'fits on data-a', /^orders-db is placed on data-a/],
      [
        'Deployment',
        'shop',
        'catalog',
        'runs on general-a and general-c',
        /^catalog runs already, on general-a and general-c/,
      ],
    ] as const;
    for (const [kind, namespace, name, text, sentence] of told) {
      const scenario = arrivalOf(kind, name, namespace);
      assert.equal(runToEnd(previews.arrivalOf(scenario))?.text, text);
      assert.match(headlineOf(runToEnd(simulate(sample, scenario))), sentence);
    }
  });
});
