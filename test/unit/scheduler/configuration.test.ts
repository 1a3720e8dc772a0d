import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Release } from '../../../server/src/kubernetes/release.ts';
import { withGates } from '../../../server/src/kubernetes/feature-gates.ts';
import { latestRelease, releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import type { Minor } from '../../../server/src/util/minors.ts';
import {
  type ClusterState,
  type Decision,
  defaultProfileOf,
  readConfiguration,
  type Profile,
  type SchedulerConfiguration,
} from '../../../server/src/scheduler/index.ts';
import { clusterOf, decidePod, node, pod } from './cluster-builder.ts';

function read(more: JsonObject, release: Release = latestRelease): SchedulerConfiguration {
  const configuration = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration', ...more };
  return readConfiguration(configuration, release);
}

function profileOf(plugins: JsonObject, more: JsonObject = {}): Profile {
  return read({ profiles: [{ plugins, ...more }] }).profiles[0]!;
}

function problemsOf(more: JsonObject): string[] {
  return read(more).problems.map(({ at: { text: field }, detail }) => `${field}: ${detail}`);
}

function problemsOfArgs(name: string, args: JsonObject): string[] {
  return problemsOf({ profiles: [{ pluginConfig: [{ name, args }] }] });
}

function decideWith(cluster: ClusterState, name: string, { profiles }: SchedulerConfiguration): Decision {
  return decidePod(cluster, name, { profiles });
}

describe('scheduler configuration', () => {
  describe('profiles', () => {
    it('is the default profile when nothing is written', () => {
      const { profiles, problems, notModelled, podInitialBackoffSeconds, podMaxBackoffSeconds } = read({});
      assert.deepEqual(profiles, [defaultProfileOf(latestRelease)]);
      assert.deepEqual([problems, notModelled], [[], []]);
      assert.deepEqual([podInitialBackoffSeconds, podMaxBackoffSeconds], [1, 10]);
    });

    it('gives a single profile the default name, and several must name themselves', () => {
      assert.equal(read({ profiles: [{}] }).profiles[0]?.schedulerName, 'default-scheduler');
      assert.deepEqual(problemsOf({ profiles: [{ schedulerName: 'a' }, {}] }), ['profiles[1].schedulerName: ']);
      assert.deepEqual(problemsOf({ profiles: [{ schedulerName: 'a' }, { schedulerName: 'a' }] }), [
        'profiles[1].schedulerName: ',
      ]);
    });

    it('takes the percentage of nodes to score of the profile before the global one', () => {
      const { profiles } = read({
        percentageOfNodesToScore: 40,
        profiles: [{ schedulerName: 'a' }, { schedulerName: 'b', percentageOfNodesToScore: 100 }],
      });
      assert.deepEqual(
        profiles.map((profile) => profile.percentageOfNodesToScore),
        [40, 100],
      );
      assert.deepEqual(problemsOf({ percentageOfNodesToScore: 101 }), [
        'percentageOfNodesToScore: not in valid range [0-100]',
      ]);
    });

    it('reads the back-off of the queue', () => {
      const { podInitialBackoffSeconds, podMaxBackoffSeconds } = read({
        podInitialBackoffSeconds: 2,
        podMaxBackoffSeconds: 60,
      });
      assert.deepEqual([podInitialBackoffSeconds, podMaxBackoffSeconds], [2, 60]);
      assert.deepEqual(problemsOf({ podInitialBackoffSeconds: 20 }), [
        'podMaxBackoffSeconds: must be greater than or equal to PodInitialBackoffSeconds',
      ]);
    });

    it('names extenders and plugins that are not modelled', () => {
      const { notModelled, problems } = read({
        extenders: [{ urlPrefix: 'http://127.0.0.1:8080/gpu' }],
        profiles: [
          {
            plugins: { multiPoint: { enabled: [{ name: 'Coscheduling' }] }, queueSort: { disabled: [{ name: '*' }] } },
          },
        ],
      });
      assert.deepEqual(notModelled, [
        { name: 'Coscheduling', path: ['profiles', 0, 'plugins', 'multiPoint', 'enabled', 0, 'name'] },
        { name: 'extender http://127.0.0.1:8080/gpu', path: ['extenders', 0, 'urlPrefix'] },
      ]);
      assert.deepEqual(problems, []);
    });

    it('refuses fields that do not exist, and values of the wrong type, as strict decoding does', () => {
      assert.deepEqual(problemsOf({ percentageOfNodeToScore: 100 }), [
        'percentageOfNodeToScore: unknown field "percentageOfNodeToScore"',
      ]);
      assert.deepEqual(problemsOf({ profiles: [{ schedulerName: 7 }] }), [
        'profiles[0].schedulerName: json: cannot unmarshal number into Go struct field KubeSchedulerProfile.profiles.schedulerName of type string',
      ]);
    });

    it('checks extenders, though it models none', () => {
      const extender = (more: JsonObject): JsonObject => ({ urlPrefix: 'http://gpu', ...more });
      assert.deepEqual(problemsOf({ extenders: [extender({ prioritizeVerb: 'score' })] }), [
        'extenders[0].weight: must have a positive weight applied to it',
      ]);
      assert.deepEqual(problemsOf({ extenders: [extender({ bindVerb: 'a' }), extender({ bindVerb: 'b' })] }), [
        'extenders: only one extender can implement bind',
      ]);
      const managedResources = [{ name: 'example.com/gpu', ignoredByScheduler: true }];
      assert.deepEqual(problemsOf({ extenders: [extender({ managedResources, httpTimeout: '200ms' })] }), []);
      assert.deepEqual(problemsOf({ extenders: [extender({ managedResources }), extender({ managedResources })] }), [
        'extenders[1].managedResources[0].name: duplicate extender managed resource name',
      ]);
      assert.deepEqual(problemsOf({ extenders: [extender({ managedResources: [{ name: 'gpu' }] })] }), [
        'extenders[0].managedResources[0].name: is an invalid extended resource name',
      ]);
      assert.deepEqual(problemsOf({ extenders: [extender({ httpTimeout: '200' })] }), [
        'extenders[0].httpTimeout: time: invalid duration "200"',
      ]);
    });

    it('checks what concerns the process only, since it would not start either', () => {
      assert.deepEqual(problemsOf({ parallelism: 0 }), ['parallelism: should be an integer value greater than zero']);
      assert.deepEqual(problemsOf({ clientConnection: { qps: 0.5, burst: -1 } }), [
        'clientConnection.burst: must be non-negative',
      ]);
      const leaderElection = { leaseDuration: '10s', renewDeadline: '1m0.5s', resourceLock: 'endpoints' };
      assert.deepEqual(problemsOf({ leaderElection }), [
        'leaderElection.leaseDuration: must be greater than `RenewDeadline`',
        'leaderElection.resourceLock: resourceLock value must be "leases"',
      ]);
      assert.deepEqual(problemsOf({ leaderElection: { ...leaderElection, leaderElect: false } }), []);
      assert.deepEqual(problemsOf({ leaderElection: { retryPeriod: '9s' } }), [
        'leaderElection.retryPeriod: renewDeadline must be greater than retryPeriod*JitterFactor',
      ]);
      assert.deepEqual(problemsOf({ leaderElection: { retryPeriod: '-2s' } }), [
        'leaderElection.retryPeriod: must be greater than zero',
      ]);
      assert.deepEqual(problemsOf({ leaderElection: { leaseDuration: 15 } }), [
        'leaderElection.leaseDuration: json: cannot unmarshal number into Go value of type string',
      ]);
      assert.deepEqual(problemsOf({ leaderElection: { leaseDuration: '0', lease: '5s' } }), [
        'leaderElection.lease: unknown field "leaderElection.lease"',
      ]);
    });

    it('wants the same queue sort in all profiles, and one', () => {
      const plugins = { queueSort: { disabled: [{ name: '*' }], enabled: [{ name: 'Coscheduling' }] } };
      assert.deepEqual(problemsOf({ profiles: [{ schedulerName: 'a', plugins }, { schedulerName: 'b' }] }), [
        'profiles[1].plugins.queueSort: must be the same for all profiles',
      ]);
      const two = { queueSort: { enabled: [{ name: 'Coscheduling' }, { name: 'PrioritySort' }] } };
      assert.deepEqual(problemsOf({ profiles: [{ plugins: two }] }), [
        'profiles[0].plugins.queueSort.enabled: only one queue sort plugin can be enabled',
      ]);
    });

    it('never throws', () => {
      const keys = fc.constantFrom(
        'profiles',
        'plugins',
        'multiPoint',
        'score',
        'enabled',
        'pluginConfig',
        'name',
        'args',
        '__proto__',
      );
      const { tree } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
        tree: fc.oneof(
          { depthSize: 'medium' },
          tie('leaf'),
          fc.array(tie('tree'), { maxLength: 3 }),
          fc.dictionary(keys, tie('tree'), { maxKeys: 4, noNullPrototype: false }),
        ),
        leaf: fc.oneof(
          fc.constantFrom('*', 'NodeAffinity', 'toString', 'NodeResourcesFit'),
          fc.integer(),
          fc.constant(null),
          fc.boolean(),
        ),
      }));
      fc.assert(
        fc.property(tree, (profiles) => {
          const { profiles: made } = read({ profiles, extenders: profiles } as JsonObject);
          assert.ok(made.length > 0);
        }),
      );
    });
  });

  describe('plugins', () => {
    const scorers = (profile: Profile): string[] =>
      profile.enabled.score.map((name) => `${name}=${profile.weights.get(name) ?? 0}`);

    it('puts a weight over the default and keeps the place', () => {
      assert.deepEqual(scorers(profileOf({ multiPoint: { enabled: [{ name: 'NodeAffinity', weight: 7 }] } })), [
        'TaintToleration=3',
        'NodeAffinity=7',
        'NodeResourcesFit=1',
        'VolumeBinding=1',
        'PodTopologySpread=2',
        'InterPodAffinity=2',
        'DynamicResources=2',
        'NodeResourcesBalancedAllocation=1',
        'ImageLocality=1',
      ]);
    });

    it('runs what is written for an extension point before the rest of MultiPoint, with its own weight', () => {
      const profile = profileOf({
        score: { enabled: [{ name: 'ImageLocality', weight: 9 }, { name: 'NodeAffinity' }] },
      });
      assert.deepEqual(scorers(profile).slice(0, 3), ['ImageLocality=9', 'NodeAffinity=1', 'TaintToleration=3']);
      assert.equal(profile.enabled.filter[0], 'NodeUnschedulable');
    });

    it('disables one plugin, or all, at one extension point only', () => {
      const profile = profileOf({
        score: { disabled: [{ name: '*' }], enabled: [{ name: 'NodeResourcesFit' }] },
        filter: { disabled: [{ name: 'NodePorts' }] },
      });
      assert.deepEqual(profile.enabled.score, ['NodeResourcesFit']);
      assert.ok(!profile.enabled.filter.includes('NodePorts'));
      assert.ok(profile.enabled.preFilter.includes('NodePorts'));
      assert.ok(profile.enabled.filter.includes('NodeResourcesFit'));
    });

    it('disables everywhere with MultiPoint', () => {
      const profile = profileOf({ multiPoint: { disabled: [{ name: 'TaintToleration' }] } });
      assert.ok(!profile.enabled.filter.includes('TaintToleration'));
      assert.ok(!profile.enabled.score.includes('TaintToleration'));
    });

    it("refuses plugins where they have no part, twice, or of earlier versions, in upstream's words", () => {
      const score = (...names: string[]): string[] =>
        problemsOf({ profiles: [{ plugins: { score: { enabled: names.map((name) => ({ name })) } } }] });
      assert.deepEqual(score('NodeName'), [
        'profiles[0].plugins.score.enabled[0]: plugin "NodeName" does not extend ScorePlugin plugin',
      ]);
      assert.deepEqual(score('ImageLocality', 'ImageLocality'), [
        'profiles[0].plugins.score.enabled[1]: plugin "ImageLocality" already registered as "ScorePlugin"',
      ]);
      assert.deepEqual(score('EBSLimits'), [
        'profiles[0].plugins.score.enabled[0]: was invalid in version "v1" (KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")',
      ]);
    });

    it('refuses at MultiPoint what is named twice or was removed', () => {
      const multiPoint = (...names: string[]): string[] =>
        problemsOf({ profiles: [{ plugins: { multiPoint: { enabled: names.map((name) => ({ name })) } } }] });
      assert.deepEqual(multiPoint('ImageLocality'), []);
      assert.deepEqual(multiPoint('NodePorts', 'ImageLocality', 'ImageLocality'), [
        'profiles[0].plugins.multiPoint.enabled[2]: plugin "ImageLocality" already registered as "ScorePlugin"',
      ]);
      assert.deepEqual(multiPoint('EBSLimits'), [
        'profiles[0].plugins.multiPoint.enabled[0]: plugin "EBSLimits" does not exist',
      ]);
    });

    it('tells which plugins fail without what they prepare, and leaves those alone that do not', () => {
      const without = (point: string, name: string): string[] =>
        problemsOf({ profiles: [{ plugins: { [point]: { disabled: [{ name }] } } }] });
      assert.match(
        without('preFilter', 'NodePorts').join(),
        /^profiles\[0\]\.plugins\.preFilter: plugin "NodePorts" is enabled for filter but not for preFilter/,
      );
      assert.match(
        without('preScore', 'TaintToleration').join(),
        /^profiles\[0\]\.plugins\.preScore: plugin "TaintToleration" is enabled for score/,
      );
      assert.deepEqual(without('preFilter', 'NodeAffinity'), []);
      assert.deepEqual(without('preFilter', 'VolumeZone'), []);
      assert.deepEqual(without('preScore', 'NodeResourcesFit'), []);
    });

    it('wants one plugin that sorts and one that binds', () => {
      const problems = problemsOf({ profiles: [{ plugins: { multiPoint: { disabled: [{ name: '*' }] } } }] });
      assert.deepEqual(problems, [
        'profiles[0].plugins.queueSort: only one queue sort plugin required for profile with scheduler name "default-scheduler", but got 0',
        'profiles[0].plugins.bind: at least one bind plugin is needed for profile with scheduler name "default-scheduler"',
      ]);
    });
  });

  describe('arguments', () => {
    it('reads those of every plugin that has any', () => {
      const pluginConfig = [
        {
          name: 'NodeResourcesFit',
          args: {
            ignoredResourceGroups: ['example.com'],
            scoringStrategy: {
              type: 'RequestedToCapacityRatio',
              resources: [{ name: 'cpu', weight: 3 }, { name: 'memory' }],
              requestedToCapacityRatio: {
                shape: [
                  { utilization: 0, score: 0 },
                  { utilization: 100, score: 10 },
                ],
              },
            },
          },
        },
        { name: 'InterPodAffinity', args: { hardPodAffinityWeight: 50 } },
        { name: 'DefaultPreemption', args: { minCandidateNodesAbsolute: 5 } },
        {
          name: 'PodTopologySpread',
          args: {
            defaultingType: 'List',
            defaultConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
          },
        },
      ];
      const { profiles, problems } = read({ profiles: [{ pluginConfig }] });
      const { args } = profiles[0]!;
      assert.deepEqual(problems, []);
      assert.deepEqual(args.NodeResourcesFit.ignoredResourceGroups, ['example.com']);
      assert.deepEqual(args.NodeResourcesFit.scoringStrategy.resources, [
        { name: 'cpu', weight: 3 },
        { name: 'memory', weight: 1 },
      ]);
      assert.equal(args.NodeResourcesFit.scoringStrategy.shape.length, 2);
      assert.equal(args.InterPodAffinity.hardPodAffinityWeight, 50);
      assert.deepEqual(args.DefaultPreemption, { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 5 });
      assert.equal(args.PodTopologySpread.defaultConstraints[0]?.topologyKey, 'zone');
    });

    it("keeps the defaults of a plugin whose arguments are refused, in upstream's words", () => {
      const at = 'profiles[0].pluginConfig[0].args';
      assert.deepEqual(problemsOfArgs('InterPodAffinity', { hardPodAffinityWeight: 101 }), [
        `${at}.hardPodAffinityWeight: not in valid range [0, 100]`,
      ]);
      assert.deepEqual(
        problemsOfArgs('DefaultPreemption', { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0 }),
        [
          `${at}.minCandidateNodesPercentage: cannot be zero at the same time as minCandidateNodesAbsolute`,
          `${at}.minCandidateNodesAbsolute: cannot be zero at the same time as minCandidateNodesPercentage`,
        ],
      );
      assert.deepEqual(problemsOfArgs('NodeResourcesFit', { scoringStrategy: { type: 'Best' } }), [
        `${at}.scoringStrategy.type: supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"`,
      ]);
      assert.deepEqual(problemsOfArgs('NodeResourcesBalancedAllocation', { resources: [{ name: 'cpu', weight: 2 }] }), [
        `${at}.resources[0].weight: must be 1`,
      ]);
      assert.deepEqual(
        problemsOfArgs('PodTopologySpread', {
          defaultConstraints: [
            { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} },
          ],
        }),
        [
          `${at}.defaultingType: when .defaultConstraints are not empty`,
          `${at}.defaultConstraints[0].labelSelector: constraint must not define a selector, as they deduced for each pod`,
        ],
      );
      const profile = profileOf(
        {},
        { pluginConfig: [{ name: 'InterPodAffinity', args: { hardPodAffinityWeight: 101 } }] },
      );
      assert.deepEqual(profile.args, defaultProfileOf(latestRelease).args);
    });

    it('checks the arguments of plugins that they change nothing about', () => {
      const at = 'profiles[0].pluginConfig[0].args';
      assert.deepEqual(problemsOfArgs('VolumeBinding', { bindTimeoutSeconds: 600 }), []);
      assert.deepEqual(problemsOfArgs('VolumeBinding', { bindTimeoutSeconds: -1, shape: [] }), [
        `${at}.bindTimeoutSeconds: invalid BindTimeoutSeconds, should not be a negative value`,
        `${at}.shape: unexpected field \`shape\`, remove it or turn on the feature gate StorageCapacityScoring`,
      ]);
      assert.deepEqual(problemsOfArgs('DynamicResources', { filterTimeout: '-1s' }), [
        `${at}.filterTimeout: must be zero or positive`,
      ]);
      assert.deepEqual(problemsOfArgs('NodeName', { anything: 1 }), []);
      assert.deepEqual(problemsOfArgs('InterPodAffinity', { kind: 'NodeAffinityArgs' }), [
        `${at}.kind: args for plugin InterPodAffinity were not of type InterPodAffinityArgs`,
      ]);
    });

    // Source: ValidateDynamicResourcesArgs
    it('[#41] lets claims wait for binding conditions where their feature gates are on', () => {
      const args = { bindingTimeout: '500ms' };
      const profiles = [{ pluginConfig: [{ name: 'DynamicResources', args }] }];
      const details = (minor: Minor, isOn: boolean): string[] => {
        const gates = new Map([['DRADeviceBindingConditions', isOn]]);
        return read({ profiles }, withGates(releaseOf(minor), gates)).problems.map(({ detail }) => detail);
      };
      for (const minor of ['1.35', '1.36'] as const) {
        assert.deepEqual(details(minor, true), ['must be at least 1 second'], minor);
        const gate = 'DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled';
        assert.deepEqual(details(minor, false), [gate], minor);
      }
    });

    it('names a plugin once that is enabled and has arguments, and one that only has arguments', () => {
      const pluginConfig = [{ name: 'Coscheduling', args: { permitWaitingTimeSeconds: 10 } }, { name: 'Trimaran' }];
      const { notModelled } = read({
        profiles: [{ plugins: { permit: { enabled: [{ name: 'Coscheduling' }] } }, pluginConfig }],
      });
      assert.deepEqual(notModelled, [
        { name: 'Coscheduling', path: ['profiles', 0, 'plugins', 'permit', 'enabled', 0, 'name'] },
        { name: 'Trimaran', path: ['profiles', 0, 'pluginConfig', 1, 'name'] },
      ]);
    });

    it('points at the point of a shape that is out of order', () => {
      const shape = [
        { utilization: 50, score: 0 },
        { utilization: 50, score: 11 },
      ];
      const scoringStrategy = { type: 'RequestedToCapacityRatio', requestedToCapacityRatio: { shape } };
      assert.deepEqual(problemsOfArgs('NodeResourcesFit', { scoringStrategy }), [
        'profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape[1].utilization: values must be sorted in increasing order',
        'profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape[1].score: not in valid range [0, 10]',
      ]);
    });
  });

  describe('decisions', () => {
    const addedAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['blue'] }] }],
      },
    };

    it('[PLA-5] applies addedAffinity to every pod of the profile, and to no other', () => {
      const configuration = read({
        profiles: [
          { schedulerName: 'default-scheduler' },
          { schedulerName: 'blue', pluginConfig: [{ name: 'NodeAffinity', args: { addedAffinity } }] },
        ],
      });
      const cluster = clusterOf(
        node('a', { labels: { pool: 'green' } }),
        node('b', { labels: { pool: 'blue' } }),
        pod('plain'),
        pod('ours', { spec: { schedulerName: 'blue' } }),
      );
      const plain = decideWith(cluster, 'plain', configuration);
      const ours = decideWith(cluster, 'ours', configuration);
      assert.deepEqual(plain.kind === 'fits' && plain.feasible, ['a', 'b']);
      assert.deepEqual(ours.kind === 'fits' && ours.feasible, ['b']);
    });

    it('[PRE-20] leaves preemption out when it is switched off', () => {
      const off = read({ profiles: [{ plugins: { postFilter: { disabled: [{ name: 'DefaultPreemption' }] } } }] });
      const cluster = clusterOf(
        node('a', { cpu: 2 }),
        pod('low', { on: 'a', cpu: '2' }),
        pod('high', { cpu: '1', priority: 100 }),
      );
      const on = decideWith(cluster, 'high', read({}));
      assert.equal(on.kind === 'unschedulable' && on.preemption?.choice?.node, 'a');
      const decision = decideWith(cluster, 'high', off);
      assert.ok(decision.kind === 'unschedulable');
      assert.equal(decision.preemption, null);
      assert.equal(decision.message, '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate');
      const nothing = read({ profiles: [{ plugins: { postFilter: { disabled: [{ name: '*' }] } } }] });
      const bare = decideWith(cluster, 'high', nothing);
      assert.equal(bare.kind === 'unschedulable' && bare.message, '0/1 nodes are available: 1 Insufficient cpu.');
    });

    it('does without a filter that is switched off', () => {
      const plugins = { multiPoint: { disabled: [{ name: 'TaintToleration' }] } };
      const tainted = node('a', { spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] } });
      const cluster = clusterOf(tainted, pod('plain'));
      assert.equal(decideWith(cluster, 'plain', read({})).kind, 'unschedulable');
      assert.equal(decideWith(cluster, 'plain', read({ profiles: [{ plugins }] })).kind, 'fits');
    });

    it('runs a profile of its own making', () => {
      const names = ['NodeUnschedulable', 'NodeName', 'TaintToleration', 'NodeResourcesFit'].map((name) => ({ name }));
      const plugins = {
        multiPoint: { disabled: [{ name: '*' }], enabled: [{ name: 'PrioritySort' }, { name: 'DefaultBinder' }] },
        preFilter: { enabled: [{ name: 'NodeResourcesFit' }] },
        filter: { enabled: names },
        score: { enabled: [{ name: 'NodeResourcesFit', weight: 2 }] },
      };
      const configuration = read({ profiles: [{ plugins }] });
      assert.deepEqual(configuration.problems, []);
      const cluster = clusterOf(
        node('a', { cpu: 4 }),
        node('b', { cpu: 1 }),
        node('c', { cpu: 8 }),
        pod('plain', { cpu: '2' }),
      );
      const decision = decideWith(cluster, 'plain', configuration);
      assert.ok(decision.kind === 'fits');
      assert.deepEqual([decision.node, decision.scores?.plugins], ['c', ['NodeResourcesFit']]);
    });

    it('gives every node a score of one where nothing scores, and may take any', () => {
      const all = { disabled: [{ name: '*' }] };
      const configuration = read({ profiles: [{ plugins: { preScore: all, score: all } }] });
      assert.deepEqual(configuration.problems, []);
      const decision = decideWith(clusterOf(node('a'), node('b', { cpu: 8 }), pod('plain')), 'plain', configuration);
      assert.ok(decision.kind === 'fits');
      assert.deepEqual(
        [...decision.scores!.totals],
        [
          ['a', 1],
          ['b', 1],
        ],
      );
      assert.deepEqual([decision.best, decision.mayVary], [['a', 'b'], true]);
    });

    it('scores as the strategy says', () => {
      const most = { name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated' } } };
      const plugins = { score: { disabled: [{ name: '*' }], enabled: [{ name: 'NodeResourcesFit' }] } };
      const cluster = clusterOf(node('a', { cpu: 4 }), node('b', { cpu: 8 }), pod('plain', { cpu: '2' }));
      const packed = decideWith(cluster, 'plain', read({ profiles: [{ plugins, pluginConfig: [most] }] }));
      const spread = decideWith(cluster, 'plain', read({ profiles: [{ plugins }] }));
      assert.deepEqual([packed.kind === 'fits' && packed.node, spread.kind === 'fits' && spread.node], ['a', 'b']);
    });
  });
});
