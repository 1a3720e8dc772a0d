import { checkRule } from './check-rule.ts';

const configuration = (more: string): string => `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
${more}`;

describe('invalid-scheduler-configuration', () => {
  const error = (more: string, message: string): Promise<void> =>
    checkRule('invalid-scheduler-configuration', { manifest: configuration(more), severity: 'error', message });

  it('marks a value that kube-scheduler refuses, in its words', () =>
    error(
      'percentageOfNodesToScore: ‹150›\n',
      'percentageOfNodesToScore: Invalid value: 150: not in valid range [0-100]',
    ));

  it('marks the name of a field that does not exist', () =>
    error(
      'profiles:\n  - ‹schedulerNames›: a\n',
      'kube-scheduler cannot read it: unknown field "profiles[0].schedulerNames"',
    ));

  it('marks a value of the wrong type', () =>
    error(
      'parallelism: ‹many›\n',
      'cannot unmarshal string into Go struct field KubeSchedulerConfiguration.parallelism of type int32',
    ));

  it('marks the second of two profiles of one name', () =>
    error(
      'profiles:\n  - schedulerName: a # 🚀\n  - { schedulerName: ‹a›, percentageOfNodesToScore: 10 }\n',
      'profiles[1].schedulerName: Duplicate value: "a"',
    ));

  it('marks a profile that must have a name', () =>
    error(
      'profiles:\n  - schedulerName: a\n  - ‹percentageOfNodesToScore›: 5\n',
      'profiles[1].schedulerName: Required value',
    ));

  it('marks a plugin where it has no part', () =>
    error(
      'profiles:\n  - plugins:\n      score:\n        enabled:\n          - name: ‹NodeName›\n',
      'plugin "NodeName" does not extend ScorePlugin plugin',
    ));

  it('marks an argument deep inside', () =>
    error(
      [
        'profiles:',
        '  - pluginConfig:',
        '      - name: PodTopologySpread',
        '        args:',
        '          apiVersion: kubescheduler.config.k8s.io/v1',
        '          kind: PodTopologySpreadArgs',
        '          defaultingType: List',
        '          defaultConstraints:',
        '            - { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ‹Never› }',
        '',
      ].join('\n'),
      'defaultConstraints[0].whenUnsatisfiable: Unsupported value: "Never"',
    ));

  it('marks the second entry of a plugin, and second arguments', async () => {
    const twice =
      'multiPoint: { enabled: [{ name: ImageLocality }, { name: NodeAffinity }, { name: ‹NodeAffinity› }] }';
    await error(
      `profiles:\n  - plugins:\n      ${twice}\n`,
      'plugin "NodeAffinity" already registered as "PreFilterPlugin"',
    );
    await error(
      'profiles: [{ pluginConfig: [{ name: NodeAffinity }, { args: {}, name: ‹NodeAffinity› }] }]\n',
      'profiles[0].pluginConfig[1]: Duplicate value: "NodeAffinity"',
    );
  });

  it('warns of a version that is gone', () =>
    checkRule('invalid-scheduler-configuration', {
      severity: 'warning',
      manifest: configuration('parallelism: 0\n').replace(
        'kubescheduler.config.k8s.io/v1',
        '‹kubescheduler.config.k8s.io/v1beta3›',
      ),
      message: 'no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v1beta3"',
    }));

  it('says nothing of a good one, nor of a kind of that name in another group', async () => {
    const good = 'leaderElection: { leaderElect: true }\nprofiles: [{ schedulerName: a }, { schedulerName: b }]\n';
    await checkRule('invalid-scheduler-configuration', { manifest: configuration(good) });
    await checkRule('invalid-scheduler-configuration', {
      manifest: configuration('parallelism: 0\n').replace('kubescheduler.config.k8s.io/v1', 'example.com/v1'),
    });
  });
});

describe('scheduler-plugin-not-modelled', () => {
  it('names plugins and extenders where they are written', () =>
    checkRule('scheduler-plugin-not-modelled', {
      manifest: configuration(
        'profiles: [{ plugins: { multiPoint: { enabled: [{ name: ‹Coscheduling› }] } } }]\nextenders: [{ urlPrefix: ‹http://gpu› }]\n',
      ),
      severity: 'information',
      message: 'pods may land on other nodes than Podium shows',
    }));

  it('is silent on the plugins of kube-scheduler', () =>
    checkRule('scheduler-plugin-not-modelled', {
      manifest: configuration(
        'profiles: [{ plugins: { score: { enabled: [{ name: ImageLocality, weight: 5 }] } } }]\n',
      ),
    }));
});
