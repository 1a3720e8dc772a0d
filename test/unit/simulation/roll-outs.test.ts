import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { parseEvent } from '../../../server/src/simulation/operations/parse-operation.ts';
import { whatWouldHelp } from '../../../server/src/simulation/remedies/what-would-help.ts';
import { compareRuns } from '../../../server/src/simulation/compare/compare-runs.ts';
import { threatsTo } from '../../../server/src/simulation/scenario/threats-to-pod.ts';
import { simulateEvents } from '../../../server/src/simulation/scenario/simulate-scenario.ts';
import {
  bare,
  changed,
  compareFiles,
  declared,
  gold,
  made,
  node,
  of,
  play,
  played,
  pod,
  running,
  template,
  web,
  withPodSpec,
} from './running-web.ts';

describe('a change of a workload that runs', () => {
  it('[EVI-4] is rolled out, beside the old pods', () => {
    const { answer } = play([web('600m')]);
    assert.equal(answer.headline, 'web rolls out in 2 steps; no pod fewer serves meanwhile.');
  });

  it('[EVI-4] stops where a new pod finds no room beside the old ones', () => {
    const { answer, pods, events } = play([web('1800m')]);
    assert.equal(
      answer.headline,
      'The roll-out of web stops at 0 of 2, because no node has more than 1.5 cpu free beside the old pods; the old ones go on running.',
    );
    // How much there is has been said.
    assert.equal(answer.cause, 'web needs 1.8 cpu on one node.');
    const old = pods.filter(({ name }) => name.startsWith('web-old'));
    assert.deepEqual(
      old.map(({ after }) => after.state),
      ['running', 'running'],
    );
    const text = events.flatMap((event) => event.told).join('\n');
    assert.match(text, /10 min the Deployment says ProgressDeadlineExceeded/);
    assert.match(text, /Tried: with maxSurge: 0, maxUnavailable: 1 it rolls out; 1 of 2 ready meanwhile/);
    assert.match(text, /Tried: with strategy: Recreate it rolls out; 0 of 2 ready meanwhile/);
  });

  it('[#33] stops where no old pod is left, and does not say that they go on', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    const other = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'other', namespace: 'shop', creationTimestamp: '2026-11-01T08:00:00Z' },
      spec: { ...template('1').spec, nodeName: 'b', priority: 0 },
      status: { phase: 'Running', startTime: '2026-11-01T08:00:00Z', conditions: [{ type: 'Ready', status: 'True' }] },
    } as unknown as KubeObject;
    const { answer, events } = play([web('1200m', { strategy }), other]);
    assert.equal(
      answer.headline,
      'The roll-out of web stops at 1 of 2, because no node has more than 1 cpu free; no old pod is left.',
    );
    assert.doesNotMatch(events.flatMap((event) => event.told).join('\n'), /old pods go on/);
  });

  it('[#33] is none where the snapshot has no pods: what is written comes', () => {
    const stateful = (cpu: string): KubeObject => ({ ...web(cpu, { serviceName: 'web' }), kind: 'StatefulSet' });
    const input = { workspace: declared([stateful('600m')]), snapshot: declared([node('a'), stateful('500m')]) };
    const { answer, pods, events } = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    assert.equal(answer.headline, 'web is placed on a; no pod is evicted.');
    assert.deepEqual([pods.length, events.length], [2, 0]);
  });

  it('[#33] is tried with one more node, a smaller request and a class, and says what does not help', () => {
    const told = (cpu: string): string =>
      play([web(cpu)])
        .events.flatMap((event) => event.told)
        .join('\n');
    const full = told('1800m');
    assert.match(full, /Tried: with 1 node more like [ab] it rolls out; 2 of 2 ready meanwhile/);
    assert.match(full, /Tried: with requests of cpu=1500m it rolls out; 2 of 2 ready meanwhile/);
    assert.match(full, /Tried: with priorityClassName: gold it rolls out; \d of 2 ready meanwhile, 2 pods evicted/);
    assert.doesNotMatch(full, /does not help/);
    assert.match(told('3'), /Tried, and does not help: .*strategy: Recreate; 1 node more like [ab]/);
  });

  it('[#33] is tried in the run with all that happens later', () => {
    const events = ['request deployment/shop/web cpu=1800m at 60s', 'cordon node/a at 5m'].map((text) => {
      const event = parseEvent(text);
      assert.ok(!('problem' in event), text);
      return event;
    });
    const input = { workspace: declared(running), snapshot: declared(running) };
    const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, events));
    const text = report.events.flatMap((event) => event.told).join('\n');
    assert.match(text, /Tried: with maxSurge: 0, maxUnavailable: 1 it rolls out/);
    const remedies = runToEnd(whatWouldHelp(report, input, { kind: 'workspace' }, events));
    assert.deepEqual(
      remedies.flatMap(({ whatIf, effect }) => (whatIf.length === 0 ? [] : [`${whatIf.join()}: ${effect}`])),
      ['add 1 node like b: no pod pending'],
    );
  });

  it('[EVI-4] begins with the change in a comparison, and counts the new pods alone', () => {
    const [earlier, now] = [web('500m'), web('3')].map((own) => ({
      input: {
        workspace: declared([...running.filter(({ kind }) => kind !== 'Pod' && kind !== 'Deployment'), own]),
        snapshot: [],
      },
      events: [],
    }));
    const { answer, comparison } = runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD'));
    assert.match(
      answer.headline,
      /^Raising web to 3 cpu: its roll-out stops at 0 of 2, because no node .* cpu .*beside the old pods; the old ones go on running\.$/,
    );
    assert.equal(comparison?.plan.effects[0]?.at.at(-1)?.text, '0 of 2 new, 2 old, 1 pending');
  });

  it('[#33] is that of the workload where a class comes with the one that is given it', () => {
    const nodes = [node('a'), node('b')];
    const [earlier, now] = [[web('1800m')], [web('1800m', {}, 'gold'), gold]].map((own) => ({
      input: { workspace: declared([...nodes, ...own]), snapshot: [] },
      events: [],
    }));
    const { answer } = runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD'));
    assert.equal(answer.headline, 'Giving web class gold: each of its 2 new pods evicts an old pod of its own.');
  });

  it('[#33] names the pods that no controller made which it evicts', () => {
    const alone = ['one', 'two'].map((name): KubeObject => {
      const own = pod(name, 'a');
      return { ...own, metadata: { ...own.metadata, labels: {}, ownerReferences: [] } };
    });
    const snapshot = declared([node('a'), ...alone]);
    const [earlier, now] = [
      [web('1800m', { replicas: 1 }), gold],
      [web('1800m', { replicas: 1 }, 'gold'), gold],
    ].map((own) => ({ input: { workspace: declared(own), snapshot }, events: [] }));
    const { answer } = runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD'));
    assert.match(answer.headline, /^Giving web class gold: its roll-out evicts (?:one and two|two and one)\b/);
  });

  it('[#33] says of many what becomes of them: how far, whom they evict, who is down meanwhile', () => {
    const many = (cpu: string, more: object, className?: string): readonly KubeObject[] =>
      ['a', 'b', 'c', 'd'].map((name) => {
        const own = structuredClone(web(cpu, { replicas: 1, ...more }, className));
        Object.assign(own.metadata!, { name });
        return own;
      });
    const headline = (before: readonly KubeObject[], after: readonly KubeObject[]): string =>
      compareFiles([gold, ...before], [gold, ...after]).answer.headline;
    assert.match(
      headline(many('300m', {}), many('400m', {})),
      /: all 4 workloads roll out; no pod fewer serves meanwhile\.$/,
    );
    assert.equal(
      headline(many('100m', {}), many('100m', { replicas: 2 })),
      'Changing the replicas of 4 workloads: 4 more pods run.',
    );
    assert.equal(
      headline(many('100m', { replicas: 2 }), many('100m', {})),
      'Changing the replicas of 4 workloads: 4 pods end.',
    );
    assert.equal(
      headline(many('300m', {}), many('300m', {}, 'nobody')),
      'Giving 4 workloads class nobody: 4 roll-outs stop: no PriorityClass with name nobody was found.',
    );
    assert.equal(
      headline(many('300m', {}), many('3', {})),
      'Changing the requests of 4 workloads: 4 roll-outs stop: the new pods find no node beside the old ones, which go on running.',
    );
    assert.equal(
      headline(many('300m', { paused: true }), many('400m', { paused: true })),
      'Changing the requests of 4 workloads: 4 workloads change no pod now.',
    );
    const strategy = { strategy: { type: 'Recreate' } };
    assert.match(
      headline(many('300m', strategy), many('400m', strategy)),
      /: all 4 workloads roll out; 4 workloads are down meanwhile\.$/,
    );
    const pods = ['a', 'b', 'c', 'd'].map((name, at) => {
      const own = structuredClone(pod(`${name}-old-x`, at < 2 ? 'a' : 'b'));
      const labels = { app: 'web', 'pod-template-hash': 'old' };
      const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${name}-old`, uid: name, controller: true };
      Object.assign(own.metadata!, { labels, ownerReferences: [owner] });
      Object.assign((own as unknown as { spec: object }).spec, template('900m').spec);
      return own;
    });
    const snapshot = declared([node('a'), node('b'), gold, ...many('900m', {}), ...pods]);
    const workspace = declared(many('900m', {}, 'gold'));
    assert.match(
      runToEnd(simulateEvents({ workspace, snapshot }, { kind: 'workspace' }, [])).answer.headline,
      /^All 4 workloads roll out; their new pods evict 4 pods/,
    );
  });

  it('[#33] says of a workload with more pods than its volume has nodes which of them do not start', () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'shop' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    } as unknown as KubeObject;
    const of = (replicas: number): readonly KubeObject[] => [
      claim,
      withPodSpec('1100m', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }, { replicas }),
    ];
    const { answer, comparison } = compareFiles(of(1), of(2));
    assert.equal(
      answer.headline,
      'Scaling web to 2: 1 of 2 pods of web run, 1 does not start, as another node has its volume.',
    );
    const [effect] = comparison?.plan.effects ?? [];
    assert.deepEqual([effect?.change, effect?.at.at(-1)?.text], ['worse', '1 of 2, 1 pod not ready']);
    const inOrder = (replicas: number): readonly KubeObject[] =>
      of(replicas).map((object) => (object.kind === 'Deployment' ? { ...object, kind: 'StatefulSet' } : object));
    assert.equal(
      compareFiles(inOrder(1), inOrder(3)).answer.headline,
      'Scaling web to 3: 1 of 3 pods of web run, 1 does not start, as another node has its volume, 1 not made yet.',
    );
  });

  it('[#33] counts new pods that do not become ready apart from old ones', () => {
    const happens = parseEvent('unready deployment/shop/web at 0s');
    assert.ok(!('problem' in happens));
    const [earlier, now] = [web('500m'), web('600m')].map((own, index) => ({
      input: { workspace: declared([node('a'), node('b'), own]), snapshot: [] },
      events: index === 0 ? [] : [happens],
    }));
    const { comparison } = runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD'));
    const [effect] = comparison?.plan.effects ?? [];
    assert.deepEqual([effect?.change, effect?.at.at(-1)?.text], ['worse', '0 of 2 new, 2 old, 1 pod not ready']);
  });

  it('[EVI-4] goes on without a surge where the old pod makes room', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    const { answer } = play([web('1800m', { strategy })]);
    assert.equal(answer.headline, 'web rolls out in 2 steps; meanwhile 1 pod fewer serves.');
  });

  it('[PRE-1] evicts, and says whose pods, when it is given a class', () => {
    const { answer, victims } = play([web('1800m', {}, 'gold')]);
    assert.equal(answer.headline, 'Each of the 2 new pods of web evicts an old pod of its own.');
    assert.ok(victims.length > 0);
  });

  it('[EVI-4] is none when an amount is only written otherwise, or nothing is changed', () => {
    for (const same of ['0.5', '500m']) assert.doesNotMatch(play([web(same)]).answer.headline, /roll/);
  });

  it('[#33] is none of what only the defaults are filled in of, as kubectl patches a strategy without its type', () => {
    const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    const volumes = [{ name: 'scratch' }];
    const others = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'].map((kind) => {
      const labels = { app: kind };
      const podSpec = { ...template('100m').spec, volumes, ...(kind === 'Job' && { restartPolicy: 'Never' }) };
      const spec = { template: { metadata: { labels }, spec: podSpec }, ...(kind === 'Deployment' && { strategy }) };
      return {
        apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
        kind,
        metadata: { name: kind.toLowerCase(), namespace: 'shop' },
        spec: kind === 'Job' ? spec : { ...spec, selector: { matchLabels: labels } },
      } as unknown as KubeObject;
    });
    const { answer } = compareFiles(
      [...others, web('500m', { replicas: 1 })],
      [...structuredClone(others), web('500m', { replicas: 2 })],
    );
    assert.equal(answer.headline, 'Scaling web to 2: both pods run.');
    assert.deepEqual(
      answer.rollOuts?.map(({ object }) => object),
      ['Deployment/shop/web'],
    );
  });

  it('[EVI-4] is the same as an edit and as the operation that means the same', () => {
    for (const cpu of ['600m', '1800m']) {
      const edited = play([web(cpu)]);
      const tried = play([], [`request Deployment/shop/web cpu=${cpu}`]);
      assert.equal(tried.answer.headline, edited.answer.headline);
      assert.deepEqual(tried.answer.balance, edited.answer.balance);
    }
  });

  describe('in files that say what runs, and in which another pod evicts', () => {
    const batch = ['a', 'b'].map((name) => {
      const { spec, ...rest } = bare(`batch-${name}`, '500m');
      return { ...rest, spec: { ...spec, nodeName: name } };
    });
    const files = [...running, ...batch, bare('urgent', '1500m', 'gold')] as unknown as readonly KubeObject[];
    const edited = files.map((object) => (object.kind === 'Deployment' ? web('1800m') : object));
    const compare = (now: readonly KubeObject[], whatIfs: readonly string[]): WholeReport => {
      const events = whatIfs.map((text) => {
        const event = parseEvent(text);
        assert.ok(!('problem' in event), text);
        return event;
      });
      const [one, other] = [files, now].map((objects) => ({
        input: { workspace: declared(objects), snapshot: [] },
        events: objects === now ? events : [],
      }));
      const same = now === files ? { ...other!, input: one!.input, events } : other!;
      return runToEnd(compareRuns({ ...one!, events: [] }, same, { kind: 'workspace' }, 'the other run'));
    };

    it('[#33] is the same as an edit and as the what-if that means the same', () => {
      const [edit, whatIf] = [compare(edited, []), compare(files, ['request deployment/shop/web cpu=1800m at 0s'])];
      assert.match(edit.answer.headline, /^Raising web to 1800m cpu: its roll-out stops at 0 of 2/);
      assert.equal(whatIf.answer.headline, edit.answer.headline);
      assert.deepEqual(whatIf.answer.balance, edit.answer.balance);
    });

    it('[#33] is one before what happens later', () => {
      const events = ['request deployment/shop/web cpu=1800m at 0s', 'drain node/b --force at 60s'];
      assert.match(
        compare(files, events).answer.headline,
        /^The roll-out of web stops at 0 of 2.*; draining \w evicts/,
      );
    });

    it('[#33] leaves a what-if about what arrives before that', () => {
      const { answer, victims } = compare(files, ['request pod/shop/urgent cpu=100m at 0s']);
      assert.deepEqual(victims, []);
      assert.match(answer.headline, /saves 1 pod from eviction/);
    });
  });

  it('[EVI-4] is not taken back when the workload is scaled later', () => {
    const { pods } = played([web('600m')], ['scale deployment/shop/web 3 at 60s']);
    const running = pods.filter(({ after }) => after.state === 'running');
    assert.deepEqual(
      running.map(({ requests }) => requests['cpu']),
      [600, 600, 600],
    );
  });

  it('[EVI-4] as an operation is rolled out too where something happens later', () => {
    const { events, pods } = played([], ['request deployment/shop/web cpu=600m at 0s', 'cordon node/a at 60s']);
    assert.match(events.flatMap(({ told }) => told).join('\n'), /At least \d pods? ready of 2 meanwhile/);
    assert.equal(pods.filter(({ after }) => after.state === 'running').length, 2);
  });

  it('[EVI-4] stops where new pods do not become ready, and takes as long as they need', () => {
    const { answer, events: unready } = played([web('600m')], ['unready deployment/shop/web at 0s']);
    assert.match(answer.headline, /stops at 0 of 2: the new pods do not become ready/);
    const told = unready.flatMap((each) => each.told).join('\n');
    assert.match(told, /More room does not help: revert the change/);
    assert.doesNotMatch(told, /Tried/);
    const { steps, events } = played([web('600m')], [], 45);
    const placed = steps.filter(({ kind }) => kind === 'scheduled').map(({ clock }) => clock);
    assert.ok(placed[1]! - placed[0]! >= 45, placed.join());
    assert.match(events.flatMap(({ told }) => told).join('\n'), /Readiness is assumed: 45 s after the start/);
  });

  it('[#33] waits for somebody while it is paused, or where pods are replaced on deletion', () => {
    const headline = (kind: string, more: object): string =>
      changed(kind, made('500m', 'a:1', { replicas: 2, ...more }), made('500m', 'a:2', { replicas: 2, ...more })).answer
        .headline;
    assert.equal(
      headline('Deployment', { paused: true }),
      'Changing the image of db: it changes no pod now: it is paused; kubectl rollout resume lets it go on.',
    );
    const grown = { ...made('500m', 'a:2', { replicas: 3 }), paused: true };
    assert.match(
      changed('Deployment', { ...made('500m', 'a:1', { replicas: 2 }), paused: true }, grown).answer.headline,
      /^Changing the replicas and the image of db: it gets 3 pods of the old template: it is paused; /,
    );
    const onDeletion =
      'Changing the image of db: it changes no pod now: a pod gets the new template when the old one is deleted.';
    assert.equal(headline('StatefulSet', { updateStrategy: { type: 'OnDelete' } }), onDeletion);
    assert.equal(headline('ReplicaSet', {}), onDeletion);
  });

  it('[#33] says of another number of pods which run or end, and what an autoscaler makes of it', () => {
    const scaled = (before: number, after: number): string =>
      changed('Deployment', made('100m', 'a:1', { replicas: before }), made('100m', 'a:1', { replicas: after })).answer
        .headline;
    assert.equal(scaled(4, 7), 'Scaling db to 7: all 7 pods run.');
    assert.equal(scaled(4, 2), 'Scaling db to 2: 2 of its 4 pods end.');
    assert.equal(scaled(4, 0), 'Scaling db to 0: all its 4 pods end.');
    const stateful = (replicas: number): object => made('1', 'a:1', { replicas });
    assert.match(
      changed('StatefulSet', stateful(1), stateful(9)).answer.headline,
      /^Scaling db to 9: \d of 9 pods of db run, 1 pending, \d not made yet\.$/,
    );
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'grow', namespace: 'shop' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 3,
        maxReplicas: 8,
      },
    } as unknown as KubeObject;
    const again = 'HorizontalPodAutoscaler grow sets the number again: 3 to 8 pods';
    for (const change of [web('500m', { replicas: 1 }), web('400m', { replicas: 1 })]) {
      const told = play([change, autoscaler]).events.flatMap((event) => event.told);
      assert.ok(told.includes(again), told.join());
    }
    // Who raises both has scaled it, and the autoscaler has not.
    const higher = structuredClone(autoscaler);
    Object.assign((higher as unknown as { spec: object }).spec, { minReplicas: 5 });
    const both = compareFiles([web('100m', { replicas: 3 }), autoscaler], [web('100m', { replicas: 5 }), higher]);
    const bounds = both.events.flatMap(({ told }) => told.filter((line) => line.startsWith('autoscaler')));
    assert.deepEqual(bounds, ['autoscaler shop/grow then keeps 5 to 8 pods of web']);
    // Without a number in the manifest it is 1, until the autoscaler acts.
    const files = [web('100m', { replicas: 6 }), autoscaler];
    const { answer } = compareFiles(files, [web('100m', { replicas: undefined }), autoscaler]);
    assert.equal(answer.headline, 'Changing the replicas of web: its 6 pods fall to 1, and 2 come again.');
    const least = compareFiles([web('100m', { replicas: 3 }), autoscaler], [web('100m', { replicas: 1 }), autoscaler]);
    assert.equal(least.answer.headline, 'Scaling web to 1: its 3 pods fall to 1, and 2 come again.');
  });

  it('[#33] scales the old ReplicaSet first where template and replicas are changed at once, as its controller does', () => {
    const { pods, answer } = compareFiles([web('100m')], [web('200m', { replicas: 8 })]);
    // 8 and the surge of 2 at a time: 6 more of the old template before 2 of the new one come.
    assert.equal(pods.filter(({ template: own }) => own === 'old').length, 8);
    assert.match(answer.headline, /^Changing the replicas and the requests of web: it rolls out in 5 steps; /);
  });

  it('[#33] says that a deadline passes meanwhile, though the roll-out goes on', () => {
    const slow = (image: string) => {
      const own = {
        ...of('100m', image),
        spec: {
          containers: [
            {
              ...of('100m', image).spec.containers[0]!,
              readinessProbe: { initialDelaySeconds: 60, tcpSocket: { port: 80 } },
            },
          ],
        },
      };
      return web('100m', { template: own, progressDeadlineSeconds: 45 });
    };
    const { answer, events } = compareFiles([slow('a:1')], [slow('a:2')]);
    assert.match(answer.headline, /^Changing the image of web: it rolls out in \d steps/);
    const told = events.flatMap((event) => event.told).join('\n');
    assert.match(
      told,
      /Meanwhile it says ProgressDeadlineExceeded, as a step takes longer than 45 s: kubectl rollout status fails, and the roll-out goes on/,
    );
    const quick = compareFiles([web('100m')], [web('200m')]);
    assert.doesNotMatch(quick.events.flatMap((event) => event.told).join(), /ProgressDeadlineExceeded/);
  });

  it('[#33] says which budget no longer protects what it did, where its labels or those of the pods are others', () => {
    const budget = (app: string): KubeObject =>
      ({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'keep', namespace: 'shop' },
        spec: { minAvailable: 1, selector: { matchLabels: { tier: app } } },
      }) as unknown as KubeObject;
    const labelled = (tier: string) =>
      web('100m', { template: { ...template('100m'), metadata: { labels: { app: 'web', tier } } } });
    const [before, lost] = [[budget('front'), labelled('front')], 'budget shop/keep no longer protects web.'];
    assert.equal(
      compareFiles(before, [budget('front'), labelled('edge')]).answer.headline,
      `Changing the pod labels of web: it rolls out in 2 steps; no pod fewer serves meanwhile; ${lost}`,
    );
    assert.equal(
      compareFiles(before, [budget('edge'), labelled('front')]).answer.headline,
      `Setting spec.selector.matchLabels.tier of PodDisruptionBudget shop/keep to edge moves, evicts and blocks no pod now: ${lost}`,
    );
    for (const after of [
      [budget('edge'), labelled('edge')],
      // The API server refuses another selector, and its labels with it.
      [
        budget('front'),
        web('100m', {
          selector: { matchLabels: { app: 'other' } },
          template: { ...template('100m'), metadata: { labels: { app: 'other' } } },
        }),
      ],
    ]) {
      assert.doesNotMatch(compareFiles(before, after).answer.headline, /no longer protects/);
    }
  });

  it('[#33] says in a few words that new pods find no node where no old pod is left', () => {
    const [before, after] = ['general', 'standard'].map((pool) => {
      const labelled = (each: KubeObject): KubeObject => ({
        ...each,
        metadata: { ...each.metadata, name: `${pool}-node`, labels: { pool } },
      });
      return labelled(node('a'));
    });
    const selecting = (image: string) =>
      web('100m', {
        template: { ...of('100m', image), spec: { ...of('100m', image).spec, nodeSelector: { pool: 'general' } } },
      });
    const [earlier, now] = [
      [before!, selecting('a:1')],
      [after!, selecting('a:2')],
    ].map((own) => ({
      input: { workspace: declared(own), snapshot: [] },
      events: [],
    }));
    const { answer } = runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD'));
    assert.match(
      answer.headline,
      /the roll-out of web stops at 0 of 2: 1 new pod finds no node, and no old pod is left/,
    );
  });

  it('[#33] goes on from a roll-out that is under way: taken back, changed, scaled, or replaced in another way', () => {
    const set = (name: string, cpu: string, replicas: number): KubeObject =>
      ({
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: {
          name: `web-${name}`,
          namespace: 'shop',
          creationTimestamp: name === 'old' ? '2026-11-01T08:00:00Z' : '2026-11-01T09:00:00Z',
          annotations: {
            'deployment.kubernetes.io/desired-replicas': '2',
            'deployment.kubernetes.io/max-replicas': '3',
          },
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd', controller: true }],
        },
        spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: template(cpu) },
      }) as unknown as KubeObject;
    const waiting = {
      ...pod('web-new-a', ''),
      metadata: {
        ...pod('web-new-a', '').metadata,
        labels: { app: 'web', 'pod-template-hash': 'new' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-new', uid: 'n', controller: true }],
      },
      spec: template('1800m').spec,
      status: { phase: 'Pending' },
    } as unknown as KubeObject;
    const stands = [
      ...running.filter(({ kind }) => kind !== 'Deployment'),
      web('1800m'),
      set('old', '500m', 2),
      set('new', '1800m', 1),
      waiting,
    ];
    const headline = (now: KubeObject): string =>
      runToEnd(simulateEvents({ workspace: declared([now]), snapshot: declared(stands) }, { kind: 'workspace' }, []))
        .answer.headline;
    const stops = 'because no node has more than 1.5 cpu free beside the old pods; the old ones go on running.';
    assert.match(headline(web('1800m')), /^web stays pending: /);
    assert.equal(headline(web('500m')), 'web rolls out at once; no pod fewer serves meanwhile.');
    assert.equal(headline(web('600m')), 'web rolls out in 2 steps; no pod fewer serves meanwhile.');
    assert.match(headline(web('1800m', { replicas: 3 })), /^The roll-out of web stops at 0 of 3, /);
    assert.equal(headline(web('1800m', { strategy: { type: 'Recreate' } })), 'web rolls out, and is down meanwhile.');
    const one = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    assert.match(headline(web('1800m', { strategy: one })), /^web rolls out in 1 step; meanwhile 1 pod fewer serves/);
    assert.match(headline(web('1800m', { paused: true })), /^web changes no pod now: it is paused; /);
    assert.equal(headline(web('1800m', { minReadySeconds: 5 })), `The roll-out of web stops at 0 of 2, ${stops}`);
  });

  it('[#34] lists first what gets a roll-out done, before room for pods that wait', () => {
    const keptApart = { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [keptApart] } };
    const apart = { template: { ...of('500m', 'a:2'), spec: { ...of('500m', 'a:2').spec, affinity } } };
    const input = { workspace: declared([web('500m', apart)]), snapshot: declared(running) };
    const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    const [first] = runToEnd(whatWouldHelp(report, input, { kind: 'workspace' }, []));
    assert.equal(first?.effect, 'with maxSurge: 0, maxUnavailable: 1 it rolls out; 1 of 2 ready meanwhile');
  });

  it('[#33] plays what a changed autoscaler does with a workload that is outside of its bounds', () => {
    const autoscaler = (minReplicas: number, maxReplicas: number): KubeObject =>
      ({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'grow', namespace: 'shop' },
        spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas, maxReplicas },
      }) as unknown as KubeObject;
    const acts = (...now: readonly KubeObject[]): readonly string[] => {
      const before = declared([...running, autoscaler(1, 4)]);
      const { answer, events } = runToEnd(
        simulateEvents({ workspace: declared(now), snapshot: before }, { kind: 'workspace' }, []),
      );
      return [answer.headline, ...events.map(({ text }) => text)];
    };
    const scales = 'autoscaler shop/grow scales Deployment/shop/web';
    assert.deepEqual(acts(autoscaler(3, 4)), ['All 3 pods of web run.', scales]);
    assert.deepEqual(acts(autoscaler(1, 1)), ['1 of 2 pods of web ends.', scales]);
    assert.deepEqual(acts(autoscaler(1, 4)), ['All 2 pods run; none are new.']);
    // Who scales against it has the number for as long as it does not look.
    const before = declared([...running, autoscaler(2, 3)]);
    for (const [replicas, kept] of [
      [6, 3],
      [1, 2],
    ] as const) {
      const input = { workspace: declared([web('500m', { replicas })]), snapshot: before };
      const { pods, workloads } = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
      assert.equal(workloads.find(({ name }) => name === 'web')?.replicas, kept);
      assert.equal(pods.filter(({ after }) => after.state === 'running').length, kept);
    }
    // Two keep it within the bounds of both.
    const other = { ...autoscaler(3, 4), metadata: { name: 'other', namespace: 'shop' } } as KubeObject;
    assert.equal(acts(autoscaler(2, 5), other)[0], 'All 3 pods of web run.');
  });

  it('[#33] tells pods of the new template from old ones, of what is rolled out alone', () => {
    const { pods } = play([web('1800m')]);
    const of = (template: string | undefined) =>
      pods.filter((each) => each.template === template).map(({ name }) => name.replace(/-\w+-\d+$/, ''));
    assert.deepEqual(of('old'), ['web-old-a', 'web-old-b']);
    assert.deepEqual(of('new'), ['web']);
    assert.deepEqual(
      play([web('500m', { replicas: 3 })]).pods.flatMap(({ template }) => template ?? []),
      [],
    );
  });

  it('[#33] names what is changed in few words', () => {
    const withAffinity = made('500m', 'a:1', { replicas: 2 });
    const terms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'Exists' }] }];
    Object.assign(withAffinity.template.spec, {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
    });
    const before = made('500m', 'a:1', { replicas: 2 });
    const headline = (after: object): string => changed('Deployment', before, after).answer.headline;
    assert.match(headline(withAffinity), /^Changing the node affinity of db: it rolls out/);
    const larger = made('600m', 'a:1', { replicas: 2 });
    Object.assign(before.template.spec.containers[0]!.resources.requests, { memory: '1Gi' });
    Object.assign(larger.template.spec.containers[0]!.resources.requests, { memory: '2Gi' });
    assert.match(headline(larger), /^Raising db to 600m cpu and 2Gi memory: it rolls out/);
    const classed = structuredClone(before);
    Object.assign(classed.template.spec, { priorityClassName: 'gold' });
    Object.assign(classed.template.spec.containers[0]!, { image: 'a:2' });
    assert.match(
      headline(classed),
      /^Changing the image and the class of db: |^Changing the class and the image of db: /,
    );

    const restarted = structuredClone(before);
    const annotations = { 'kubectl.kubernetes.io/restartedAt': '2026-11-01T08:00:00Z' };
    Object.assign(restarted.template.metadata, { annotations });
    assert.match(headline(restarted), /^Restarting db: it rolls out/);
    const asking = (cpu: string, names: string): readonly KubeObject[] =>
      names.split('').map((name) => ({ ...web(cpu), metadata: { name, namespace: 'shop' } }));
    const named = (...names: readonly string[]): readonly KubeObject[] => asking('100m', names.join(''));
    const of = (before: readonly KubeObject[], after: readonly KubeObject[]): string =>
      compareFiles(before, after, true).answer.headline;
    assert.equal(
      of(asking('100m', 'ab'), asking('200m', 'ab')),
      'Changing the requests of a and b: both workloads roll out; no pod fewer serves meanwhile.',
    );
    assert.match(of(named('a', 'b'), []), /^Removing a and b removes 4 pods/);
    assert.match(of(named('z'), named('a', 'b', 'z')), /^Adding a and b/);
    assert.match(of(named('a'), named('b')), /^Changing a and b finds a place for 2 new pods; removes 2 pods/);
    assert.match(
      of(named('a', 'b', 'c', 'd', 'e'), []),
      /^Removing 5 objects \(Deployment shop\/\w among them\) removes 10 pods/,
    );
  });

  it('[#33] takes no amount for another that is only written otherwise', () => {
    const { answer } = changed('Deployment', made('500m', 'a:1', { replicas: 2 }), made('0.5', 'a:1', { replicas: 2 }));
    assert.match(answer.headline, /^Nothing that scheduling depends on has changed since /);
  });

  it('[#34] is what threatens whom it evicts, for whoever asks who could', () => {
    const batch = { ...pod('batch', 'a'), metadata: { name: 'batch', namespace: 'shop', labels: { app: 'batch' } } };
    const filler = (name: string, on: string) => ({
      ...pod(name, on),
      metadata: { name, namespace: 'shop', labels: { app: name } },
    });
    const others = [batch, filler('fill-a', 'a'), filler('fill-b', 'b'), filler('fill-c', 'b'), filler('fill-d', 'b')];
    const input = {
      workspace: declared([gold, web('1', {}, 'gold')]),
      snapshot: declared([...running, ...others, filler('fill-e', 'a')] as readonly KubeObject[]),
    };
    const { victims, pods } = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    const evicted = victims.map(({ pod: index }) => pods[index]!).filter(({ name }) => !name.startsWith('web'));
    assert.ok(evicted.length > 0);
    for (const { namespace, name } of evicted) {
      const [threat] = threatsTo(input, `pod/${namespace}/${name}`);
      assert.deepEqual(
        threat?.workloads.map((each) => [each.name, each.isNext]),
        [['web', true]],
        name,
      );
    }
  });
});
