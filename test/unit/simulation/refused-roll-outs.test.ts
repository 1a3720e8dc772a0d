import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Declared, KubeObject } from '../../../server/src/kubernetes/objects.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { simulateEvents } from '../../../server/src/simulation/scenario/simulate-scenario.ts';
import { compareRuns } from '../../../server/src/simulation/compare/compare-runs.ts';
import { compareFiles, declared, gold, node, play, quota, running, template, web, withPodSpec } from './running-web.ts';

describe('a change whose new pods are refused or held back', () => {
  it('[#33] stops where a scheduling gate holds the new pods back, and names that', () => {
    const gates = { schedulingGates: [{ name: 'example.com/quota' }] };
    assert.equal(
      play([withPodSpec('500m', gates)]).answer.headline,
      'The roll-out of web stops at 0 of 2: the scheduling gate example.com/quota holds the new pods back.',
    );
  });

  it('[#33] says of new bounds and of a class that goes what they do to pods that are made anew', () => {
    const limits = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'small', namespace: 'shop' },
      spec: { limits: [{ type: 'Container', max: { cpu: '100m' } }] },
    } as unknown as KubeObject;
    const small = structuredClone(quota);
    Object.assign(small, { spec: { hard: { 'requests.cpu': '500m' } } });
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
    } as unknown as KubeObject;
    const headline = (before: readonly KubeObject[], after: readonly KubeObject[]): string =>
      compareFiles(before, after, true).answer.headline;
    const own = web('500m');
    assert.match(
      headline([own], [own, limits]),
      /^Adding LimitRange shop\/small moves, evicts and blocks no pod now: each pod of web that is recreated, as after a drain, is refused: spec\.containers\[0\]\.resources\.requests: /,
    );
    assert.match(
      headline([own], [own, small]),
      /blocks no pod now: quota shop\/team is used up \(1 of 500m requests\.cpu\)/,
    );
    assert.match(headline([own], [own, budget]), /blocks no pod now: budget shop\/web lets no pod go/);
    const defaults = structuredClone(limits);
    Object.assign(defaults, { spec: { limits: [{ type: 'Container', defaultRequest: { memory: '4Gi' } }] } });
    assert.equal(
      headline([own], [own, defaults]),
      'Adding LimitRange shop/small moves, evicts and blocks no pod now: each pod of web that is recreated, as after a drain, asks for 4 Gi.',
    );
    const classed = web('500m', {}, 'gold');
    assert.equal(
      headline([classed, gold], [classed]),
      'Removing PriorityClass gold moves, evicts and blocks no pod now: each pod of web that is recreated, as after a drain, is refused: no PriorityClass with name gold was found.',
    );
    assert.equal(headline([own], [own, gold]), 'Adding PriorityClass gold moves, evicts and blocks no pod.');
  });

  it('[#33] says how to have what the API server refuses of a thing that is there, and what that does to its pods', () => {
    const told = (before: KubeObject, after: KubeObject): string =>
      compareFiles([before], [after], true)
        .events.flatMap((each) => each.told)
        .at(-1) ?? '';
    const job = (cpu: string) =>
      ({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'migrate', namespace: 'shop' },
        spec: { template: { spec: { ...template(cpu).spec, restartPolicy: 'Never' } } },
      }) as unknown as KubeObject;
    assert.equal(
      told(job('100m'), job('200m')),
      'To have it all the same: kubectl delete job migrate -n shop, then apply it; its pods end, and its work begins anew',
    );
    const other = { selector: { matchLabels: { app: 'web', team: 'a' } }, template: structuredClone(template('500m')) };
    Object.assign(other.template.metadata.labels, { team: 'a' });
    assert.equal(
      told(web('500m'), web('500m', other)),
      'To have it all the same: kubectl delete deployment web -n shop, then apply it; its pods end first, and none serves meanwhile',
    );
    const set = (policy: string) =>
      ({ ...web('500m', { serviceName: 'web', podManagementPolicy: policy }), kind: 'StatefulSet' }) as KubeObject;
    assert.equal(
      told(set('OrderedReady'), set('Parallel')),
      'To have it all the same: kubectl delete statefulset web -n shop --cascade=orphan, then apply it; its pods and claims stay',
    );
    const claims = (kind: string, count: number) => {
      const requests = [{ name: 'gpu', exactly: { deviceClassName: `gpu.${'long-'.repeat(20)}example.com`, count } }];
      const devices = { devices: { requests } };
      const spec = kind === 'ResourceClaim' ? devices : { spec: devices };
      return {
        apiVersion: 'resource.k8s.io/v1',
        kind,
        metadata: { name: 'gpu', namespace: 'shop' },
        spec,
      } as unknown as KubeObject;
    };
    assert.equal(
      told(claims('ResourceClaimTemplate', 1), claims('ResourceClaimTemplate', 2)),
      'To have it all the same: give it another name, which the pods then name, or kubectl delete resourceclaimtemplate gpu -n shop, then apply it; claims that are there stay as they are',
    );
    assert.match(
      told(claims('ResourceClaim', 1), claims('ResourceClaim', 2)),
      /: give it another name, which the pods then name; /,
    );
    // The value that is refused is in the manifest.
    assert.equal(
      compareFiles([claims('ResourceClaimTemplate', 1)], [claims('ResourceClaimTemplate', 2)]).answer.headline,
      'The API server refuses the change of ResourceClaimTemplate shop/gpu: spec: Invalid value: {…}: field is immutable.',
    );
    const gold = (value: number) =>
      ({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'gold' }, value }) as KubeObject;
    assert.equal(
      told(gold(10), gold(20)),
      'To have it all the same: kubectl delete priorityclass gold, then apply it; pods that run keep their priority, and each that is recreated gets the new one',
    );
  });

  it('[#33] says of changed nodes what becomes of pods that are recreated, and of those of a node that has less', () => {
    const tainted = (effect: string) =>
      ['a', 'b'].map((name) => {
        const own = structuredClone(node(name));
        Object.assign(own, { spec: { taints: [{ key: 'dedicated', value: 'ml', effect }] } });
        return own;
      });
    const closed = tainted('NoSchedule');
    const headline = (nodes: readonly KubeObject[], next = web('1')): string => {
      const [earlier, now] = [
        [node('a'), node('b'), web('1')],
        [...nodes, next],
      ].map((objects) => ({
        input: { workspace: declared(objects), snapshot: [] },
        events: [],
      }));
      return runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD')).answer.headline;
    };
    assert.equal(
      headline(closed),
      'Changing a and b moves, evicts and blocks no pod; each pod of web that is recreated, as after a drain, finds no node.',
    );
    assert.equal(
      headline([closed[0]!, node('b')]),
      'Setting spec.taints of Node a to dedicated=ml:NoSchedule moves, evicts and blocks no pod.',
    );
    // Of those that are recreated at once the headline says that they are pending, or tolerate the taint.
    const emptied = tainted('NoExecute');
    assert.equal(headline(emptied), 'The taints of a and b evict 2 pods; web goes down; 2 pods stay pending.');
    assert.equal(
      headline(emptied, withPodSpec('1', { tolerations: [{ key: 'dedicated', operator: 'Exists' }] })),
      'web rolls out, and is down meanwhile; the taints of a and b evict 2 pods.',
    );
    const small = structuredClone(node('a')) as unknown as { status: { allocatable: object } };
    small.status.allocatable = { cpu: '500m', memory: '8Gi', pods: '110' };
    assert.equal(
      headline([small as unknown as KubeObject, node('b')]),
      'Setting status.allocatable.cpu of Node a to 500m moves, evicts and blocks no pod; the pods on a ask for more than there is then: some are refused when the kubelet starts anew.',
    );
  });

  it('[#33] takes no more old pods of a DaemonSet where the API server refuses the new one', () => {
    const agent = (cpu: string): KubeObject => ({ ...web(cpu, { replicas: undefined }), kind: 'DaemonSet' });
    const { answer, pods } = compareFiles([quota, agent('100m')], [quota, agent('2')]);
    assert.match(
      answer.headline,
      /^Raising web to 2 cpu: its roll-out stops at 0 of 2: Error creating: .* exceeded quota: team/,
    );
    assert.equal(pods.filter(({ after }) => after.state === 'running').length, 1);
  });

  it('[#33] says what helps where the API server refuses new pods for another reason than a full quota', () => {
    const told = (...after: readonly KubeObject[]): string =>
      compareFiles([gold, web('100m')], [gold, ...after])
        .events.flatMap((each) => each.told)
        .join('\n');
    assert.match(told(web('100m', {}, 'gald')), /What helps: name PriorityClass gold, or create gald/);
    const limits = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'all', namespace: 'shop' },
      spec: { hard: { 'limits.cpu': '10' } },
    } as unknown as KubeObject;
    assert.match(told(web('200m'), limits), /What helps: write what the quota wants in the container, or a LimitRange/);
  });

  it('[#33] refuses a change that the API server cannot read, also over what runs', () => {
    const written = (more: JsonObject): Declared => {
      const template = {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'a', image: 'a' }], ...more },
      };
      const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template };
      const value = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec };
      return { object: decodeObject(value).object, value };
    };
    const nodes = declared([node('a'), node('b')]);
    const headline = (next: JsonObject): string => {
      const [earlier, now] = [written({}), written(next)].map((own) => ({
        input: { workspace: [...nodes, own], snapshot: [] },
        events: [],
      }));
      return runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD')).answer.headline;
    };
    assert.match(
      headline({ nodeSelector: { ssd: true } }),
      /^The API server refuses the change of web: Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal bool /,
    );
    assert.match(
      headline({ nodeSelektor: { disk: 'ssd' }, hostNetwork: true }),
      /^The API server refuses the change of web: .* unknown field "spec\.template\.spec\.nodeSelektor"\.$/,
    );
    assert.match(headline({ hostNetwork: true }), /it rolls out/);
    const budget = (minAvailable: JsonObject['']): Declared => {
      const spec = { minAvailable: minAvailable!, selector: { matchLabels: { app: 'web' } } };
      const value = {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'keep', namespace: 'shop' },
        spec,
      };
      return { object: decodeObject(value).object, value };
    };
    const [earlier, now] = [budget(1), budget(true)].map((own) => ({
      input: { workspace: [...nodes, written({}), own], snapshot: [] },
      events: [],
    }));
    assert.match(
      runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD')).answer.headline,
      /^The API server refuses the change of PodDisruptionBudget shop\/keep: PodDisruptionBudget in version "v1" cannot be handled /,
    );
  });

  it('[#33] refuses changes of other kinds as the API server does', () => {
    const headline = (kind: string, apiVersion: string, before: object, after: object): string => {
      const own = (spec: object) => ({ apiVersion, kind, metadata: { name: 'own', namespace: 'shop' }, spec });
      return compareFiles([own(before)], [own(after)]).answer.headline;
    };
    const cron = (schedule: string) => ({
      schedule,
      jobTemplate: { spec: { template: { spec: { ...template('1').spec, restartPolicy: 'Never' } } } },
    });
    assert.match(
      headline('CronJob', 'batch/v1', cron('0 * * * *'), cron('every hour')),
      /^The API server refuses the change of CronJob shop\/own: spec\.schedule: Invalid value: "every hour"/,
    );
    assert.match(
      headline('CronJob', 'batch/v1', cron('0 * * * *'), cron('5 * * * *')),
      /moves, evicts and blocks no pod\.$/,
    );
    const budget = { selector: { matchLabels: { app: 'web' } }, minAvailable: 1 };
    assert.match(
      headline('PodDisruptionBudget', 'policy/v1', budget, { ...budget, maxUnavailable: 1 }),
      /^The API server refuses the change of PodDisruptionBudget shop\/own: .*cannot be both set\.$/,
    );
  });

  it('[#33] says that a workload goes down whose old pods end before the new ones find a node', () => {
    const recreated = (cpu: string): KubeObject => web(cpu, { replicas: 1, strategy: { type: 'Recreate' } });
    assert.equal(
      compareFiles([recreated('1')], [recreated('3')], true).answer.headline,
      'Raising web to 3 cpu: it goes down, and its roll-out stops at 0 of 1, because no node has more than 2 cpu.',
    );
  });

  it('[#33] ends where each new pod is refused by the kubelet of the node that it names, or seen by no scheduler', () => {
    const headline = (more: object, cpu = '500m'): string => play([withPodSpec(cpu, more)]).answer.headline;
    assert.match(
      headline({ nodeName: 'a' }, '9'),
      /stops at 0 of 2: .*OutOfcpu.*; each new pod is refused so, and recreated without end\.$/,
    );
    assert.match(
      headline({ nodeName: 'nowhere' }),
      /stops at 0 of 2: spec\.nodeName names nowhere, which does not exist/,
    );
    assert.match(headline({ schedulerName: 'other' }), /stops at 0 of 2: no scheduler looks at the new pods\.$/);
    const job = (suspend: boolean, backoffLimit: number): KubeObject =>
      ({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'sum', namespace: 'shop' },
        spec: {
          suspend,
          backoffLimit,
          template: { spec: { ...template('9').spec, nodeName: 'a', restartPolicy: 'Never' } },
        },
      }) as unknown as KubeObject;
    const resumed = (limit: number): WholeReport => compareFiles([job(true, limit)], [job(false, limit)]);
    assert.match(resumed(2).answer.headline, /: it fails for good\.$/);
    assert.equal(resumed(2).answer.balance.refused, 3);
    assert.ok(resumed(2_000_000_000).answer.balance.refused > 3);
  });

  it('[#33] gets a workload going whose pods were refused, and asks for those no more', () => {
    const mended = compareFiles([gold, web('500m', {}, 'nobody')], [gold, web('500m', {}, 'gold')]);
    assert.match(
      mended.answer.headline,
      /^Giving web class gold: it rolls out in \d steps; no pod fewer serves meanwhile\.$/,
    );
    assert.equal(mended.answer.balance.refused, 0);
    assert.equal(mended.comparison?.plan.effects[0]?.at.at(-1)?.text, '2 of 2');
    const worse = compareFiles([gold, web('500m', {}, 'nobody')], [gold, web('600m', {}, 'nobody')]);
    assert.match(worse.answer.headline, /stops at 0 of 2: .*no PriorityClass with name nobody was found/);
    assert.equal(worse.answer.balance.refused, 2);
  });

  it('[EVI-4] says first what the API server refuses, in its words', () => {
    const selector = { matchLabels: { app: 'web', x: 'y' } };
    const { answer } = play([web('500m', { selector })]);
    assert.match(answer.headline, /^The API server refuses the change of web: .*(field is immutable|does not match)/);
  });

  it('[#33] says of pods beside a change that are refused that they are, and not that they are pending', () => {
    const other = { ...web('100m', {}, 'nobody'), metadata: { name: 'other', namespace: 'shop' } } as KubeObject;
    const selector = { matchLabels: { app: 'web', x: 'y' } };
    const { answer } = play([web('500m', { selector }), other]);
    assert.match(answer.headline, /^The API server refuses the change of web: .*; other is refused\.$/);
    // What was so before, too, is not of the change.
    const compared = compareFiles([web('500m'), other], [web('500m', { selector }), other]);
    assert.match(compared.answer.headline, /^The API server refuses the change of web: .*field is immutable\]\.$/);
    const arriving = compareFiles([web('500m')], [web('500m', { selector }), other]);
    assert.match(arriving.answer.headline, /^The API server refuses the change of web: .*; other is refused\.$/);
  });

  it('[EVI-4] stops where a quota refuses the surge, and says which quota would do', () => {
    const input = { workspace: declared([web('501m')]), snapshot: declared([...running, quota]) };
    const { events } = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    const text = events.flatMap((event) => event.told).join('\n');
    assert.match(text, /exceeded quota: team, requested: requests.cpu=501m, used: requests.cpu=1/);
    assert.match(text, /Tried: with ResourceQuota team of requests.cpu=2002m it rolls out; 2 of 2 ready meanwhile/);
    const more = { workspace: declared([web('500m', { replicas: 3 })]), snapshot: declared([...running, quota]) };
    const scaled = runToEnd(simulateEvents(more, { kind: 'workspace' }, []));
    assert.match(
      scaled.answer.headline,
      /^2 of 3 pods of web run, the API server refuses more: exceeded quota: team, requested/,
    );
    assert.match(
      scaled.events.flatMap(({ told }) => told).join('\n'),
      /Tried: with ResourceQuota team of requests.cpu=1500m, 3 of 3 pods run/,
    );
  });

  it('[#34] stops for the pod that waits, not for the surge that a quota refuses', () => {
    const strategy = { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } };
    const moved = withPodSpec('500m', { nodeSelector: { disk: 'ssd' } }, { strategy });
    const input = { workspace: declared([moved]), snapshot: declared([...running, quota]) };
    const { headline } = runToEnd(simulateEvents(input, { kind: 'workspace' }, [])).answer;
    assert.match(headline, /stops at 0 of 2: .*(finds no node|node affinity)/);
    assert.doesNotMatch(headline, /quota/);
  });
});
