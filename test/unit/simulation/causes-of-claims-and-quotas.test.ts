import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { compareRuns, simulate } from '../../../server/src/simulation/index.ts';
import { fit } from '../../../server/src/simulation/capacity/fit.ts';
import { input, node, podSpec, priorityClass, running, workload } from './cluster-builder.ts';
import { workspace, simulated, words, remediesOf, taint, apart, low, bound, zone, changedAt } from './pending-pods.ts';

describe('why a pod is pending, of claims, quotas and sets', () => {
  it('[#34] says what a RuntimeClass tolerates, and in `fit` what a LimitRange asks for', () => {
    const runtime = {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'runsc' },
      handler: 'runsc',
      scheduling: { tolerations: [{ key: 'storage', operator: 'Equal', value: 'slow', effect: 'NoSchedule' }] },
    };
    const closed = node('n', 4, { spec: { taints: [{ key: 'storage', value: 'fast', effect: 'NoSchedule' }] } });
    const sandboxed = workload('Deployment', 'web', 1, podSpec(1, { runtimeClassName: 'runsc' }));
    assert.match(
      words([closed, runtime, sandboxed]),
      /; its toleration of storage, from RuntimeClass runsc, has the value slow$/,
    );
    const range = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'defaults', namespace: 'default' },
      spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '500m' } }] },
    };
    const small = workload('Deployment', 'small', 1, { containers: [{ name: 'c', image: 'i' }] });
    const { free } = runToEnd(fit(input([node('n', '500m'), range, small]), 'small'));
    assert.match(free.why, /LimitRange defaults gives it the request of cpu/);
  });

  it('[PLA-13] names where volumes are made, opens a node there, and knows what a lost node took along', () => {
    const zone = 'topology.kubernetes.io/zone';
    const claim = (storageClassName: string, more: JsonObject): JsonObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'd', namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '1Gi' } }, ...more },
    });
    const storageClass = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast' },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: ['b'] }] }],
    };
    const db = workload('Deployment', 'db', 1, {
      ...podSpec('100m'),
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }],
    });
    const inZone = node('w1', 4, { labels: { 'kubernetes.io/hostname': 'w1', [zone]: 'a' } });
    const toBeMade = [inZone, storageClass, claim('fast', {}), db];
    assert.match(
      words(toBeMade),
      /^the class of claim d makes volumes only for nodes with topology\.kubernetes\.io\/zone=b/,
    );
    assert.equal(remediesOf(toBeMade)[0], `add 1 node like w1 ${zone}=b`);
    const onLostNode = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'local',
        claimRef: { name: 'd', namespace: 'default' },
        local: { path: '/d' },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['w3'] }] },
            ],
          },
        },
      },
    };
    const lost = [inZone, onLostNode, claim('local', { volumeName: 'pv' }), db];
    assert.equal(remediesOf(lost).length, 1);
    assert.match(remediesOf(lost)[0]!, /^bring node w3 back, which has the data of claim d/);
  });

  it('[#34] sees to room where a volume or a pod is that keeps it there, and asks for no more than it does', () => {
    const near = {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: 'cache' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
    };
    const objects = [
      node('n1', 1),
      node('n2', 4),
      running('cache', '900m', 'n1', 0, { labels: { app: 'cache' } }),
      workload('Deployment', 'web', 1, podSpec('300m', near)),
    ];
    assert.deepEqual(remediesOf(objects), [
      'make room on n1, the only node with app=cache: move or shrink pods that run there',
    ]);
  });

  it('[#34] says where a class makes volumes that the pod does not select', () => {
    const zonal = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'zonal' },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: ['b'] }] }],
    };
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { ...claimSpec('1Gi'), storageClassName: 'zonal' },
    };
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    assert.deepEqual(
      remediesOf([
        node('a1', 4, { labels: { [zone]: 'a' } }),
        node('b1', 4, { labels: { [zone]: 'b' } }),
        zonal,
        claim,
        workload('Deployment', 'db', 1, podSpec('100m', { volumes, nodeSelector: { [zone]: 'a' } })),
      ]),
      [
        `let the pod select nodes with ${zone}=b, or use a class for claim data that makes volumes where the pod selects to be`,
      ],
    );
  });

  it('[PLA-13] says why the volumes that are there are none for a claim, and where one of its name is', () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'd', namespace: 'default' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'manual',
        resources: { requests: { storage: '10Gi' } },
      },
      status: { phase: 'Pending' },
    };
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv' },
      spec: { capacity: { storage: '5Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'manual' },
    };
    const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }];
    const db = workload('Deployment', 'db', 1, podSpec(1, { volumes }));
    assert.match(words([node('n1', 4), claim, volume, db]), /volume pv of its class has 5Gi, and it asks for 10Gi/);
    const local = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'manual' } };
    const manual = { ...local, provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' };
    const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'gone' };
    const released = { ...volume, spec: { ...volume.spec, claimRef }, status: { phase: 'Released' } };
    assert.match(
      remediesOf([node('n1', 4), manual, claim, released, db]).join(),
      /or take spec.claimRef out of pv, whose claim is gone, where the data there may go/,
    );
    const elsewhere = { ...claim, metadata: { name: 'd', namespace: 'other' } };
    assert.match(
      words([node('n1', 4), elsewhere, db]),
      /there is no claim d; the one of that name is in namespace other/,
    );
  });

  it('[#34] counts the volumes of a node that is like another, and of a pod that no node takes', () => {
    const limited = (count: number, pods: number): readonly JsonObject[] => [
      node('n1', 4),
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: { name: 'n1' },
        spec: { drivers: [{ name: 'csi.example', nodeID: 'n1', allocatable: { count } }] },
      },
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'block' },
        provisioner: 'csi.example',
        volumeBindingMode: 'WaitForFirstConsumer',
      },
      ...['a', 'b', 'c'].map((name) => ({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name, namespace: 'default' },
        spec: {
          accessModes: ['ReadWriteMany'],
          storageClassName: 'block',
          resources: { requests: { storage: '1Gi' } },
        },
      })),
      ...['a', 'b', 'c'].slice(0, pods).map((own) => {
        const claims = pods === 1 ? ['a', 'b', 'c'] : [own];
        const volumes = claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
        return workload('Deployment', `app-${own}`, 1, podSpec('100m', { volumes }));
      }),
    ];
    assert.equal(
      words(limited(2, 1)),
      'it has 3 volumes of driver csi.example, which attaches at most 2 to n1 (CSINode)',
    );
    assert.deepEqual(remediesOf(limited(2, 1)), [
      'let several pods have its volumes: no more than 2 of them can be attached to one node',
    ]);
    assert.match(
      words(limited(2, 3)),
      /^driver csi\.example attaches at most 2 volumes to n1 \(CSINode\), which has 2$/,
    );
    assert.deepEqual(remediesOf(limited(2, 3)).slice(0, 1), ['add 1 node like n1']);
  });

  it('[#34] asks for other anti-affinity once, and not where room is lacking besides', () => {
    const keeping = { labels: { app: 'kv' }, owner: 'StatefulSet/kv', spec: apart };
    const kept = (free: string): readonly JsonObject[] => [
      node('n1', 4),
      running('kv-0', free, 'n1', 0, keeping),
      workload('StatefulSet', 'kv', 2, podSpec(2, apart)),
    ];
    const asked = (free: string): readonly string[] =>
      remediesOf(kept(free)).filter((text) => text.includes('preferred anti-affinity'));
    assert.deepEqual(asked('1'), ['ask for it as preferred anti-affinity']);
    assert.deepEqual(asked('3'), []);
  });

  it('[#34] finds no room for further pods of a StatefulSet whose first one is pending', () => {
    const asked = { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } };
    const volume = (name: string, on: string): readonly JsonObject[] => [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          claimRef: { namespace: 'default', name: `data-${name}` },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [on] }] },
              ],
            },
          },
        },
      },
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          name: `data-${name}`,
          namespace: 'default',
          annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
        },
        spec: { ...asked, volumeName: name },
        status: { phase: 'Bound' },
      },
    ];
    const room = (podManagementPolicy: string) => {
      const db = workload('StatefulSet', 'db', 1, podSpec(1));
      const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: asked }];
      const spec = { ...(db['spec'] as JsonObject), serviceName: 'db', podManagementPolicy, volumeClaimTemplates };
      const objects = [node('n1', 4), ...volume('db-0', 'gone'), ...volume('db-1', 'n1'), { ...db, spec }];
      return runToEnd(fit(input(objects), 'default/db'));
    };
    const { free, waiting } = room('OrderedReady');
    assert.deepEqual([free.count, waiting], [0, 1]);
    assert.match(
      free.why,
      /^volume db-0 of claim data-db-0 can only be used on nodes with kubernetes\.io\/hostname=gone/,
    );
    assert.equal(room('Parallel').free.count, 1);
  });

  it('[PRI-13] is no cause where the API server refuses the pod for the bounds of a LimitRange', () => {
    const range = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'small', namespace: 'default' },
      spec: { limits: [{ type: 'Container', max: { cpu: '500m' }, default: { cpu: '1' } }] },
    };
    const { answer } = simulated([node('n1', 4), range, workload('Deployment', 'web', 1, podSpec('100m'))]);
    const refused = answer.groups.find(({ kind }) => kind === 'refused')?.lines[0];
    assert.match(refused?.details[0] ?? '', /forbidden: maximum cpu usage per Container is 500m, but limit is 1$/);
  });

  it('[PRI-13] is no cause where a quota or the lack of a RuntimeClass has the API server refuse the pod', () => {
    const cores = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'cores', namespace: 'default' },
      spec: { hard: { 'requests.cpu': '1500m' } },
    };
    const objects = [node('n1', 8), cores, workload('Deployment', 'web', 3, podSpec('600m'))];
    const { answer } = simulated(objects);
    const refused = answer.groups.find(({ kind }) => kind === 'refused')?.lines[0];
    assert.match(
      refused?.details[0] ?? '',
      /exceeded quota: cores, requested: requests.cpu=600m, used: requests.cpu=1200m, limited: requests.cpu=1500m$/,
    );
    assert.equal(remediesOf(objects)[0], 'quota quota/default/cores requests.cpu=1800m');
    const kata = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'kata' }, handler: 'kata' };
    const wanted = workload('Deployment', 'web', 1, podSpec(1, { runtimeClassName: 'gvisor' }));
    const known = runToEnd(simulate(input([wanted], [node('n1', 8), kata]), workspace));
    const [line] = known.answer.groups.find(({ kind }) => kind === 'refused')?.lines ?? [];
    assert.match(line?.details[0] ?? '', /is forbidden: pod rejected: RuntimeClass "gvisor" not found$/);
    // Where the cluster may have classes that nobody declares it is refused as well, and that is said.
    const doubtful = simulated([node('n1', 8), wanted]);
    assert.deepEqual(
      doubtful.answer.groups.map(({ kind }) => kind),
      ['refused'],
    );
    assert.ok(
      doubtful.assumptions.some(({ mark, text }) => mark === '?' && text === '1 RuntimeClass not declared: gvisor'),
    );
  });

  const storageQuota = (amount: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'storage', namespace: 'default' },
    spec: { hard: { 'requests.storage': amount } },
  });

  const claimSpec = (storage: string): JsonObject => ({
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage } },
  });

  it('[#34] creates no pod of a StatefulSet whose claim a quota refuses, and says which quota would let it', () => {
    const set = workload('StatefulSet', 'db', 3, podSpec('100m')) as { spec: JsonObject };
    const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: claimSpec('10Gi') }];
    const objects = [
      node('n1', 8),
      storageQuota('25Gi'),
      { ...set, spec: { ...set.spec, volumeClaimTemplates } } as JsonObject,
    ];
    const { answer } = simulated(objects);
    const [refused] = answer.groups.find(({ kind }) => kind === 'refused')?.lines ?? [];
    assert.equal(
      refused?.details[0],
      'failed to create PVC data-db-2: persistentvolumeclaims "data-db-2" is forbidden: exceeded quota: storage, requested: requests.storage=10Gi, used: requests.storage=20Gi, limited: requests.storage=25Gi',
    );
    assert.equal(remediesOf(objects)[0], 'quota quota/default/storage requests.storage=30Gi');
    // What is in the cluster counts, and is not recreated.
    const stored = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data-db-0', namespace: 'default', uid: '1' },
      spec: claimSpec('10Gi'),
    };
    const kept = runToEnd(simulate(input(objects, [stored]), workspace));
    assert.equal(kept.answer.groups.find(({ kind }) => kind === 'scheduled')?.lines[0]?.pods.length, 2);
  });

  it('[#34] says of a claim that is not there that a quota refuses it', () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: claimSpec('100Gi'),
    };
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const objects = [
      node('n1', 8),
      storageQuota('25Gi'),
      claim,
      workload('Deployment', 'web', 1, podSpec('100m', { volumes })),
    ];
    assert.match(
      words(objects),
      /quota storage has no room for claim data; the API server refuses it: persistentvolumeclaims "data" is forbidden: exceeded quota: storage,/,
    );
    assert.equal(remediesOf(objects)[0], 'quota quota/default/storage requests.storage=100Gi');
  });

  it('[#34] keeps pods pending for whose ephemeral volumes a quota has no room, and says how much it needs', () => {
    const template = { spec: { ...claimSpec('10Gi'), storageClassName: 'late' } };
    const volumes = [{ name: 'tmp', ephemeral: { volumeClaimTemplate: template } }];
    const objects = [
      node('n1', 8),
      storageQuota('25Gi'),
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'late' },
        provisioner: 'x',
        volumeBindingMode: 'WaitForFirstConsumer',
      },
      workload('Deployment', 'web', 4, podSpec('100m', { volumes })),
    ];
    assert.equal(simulated(objects).pending.length, 2);
    assert.match(words(objects), /^quota storage has no room for claim web-\S+-tmp; .*: exceeded quota: storage,/);
    assert.equal(remediesOf(objects)[0], 'quota quota/default/storage requests.storage=40Gi');
  });

  it('[PRI-13] lets a replacement in once the quota has room: when the pod that it replaces is gone', () => {
    const cores = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'cores', namespace: 'default' },
      spec: { hard: { 'requests.cpu': '2' }, scopeSelector: { matchExpressions: [low] } },
    };
    const report = simulated([
      priorityClass('low', 0),
      priorityClass('high', 1000),
      node('n1', 2),
      node('n2', 2, { spec: { taints: [taint('dedicated')] } }),
      cores,
      workload('Deployment', 'old', 1, podSpec(2, { priorityClassName: 'low', tolerations: [{ operator: 'Exists' }] })),
      running('old-0', 2, 'n1', 0, { owner: 'Deployment/old', spec: { priorityClassName: 'low' } }),
      workload('Deployment', 'urgent', 1, podSpec(2, { priorityClassName: 'high' })),
    ]);
    const { evicted, again, stillRefused } = report.answer.balance;
    assert.deepEqual([evicted, again, stillRefused], [1, 1, 0]);
  });

  it('[PLA-20] holds the next pods of a StatefulSet back while one is pending, unless it is Parallel', () => {
    const set = workload('StatefulSet', 'kafka', 3, podSpec('1500m'));
    const ordered = [node('n1', 2), set];
    assert.deepEqual(simulated(ordered).answer.balanceText, ['2 new pods = 1 scheduled + 1 pending']);
    assert.match(words(ordered), /its StatefulSet makes 1 more pod only once this one runs \(OrderedReady\)$/);
    const parallel = { ...set, spec: { ...(set['spec'] as JsonObject), podManagementPolicy: 'Parallel' } };
    assert.deepEqual(simulated([node('n1', 2), parallel]).answer.balanceText, ['3 new pods = 1 scheduled + 2 pending']);
  });

  it('[PLA-20] says which pods have a node and do not start, as another node has their volume', () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const storage = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'disk', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'disk',
      volumeBindingMode: 'WaitForFirstConsumer',
    };
    const objects = [claim, storage, workload('Deployment', 'cms', 2, podSpec('900m', { volumes }))];
    assert.match(simulated(objects).answer.headline, /\?1 pod does not start/, 'the nodes are assumed');
    const { answer } = simulated([node('n1', 1), node('n2', 1), ...objects]);
    assert.match(answer.headline, / 1 pod does not start, as another node has its volume\.$/);
    const placed = answer.groups.find(({ kind }) => kind === 'scheduled')?.lines[0];
    assert.match(placed?.details.join() ?? '', /claim data is ReadWriteOnce, and attached to another node/);

    // On a node that is added it would get a node and not start.
    const full = [node('n1', 1), ...objects];
    const [first = '', ...more] = remediesOf(full);
    assert.match(first, /^give each replica a claim of its own .*or make claim data ReadWriteMany/);
    assert.deepEqual(more, []);
    const grown = input([...full, node('n1+1', 1)]);
    const way = 'nothing';
    const compared = runToEnd(
      compareRuns({ input: input(full), events: [] }, { input: grown, events: [] }, workspace, way),
    );
    assert.match(compared.answer.headline, /gives 1 more pod a node, where it does not start/);
  });

  it('[PLA-20] says of volumes in two zones that no node can use both, and adds none', () => {
    const volumes = ['one', 'two'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
    const objects = [
      node('n1', 4, { labels: { [zone]: 'a' } }),
      node('n2', 4, { labels: { [zone]: 'b' } }),
      ...bound('one', 'a'),
      ...bound('two', 'b'),
      workload('Deployment', 'web', 1, podSpec('100m', { volumes })),
    ];
    assert.match(words(objects), /volume of-one of claim one .*zone=a, so that no node can use both/);
    assert.deepEqual(remediesOf(objects), [
      'move one of the volumes to where the other is: restore a snapshot of it there',
    ]);
  });

  it('[PLA-20] says once that a claim is not there, whichever plugin looks it up', () => {
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const web = (cpu: string): JsonObject => workload('Deployment', 'web', 1, podSpec(cpu, { volumes }));
    assert.equal(words([node('n1', 4), web('1')]), 'there is no claim data');
    assert.match(
      words([node('n1', 4), web('8')]),
      /^it asks for 8 cpu; the largest .* 4 cpu, and there is no claim data$/,
    );
  });

  it('[PLA-20] names the claims that pods lack where each lacks another one (#36)', () => {
    const lacking = (name: string): JsonObject =>
      workload(
        'Deployment',
        name,
        1,
        podSpec('1', { volumes: [{ name, persistentVolumeClaim: { claimName: name } }] }),
      );
    const { answer } = simulated([node('n1', 8), ...['a', 'b', 'c', 'd'].map(lacking)]);
    assert.equal(
      answer.groups.find(({ kind }) => kind === 'pending')?.lines[0]?.then,
      'there is no claim a, there is no claim b and 2 more',
    );
  });

  it('[PLA-20] says which pods do not start as they name their node and a claim waits for the scheduler', () => {
    const storage = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'late' },
      provisioner: 'disk',
      volumeBindingMode: 'WaitForFirstConsumer',
    };
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'late', resources: { requests: { storage: '1Gi' } } },
    };
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const pinned = workload('Deployment', 'pinned', 1, podSpec('100m', { nodeName: 'n1', volumes }));
    const { answer } = simulated([node('n1', 4), storage, claim, pinned]);
    assert.match(answer.headline, /1 pod does not start, as nothing makes its volume\.$/);
    const placed = answer.groups.find(({ kind }) => kind === 'scheduled')?.lines[0];
    assert.match(placed?.details.join() ?? '', /claim data waits for its first pod to be scheduled/);
    const free = workload('Deployment', 'free', 1, podSpec('100m', { volumes }));
    assert.doesNotMatch(simulated([node('n1', 4), storage, claim, pinned, free]).answer.headline, /does not start/);
  });

  it('[#34] has room for all pods of a StatefulSet that makes one after the other', () => {
    const objects = [node('w1', 4, { memory: '4Gi' }), workload('StatefulSet', 'db', 8, podSpec(1))];
    const asking = changedAt(objects[1]!, ['spec', 'template', 'spec', 'containers'], () => [
      { name: 'main', image: 'a', resources: { requests: { cpu: '1', memory: '6Gi' } } },
    ]);
    assert.equal(remediesOf([objects[0]!, asking])[0], 'add 8 nodes like w1 4:8Gi');
  });

  it('[#34] says how much storage a driver has left, and who uses a claim that is for one pod', () => {
    const claim = (modes: readonly string[], storageClassName: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'd', namespace: 'default' },
      spec: { accessModes: [...modes], storageClassName, resources: { requests: { storage: '100Gi' } } },
    });
    const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }];
    const db = workload('Deployment', 'db', 1, podSpec('100m', { volumes }));
    const storage = (kind: string, name: string, more: JsonObject): JsonObject => ({
      apiVersion: 'storage.k8s.io/v1',
      kind,
      metadata: { name, ...(kind === 'CSIStorageCapacity' ? { namespace: 'kube-system' } : {}) },
      ...more,
    });
    const full = [
      node('n1', 4, { labels: { disk: 'n1' } }),
      storage('CSIDriver', 'lvm', { spec: { storageCapacity: true } }),
      storage('StorageClass', 'fast', { provisioner: 'lvm', volumeBindingMode: 'WaitForFirstConsumer' }),
      storage('CSIStorageCapacity', 'c', {
        storageClassName: 'fast',
        capacity: '40Gi',
        nodeTopology: { matchLabels: { disk: 'n1' } },
      }),
      claim(['ReadWriteOnce'], 'fast'),
      db,
    ];
    assert.match(words(full), /it asks for 100Gi, and class fast has at most 40Gi left in one place/);
    assert.deepEqual(remediesOf(full), ['free storage of class fast where pods may run, or ask for less in claim d']);
    const user = running('app-1', '1', 'n1', 0, { spec: { volumes } });
    const onePod = [node('n1', 4), claim(['ReadWriteOncePod'], 'none'), user, db];
    assert.match(remediesOf(onePod).join(), /^let default\/app-1 end first, or make the claim anew/);
    const twice = [
      node('n1', 4),
      claim(['ReadWriteOncePod'], 'none'),
      workload('Deployment', 'db', 2, podSpec('100m', { volumes })),
    ];
    assert.match(remediesOf(twice).join(), /give each replica a claim of its own/);
  });

  it('[#34] creates no claim that a LimitRange refuses, and has it corrected', () => {
    const objects: JsonObject[] = [
      node('n1', 4),
      {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'r', namespace: 'default' },
        spec: { limits: [{ type: 'PersistentVolumeClaim', min: { storage: '5Gi' } }] },
      },
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'd', namespace: 'default' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      workload(
        'Deployment',
        'db',
        1,
        podSpec('1', { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }] }),
      ),
    ];
    assert.match(words(objects), /minimum storage usage per PersistentVolumeClaim is 5Gi, but request is 1Gi/);
    assert.deepEqual(remediesOf(objects), ['correct claim d, which the API server refuses as it is written']);
    assert.match(JSON.stringify(simulated(objects).answer), /"[^"]*there is no claim d; the API server refuses it: /);
  });

  it('[#34] says of a refusal that is no matter of order that it is sure', () => {
    const objects: JsonObject[] = [
      node('n1', 4),
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'q', namespace: 'default' },
        spec: { hard: { pods: '0' }, scopes: ['BestEffort'] },
      },
      workload('Deployment', 'web', 1, { containers: [{ name: 'c', image: 'i' }] }),
      workload('Deployment', 'other', 1, podSpec('1')),
    ];
    const refused = simulated(objects).answer.groups.find(({ kind }) => kind === 'refused');
    assert.doesNotMatch(JSON.stringify(refused), /depends on which are created first/);
  });

  it('[#34] says where to write amounts that a LimitRange gives', () => {
    const range = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'defaults', namespace: 'default' },
      spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '2' } }] },
    };
    const containers = ['main', 'side'].map((name) => ({ name, image: 'i' }));
    const web = workload('Deployment', 'web', 1, { containers });
    assert.equal(
      remediesOf([node('w1', 3), range, web]).at(-1),
      'write in each container how much cpu it needs: LimitRange defaults gives 2 to one that says nothing',
    );
    const limited = workload('Deployment', 'web', 1, {
      containers: [{ name: 'main', image: 'i', resources: { limits: { cpu: '4' } } }],
    });
    assert.equal(
      remediesOf([node('w1', 3), limited]).at(-1),
      'write a request of cpu in container main: without one it is the limit',
    );
  });

  it('[#34] marks workloads of which a quota lets in fewer than are declared', () => {
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'objects', namespace: 'default' },
      spec: { hard: { 'count/deployments.apps': '1', 'count/statefulsets.apps': '1' } },
    };
    const objects = [
      node('n1', 4),
      quota,
      workload('Deployment', 'a', 1, podSpec('100m')),
      workload('Deployment', 'b', 1, podSpec('100m')),
      workload('StatefulSet', 'db', 1, podSpec('100m')),
    ];
    const { answer } = simulated(objects);
    assert.match(answer.headline, /; \?1 of 2 objects of kind Deployment is refused \(ResourceQuota objects\)\.$/);
    const lines = answer.groups.find(({ kind }) => kind === 'scheduled')?.lines ?? [];
    assert.deepEqual(
      lines.map(({ name, count, details }) => [name, count, details.some((each) => each.startsWith('unless '))]),
      [
        ['a', '?1 of 1', true],
        ['b', '?1 of 1', true],
        ['db', '1 of 1', false],
      ],
    );
    const made = (object: JsonObject): JsonObject => changedAt(object, ['metadata', 'uid'], () => 'u');
    assert.doesNotMatch(simulated([...objects.slice(0, 2), ...objects.slice(2).map(made)]).answer.headline, /refused/);
  });

  it('[#34] does not know whether a pod that is left to a scheduler of another name stays pending', () => {
    const left = (schedulerName: string): readonly JsonObject[] => [
      node('n1', 4),
      workload('Deployment', 'web', 1, podSpec(1)),
      workload('Deployment', 'train', 2, podSpec(1, { schedulerName })),
    ];
    const { answer } = simulated(left('volcano'));
    assert.match(answer.headline, /; \?2 pods stay pending\.$/);
    const line = answer.groups.find(({ kind }) => kind === 'pending')?.lines[0];
    assert.equal(line?.count, '?2 pods');
    assert.match(line.then, /; unless a scheduler of that name runs, no scheduler looks at it and no event comes$/);
    const misspelt = simulated(left('defaultscheduler')).answer;
    assert.match(misspelt.headline, /; 2 pods stay pending\.$/);
  });

  it('[#34] says of each of a few workloads in one line how much it lacks, and once what is so of several resources', () => {
    const pools = [
      node('big', 8, { labels: { pool: 'big' } }),
      node('small', 2, { labels: { pool: 'small' } }),
      workload('Deployment', 'crunch', 2, podSpec(5, { nodeSelector: { pool: 'big' } })),
      workload('Deployment', 'web', 2, podSpec(2, { nodeSelector: { pool: 'small' } })),
    ];
    assert.match(
      words(pools),
      /^crunch: it asks for 5 cpu; at most 3 cpu free, .*; web: it asks for 2 cpu; no cpu free/,
    );
    const range = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'lr', namespace: 'default' },
      spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '2', memory: '4Gi' } }] },
    };
    const plain = workload('Deployment', 'web', 3, { containers: [{ name: 'c', image: 'i' }] });
    assert.match(
      words([node('n1', 4, { memory: '8Gi' }), range, plain]),
      /; LimitRange lr gives it the request of cpu and memory$/,
    );
  });

  it('[#34] tells of no toleration that every pod is given, nor of volumes where a pod uses the claim', () => {
    const closed = node('n1', 4, { spec: { taints: [taint('node.kubernetes.io/not-ready')] } });
    const web = workload('Deployment', 'web', 1, podSpec(1));
    assert.equal(words([closed, web]), 'n1 is closed to it by taint node.kubernetes.io/not-ready:NoSchedule');
    const [claim, volume] = bound('once', 'a').map((object) =>
      changedAt(object, ['spec', 'accessModes'], () => ['ReadWriteOncePod']),
    );
    const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'once' } }];
    const objects = [
      node('n1', 4, { labels: { [zone]: 'a' } }),
      ...bound('other', 'a'),
      claim!,
      volume!,
      workload('Deployment', 'one', 2, podSpec('100m', { volumes })),
    ];
    assert.match(words(objects), /^claim once is ReadWriteOncePod, and default\/one-\S+ uses it$/);
  });

  it('[#34] adds no node of an architecture that there is not, and opens nodes for pods that ask for their devices', () => {
    const arch = 'kubernetes.io/arch';
    const web = workload('Deployment', 'web', 1, podSpec(1, { nodeSelector: { [arch]: 'x86_64' } }));
    const nodes = ['amd64', 'arm64'].map((value) => node(value, 4, { labels: { [arch]: value } }));
    assert.deepEqual(remediesOf([...nodes, web]), [`select ${arch}=amd64, which nodes have`]);
    assert.doesNotMatch(remediesOf([nodes[1]!, web]).join(), /x86_64/);
    const gpu = 'nvidia.com/gpu';
    const withGpus = (object: JsonObject, amount: string): JsonObject =>
      changedAt(object, ['status', 'allocatable', gpu], () => amount);
    const amounts = { requests: { [gpu]: '2', cpu: '1' }, limits: { [gpu]: '2' } };
    const train = workload('Deployment', 'train', 3, { containers: [{ name: 'c', image: 'i', resources: amounts }] });
    const kept = node('kept', 8, { spec: { taints: [taint(gpu, 'present')] } });
    const remedies = remediesOf([withGpus(node('open', 8), '4'), withGpus(kept, '8'), train]);
    assert.ok(remedies.includes(`tolerate deployment/default/train ${gpu}=present:NoSchedule`), remedies.join());
  });
});
