import assert from 'node:assert/strict';
import type { Report } from '../../../server/src/report-model/report.ts';
import { podium } from './run-podium.ts';
import { container, high, node, run, running, shop, steps, workload } from './small-cluster.ts';

describe('podium simulate --event', () => {
  it('lets a workload arrive at its time, when who came before has taken the room', async () => {
    const objects = [node('a'), workload('Deployment', 'first', 3), workload('Deployment', 'late', 2)];
    const report = await run(objects, ['arrive deployment/late at 1m']);
    assert.deepEqual(steps(report, 'late'), ['60 scheduled late-0', '60 pending late-1']);
    assert.equal(report.events[0]?.clock, 60);
  });

  it('ends a Job at its time, and whoever waited takes the room, by that step', async () => {
    const objects = [node('a'), high, workload('Job', 'batch', 2, '2'), workload('Deployment', 'web', 1, '2')];
    const report = await run(objects, ['finish job/batch at 90s']);
    assert.deepEqual(steps(report, 'web'), ['0 pending web-0', '90 scheduled web-0']);
    const placed = report.steps.find(({ kind, clock }) => kind === 'scheduled' && clock === 90);
    assert.equal(report.steps[placed?.by ?? -1]?.kind, 'gone');
    assert.equal(report.steps[placed?.by ?? -1]?.note, 'at once');
    const states = report.pods.filter(({ name }) => name.startsWith('batch')).map(({ after }) => after.state);
    assert.deepEqual(states, ['ended', 'ended']);
    assert.doesNotMatch(JSON.stringify(report.steps), /"evicted"/);
  });

  it('[#33] has a StatefulSet make no pod behind one that crashes, unless it is Parallel', async () => {
    const crashes = { name: 'c', ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } };
    const conditions = [{ type: 'Ready', status: 'False' }];
    const first = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'db-0',
        namespace: 'default',
        labels: { app: 'db' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'u', controller: true }],
      },
      spec: { nodeName: 'a', containers: [container('1')] },
      status: { phase: 'Running', conditions, containerStatuses: [crashes] },
    };
    const stored = (spec: object): object => {
      const set = workload('StatefulSet', 'db', 3) as { metadata: object; spec: object };
      return { ...set, metadata: { ...set.metadata, namespace: 'default', uid: 'u' }, spec: { ...set.spec, ...spec } };
    };
    const held = await run([node('a'), stored({}), first], ['arrive statefulset/db at 1m']);
    assert.deepEqual(steps(held, 'db'), []);
    const [line] = held.answer.groups.find(({ kind }) => kind === 'idle')!.lines;
    assert.deepEqual(
      [line!.count, ...line!.details],
      [
        '2 not made',
        'default/db-0 is in CrashLoopBackOff (container c)',
        'its StatefulSet makes 2 more pods only once it is ready (OrderedReady)',
      ],
    );
    const all = await run(
      [node('a'), stored({ podManagementPolicy: 'Parallel' }), first],
      ['arrive statefulset/db at 1m'],
    );
    assert.deepEqual(steps(all, 'db'), ['60 scheduled db-1', '60 scheduled db-2']);
  });

  it('has a StatefulSet that arrives or is scaled make one pod after the other, unless it is Parallel', async () => {
    const later = workload('StatefulSet', 'db', 4, '2');
    const arrived = await run([node('a'), later], ['arrive statefulset/db at 1m']);
    assert.deepEqual(steps(arrived, 'db'), ['60 scheduled db-0', '60 scheduled db-1', '60 pending db-2']);
    assert.equal(arrived.comparison?.outcome, 'After it: 0 evicted (=), 1 pending (+1).');
    assert.match(arrived.causes[0]?.notes[0] ?? '', /makes 1 more pod only once this one runs/);
    const few = workload('StatefulSet', 'db', 1, '2');
    const scale = 'scale statefulset/db 4 at 10s';
    assert.deepEqual(steps(await run([node('a'), few], [scale]), 'db'), [
      '0 scheduled db-0',
      '10 scheduled db-1',
      '11 pending db-2',
    ]);
    const grown = await run([node('a'), few], [scale, 'scale statefulset/db 5 at 20s', 'add 2 nodes like a at 30s']);
    assert.deepEqual(running(grown), ['db-0 a', 'db-1 a', 'db-2 a+1', 'db-3 a+2', 'db-4 a+1']);
    const shrunk = await run([node('a'), few], [scale, 'scale statefulset/db 3 at 20s', 'add 2 nodes like a at 30s']);
    assert.deepEqual(running(shrunk), ['db-0 a', 'db-1 a', 'db-2 a+1']);
    const spec = { ...(few as { spec: object }).spec, podManagementPolicy: 'Parallel' };
    const parallel = await run([node('a'), { ...few, spec }], [scale]);
    assert.deepEqual(steps(parallel, 'db').slice(-2), ['10 pending db-2', '10 pending db-3']);
  });

  it('ends pods of workloads by their names, those that came later too, and all of a workload', async () => {
    const objects = [node('a'), workload('Deployment', 'web', 2, '2'), workload('Deployment', 'late', 1, '2')];
    const names = (await run(objects, [])).pods.map(({ name }) => name);
    const web = names.filter((name) => name.startsWith('web-'));
    const one = await run(objects, [`finish pod/${web[0]!} at 30s`]);
    assert.deepEqual(
      one.steps.filter(({ clock }) => clock === 30).map(({ kind, pod }) => `${kind} ${one.pods[pod]!.name}`),
      [`deleted ${web[0]!}`, `gone ${web[0]!}`, `scheduled ${web[1]!}`],
    );
    const all = await run(objects, ['finish pod/web at 30s']);
    assert.deepEqual(running(all), ['late-0 a']);
    const job = await run([node('a'), workload('Job', 'batch', 2, '2')], ['finish pod/batch-0 at 30s']);
    assert.deepEqual(running(job), ['batch-1 a']);
    const replaced = await run(
      [node('a'), node('b'), ...objects.slice(1, 2)],
      ['drain node/a --force at 10s', `finish pod/${web[0]!.replace(/-0$/, '-9')} at 60s`],
    );
    assert.deepEqual(replaced.events.at(-1)?.told, ['no effect: there is no such pod at this time']);
    const pressed = await run(objects, [`pressure node/a pod/${web[0]!}=64Gi at 30s`]);
    assert.ok(
      pressed.events[0]!.told.some((line) => line.includes(`${web[0]!} is evicted`)),
      pressed.events[0]!.told.join(),
    );
    const input = { stdin: objects.map((each) => JSON.stringify(each)).join('\n---\n') };
    const { code, stderr } = await podium(['simulate', '-', '--event', 'finish pod/wbe at 5s'], input);
    assert.equal(code, 2);
    assert.match(stderr, /'finish pod\/wbe at 5s': there is no Pod default\/wbe/);
  });

  it('adds nodes at their time, with the pods of DaemonSets on them, and removes them with theirs', async () => {
    const objects = [node('a'), workload('DaemonSet', 'agent', 0, '1'), workload('Deployment', 'web', 5)];
    const added = await run(objects, ['add 1 node like a at 30s']);
    assert.deepEqual(running(added, 'agent').length, 2);
    assert.equal(running(added, 'web').length, 5);
    const agents = added.steps.filter(({ clock, kind }) => clock === 30 && kind === 'scheduled').length;
    assert.equal(agents, 3);
    const removed = await run([...objects, node('b')], ['remove node/b at 30s']);
    assert.deepEqual(
      running(removed).map((each) => each.split(' ')[1]),
      ['a', 'a', 'a', 'a'],
    );
    assert.equal(removed.totals.pending, 2);
  });

  it('scales at its time: more arrive, fewer end and are not replaced', async () => {
    const objects = [node('a'), node('b'), workload('Deployment', 'web', 3)];
    assert.equal(running(await run(objects, ['scale deployment/web 6 at 10s'])).length, 6);
    const fewer = await run(objects, ['scale deployment/web 1 at 10s']);
    assert.equal(running(fewer).length, 1);
    assert.deepEqual(steps(fewer).filter((step) => step.startsWith('20 ')).length, 1);
    const both = await run(objects, ['scale deployment/web 1 at 10s', 'scale deployment/web 4 at 60s']);
    assert.equal(running(both).length, 4);
  });

  it('[PRE-17, PRE-23, PRE-24] tells in a step of its own whose nomination a higher pod clears in the gap, and for whom', async () => {
    const bound = (name: string, priority: number, cpu: string, terminationGracePeriodSeconds: number): object => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { nodeName: 'a', priority, terminationGracePeriodSeconds, containers: [container(cpu)] },
      status: { phase: 'Running' },
    });
    const objects = [
      high,
      { ...high, metadata: { name: 'top' }, value: 100_000 },
      node('a'),
      bound('low', 10, '1500m', 100),
      bound('middle', 500, '2300m', 50),
      workload('Deployment', 'first', 1, '1500m', { priorityClassName: 'high' }),
      workload('Deployment', 'late', 0, '3500m', { priorityClassName: 'top' }),
    ];
    const report = await run(objects, ['scale deployment/late 1 at 20s']);
    assert.deepEqual(steps(report), [
      '0 nominated first-0',
      '20 nominated late-0',
      '20 cleared first-0',
      '20 pending first-0',
      '70 gone middle',
      '100 gone low',
      '100 scheduled late-0',
      '100 pending first-0',
    ]);
    const cleared = report.steps[2]!;
    assert.match(cleared.note, /^late-\S+ is nominated there now, and has a higher priority\.$/);
    assert.equal(report.nodes[cleared.node ?? -1]?.name, 'a');
    assert.equal(cleared.by, 1);
  });

  it('[PRE-5] says that a pod evicts only where it has victims, not where it waits for pods that end anyway', async () => {
    const objects = [
      high,
      { ...high, metadata: { name: 'top' }, value: 100_000 },
      node('a'),
      workload('Deployment', 'low', 1, '3', { nodeName: 'a' }),
      workload('Deployment', 'first', 1, '3', { priorityClassName: 'high' }),
      workload('Deployment', 'late', 0, '3', { priorityClassName: 'top' }),
    ];
    const { comparison } = await run(objects, ['scale deployment/late 1 at 5s']);
    const texts = (comparison?.plan.chain ?? []).map(({ text }) => text);
    assert.ok(
      texts.some((text) => text === 'late is scheduled on a'),
      texts.join('; '),
    );
    assert.deepEqual(
      texts.filter((text) => text.includes('late evicts')),
      [],
    );
  });

  it('tells behind a drain what becomes of the replacements, and who they evict', async () => {
    const objects = [
      high,
      node('a'),
      node('b'),
      workload('Deployment', 'low', 1, '3'),
      workload('Deployment', 'top', 1, '3', { priorityClassName: 'high' }),
    ];
    const { comparison } = await run(objects, ['drain node/a at 30s', 'uncordon node/a at 200s']);
    const chain = comparison?.plan.chain ?? [];
    assert.deepEqual(
      chain.map(({ id, clock, by, text }) => [id, clock, ...by, text]),
      [
        ['k1', 30, 'drain a'],
        ['k2', 30, 'k1', 'top-1 evicts low-0 on b'],
        ['k3', 40, 'k1', 'top-1 is scheduled on b'],
        ['k4', 200, 'uncordon a'],
        ['k5', 200, 'k4', 'low-1 is scheduled on a'],
      ],
    );
  });

  /** The links of what happens in a scenario of the sample, each with those that it follows from, in words. */
  async function linksOf(name: string): Promise<readonly (readonly string[])[]> {
    const args = ['simulate', 'samples/online-shop', '--scenario', `samples/online-shop/${name}`, '--format', 'json'];
    const { chain } = (JSON.parse((await podium(args)).stdout) as Report).comparison!.plan;
    const texts = new Map(chain.map(({ id, text }) => [id, text]));
    return chain.map(({ text, by }) => [text, ...by.map((id) => texts.get(id) ?? id)]);
  }

  it('says of a pod that waits with and without the events nothing, and what the last of them lets in', async () => {
    assert.deepEqual(await linksOf('night.podium.yaml'), [
      ['memory runs short on general-b'],
      ['cart-0 is scheduled on general-a', 'memory runs short on general-b'],
    ]);
    const upgrade = await linksOf('upgrade.podium.yaml');
    const causeOf = (text: string): readonly string[] | undefined =>
      upgrade.find(([first]) => first === text)?.slice(1);
    assert.equal(causeOf('order-history-export stays pending'), undefined);
    // The node is opened at the moment at which the drain is done with.
    assert.deepEqual(causeOf('recommender-training-0 is scheduled on general-a'), ['uncordon general-a']);
    assert.deepEqual(causeOf('fraud-check-0 evicts thumbnailer-1 on general-a'), ['drain general-c']);
    assert.deepEqual(causeOf('recommender-api-0 evicts search-indexer w3znd on general-b'), [
      'ingress-nginx-0 evicts recommender-api d5lhn on general-c',
    ]);
  });

  it('[EVI-4] counts once whom a drain evicts and who would be evicted without it, too', async () => {
    const low = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'low' },
      spec: { nodeName: 'a', containers: [container('4')] },
    };
    const objects = [node('a'), high, low, workload('Deployment', 'web', 1, '4', { priorityClassName: 'high' })];
    const { answer, comparison } = await run(objects, ['add 1 node like a', 'drain node/a --force at 30s']);
    assert.equal(answer.headline, 'Draining a evicts 1 pod; 1 of them would be evicted without it, too.');
    assert.equal(comparison?.outcome, 'After it: 1 evicted (=), 1 down (=).');
  });

  it('evicts from a node that is tainted NoExecute, after the seconds that are tolerated', async () => {
    const tolerations = [{ key: 'broken', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 40 }];
    const objects = [
      node('a'),
      node('b', '1'),
      workload('Deployment', 'web', 1, '1', { nodeSelector: { 'kubernetes.io/hostname': 'a' } }),
      workload('Deployment', 'slow', 1, '1', { nodeSelector: { 'kubernetes.io/hostname': 'a' }, tolerations }),
    ];
    const report = await run(objects, ['taint node/a broken:NoExecute at 5s']);
    assert.ok(steps(report).includes('5 deleted web-0'));
    assert.ok(steps(report).includes('45 deleted slow-0'));
    assert.ok(steps(report).includes('85 deleted slow-1'), 'it comes back, as the scheduler does not mind the taint');
    assert.match(report.answer.headline, /^The taint of a evicts 3 pods; /);
    assert.equal(report.answer.balance.evicted, 3);
    assert.equal(report.answer.groups[0]!.pods, 3);
    assert.deepEqual(
      report.answer.groups[0]!.lines.map(({ name, details }) => [name, ...details]),
      [
        ['web', 'evicted by the taint of a', 'no budget', '10 s to end'],
        [
          'slow',
          '1 replacement too',
          'evicted by the taint of a',
          'comes back and is evicted again every 40 s',
          'no budget',
          '10 s to end',
        ],
      ],
    );
  });

  it('ends where a pod goes to and fro between tainted nodes that it tolerates for some time', async () => {
    const tolerations = [{ key: 'broken', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }];
    const taints = [{ key: 'broken', effect: 'NoExecute' }];
    const nodes = ['a', 'b'].map((name) => node(name, '4', { taints }));
    const { answer } = await run([...nodes, workload('Deployment', 'web', 1, '1', { tolerations })], []);
    assert.ok(answer.groups[0]!.lines[0]!.details.includes('comes back and is evicted again every 60 s'));
  });

  it('counts what many tainted nodes evict in one sentence', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const webs = names.map((name) =>
      workload('Deployment', `web-${name}`, 1, '1', { nodeSelector: { 'kubernetes.io/hostname': name } }),
    );
    const taints = names.map((name) => `taint node/${name} broken:NoExecute at 5s`);
    const { answer } = await run([...names.map((name) => node(name)), ...webs], taints);
    assert.match(answer.headline, /^The taints of 4 nodes evict 4 pods; /);
  });

  it('evicts who is placed on a node with a NoExecute taint that it tolerates for some time, with events and without', async () => {
    const tolerations = [{ key: 'broken', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }];
    const tainted = node('a', '4', { taints: [{ key: 'broken', effect: 'NoExecute' }] });
    const web = workload('Deployment', 'web', 1, '1', { tolerations });
    for (const events of [[], ['cordon node/b at 1000s']]) {
      const report = await run([tainted, node('b', '500m'), web], events);
      assert.deepEqual(
        steps(report).filter((step) => step.includes('deleted') || step.includes('scheduled')),
        ['0 scheduled web-0', '60 deleted web-0', '60 scheduled web-1', '120 deleted web-1', '120 scheduled web-2'],
      );
      assert.deepEqual(
        report.answer.groups[0]!.lines.map(({ details }) => details.slice(0, 3)),
        [['1 replacement too', 'evicted by the taint of a', 'comes back and is evicted again every 60 s']],
      );
      const lines = report.assumptions.map(({ text }) => text);
      assert.ok(lines.includes('evicted by a taint again and again, followed twice: web'), lines.join('; '));
      assert.equal(report.answer.balance.evicted, 2);
    }
    const moved = await run([tainted, node('b', '64', { unschedulable: true }), web], ['uncordon node/b at 50s']);
    assert.deepEqual(running(moved), ['web-1 b']);
    assert.equal(moved.answer.balance.evicted, 1);
    assert.ok(!moved.assumptions.some(({ text }) => text.includes('again and again')));
    const forever = workload('Deployment', 'web', 1, '1', {
      tolerations: [{ key: 'broken', operator: 'Exists', effect: 'NoExecute' }],
    });
    assert.equal((await run([tainted, forever], [])).answer.balance.evicted, 0);
  });

  it('counts a pod as not replaced whose replacement is overtaken by another template', async () => {
    const objects = [node('a'), node('b'), high, workload('StatefulSet', 'db', 2, '1')];
    for (const leaves of ['taint node/a broken:NoExecute at 31s', 'drain node/a at 31s']) {
      const { answer } = await run(objects, [leaves, 'priority statefulset/db high at 33s']);
      assert.equal(answer.balance.evicted, answer.balance.again + answer.balance.notReplaced, leaves);
    }
  });

  it('evicts from a node that is tainted NoExecute at second 0, and as a what-if', async () => {
    const objects = [node('a'), node('b'), workload('Deployment', 'web', 1, '1', { nodeName: 'a' })];
    const report = await run(objects, ['taint node/a broken:NoExecute at 0s']);
    assert.ok(steps(report).includes('0 deleted web-0'));
    assert.equal(report.answer.balance.evicted, 1);
  });

  it('says of an event that it is late, where what came before it had not settled by its time', async () => {
    const web = workload('Deployment', 'web', 1, '1', { terminationGracePeriodSeconds: 120 });
    const events = ['drain node/a at 5s', 'cordon node/b at 85s'];
    const timed = await run([node('a'), node('b'), web], events);
    assert.deepEqual([timed.events[1]!.clock, timed.events[1]!.told], [85, []]);
    const untimed = await run(
      [node('a'), node('b'), web],
      ['cordon node/b at 5s', 'drain node/a', 'uncordon node/a', 'cordon node/a at 85s'],
    );
    const last = untimed.events.at(-1)!;
    assert.ok(last.clock > 85, String(last.clock));
    assert.equal(last.told[0], 'late: what comes before it and has no time of its own had not settled by 85 s');
  });

  it('leaves a pod that tolerates a taint for some time where the taint is gone before', async () => {
    const tolerations = [{ key: 'broken', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 40 }];
    const objects = [node('a'), workload('Deployment', 'slow', 1, '1', { tolerations })];
    const events = ['taint node/a broken:NoExecute at 5s', 'taint node/a broken:NoExecute- at 20s'];
    assert.deepEqual(steps(await run(objects, events)), ['0 scheduled slow-0']);
    const again = await run(objects, [...events, 'taint node/a broken:NoExecute at 30s']);
    assert.ok(steps(again).includes('70 deleted slow-0'));
  });

  it('drains, and uncordons what was drained before', async () => {
    const objects = [node('a'), workload('Deployment', 'web', 2)];
    const drained = await run(objects, ['drain node/a']);
    assert.equal(drained.totals.pending, 2);
    const back = await run(objects, ['drain node/a', 'uncordon node/a']);
    assert.equal(running(back).length, 2);
    assert.ok(back.events[0]!.told.some((line) => line.includes('node/a drained')));
  });

  it('tells which pods race for what a budget has left', async () => {
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
    };
    const report = await run([node('a'), budget, workload('Deployment', 'web', 3)], ['drain node/a at 5s']);
    const [race] = report.drains[0]!.races;
    assert.deepEqual([race?.budget, race?.pods.length, race?.evicted], ['default/web', 3, 1]);
    const group = report.answer.groups.find(({ kind }) => kind === 'races');
    assert.deepEqual(
      group?.lines.map(({ sign, name, count, details }) => [sign, name, count, ...details]),
      [
        [
          '~',
          'web',
          '3 pods',
          'compete on a for what budget default/web has left',
          '1 may go at once; which is chance',
        ],
      ],
    );
    assert.equal(group.pods, 3);
    assert.ok(report.events[0]!.told.some((line) => line.includes('race for 1 of PodDisruptionBudget default/web')));
  });

  describe('a drain that waits for a budget', () => {
    const inPool = (name: string): object => ({
      ...node(name),
      metadata: { name, labels: { 'kubernetes.io/hostname': name, pool: 'old' } },
    });
    const budget = (minAvailable: number): object => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable, selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] } },
    });
    const on = (pool: object): object => ({ nodeSelector: pool });
    const evicted = ({ drains }: Report): readonly number[] => drains[0]!.evicted.map(({ clock }) => Math.floor(clock));

    it('goes on when somebody scales the workload, and one of the new pods runs elsewhere', async () => {
      const web = workload('Deployment', 'web', 2, '3', on({ pool: 'old' }));
      const objects = [inPool('a'), inPool('b'), node('c'), budget(2), web];
      assert.deepEqual(evicted(await run(objects, ['drain node/a'])), []);
      const scaled = ['drain node/a', 'label node/c pool=old at 20s', 'scale deployment/default/web 3 at 32s'];
      // Pods are ready a second after they are placed, so that the drain begins then.
      assert.deepEqual(evicted(await run(objects, scaled)), [36]);
    });

    it('goes on when its budget asks for less, or is gone', async () => {
      const objects = [inPool('a'), budget(2), workload('Deployment', 'web', 2, '1', on({ pool: 'old' }))];
      assert.deepEqual(evicted(await run(objects, ['drain node/a', 'remove pdb/default/web at 32s'])), [35, 35]);
      const loosened = ['drain node/a', 'budget pdb/default/web minAvailable=1 at 32s'];
      assert.deepEqual(evicted(await run(objects, loosened)), [35]);
    });

    it('waits for the replacement of a pod of its budget that a taint has evicted', async () => {
      const objects = [
        inPool('a'),
        { ...node('b'), metadata: { name: 'b', labels: { pool: 'new' } } },
        budget(2),
        workload('Deployment', 'web', 1, '3', on({ pool: 'old' })),
        workload('Deployment', 'api', 1, '3', on({ pool: 'new' })),
      ];
      const events = [
        'drain node/a',
        'taint node/b broken:NoExecute at 33s',
        'budget pdb/default/web minAvailable=1 at 34s',
        'taint node/b broken:NoExecute- at 47s',
      ];
      assert.deepEqual(evicted(await run(objects, events)), [50]);
    });
  });

  it('[EVI-7] evicts as the kubelet ranks when memory runs short, and replacements land elsewhere', async () => {
    const amounts = { cpu: '8', memory: '1Gi', pods: '110' };
    const small = (name: string): object => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name },
      status: { capacity: amounts, allocatable: amounts },
    });
    const pods = (name: string, memory: string, spec: object = {}): object => {
      const resources = { requests: { cpu: '1', memory } };
      return workload('Deployment', name, 1, '1', {
        nodeName: 'a',
        containers: [{ name: 'c', image: 'x', resources }],
        ...spec,
      });
    };
    const movable = pods('over', '100Mi', { nodeName: undefined, priorityClassName: 'high' });
    const objects = [small('a'), high, pods('within', '300Mi'), movable, pods('far', '100Mi')];
    const usage = 'deployment/within=290Mi deployment/over=300Mi deployment/far=500Mi';
    const report = await run(
      [...objects, { ...small('b'), spec: { unschedulable: true } }],
      ['uncordon node/b at 20s', `pressure node/a ${usage} at 60s`],
    );
    const { told } = report.events.find(({ text }) => text.startsWith('pressure'))!;
    const lines = told.join('\n').replace(/-[a-z0-9]{8,10}-0/g, '');
    assert.match(lines, /^-66Mi of 1Gi available: short of the 100Mi that the kubelet keeps/);
    assert.match(lines, /default\/far is evicted: uses 500Mi, requests 100Mi, over its request/);
    assert.match(lines, /not evicted, for they stay within their requests: default\/within/);
    assert.doesNotMatch(lines, /over is evicted/);
    assert.ok(steps(report, 'far').includes('60 deleted far-0'));
    const both = await run(
      [...objects, { ...small('b'), spec: { unschedulable: true } }],
      ['uncordon node/b at 20s', 'pressure node/a deployment/over=2Gi deployment/far=500Mi at 60s'],
    );
    assert.deepEqual(steps(both, 'over').slice(-3), ['70 deleted over-0', '70 gone over-0', '70 scheduled over-1']);
    assert.deepEqual(running(both, 'over'), ['over-1 b']);
    const evicted = both.pressures.flatMap((each) => each.evicted);
    const podName = ({ pods: all }: Report, pod: number): string => all[pod]!.name.replace(/-[a-z0-9]{8,10}-/, '-');
    assert.deepEqual(
      evicted.map(({ pod, clock, replacement }) => [podName(both, pod), clock, podName(both, replacement!)]),
      [
        ['far-0', 60, 'far-1'],
        ['over-0', 70, 'over-1'],
      ],
    );
    assert.match(both.answer.headline, /^The kubelet of a evicts far and over for memory[;.]/);
    const group = both.answer.groups.find(({ kind }) => kind === 'evicted')!;
    assert.equal(group.pods, 2);
    assert.deepEqual(
      group.lines.map(({ name, details }) => [name, details[0]]),
      [
        ['over', 'evicted by the kubelet of a, short of memory'],
        ['far', 'evicted by the kubelet of a, short of memory'],
      ],
    );
    const enough = await run([...objects, small('b')], ['pressure node/a deployment/far=200Mi at 60s']);
    assert.match(enough.events[0]!.told[0]!, /enough, no pod is evicted/);
  });

  it('rolls another template out, with fixed names once the old pods are gone', async () => {
    const objects = [node('a', '8'), high, workload('Deployment', 'web', 2), workload('StatefulSet', 'db', 1)];
    const report = await run(objects, ['request deployment/web cpu=2 at 5s']);
    assert.equal(running(report, 'web').length, 2);
    const named = await run(objects, ['priority statefulset/db high at 5s']);
    assert.deepEqual(steps(named, 'db'), ['5 deleted db-0', '15 gone db-0', '15 scheduled db-0']);
    assert.deepEqual(
      report.events.map(({ clock, text }) => [clock, text]),
      [
        [5, 'request deployment/web cpu=2 at 5s'],
        [5, 'apply Deployment/default/web'],
      ],
    );
    const low = await run(
      [node('a', '2'), workload('Deployment', 'low', 2), high, workload('Deployment', 'web', 1)],
      ['priority deployment/web high at 5s'],
    );
    assert.equal(low.totals.evicted, 1);
  });

  it('[#33] rolls a change of what came before, and its reversal, out as well', async () => {
    const objects = [node('a', '8'), workload('Deployment', 'web', 2), workload('StatefulSet', 'db', 2)];
    const asked = (report: Report, name: string): readonly (number | undefined)[] =>
      report.pods
        .filter((pod) => pod.name.startsWith(name) && pod.after.state === 'running')
        .map(({ requests }) => requests['cpu']);
    const back = await run(objects, ['request deployment/web cpu=2 at 5s', 'request deployment/web cpu=1 at 5m']);
    assert.deepEqual(asked(back, 'web'), [1000, 1000]);
    const scheduled = steps(back, 'web').filter((step) => step.includes('scheduled'));
    assert.equal(scheduled.length, 4);
    // No pod of an earlier template has the name of one that has gone.
    const names = back.pods.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
    assert.deepEqual(
      back.events.flatMap(({ told }) => told).filter((line) => line === 'no effect'),
      [],
    );
    const later = await run(objects, ['arrive statefulset/db at 10s', 'request statefulset/db cpu=2 at 60s']);
    assert.deepEqual(asked(later, 'db'), [2000, 2000]);
    assert.deepEqual(
      steps(later, 'db').filter((step) => step.includes('scheduled')),
      ['10 scheduled db-0', '11 scheduled db-1', '70 scheduled db-1', '81 scheduled db-0'],
    );
    assert.deepEqual(
      later.events.map(({ text, verdict }) => [text, verdict]),
      [
        ['arrive statefulset/db at 10s', undefined],
        ['request statefulset/db cpu=2 at 60s', undefined],
        ['apply StatefulSet/default/db', 'done'],
      ],
    );
  });

  it('[#33] takes away a workload whose roll-out is under way', async () => {
    const report = await run(
      [node('a', '8'), workload('Deployment', 'web', 2)],
      ['request deployment/web cpu=2 at 5s', 'delete deployment/web at 6s'],
    );
    assert.deepEqual(running(report, 'web'), []);
  });

  it('[#33] has the next run of a CronJob come of its new template', async () => {
    const { metadata, spec } = workload('Job', 'report', 1) as { readonly metadata: object; readonly spec: object };
    const cron = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata,
      spec: { schedule: '*/5 * * * *', jobTemplate: { spec } },
    };
    const report = await run([node('a', '8'), cron], ['request cronjob/report cpu=9 at 5s']);
    assert.deepEqual(report.events[0]?.told, ['the last run has ended, and the next one is made of the new template']);
    assert.equal(report.pods.filter(({ after }) => after.state === 'pending').length, 1);
  });

  it('[#33] says what the API server refuses of a pod that runs, and changes one that has not come', async () => {
    const lone = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'lone' },
      spec: { containers: [container('1')] },
    };
    const refused = await run([node('a'), lone], ['request pod/lone cpu=2 at 60s']);
    assert.match(
      refused.answer.headline,
      /^Raising lone to 2 cpu at 60 s: the API server refuses the change of Pod default\/lone: spec: Forbidden: pod updates may not change/,
    );
    const tolerant = await run([node('a'), lone], ['tolerate pod/lone x=y:NoExecute at 60s']);
    assert.equal(tolerant.answer.headline, 'Changing the tolerations of lone at 60 s moves, evicts and blocks no pod.');
    const later = await run([node('a'), lone], ['request pod/lone cpu=9 at 60s', 'arrive pod/lone at 90s']);
    assert.deepEqual(steps(later, 'lone'), ['90 pending lone']);
  });

  it('[#33] scales a ReplicationController, and gives its new template to those that come later', async () => {
    const { metadata, spec } = workload('Deployment', 'old', 2) as {
      readonly metadata: object;
      readonly spec: { readonly replicas: number; readonly template: object };
    };
    const controller = {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata,
      spec: { replicas: spec.replicas, selector: { app: 'old' }, template: spec.template },
    };
    const report = await run([node('a', '8'), controller], ['request rc/old cpu=2 at 5s', 'scale rc/old 3 at 60s']);
    assert.deepEqual(
      report.pods.filter(({ after }) => after.state === 'running').map(({ requests }) => requests['cpu']),
      [1000, 1000, 2000],
    );
  });

  it('changes budgets and classes for what comes later', async () => {
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'low' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'low' } } },
    };
    const objects = [
      node('a', '2'),
      high,
      budget,
      workload('Deployment', 'low', 2),
      workload('Deployment', 'web', 1, '1', { priorityClassName: 'high' }),
    ];
    const broken = await run(objects, ['arrive deployment/web at 60s']);
    assert.equal(broken.totals.budgetsViolated, 1);
    const kept = await run(objects, ['remove pdb/low at 30s', 'arrive deployment/web at 60s']);
    assert.deepEqual([kept.totals.evicted, kept.totals.budgetsViolated], [1, 0]);
    const narrower = await run(objects, ['budget pdb/low minAvailable=1 at 30s', 'arrive deployment/web at 60s']);
    assert.deepEqual([narrower.totals.evicted, narrower.totals.budgetsViolated], [1, 0]);
    const harmless = await run(objects, [
      'class high value=0 at 30s',
      'scale deployment/web 2 at 60s',
      'delete deployment/low at 90s',
    ]);
    assert.equal(running(harmless).length, 2);
  });

  it('gives at second 0 what --what-if gives, and says what it is compared with', async () => {
    const args = ['simulate', shop, '--format', 'json'];
    const event = await podium([...args, '--event', 'add 1 node like general-a at 0s']);
    const whatIf = await podium([...args, '--what-if', 'add 1 node like general-a']);
    const [timed, asked] = [event, whatIf].map(({ stdout }) => JSON.parse(stdout) as Report);
    assert.deepEqual(timed?.answer, asked?.answer);
    assert.deepEqual(timed?.steps, asked?.steps);
    assert.equal(timed?.comparison?.since, 'the run without the events');
    assert.equal(asked?.comparison?.since, 'the run without the what-if');
  });

  it('is combined with one workload and with a commit', async () => {
    const one = await podium([
      'simulate',
      shop,
      '--workload',
      'Deployment/shop/checkout',
      '--event',
      'cordon node/general-a',
      '--format',
      'json',
    ]);
    assert.equal((JSON.parse(one.stdout) as Report).events.length, 1);
    const since = await podium([
      'simulate',
      shop,
      '--since',
      'HEAD',
      '--what-if',
      'add 2 nodes like general-a',
      '--format',
      'json',
    ]);
    const report = JSON.parse(since.stdout) as Report;
    assert.equal(report.comparison?.since, 'git HEAD');
    assert.equal(report.totals.evicted, 0);
  });

  it('says what it cannot understand', async () => {
    const refused = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr } = await podium(['simulate', shop, ...args]);
      assert.equal(code, 2);
      return stderr;
    };
    assert.match(await refused('--event', 'drain node/a at noon'), /'noon' is no time; write 60s, 5m or 1h/);
    assert.match(
      await refused('--event', 'arrive deployment/shop/chekout at 5s'),
      /there is no Deployment shop\/chekout; did you mean shop\/checkout/,
    );
    assert.match(await refused('--what-if', 'cordon node/general-a at 5s'), /--what-if has no time; use --event/);
    assert.match(await refused('--event', 'drain node/general-x at 5s'), /there is no Node general-x/);
  });

  it('tells those that end in the timeline from those that are evicted', async () => {
    const objects = [node('a'), node('b'), workload('Deployment', 'web', 2), workload('Deployment', 'job', 2)];
    const kindsOf = async (...events: readonly string[]) => {
      const { timeline, pods } = await run(objects, events);
      const stays = timeline.filter(({ kind }) => kind === 'evicted' || kind === 'ended');
      return [...new Set(stays.map(({ pod, kind }) => `${pods[pod]!.name.split('-')[0]!} ${kind}`))].sort();
    };
    assert.deepEqual(await kindsOf('scale deployment/default/job 1 at 5s', 'drain node/a --force at 60s'), [
      'job ended',
      'web evicted',
    ]);
    assert.deepEqual(await kindsOf('delete deployment/default/job at 5s'), ['job ended']);
    assert.deepEqual(await kindsOf('request deployment/default/web cpu=200m at 5s'), ['web ended']);
    const { stdout } = await podium(
      ['simulate', '-', '--show', 'timeline', '--event', 'delete deployment/default/job at 5s'],
      { stdin: objects.map((each) => JSON.stringify(each)).join('\n---\n') },
    );
    assert.match(stdout, /Timeline +0 to \d+ s; − evicted, · ends, ○ pending, \+ runs/);
    assert.match(stdout, /^ +·+ +job-\S+ ends 5 s to 15 s$/m);
    const rolled = await podium(
      ['simulate', '-', '--show', 'timeline', '--event', 'request deployment/default/web cpu=200m at 5s'],
      { stdin: objects.map((each) => JSON.stringify(each)).join('\n---\n') },
    );
    assert.match(rolled.stdout, /^ +\++ +web-\S+ runs from 5 s, new template$/m, '#33');
    assert.match(rolled.stdout, /^ +·+ +web-\S+ ends .*, old template$/m, '#33');
  });

  it('draws the timeline, node by node, and what was done', async () => {
    const { stdout } = await podium([
      'simulate',
      shop,
      '--show',
      'timeline',
      '--event',
      'drain node/general-a --ignore-daemonsets at 60s',
    ]);
    assert.match(stdout, /What is done +simulated time\n +60 s +drain node\/general-a --ignore-daemonsets at 60s/);
    assert.match(stdout, /Timeline +0 to \d+ (?:s|min); − evicted, ○ pending, \+ runs/);
    assert.match(stdout, /^ +−+ +shop-batch\/thumbnailer-\S+ ends 0 s to 10 s$/m);
  });
});
