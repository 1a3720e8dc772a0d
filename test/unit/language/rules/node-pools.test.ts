import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  definition,
  documentSymbols,
  references,
  workspaceSymbols,
} from '../../../../server/src/language/navigation/index.ts';
import { latestRelease } from '../../../../server/src/kubernetes/releases/index.ts';
import { completion } from '../../../../server/src/language/completion/completion.ts';
import { checkHover } from '../hover-case.ts';
import { surroundings, TestWorkspace } from '../test-workspace.ts';
import { checkRule } from './check-rule.ts';
import { workload } from './workload-text.ts';

/** @param requirements lines of the list */
const pool = (requirements: readonly string[], { spec = '', template = '', name = 'general' } = {}): string =>
  `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
${spec}  template:
    metadata: { labels: { team: shop } }
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
${template}      requirements:
${requirements.map((line) => `        - ${line}\n`).join('')}`;

const family = (...names: readonly string[]): string =>
  `{ key: karpenter.k8s.aws/instance-family, operator: In, values: [${names.join(', ')}] }`;
const node = 'apiVersion: v1\nkind: Node\nmetadata: { name: a, labels: { disk: ssd } }\n';
const amiOf = (alias: string): string =>
  `apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: { name: default }\nspec: { amiSelectorTerms: [{ alias: ${alias} }] }\n`;

const asking = (cpu: string): string =>
  workload('web').replace('image: a', `image: a, resources: { requests: { cpu: "${cpu}" } }`);

describe('rules of NodePools', () => {
  for (const [key, kind, others] of [
    ['karpenter.sh/nodepool', 'NodePool', { 'pools.yaml': pool([family('m6i')]) }],
    [
      'cloud.google.com/compute-class',
      'ComputeClass',
      { 'pools.yaml': 'apiVersion: cloud.google.com/v1\nkind: ComputeClass\nmetadata: { name: general }\nspec: {}\n' },
    ],
  ] as const) {
    it(`[#39] finds the misspelt name of a ${kind} that pods select`, async () => {
      const selecting = (name: string): string =>
        workload('web').replace('containers:', `nodeSelector: { ${key}: ${name} }\n      containers:`);
      await checkRule('no-node-matches', {
        manifest: selecting('‹genreal›'),
        others,
        severity: 'information',
        message: `No node has ${key}=genreal: these pods would stay pending. Did you mean "general"?`,
        fixes: { 'Change to general': selecting('general') },
      });
      for (const name of ['general', 'general-purpose', 'other', '${POOL}']) {
        await checkRule('no-node-matches', { manifest: selecting(name), others });
      }
      await checkRule('no-node-matches', { manifest: selecting('genreal') });
    });
  }

  it('[SCA-6] finds a misspelt label, and knows which one is meant', () =>
    checkRule('pool-unknown-label', {
      manifest: pool(['{ key: ‹karpenter.k8s.aws/instance-familly›, operator: In, values: [m6i] }']),
      severity: 'warning',
      message: 'The pool is not ready, and makes no node.',
      fixes: { 'Change to karpenter.k8s.aws/instance-family': pool([family('m6i')]) },
    }));

  for (const [key, meant] of [
    ['karpenter.sh/capacitytype', 'karpenter.sh/capacity-type'],
    ['karpenter.k8s.aws/zone', 'topology.kubernetes.io/zone'],
    ['instance-family', 'karpenter.k8s.aws/instance-family'],
  ] as const) {
    it(`[SCA-6] takes ${key} for ${meant}`, () =>
      checkRule('pool-unknown-label', {
        manifest: pool([`{ key: ‹${key}›, operator: Exists }`]),
        message: `Did you mean "${meant}"?`,
      }));
  }

  it('[SCA-6] accepts labels of its own, those that are called otherwise now, and those of other providers', () =>
    checkRule('pool-unknown-label', {
      manifest: pool([
        '{ key: example.com/instance-family, operator: Exists }',
        '{ key: beta.kubernetes.io/arch, operator: In, values: [amd64] }',
        '{ key: karpenter.azure.com/sku-family, operator: In, values: [D] }',
      ]).replace('team: shop', 'capacity-type: gpu'),
    }));

  it('[SCA-6] finds pods that Karpenter ignores for a label that they select by', () =>
    checkRule('pool-unknown-label', {
      manifest: workload('web', { spec: ['nodeSelector: { karpenter.sh/capacitytype: ‹spot› }'] }),
      others: { 'pool.yaml': pool([family('m6i')]) },
      message: 'Did you mean "karpenter.sh/capacity-type"? It ignores these pods.',
    }));

  it('#39 knows the labels of EKS Auto Mode, and takes those of the other provider for them', async () => {
    const autoMode = (...requirements: readonly string[]): string =>
      pool(requirements).replace('karpenter.k8s.aws, kind: EC2NodeClass', 'eks.amazonaws.com, kind: NodeClass');
    const asking = (key: string): string => workload('web', { spec: [`nodeSelector: { ${key}: "4" }`] });
    const category = '{ key: eks.amazonaws.com/instance-category, operator: In, values: [c] }';
    for (const wrong of ['eks.amazonaws.com/instance-categroy', 'karpenter.k8s.aws/instance-category']) {
      await checkRule('pool-unknown-label', {
        manifest: autoMode(`{ key: ‹${wrong}›, operator: In, values: [c] }`),
        message: `EKS Auto Mode has no label ${wrong}. Did you mean "eks.amazonaws.com/instance-category"?`,
        fixes: { 'Change to eks.amazonaws.com/instance-category': autoMode(category) },
      });
    }
    await checkRule('pool-unknown-label', {
      manifest: pool(['{ key: ‹eks.amazonaws.com/instance-cpu›, operator: Gt, values: ["3"] }']),
      message:
        'Karpenter knows no label eks.amazonaws.com/instance-cpu. Did you mean "karpenter.k8s.aws/instance-cpu"?',
    });
    const others = { 'pool.yaml': autoMode(category) };
    await checkRule('pool-unknown-label', {
      manifest: asking('eks.amazonaws.com/instance-cpus').replace('"4"', '‹"4"›'),
      others,
      message: 'Did you mean "eks.amazonaws.com/instance-cpu"?',
    });
    for (const right of ['instance-cpu', 'compute-type', 'nodegroup', 'instance-capability-flex']) {
      await checkRule('pool-unknown-label', { manifest: asking(`eks.amazonaws.com/${right}`), others });
    }
  });

  it('[SCA-6] says what the API server refuses, in its words', async () => {
    const refused = (lines: string, message: string, fixes: Readonly<Record<string, string>> = {}) =>
      checkRule('invalid-node-pool', {
        manifest: pool([family('m6i')], { spec: lines }),
        severity: 'error',
        message,
        fixes,
      });
    const fixed = pool([family('m6i')], { spec: '  disruption: { consolidationPolicy: WhenEmptyOrUnderutilized }\n' });
    await refused(
      '  disruption: { consolidationPolicy: ‹WhenUnderutilized› }\n',
      'spec.disruption.consolidationPolicy: Unsupported value: "WhenUnderutilized": supported values: "WhenEmpty", "WhenEmptyOrUnderutilized"',
      { 'Change to WhenEmptyOrUnderutilized': fixed },
    );
    await refused('  weight: ‹101›\n', 'spec.weight in body should be less than or equal to 100');
    await refused(
      '  disruption: { budgets: [{ ‹nodes›: "1", schedule: "@daily" }] }\n',
      "'schedule' must be set with 'duration'",
    );
    await refused('  disruption: { budgets: [{ nodes: ‹"110%"› }] }\n', 'should match');
    await refused('  disruption: { consolidateAfter: ‹5 minutes› }\n', 'should match');
    await checkRule('invalid-node-pool', {
      manifest: pool(['{ key: karpenter.k8s.aws/instance-family, operator: Exists, minValues: ‹60› }']),
      severity: 'error',
      message:
        'spec.template.spec.requirements[0].minValues: Invalid value: 60: spec.template.spec.requirements[0].minValues in body should be less than or equal to 50',
    });
    const good =
      '  weight: 5\n  disruption: { consolidateAfter: 1h30m, budgets: [{ nodes: 10%, reasons: [Drifted] }] }\n';
    await checkRule('invalid-node-pool', { manifest: pool([family('m6i')], { spec: good }) });
  });

  it('[SCA-6] knows which capacity type or architecture is meant', async () => {
    const requirement = (key: string, values: string): string => `{ key: ${key}, operator: In, values: [${values}] }`;
    await checkRule('pool-makes-no-node', {
      manifest: pool([requirement('karpenter.sh/capacity-type', 'spot, ‹onDemand›'), family('m6i')]),
      severity: 'warning',
      message: 'Karpenter knows no karpenter.sh/capacity-type=onDemand. Did you mean "on-demand"?',
    });
    await checkRule('pool-makes-no-node', {
      manifest: pool([requirement('kubernetes.io/arch', '‹x86_64›'), family('m6i')]),
      message: 'Did you mean "amd64"?',
    });
  });

  it('[SCA-6] finds a value that no type has', () =>
    checkRule('pool-makes-no-node', {
      manifest: pool(['{ key: karpenter.k8s.aws/instance-category, operator: In, values: [c, ‹cc›] }']),
      severity: 'warning',
    }));

  it('[SCA-6] leaves families alone that may be newer than the list, unless one is a letter away', async () => {
    await checkRule('pool-makes-no-node', { manifest: pool([family('m6i', 'zz99gd')]) });
    await checkRule('pool-makes-no-node', { manifest: pool([family('‹zz99gd›')]), severity: 'information' });
  });

  it('[SCA-6] finds requirements that no type meets together', () =>
    checkRule('pool-makes-no-node', {
      manifest: pool([family('m6i'), '{ key: kubernetes.io/arch, operator: In, values: [arm64] }']).replace(
        'requirements:',
        '‹requirements›:',
      ),
      message: 'meets all of these together',
    }));

  it('[SCA-6] says nothing of what is reserved, and of what a template leaves open', async () => {
    const reserved = (values: string): string =>
      pool([`{ key: karpenter.sh/capacity-type, operator: In, values: [${values}] }`, family('m6i')]);
    await checkRule('pool-makes-no-node', { manifest: reserved('reserved') });
    await checkRule('pool-makes-no-node', { manifest: reserved('reserved, spot') });
    await checkRule('pool-makes-no-node', { manifest: pool([family('"<<FAMILY>>"')]) });
  });

  it('[SCA-6] says nothing of types with Windows, and of other providers', async () => {
    const windows = ['{ key: kubernetes.io/os, operator: In, values: [windows] }'];
    await checkRule('pool-makes-no-node', { manifest: pool(windows) });
    await checkRule('pool-makes-no-node', {
      manifest: pool(['{ key: node.kubernetes.io/windows-build, operator: Exists }']),
      others: { 'class.yaml': amiOf('windows2022@latest') },
    });
    await checkRule('pool-makes-no-node', {
      manifest: pool(windows).replaceAll('karpenter.k8s.aws', 'karpenter.azure.com'),
    });
  });

  it('[SCA-6] finds a limit below the smallest type, and takes 0 as meant', async () => {
    const limited = (limits: string): string => pool([family('m6i')], { spec: `  limits: ${limits}\n` });
    await checkRule('pool-limit-too-small', {
      manifest: limited('{ cpu: ‹1›, memory: ‹1Gi›, nodes: 1 }'),
      message: 'The smallest instance type of this pool, m6i.large, has ',
    });
    await checkRule('pool-limit-too-small', { manifest: limited('{ cpu: 0, memory: 1000Gi }') });
  });

  it('[SCA-6] finds minValues that are never met', () =>
    checkRule('pool-min-values-unmet', {
      manifest: pool([family('m6i', 'm7i').replace(' }', ', minValues: ‹3› }')]),
      message: 'have 2 values of karpenter.k8s.aws/instance-family',
      fixes: { 'Change to 2': pool([family('m6i', 'm7i').replace(' }', ', minValues: 2 }')]) },
    }));

  it('[SCA-6] finds a taint that no workload tolerates', async () => {
    const manifest = (taint: string): string => pool([family('g5')], { template: `      taints: [${taint}]\n` });
    const others = { 'web.yaml': workload('web') };
    await checkRule('pool-taint-not-tolerated', {
      manifest: manifest('{ ‹key›: gpu, effect: NoSchedule }'),
      others,
      severity: 'information',
    });
    await checkRule('pool-taint-not-tolerated', {
      manifest: manifest('{ key: gpu, effect: PreferNoSchedule }'),
      others,
    });
    await checkRule('pool-taint-not-tolerated', {
      manifest: manifest('{ key: gpu, effect: NoSchedule }'),
      others: { 'web.yaml': workload('web', { spec: ['tolerations: [{ key: gpu, operator: Exists }]'] }) },
    });
    await checkRule('pool-taint-not-tolerated', { manifest: manifest('{ key: gpu, effect: NoSchedule }') });
  });

  it('[SCA-6] finds weights that change nothing', async () => {
    const weighted = (weight: string, families: string, name = 'general'): string =>
      pool([family(families)], { spec: `  weight: ${weight}\n`, name });
    const other = weighted('10', 'm6i, m7i', 'other');
    const rule = 'pool-weight-without-effect';
    await checkRule(rule, { manifest: weighted('‹10›', 'm6i'), fixes: { 'Remove weight': pool([family('m6i')]) } });
    await checkRule(rule, {
      manifest: weighted('‹10›', 'm6i'),
      others: { 'o.yaml': other },
      message: 'other is asked first',
    });
    await checkRule(rule, {
      manifest: weighted('‹5›', 'm6i'),
      others: { 'o.yaml': other },
      message: 'other has a higher weight',
    });
    await checkRule(rule, { manifest: weighted('5', 'm6i, c6i'), others: { 'o.yaml': other } });
    await checkRule(rule, { manifest: weighted('20', 'm6i'), others: { 'o.yaml': other } });
    const limited = other.replace('spec:\n', 'spec:\n  limits: { cpu: 10 }\n');
    await checkRule(rule, { manifest: weighted('5', 'm6i'), others: { 'o.yaml': limited } });
  });

  it('[SCA-6] finds what blocks every consolidation', async () => {
    const budgets = (list: string): string => pool([family('m6i')], { spec: `  disruption: { ${list} }\n` });
    const rule = 'pool-never-consolidated';
    await checkRule(rule, { manifest: budgets('budgets: [{ ‹nodes›: "0" }]') });
    await checkRule(rule, { manifest: budgets('budgets: [{ nodes: "0", reasons: [Drifted] }]') });
    await checkRule(rule, { manifest: budgets('budgets: [{ nodes: "0", schedule: "@daily", duration: 8h }]') });
    await checkRule(rule, { manifest: budgets('consolidateAfter: Never, budgets: [{ nodes: "0" }]') });
    await checkRule(rule, {
      manifest: pool([family('m6i')]).replace(
        'labels: { team: shop }',
        'annotations: { karpenter.sh/do-not-disrupt: ‹"true"› }',
      ),
    });
    const kept = (kind: 'DaemonSet' | 'Deployment', value: string): string =>
      workload('agent', { kind }).replace('labels:', `annotations: { karpenter.sh/do-not-disrupt: ${value} }, labels:`);
    const others = { 'pool.yaml': pool([family('m6i')]) };
    await checkRule(rule, {
      manifest: kept('DaemonSet', '‹"true"›'),
      others,
      message: 'no node that the DaemonSet runs on',
    });
    await checkRule(rule, { manifest: kept('DaemonSet', '"true"') });
    await checkRule(rule, { manifest: kept('Deployment', '"true"'), others });
  });
});

describe('labels that pools give', () => {
  const selecting = workload('web', { spec: ['nodeSelector: { team: shop }'] });

  it('[SCA-6] count for selectors and topology keys', async () => {
    const others = { 'nodes.yaml': node, 'pool.yaml': pool([family('m6i')]) };
    await checkRule('no-node-matches', { manifest: selecting, others });
    await checkRule('no-node-matches', {
      manifest: workload('web', { spec: ['‹nodeSelector›: { team: hsop }'] }),
      others,
      fixes: { 'Change to shop': workload('web', { spec: ['nodeSelector: { team: shop }'] }) },
    });
    const spread = (key: string): string =>
      workload('web', {
        spec: [`topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ${key}, whenUnsatisfiable: DoNotSchedule }]`],
      });
    await checkRule('missing-topology-key', { manifest: spread('topology.kubernetes.io/zone'), others });
    await checkRule('missing-topology-key', { manifest: spread('‹topology.kubernetes.io/zoen›'), others });
  });

  it('[SCA-6] count where a machine set or a node group of eksctl has them', async () => {
    const machines = `apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineDeployment
metadata: { name: workers, annotations: { capacity.cluster-autoscaler.kubernetes.io/labels: "team=shop" } }
`;
    const eksctl = `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: { name: c, region: eu-west-1 }
managedNodeGroups: [{ name: workers, instanceType: m6i.large, labels: { team: shop } }]
`;
    for (const text of [machines, eksctl]) {
      await checkRule('no-node-matches', { manifest: selecting, others: { 'nodes.yaml': node, 'group.yaml': text } });
    }
  });

  it('[SCA-6] keep pods from being called too large for the nodes that are there', async () => {
    const small = `${node}status: { allocatable: { cpu: "1", memory: 1Gi } }\n`;
    const large = asking('4');
    const others = { 'nodes.yaml': small, 'pool.yaml': pool([family('m6i')]) };
    await checkRule('exceeds-every-node', { manifest: large, others });
    await checkRule('exceeds-every-node', {
      manifest: large.replace('cpu: "4"', 'cpu: ‹"4"›'),
      others: { 'nodes.yaml': small },
    });
  });

  for (const { name, wrap } of surroundings) {
    it(`[SCA-6] are found from where they are selected, and back, ${name}`, async () => {
      const workspace = await TestWorkspace.of({
        'web.yaml': wrap(workload('web', { spec: ['nodeSelector: { ‹team›: shop }'] })),
        'pool.yaml': wrap(pool([family('m6i')]).replace('team:', '‹team›:')),
      });
      const place = { uri: 'file:///pool.yaml', range: workspace.ranges('pool.yaml')[0] };
      const [from, at] = [workspace.file('web.yaml'), workspace.cursor('web.yaml')];
      assert.deepEqual(definition(from, at, workspace.facts), [place]);
      const back = references(workspace.file('pool.yaml'), workspace.cursor('pool.yaml'), workspace.facts, false);
      assert.deepEqual(back, [{ uri: 'file:///web.yaml', range: workspace.ranges('web.yaml')[0] }]);
    });
  }

  it('[SCA-6] lead from the name of a pool that is selected to the pool, and from its class to that', async () => {
    const workspace = await TestWorkspace.of({
      'web.yaml': workload('web', { spec: ['nodeSelector: { karpenter.sh/nodepool: ‹general› }'] }),
      'pool.yaml': pool([family('m6i')])
        .replace('{ name: general }', '{ name: ‹general› }')
        .replace('name: default', 'name: ‹default›'),
      'class.yaml': amiOf('al2023@latest').replace('default', '‹default›'),
    });
    const [name, reference] = workspace.ranges('pool.yaml');
    assert.deepEqual(definition(workspace.file('web.yaml'), workspace.cursor('web.yaml'), workspace.facts), [
      { uri: 'file:///pool.yaml', range: name },
    ]);
    assert.deepEqual(definition(workspace.file('pool.yaml'), reference!.start, workspace.facts), [
      { uri: 'file:///class.yaml', range: workspace.ranges('class.yaml')[0] },
    ]);
  });

  it('#39 leads to node classes of Azure and of EKS Auto Mode, to ComputeClasses that pods select, and to what MachineAutoscalers and ScaledObjects scale', async () => {
    const azure = 'group: karpenter.azure.com, kind: AKSNodeClass, name: ‹default›';
    const workspace = await TestWorkspace.of({
      'auto.yaml': pool([]).replace(/group: .*name: default/, 'group: eks.amazonaws.com, kind: NodeClass, name: ‹eks›'),
      'eks.yaml': 'apiVersion: eks.amazonaws.com/v1\nkind: NodeClass\nmetadata: { name: ‹eks› }\n',
      'keda.yaml':
        'apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: { name: k }\nspec: { scaleTargetRef: { name: ‹db› } }\n',
      'db.yaml': workload('‹db›'),
      'pool.yaml': pool([]).replace(/group: .*name: default/, azure),
      'class.yaml': 'apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: { name: ‹default› }\n',
      'ec2.yaml': amiOf('al2023@latest'),
      'web.yaml': workload('web', { spec: ['nodeSelector: { cloud.google.com/compute-class: ‹cheap› }'] }),
      'compute.yaml': 'apiVersion: cloud.google.com/v1\nkind: ComputeClass\nmetadata: { name: ‹cheap› }\n',
      'scaler.yaml':
        'apiVersion: autoscaling.openshift.io/v1beta1\nkind: MachineAutoscaler\nmetadata: { name: a, namespace: m }\nspec: { scaleTargetRef: { kind: MachineSet, name: ‹set› } }\n',
      'set.yaml':
        'apiVersion: machine.openshift.io/v1beta1\nkind: MachineSet\nmetadata: { name: ‹set›, namespace: m }\n',
    });
    for (const [from, to] of [
      ['pool', 'class'],
      ['web', 'compute'],
      ['scaler', 'set'],
      ['auto', 'eks'],
      ['keda', 'db'],
    ] as const) {
      const place = (name: string) => ({ uri: `file:///${name}.yaml`, range: workspace.ranges(`${name}.yaml`)[0] });
      const there = [workspace.file(`${from}.yaml`), workspace.cursor(`${from}.yaml`)] as const;
      const back = [workspace.file(`${to}.yaml`), workspace.cursor(`${to}.yaml`)] as const;
      assert.deepEqual(definition(...there, workspace.facts), [place(to)]);
      assert.deepEqual(references(...back, workspace.facts, false), [place(from)]);
    }
  });

  it('#39 count where pods tolerate their taints and prefer their labels', async () => {
    const tainted = pool([], { template: '      taints: [{ key: gpu, effect: NoSchedule }]\n' });
    const preference = (key: string): string =>
      `affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: ${key}, operator: Exists }] } }] } }`;
    const manifest = (taint: string, label: string): string =>
      workload('web', { spec: [`tolerations: [{ key: ${taint}, operator: Exists }]`, preference(label)] });
    const others = { 'nodes.yaml': node, 'pool.yaml': tainted };
    await checkRule('ignored-by-scheduler', { manifest: manifest('gpu', 'team'), others });
    await checkRule('ignored-by-scheduler', { manifest: manifest('gpu', 'karpenter.sh/capacity-type'), others });
    await checkRule('ignored-by-scheduler', { manifest: manifest('‹gqu›', '‹taem›'), others });
  });

  it('[SCA-6] shows pools with their requirements in the outline', async () => {
    const workspace = await TestWorkspace.of({ 'pool.yaml': pool([family('m6i', 'm7i')]) });
    const [symbol] = documentSymbols(workspace.file('pool.yaml'));
    assert.deepEqual([symbol?.name, symbol?.detail], ['general', 'NodePool']);
    assert.deepEqual(
      symbol?.children?.map(({ name, detail }) => [name, detail]),
      [['karpenter.k8s.aws/instance-family', 'In m6i, m7i']],
    );
    assert.deepEqual(
      workspaceSymbols('gener', workspace.facts).map(({ name }) => name),
      ['general'],
    );
  });
});

describe('hovers of NodePools', () => {
  const others = { 'web.yaml': asking('3') };

  it('[SCA-6] say what a pool can make, within which limits, and which workloads could use it', () =>
    checkHover({
      manifest: pool([family('m6i')], { spec: '  limits: { cpu: 100 }\n' }).replace('general', '‹general›'),
      others,
      says: [
        '**NodePool `general`**',
        '**10 of 1,363 instance types** meet what it requires, the smallest first: `m6i.large`',
        'They have 2 cpu to 128 cpu',
        'Its nodes together may have 100 cpu',
        '1 workload of 1 could use it: ',
        'EC2 types of 2026-07-11; no zone is named anywhere',
      ],
    }));

  it('[SCA-6] say of a requirement how many types meet it, and what values there are', () =>
    checkHover({
      manifest: pool([family('m6i'), '{ key: ‹karpenter.k8s.aws/instance-category›, operator: In, values: [c] }']),
      says: [
        /\*\*\d+ of 1,363 instance types\*\* meet this\. Types have `karpenter\.k8s\.aws\/instance-category` as `a`/,
        '**None of 1,363 instance types**',
      ],
    }));

  it('[SCA-6] say which pools are asked first, and that none of the workloads could use one', async () => {
    const spec = '  weight: ‹10›\n';
    await checkHover({
      manifest: pool([family('m6i')], { spec }),
      others: { 'b.yaml': pool([family('m6i')], { name: 'zeta', spec: '  weight: 20\n' }) },
      says: ['as number 2 of 2, by weight and then by name: `zeta` (20), `general` (10)'],
    });
    await checkHover({
      manifest: pool(['{ key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["2"] }']).replace(
        'general',
        '‹general›',
      ),
      others,
      says: ['No workload that is declared here could use it'],
    });
  });

  it('[SCA-6] say what tolerates a taint, and what selects a label', async () => {
    await checkHover({
      manifest: pool([family('m6i')], { template: '      taints: [{ key: ‹gpu›, effect: NoSchedule }]\n' }),
      others: { 'web.yaml': workload('web', { spec: ['tolerations: [{ key: gpu, operator: Exists }]'] }) },
      says: ['`gpu:NoSchedule` is tolerated by 1 workload: '],
    });
    await checkHover({
      manifest: pool([family('m6i')]).replace('team: shop', 'team: ‹shop›'),
      others: { 'web.yaml': workload('web', { spec: ['nodeSelector: { team: shop }'] }) },
      says: ['1 workload selects by it: '],
    });
  });

  it('[SCA-6] rest on no assumed node where pools make the nodes (#39)', async () => {
    const others = { 'pool.yaml': pool([family('m6i')]) };
    const none = /^(?!.*assumed)/s;
    const spec = (field: string) => workload('web', { spec: [field] });
    for (const [manifest, said] of [
      [spec('nodeSelector: { team: ‹shop› }'), 'Nodes of NodePool general would do.'],
      [spec('nodeSelector: { ‹team›: web }'), 'No NodePool or node group makes a node with these labels and taints.'],
      [spec('‹tolerations›: [{ key: gpu, operator: Exists }]'), 'Nodes of NodePool general would do.'],
      [asking('2').replace('"2"', '‹2›'), 'Nodes of NodePool general would do.'],
      [asking('500').replace('"500"', '‹500›'), 'NodePool general cannot make a node for them.'],
      [spec('topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ‹zone› }]'), 'The label of nodes'],
    ] as const) {
      await checkHover({ manifest, others, says: [none, said] });
    }
  });

  it('[SCA-6] say of what a pod selects which pools would do', () =>
    checkHover({
      manifest: workload('web', { spec: ['nodeSelector: { team: ‹shop› }'] }),
      others: { 'nodes.yaml': node, 'pool.yaml': pool([family('m6i')]) },
      says: ['leave none of 1 known node', 'Nodes of NodePool general would do.'],
    }));
});

describe('hovers of what else makes nodes', () => {
  const machines = (annotations: string): string =>
    `apiVersion: cluster.x-k8s.io/v1beta1\nkind: MachineDeployment\nmetadata: { name: workers, annotations: { ${annotations} } }\nspec: { replicas: 1 }\n`;
  const bounds =
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "0", cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "3"';
  const shape = 'capacity.cluster-autoscaler.kubernetes.io/memory: 16Gi';

  it('[SCA-6] say how large a group of machines may get, and what a new node of it is like', async () => {
    await checkHover({
      manifest: machines(`${bounds}, ${shape}, ‹capacity.cluster-autoscaler.kubernetes.io/cpu›: "4"`),
      others: { 'web.yaml': asking('3') },
      says: [
        'The processors of a new node.',
        '**`workers`: 0 to 3 nodes**, 1 by what is known',
        'A new node has 4 cpu, 16Gi memory, 110 pods',
        '1 workload of 1 may use it: ',
      ],
    });
    await checkHover({
      manifest: machines(bounds).replace('name: workers', 'name: ‹workers›'),
      says: ['How large its nodes are is not written'],
    });
    await checkHover({
      manifest: machines('a: b').replace('name: workers', 'name: ‹workers›'),
      says: ['Cluster Autoscaler does not change it'],
    });
  });

  it('[SCA-6] say of a node group of eksctl what its type has', () =>
    checkHover({
      manifest: `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: { name: shop, region: eu-west-1 }
managedNodeGroups:
  - { name: ‹ng-1›, instanceType: m6i.xlarge, minSize: 1, maxSize: 4 }
`,
      says: ['**`ng-1`: 1 to 4 nodes**', 'A new node has 3920m cpu'],
    }));

  it('[SCA-6] say which pools use a node class, and what it leaves for pods', () =>
    checkHover({
      manifest: `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: ‹default› }
spec: { kubelet: { maxPods: 20 } }
`,
      others: { 'pool.yaml': pool([family('m6i')]) },
      says: ['**EC2NodeClass `default`**', 'Used by ', 'At most 20 pods on a node'],
    }));

  it('[SCA-6] say what a CapacityBuffer holds room for', () =>
    checkHover({
      manifest: `apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: { name: ‹room› }
spec: { scalableRef: { apiGroup: apps, kind: Deployment, name: web }, replicas: 2 }
`,
      others: { 'web.yaml': asking('3') },
      says: ['**Room for 2 pods of 3 cpu', 'each**'],
    }));

  it('#39 say of a toleration which pools have the taint', () =>
    checkHover({
      manifest: workload('web', { spec: ['tolerations: [{ key: ‹gpu›, operator: Exists }]'] }),
      others: {
        'nodes.yaml': node,
        'pool.yaml': pool([], { template: '      taints: [{ key: gpu, effect: NoSchedule }]\n' }),
      },
      says: ['`gpu:NoSchedule` of NodePool general'],
    }));

  it('#39 say of classes whose machines are not known which pools and workloads use them', async () => {
    await checkHover({
      manifest: 'apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: { name: ‹default› }\n',
      others: { 'pool.yaml': pool([]).replace('karpenter.k8s.aws, kind: EC2', 'karpenter.azure.com, kind: AKS') },
      says: ['**AKSNodeClass `default`**', 'Used by', 'The instance types of its provider are not known here.'],
    });
    await checkHover({
      manifest: 'apiVersion: eks.amazonaws.com/v1\nkind: NodeClass\nmetadata: { name: ‹default› }\n',
      others: { 'pool.yaml': pool([]).replace('karpenter.k8s.aws, kind: EC2', 'eks.amazonaws.com, kind: ') },
      says: ['**NodeClass `default`**', 'Used by', 'The instance types of its provider are not known here.'],
    });
    await checkHover({
      manifest: workload('db', { replicas: 2 }).replace('replicas:', '‹replicas›:'),
      others: {
        'keda.yaml':
          'apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: { name: k }\nspec: { scaleTargetRef: { name: db }, maxReplicaCount: 7 }\n',
      },
      says: ['ScaledObject [`default/k`]', 'decides: between 1 and 7'],
    });
    await checkHover({
      manifest: 'apiVersion: cloud.google.com/v1\nkind: ComputeClass\nmetadata: { name: ‹cheap› }\n',
      others: {
        'web.yaml': workload('web', { spec: ['nodeSelector: { cloud.google.com/compute-class: cheap }'] }),
        'api.yaml': workload('api', { spec: ['nodeSelector: { cloud.google.com/compute-class: other }'] }),
        'bare.yaml': workload('bare'),
      },
      says: [
        '**ComputeClass `cheap`**',
        '1 workload of 3 may use it',
        'The instance types of its provider are not known here.',
      ],
    });
  });

  it('[SCA-6] count ComputeClasses of GKE as what pods select', async () => {
    const others = {
      'class.yaml':
        'apiVersion: cloud.google.com/v1\nkind: ComputeClass\nmetadata: { name: fast }\nspec: { priorities: [{ machineFamily: c4 }] }\n',
      'nodes.yaml': node,
    };
    const selecting = (value: string): string =>
      workload('web', { spec: [`‹nodeSelector›: { cloud.google.com/compute-class: ${value} }`] });
    await checkRule('no-node-matches', { manifest: selecting('fast').replace(/[‹›]/g, ''), others });
    await checkRule('no-node-matches', { manifest: selecting('slow'), others });
  });
});

describe('hovers of nodes of pools', () => {
  const here = (name: string, more: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: shop, ${more} }\nspec: { nodeName: a, containers: [{ name: c, image: x }] }\nstatus: { phase: Running }\n`;

  it('[SCA-7] say which pods keep an autoscaler from removing the node', async () => {
    const machines = 'apiVersion: cluster.x-k8s.io/v1beta1\nkind: MachineDeployment\nmetadata: { name: workers }\n';
    await checkHover({
      manifest: node.replace('name: a', 'name: ‹a›'),
      others: { 'bare.yaml': here('bare', 'labels: {}'), 'group.yaml': machines },
      says: ['Cluster Autoscaler does not remove it: shop/bare is not replicated.', 'podium drain a PATH --removable'],
    });
    await checkHover({
      manifest: node.replace('name: a', 'name: ‹a›').replace('disk: ssd', 'karpenter.sh/nodepool: general'),
      others: { 'kept.yaml': here('kept', 'annotations: { karpenter.sh/do-not-disrupt: "true" }') },
      says: ['Karpenter does not remove it: pod has', 'Pod=shop/kept'],
    });
  });
});

describe('completion in NodePools', () => {
  const labels = async (source: string, others: Readonly<Record<string, string>> = {}): Promise<readonly string[]> => {
    const workspace = await TestWorkspace.of({ 'a.yaml': source, ...others });
    const context = { facts: workspace.facts, release: latestRelease, isBesideSchema: false, snippets: false };
    const { items } = completion(workspace.file('a.yaml'), workspace.ranges('a.yaml')[0]!.end, context);
    return items.map(({ label }) => label);
  };

  it('[SCA-6] offers labels, operators, and the values that instance types have', async () => {
    const keys = await labels(pool(['{ key: ‹›, operator: In }']), { 'node.yaml': node });
    for (const key of ['karpenter.k8s.aws/instance-family', 'topology.kubernetes.io/zone', 'disk']) {
      assert.ok(keys.includes(key), key);
    }
    assert.deepEqual((await labels(pool(['{ key: team, operator: ‹› }']))).slice(0, 3), ['In', 'NotIn', 'Exists']);
    const families = await labels(pool([family('‹m6›')]));
    for (const each of ['m6i', 'm6g']) assert.ok(families.includes(each), each);
    const types = await labels(pool(['{ key: node.kubernetes.io/instance-type, operator: In, values: [‹m6i.x›] }']));
    assert.ok(types.includes('m6i.xlarge'));
    assert.deepEqual(await labels(pool(['{ key: karpenter.sh/capacity-type, operator: In, values: [‹›] }'])), [
      'on-demand',
      'reserved',
      'spot',
    ]);
  });

  it('[SCA-6] offers the fields of pools, node classes, buffers, machine groups and node groups, and their values', async () => {
    const has = async (source: string, ...wanted: readonly string[]): Promise<void> => {
      const offered = await labels(source, {
        'web.yaml': workload('web', { namespace: 'shop' }),
        'class.yaml': nodeClass,
      });
      for (const each of wanted) assert.ok(offered.includes(each), `no ${each} among ${offered.join(', ')}`);
    };
    const nodeClass = 'apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: { name: default }\n';
    const head = (apiVersion: string, kind: string): string =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a, namespace: shop }\n`;
    const nodePool = head('karpenter.sh/v1', 'NodePool');
    await has(`${nodePool}spec:\n  ‹›`, 'template', 'disruption', 'limits', 'weight');
    await has(`${nodePool}spec:\n  template:\n    spec:\n      ‹›`, 'requirements', 'startupTaints', 'expireAfter');
    await has(`${nodePool}spec: { template: { spec: { nodeClassRef: { name: ‹› } } } }`, 'default');
    await has(`${nodePool}spec: { template: { spec: { taints: [{ key: a, effect: ‹› }] } } }`, 'NoSchedule');
    await has(`${nodePool}spec: { disruption: { budgets: [{ reasons: [‹›] }] } }`, 'Underutilized', 'Drifted');
    const ec2 = head('karpenter.k8s.aws/v1', 'EC2NodeClass');
    await has(`${ec2}spec:\n  ‹›`, 'kubelet', 'amiSelectorTerms', 'blockDeviceMappings');
    await has(`${ec2}spec: { kubelet: { ‹› } }`, 'maxPods', 'kubeReserved', 'evictionHard');
    await has(`${ec2}spec: { blockDeviceMappings: [{ ebs: { volumeType: ‹› } }] }`, 'gp3', 'io2');
    const buffer = head('autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer');
    await has(`${buffer}spec: { scalableRef: { kind: ‹› } }`, 'Deployment');
    await has(`${buffer}spec: { scalableRef: { kind: Deployment, name: ‹› } }`, 'web');
    const machines =
      'apiVersion: cluster.x-k8s.io/v1beta1\nkind: MachineDeployment\nmetadata:\n  name: a\n  annotations:\n    ‹›';
    await has(
      machines,
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size',
      'capacity.cluster-autoscaler.kubernetes.io/taints',
    );
    const openshift = machines
      .replace('cluster.x-k8s.io', 'machine.openshift.io')
      .replace('MachineDeployment', 'MachineSet');
    await has(openshift, 'machine.openshift.io/memoryMb');
    const eksctl = 'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: a, region: eu-west-1 }\n';
    await has(`${eksctl}managedNodeGroups:\n  - ‹›`, 'name', 'instanceType', 'maxSize', 'maxPodsPerNode');
    await has(`${eksctl}managedNodeGroups: [{ instanceTypes: [‹m6i.x›] }]`, 'm6i.xlarge');
    await has(`${eksctl}nodeGroups: [{ taints: [{ key: a, effect: ‹› }] }]`, 'NoSchedule');
  });

  it('[SCA-6] offers what pools give to pods that select', async () => {
    const others = { 'pool.yaml': pool([family('m6i')]) };
    assert.ok((await labels(workload('web', { spec: ['nodeSelector: { ‹›: x }'] }), others)).includes('team'));
    assert.ok((await labels(workload('web', { spec: ['nodeSelector: { team: ‹› }'] }), others)).includes('shop'));
  });
});
