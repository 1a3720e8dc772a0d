import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { parseEvent } from '../../../server/src/simulation/operations/parse-operation.ts';
import { compareRuns } from '../../../server/src/simulation/compare/compare-runs.ts';
import { whatWouldHelp } from '../../../server/src/simulation/remedies/what-would-help.ts';
import { simulateEvents } from '../../../server/src/simulation/scenario/simulate-scenario.ts';
import { changed, declared, gold, made, node, of, play, pod, quota, template, web } from './running-web.ts';

describe('a change of a workload that runs: sets and Jobs', () => {
  it('[#34] makes the claims of the pods that a StatefulSet gets, where a quota has room for them', () => {
    const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } };
    const set = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', namespace: 'shop' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: template('100m'),
        // As the API server stores it.
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: storage, status: { phase: 'Pending' } }],
      },
    } as unknown as KubeObject;
    const most = {
      ...quota,
      metadata: { name: 'storage', namespace: 'shop' },
      spec: { hard: { 'requests.storage': '25Gi' } },
    } as unknown as KubeObject;
    const places = ({ pods }: WholeReport): number =>
      pods.filter(({ name, after }) => name.startsWith('db-') && after.state === 'running').length;
    assert.equal(places(play([set], ['scale statefulset/shop/db 4'])), 4);
    const bounded = play([set, most], ['scale statefulset/shop/db 4']);
    assert.equal(places(bounded), 2);
    assert.match(JSON.stringify(bounded.answer), /exceeded quota: storage, requested: requests\.storage=10Gi/);
  });

  it('[EVI-4] counts an eviction of a pod of a Job as a failure, and makes none anew when it is the last', () => {
    const job = (spec: object): KubeObject =>
      ({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'sum', namespace: 'shop' },
        spec: { ...spec, template: { spec: { ...template('2').spec, restartPolicy: 'Never' } } },
      }) as unknown as KubeObject;
    const one = node('a');
    const rush = { ...web('2', { replicas: 1 }, 'gold') };
    const ignored = { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] };
    const cases: readonly (readonly [spec: object, becomes: RegExp])[] = [
      [{ backoffLimit: 0 }, /^its Job fails for good/],
      [{}, /^replacement pending/],
      [{ backoffLimit: 0, podFailurePolicy: ignored }, /^replacement pending/],
      [{ podFailurePolicy: { rules: [{ ...ignored.rules[0], action: 'FailJob' }] } }, /^its Job fails for good/],
    ];
    for (const [spec, becomes] of cases) {
      const made = job(spec);
      const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'sum', uid: 'job', controller: true }];
      const runs = pod('sum-x', 'a');
      const own = {
        ...runs,
        metadata: { ...runs.metadata, labels: {}, ownerReferences },
        spec: { ...template('2').spec, nodeName: 'a', priority: 0 },
      };
      const input = { workspace: declared([one, gold, made, rush, own]), snapshot: [] };
      const { answer } = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
      const evicted = answer.groups.find(({ kind }) => kind === 'evicted')?.lines[0];
      assert.match(evicted?.then ?? '', becomes, JSON.stringify(spec));
    }
  });

  it('[EVI-4] [#33] ends a Job whole, or one index of it, and replaces a pod that has to end first only then', () => {
    const cases: readonly (readonly [spec: object, left: number, then: RegExp])[] = [
      [{ backoffLimit: 0 }, 0, /^its Job fails for good, .*: 2 other pods of it are deleted$/],
      [{ backoffLimitPerIndex: 0, maxFailedIndexes: 0 }, 0, /^its Job fails for good, .* are deleted$/],
      [{ backoffLimitPerIndex: 0 }, 2, /^its index fails for good/],
      [{ backoffLimitPerIndex: 1 }, 2, /^replacement pending/],
      [{ podReplacementPolicy: 'Failed' }, 2, /^replacement pending/],
    ];
    for (const [spec, left, then] of cases) {
      const job = {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'sum', namespace: 'shop' },
        spec: {
          ...{ parallelism: 3, completions: 3, completionMode: 'Indexed', ...spec },
          template: { spec: { ...template('500m').spec, restartPolicy: 'Never' } },
        },
      } as unknown as KubeObject;
      const event = parseEvent('arrive deployment/shop/web at 60s');
      assert.ok(!('problem' in event));
      const rush = web('1', { replicas: 1 }, 'gold');
      const input = { workspace: declared([node('a'), gold, job, rush]), snapshot: [] };
      const { answer, pods, steps } = runToEnd(simulateEvents(input, { kind: 'workspace' }, [event]));
      const evicted = answer.groups.find(({ kind }) => kind === 'evicted')?.lines[0];
      assert.match(evicted?.then ?? '', then, JSON.stringify(spec));
      const running = pods.filter(({ name, after }) => name.startsWith('sum-') && after.state === 'running');
      assert.equal(running.length, left, JSON.stringify(spec));
      const waits = steps.find(({ kind, pod: index }) => kind === 'pending' && pods[index]?.name === 'sum-3');
      // Ten seconds after the failure, which is the eviction, or the end of the pod.
      const from = 'podReplacementPolicy' in spec ? 100 : 'backoffLimitPerIndex' in spec && left > 0 ? 70 : undefined;
      assert.equal(waits?.clock, then.source.includes('pending') ? from : undefined, JSON.stringify(spec));
    }
  });

  it('[EVI-4] [#33] makes pods of a Job anew after its back-off, which each failure doubles', () => {
    const own = template('500m').spec;
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'sum', namespace: 'shop' },
      spec: { parallelism: 2, completions: 2, template: { spec: { ...own, restartPolicy: 'Never' } } },
    } as unknown as KubeObject;
    const arrival = parseEvent('arrive deployment/shop/web at 60s');
    const back = parseEvent('uncordon node/b at 61s');
    assert.ok(!('problem' in arrival) && !('problem' in back));
    const other = node('b');
    const cordoned = { ...other, spec: { unschedulable: true } };
    const rush = web('2', { replicas: 1 }, 'gold');
    const input = { workspace: declared([node('a'), cordoned, gold, job, rush]), snapshot: [] };
    const { pods, steps } = runToEnd(simulateEvents(input, { kind: 'workspace' }, [arrival, back]));

    const evicted = pods.filter(({ name, after }) => name.startsWith('sum-') && after.state === 'evicted');
    const anew = steps.filter(({ kind, pod: at }) => kind === 'scheduled' && /^sum-[23]/.test(pods[at]?.name ?? ''));
    const clocks = anew.map(({ clock }) => clock);
    assert.deepEqual([evicted.length, clocks], [2, [80, 80]]);
  });

  it('[EVI-4] [#33] makes no pod of an Indexed Job for an index that has succeeded, has failed, or has its pod', () => {
    const own = template('500m').spec;
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'sum', namespace: 'shop', uid: 'job' },
      spec: {
        ...{ parallelism: 3, completions: 6, completionMode: 'Indexed', backoffLimitPerIndex: 0 },
        template: { spec: { ...own, restartPolicy: 'Never' } },
      },
      status: { active: 1, succeeded: 2, failed: 1, completedIndexes: '0,2', failedIndexes: '3' },
    } as unknown as KubeObject;
    const runs = pod('sum-1-x7k2p', 'a');
    const index = { 'batch.kubernetes.io/job-completion-index': '1' };
    const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'sum', uid: 'job', controller: true }];
    const first = {
      ...runs,
      metadata: { ...runs.metadata, labels: {}, annotations: index, ownerReferences },
      spec: { ...own, nodeName: 'a', priority: 0 },
    };
    const { pods } = runToEnd(
      simulateEvents({ workspace: [], snapshot: declared([node('a'), job, first]) }, { kind: 'workspace' }, []),
    );
    assert.deepEqual(pods.map(({ name }) => name).sort(), ['sum-1-x7k2p', 'sum-4', 'sum-5']);
  });

  it('[#33] reaches the ordinals behind a partition, and no others', () => {
    const more = { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } };
    const { answer, events } = changed('StatefulSet', made('500m', 'a:1', more), made('500m', 'a:2', more));
    assert.equal(
      answer.headline,
      'Changing the image of db: it rolls out to 1 of 3 pods; its partition leaves 2 pods as they are.',
    );
    assert.equal(events[0]?.verdict, 'done');
  });

  it('[#33] replaces as many pods of a StatefulSet at once as its bound says where the API server knows it, and says where it drops it', () => {
    const parallel = (image: string): KubeObject => {
      const spec = made('100m', image, {
        replicas: 4,
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
      });
      const apiVersion = 'apps/v1';
      return { apiVersion, kind: 'StatefulSet', metadata: { name: 'db', namespace: 'shop' }, spec } as never;
    };
    const told = (kubernetes: '1.36' | '1.37'): string => {
      const [earlier, now] = ['a:1', 'a:2'].map((image) => ({
        input: { workspace: declared([node('a'), node('b'), parallel(image)]), snapshot: [], kubernetes },
        events: [],
      }));
      const { events } = runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD'));
      return events.flatMap(({ told: lines }) => lines).join('\n');
    };
    assert.match(
      told('1.36'),
      /^At least 3 pods ready of 4 meanwhile\n.*\nThe API server drops maxUnavailable, and pods are replaced one at a time: it needs the feature gate MaxUnavailableStatefulSet, which is off in Kubernetes 1\.36$/,
    );
    assert.match(told('1.37'), /^At least 2 pods ready of 4 meanwhile\n[^\n]*$/);
  });

  it('[#33] says what to do about a StatefulSet that stops, where its pods come in order', () => {
    const told = (more: object): string =>
      changed('StatefulSet', made('500m', 'a:1', more), made('3', 'a:1', more))
        .events.flatMap((each) => each.told)
        .join('\n');
    const byHand = /with OrderedReady the pod that does not start must be deleted by hand/;
    assert.match(told({ replicas: 2 }), byHand);
    assert.match(told({ replicas: 2 }), /At least 1 pod ready of 2 meanwhile/);
    assert.doesNotMatch(told({ replicas: 2, podManagementPolicy: 'Parallel' }), byHand);
  });

  it('[#33] tells pods of a StatefulSet by their revision: behind a partition, and behind a change that is taken back', () => {
    const set = (image: string, spec: object = {}): KubeObject =>
      ({
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'db', namespace: 'shop' },
        spec: {
          replicas: 3,
          serviceName: 'db',
          selector: { matchLabels: { app: 'web' } },
          template: of('100m', image),
          ...spec,
        },
        status: { currentRevision: 'db-1', updateRevision: 'db-2' },
      }) as unknown as KubeObject;
    const own = (ordinal: number, image: string, revision: string, status = 'True'): KubeObject =>
      ({
        ...pod(`db-${ordinal}`, 'a'),
        metadata: {
          ...pod(`db-${ordinal}`, 'a').metadata,
          labels: { app: 'web', 'controller-revision-hash': revision },
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'db', controller: true }],
        },
        spec: { ...of('100m', image).spec, nodeName: 'a', priority: 0 },
        status: { phase: 'Running', startTime: '2026-11-01T08:00:00Z', conditions: [{ type: 'Ready', status }] },
      }) as unknown as KubeObject;
    const headline = (now: KubeObject, before: readonly KubeObject[]): string => {
      const input = { workspace: declared([now]), snapshot: declared([node('a'), ...before]) };
      return runToEnd(simulateEvents(input, { kind: 'workspace' }, [])).answer.headline;
    };
    const behind = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } };
    const canary = [set('a:2', behind), own(0, 'a:1', 'db-1'), own(1, 'a:1', 'db-1'), own(2, 'a:2', 'db-2')];
    assert.equal(headline(set('a:2'), canary), 'db rolls out in 2 steps; meanwhile 1 pod fewer serves.');
    assert.equal(headline(set('a:2', behind), canary), 'All 3 pods run; none are new.');
    const byHand = { updateStrategy: { type: 'OnDelete' } };
    const mixed = [set('a:2', byHand), ...canary.slice(1)];
    assert.equal(headline(set('a:2', { ...byHand, replicas: 4 }), mixed), 'All 4 pods of db run.');
    assert.equal(headline(set('a:2'), mixed), 'db rolls out in 2 steps; meanwhile 1 pod fewer serves.');
    const broken = [set('a:2'), own(0, 'a:1', 'db-1'), own(1, 'a:1', 'db-1'), own(2, 'a:2', 'db-2', 'False')];
    assert.match(
      headline(set('a:1'), broken),
      /^The roll-out of db stops at 2 of 3: db-2 is not ready, .*: delete it by hand\.$/,
    );
  });

  it('[#33] numbers no pods of a DaemonSet that stops: which node comes first is a draw', () => {
    const { answer, events } = changed('DaemonSet', made('100m', 'a:1', {}), made('9', 'a:1', {}));
    assert.match(answer.headline, /^Raising db to 9 cpu: its roll-out stops before the last of its 2 nodes, because /);
    assert.match(events.flatMap((each) => each.told).join('\n'), /^It stops before the last of its 2 nodes: /m);
  });

  it('[#33] tries a DaemonSet without its surge', () => {
    const more = { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
    const { answer, events } = changed('DaemonSet', made('1200m', 'a:1', more), made('1200m', 'a:2', more));
    assert.match(answer.headline, /beside the old pods; the old ones go on running\.$/);
    const told = events.flatMap((each) => each.told).join('\n');
    assert.match(told, /Tried: with maxSurge: 0, maxUnavailable: 1 it rolls out; 1 of 2 ready meanwhile/);
  });

  it('[#33] advises a DaemonSet whose surge finds its own host port taken to go without', () => {
    const ports = [{ containerPort: 80, hostPort: 80 }];
    const spec = (image: string) => ({
      selector: { matchLabels: { app: 'web' } },
      updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image, ports }] } },
    });
    const own = (image: string) =>
      ({
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { name: 'db', namespace: 'shop' },
        spec: spec(image),
      }) as unknown as KubeObject;
    const onNode = (name: string) => {
      const { metadata, ...rest } = pod(`db-${name}`, name);
      const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'db', uid: 'db', controller: true }];
      return {
        ...rest,
        metadata: { ...metadata, labels: { app: 'web' }, ownerReferences },
        spec: { ...spec('a:1').template.spec, nodeName: name, priority: 0 },
      };
    };
    const snapshot = declared([node('a'), own('a:1'), onNode('a')]);
    const from = { workspace: declared([own('a:2')]), snapshot };
    const report = runToEnd(simulateEvents(from, { kind: 'workspace' }, []));
    const found = runToEnd(whatWouldHelp(report, from, { kind: 'workspace' }, []));
    assert.deepEqual(
      found.map(({ effect }) => effect),
      ['with maxSurge: 0, maxUnavailable: 1 it rolls out; 0 of 1 ready meanwhile'],
    );
  });

  it('[#34] makes a pod of a StatefulSet that is missing of the new template', () => {
    const set = (cpu: string): KubeObject =>
      ({
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'db', namespace: 'shop' },
        spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template(cpu) },
      }) as unknown as KubeObject;
    const { metadata, ...rest } = pod('db-0', 'a') as unknown as { readonly metadata: object };
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'db', controller: true }];
    const first = { ...rest, metadata: { ...metadata, ownerReferences } } as unknown as KubeObject;
    const from = { workspace: declared([set('100m')]), snapshot: declared([node('a'), set('90'), first]) };
    const { pods } = runToEnd(simulateEvents(from, { kind: 'workspace' }, []));
    assert.deepEqual(
      pods.flatMap(({ name, after }) => (name === 'db-1' ? [after.state] : [])),
      ['running'],
    );
  });

  it('[#33] makes more pods of a Job at a time, and refuses another template in few words', () => {
    const job = (image: string, parallelism: number) => ({
      parallelism,
      completions: 4,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'c', image, resources: { requests: { cpu: '500m' } } }] },
      },
    });
    assert.equal(
      changed('Job', job('a:1', 1), job('a:1', 3)).answer.headline,
      'Setting spec.parallelism of Job shop/db to 3: all 3 pods run.',
    );
    assert.equal(
      changed('Job', job('a:1', 4), job('a:1', 6)).answer.headline,
      'Setting spec.parallelism of Job shop/db to 6: all 4 pods run.',
    );
    assert.equal(
      changed('Job', job('a:1', 1), job('a:2', 1)).answer.headline,
      'The API server refuses the change of db: Job.batch "db" is invalid: spec.template: Invalid value: {…}: field is immutable.',
    );
    const before = { ...job('a:1', 1), selector: { matchLabels: { a: 'b' } }, manualSelector: true };
    const labels = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`label-${at}`, `"}: ${at}`]));
    assert.match(
      changed('Job', before, { ...job('a:2', 1), selector: { matchLabels: labels }, manualSelector: true }).answer
        .headline,
      /is invalid: \[.*spec\.selector: Invalid value: \{…\}: field is immutable, spec\.template: Invalid value: \{…\}: field is immutable\]/,
    );
  });
});
