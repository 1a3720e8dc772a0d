import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { findRemedies, simulate } from '../../../server/src/simulation/index.ts';
import { threatsTo } from '../../../server/src/simulation/scenario/threats-to-pod.ts';
import { budget, input, node, podSpec, priorityClass, running, workload } from './cluster-builder.ts';
import {
  workspace,
  simulated,
  causeOf,
  words,
  remediesOf,
  taint,
  controlPlane,
  apart,
  spreadOver,
  hostname,
  zone,
  required,
  term,
  antiAffinity,
} from './pending-pods.ts';

describe('why a pod is pending', () => {
  it('[#35] says of several nodes at once what keeps it from each of them', () => {
    const cordoned = { spec: { unschedulable: true } };
    const objects = [
      node('a', 2),
      node('b', 2, cordoned),
      node('c', 2, cordoned),
      running('full', '1500m', 'a', 0),
      workload('Deployment', 'web', 1, podSpec('1')),
      running('other', '1500m', 'c', 0),
    ];
    assert.doesNotMatch(words(objects), /is cordoned; . is cordoned/);
    assert.match(JSON.stringify(simulated(objects).answer.groups), /b and c are cordoned/);
  });

  it('[#34] opens the nearest node by all that keeps a pod from it together, and adds one that has memory', () => {
    const closed = node('w1', 2, { spec: { unschedulable: true, taints: [taint('dedicated', 'db')] } });
    const objects = [closed, running('f', '1500m', 'w1', 0), workload('Deployment', 'web', 1, podSpec('1'))];
    assert.deepEqual(remediesOf(objects), [
      'add 1 node 2:4Gi',
      'uncordon node/w1; tolerate deployment/default/web dedicated=db:NoSchedule; request deployment/default/web cpu=500m',
    ]);
  });

  it('[#34] is nearer to any pool than to one whose devices it does not ask for', () => {
    const tainted = (name: string, key: string): JsonObject => node(name, 4, { spec: { taints: [taint(key)] } });
    const objects = [
      tainted('a', 'nvidia.com/gpu'),
      tainted('s', 'spot'),
      workload('Deployment', 'web', 1, podSpec('1')),
    ];
    assert.match(words(objects), /^s is closed to it by taint spot:NoSchedule; a is closed to it/);
    assert.equal(remediesOf(objects)[0], 'tolerate deployment/default/web spot:NoSchedule');
  });

  it('[#34] says of labels that nodes have, and none together, what each node lacks', () => {
    const objects = [
      node('n1', 4, { labels: { disk: 'ssd', zone: 'b' } }),
      node('n2', 4, { labels: { disk: 'hdd', zone: 'a' } }),
      workload('Deployment', 'web', 1, podSpec('1', { nodeSelector: { disk: 'ssd', zone: 'a' } })),
    ];
    assert.equal(words(objects), 'no node has disk=ssd and zone=a together: n1 lacks zone=a; n2 lacks disk=ssd');
    const third = node('n3', 4, { labels: { zone: 'a' } });
    assert.match(words([...objects, third]), /^no node has disk=ssd and zone=a together/);
    const matchExpressions = ['a', 'b'].map((value) => ({ key: 'zone', operator: 'In', values: [value] }));
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
    };
    const both = [
      ...objects.slice(0, 2),
      workload('Deployment', 'web', 1, podSpec('1', { affinity: { nodeAffinity } })),
    ];
    assert.match(
      remediesOf(both).join(),
      /^ask for one of zone=a and zone=b: all matchExpressions of a term must hold/,
    );
  });

  it('[#34] takes cpu in cores that no node nearly has for millicores, and adds no node for it', () => {
    const objects = [node('n1', 4), workload('Deployment', 'web', 1, podSpec('1000'))];
    assert.deepEqual(remediesOf(objects), ['write 1000m where millicores are meant: cpu without a unit is in cores']);
    assert.match(remediesOf([node('n1', 4), workload('Deployment', 'web', 1, podSpec('30'))]).join(), /add 1 node/);
  });

  it('[#34] lets only the cloud controller manager tolerate the taint that it removes', () => {
    const key = 'node.cloudprovider.kubernetes.io/uninitialized';
    const closed = node('n1', 4, { spec: { taints: [taint(key, 'true')] } });
    const adviceOf = (name: string): string =>
      remediesOf([closed, workload('Deployment', name, 1, podSpec('1'))]).join();
    assert.equal(
      adviceOf('aws-cloud-controller-manager'),
      `let it tolerate ${key}=true:NoSchedule: it is aws-cloud-controller-manager itself that removes it`,
    );
    assert.match(adviceOf('web'), /^find out why/);
  });

  it('[#34] says how a cluster without workers runs applications, and not where there are workers', () => {
    const web = workload('Deployment', 'web', 1, podSpec('1'));
    const removal = /kubectl taint nodes cp1 node-role\.kubernetes\.io\/control-plane-$/;
    assert.match(remediesOf([controlPlane('cp1'), web]).join(), removal);
    const full = [node('w1', 1), running('f', 1, 'w1', 0)];
    assert.doesNotMatch(remediesOf([controlPlane('cp1'), ...full, web]).join(), /kubectl taint/);
  });

  it('[#34] names the topology over which pods keep apart, and a selector that matches pods of others', () => {
    const anti = (labelSelector: JsonObject, topologyKey: string): JsonObject => ({
      affinity: {
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey }] },
      },
    });
    const inZone = [node('n1', 4, { labels: { zone: 'a' } }), node('n2', 4, { labels: { zone: 'a' } })];
    const web = workload('Deployment', 'web', 1, podSpec('1', anti({ matchLabels: { app: 'db' } }, 'zone')));
    const db = running('db', '1', 'n1', 0);
    assert.match(words([...inZone, db, web]), /^its anti-affinity over zone keeps it apart from default\/db/);
    const alone = workload('Deployment', 'web', 1, podSpec('1', anti({}, 'kubernetes.io/hostname')));
    const agent = workload('DaemonSet', 'agent', 0, podSpec('100m'));
    assert.match(remediesOf([node('n1', 4), agent, alone]).join(), /or let its selector match fewer pods$/);
  });

  it('[#34] says why room is needed where a spread constraint leaves only nodes that are full', () => {
    const inZone = (name: string, zone: string): JsonObject => node(name, 4, { labels: { zone } });
    const web = workload('Deployment', 'web', 4, podSpec('1', spreadOver('zone')));
    const objects = [inZone('a1', 'a'), inZone('b1', 'b'), running('hog', '3500m', 'b1', 0), web];
    assert.match(words(objects), /at most 0\.5 cpu free, on b1, where its spread over zone needs it; /);
    assert.deepEqual(remediesOf(objects).slice(-1), ['set whenUnsatisfiable: ScheduleAnyway']);
    const old = workload('Deployment', 'web', 1, podSpec('1', spreadOver('failure-domain.beta.kubernetes.io/zone')));
    assert.deepEqual(remediesOf([node('n', 4, { labels: { 'topology.kubernetes.io/zone': 'a' } }), old]), [
      'spread over topology.kubernetes.io/zone, as failure-domain.beta.kubernetes.io/zone is called now',
    ]);
  });

  it('[#34] says which other constraint keeps a pod from the domain with the fewest', () => {
    const inZone = (name: string, zone: string): JsonObject =>
      node(name, 4, { labels: { zone, 'kubernetes.io/hostname': name } });
    const constraints = ['zone', 'kubernetes.io/hostname'].flatMap(
      (key) => (spreadOver(key) as { topologySpreadConstraints: JsonObject[] }).topologySpreadConstraints,
    );
    const objects = [
      ...['a1', 'a2', 'a3'].map((name) => inZone(name, 'a')),
      inZone('b1', 'b'),
      workload('Deployment', 'web', 5, podSpec('100m', { topologySpreadConstraints: constraints })),
    ];
    assert.match(words(objects), /no pod can go there: its spread over kubernetes\.io\/hostname allows no more on b1/);
  });

  it('[#34] names the node of a DaemonSet that has no room in the line below the headline', () => {
    const agent = workload('DaemonSet', 'agent', 0, podSpec('500m'));
    const objects = [node('n1', 2), node('n2', 2), running('full', 2, 'n1', 0), agent];
    assert.match(simulated(objects).answer.cause, /agent finds no node: it asks for 0\.5 cpu; no cpu free on n1/);
  });

  it('[#34] corrects a class that is refused as it is declared, and a priority beside a class', () => {
    const web = workload('Deployment', 'web', 1, podSpec('1', { priorityClassName: 'top' }));
    const refused = [node('n', 4), priorityClass('top', 2_000_000_000), web];
    assert.deepEqual(remediesOf(refused), ['correct PriorityClass top: the API server refuses it as it is declared']);
    assert.match(JSON.stringify(simulated(refused).answer.groups), /which is refused as it is declared here/);
    const both = workload('Deployment', 'web', 1, podSpec('1', { priorityClassName: 'top', priority: 5 }));
    assert.deepEqual(remediesOf([node('n', 4), priorityClass('top', 100), both]), [
      'leave priority out of the pod: its class gives it',
    ]);
  });

  it('[#34] never advises to select what the pod rules out', () => {
    const prod = node('w1', 4, { labels: { env: 'prod' } });
    const nodeSelectorTerms = [{ matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }] }];
    const web = podSpec('1', {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
    });
    assert.doesNotMatch(remediesOf([prod, workload('Deployment', 'web', 1, web)]).join(), /env=prod/);
  });

  it('[#34] leaves a pod that evicts others in vain, whose replacements keep it away each time', () => {
    const zone = { labels: { zone: 'a' } };
    const apart = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'q' } } };
    const objects = [
      node('n1', 4, zone),
      node('n2', 4, zone),
      priorityClass('high', 1000),
      running('q-0', 1, 'n2', 0, { owner: 'ReplicaSet/q', labels: { app: 'q' } }),
      workload(
        'Deployment',
        'p',
        1,
        podSpec(1, {
          priorityClassName: 'high',
          affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } },
        }),
      ),
    ];
    const { totals, pods } = simulated(objects);
    assert.equal(totals.evicted, 10);
    assert.equal(pods.filter(({ after, name }) => after.state === 'running' && name.startsWith('q')).length, 1);
    assert.match(words(objects), /^its anti-affinity over zone keeps it apart from .*it has evicted pods 10 times/);
  });

  it('[#34] says of all nodes that run as many pods as they may', () => {
    const full = (name: string): JsonObject => ({
      ...node(name, 4),
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '1' } },
    });
    const web = workload('Deployment', 'web', 3, podSpec(1));
    assert.match(words([full('a'), full('b'), web]), /^a and b run as many pods as they may \(1 on [ab]\)/);
    assert.match(words([full('a'), web]), /^a may run no more than 1 pod$/);
  });

  it('[PLA-20] is what is lacking on the nodes that are meant for it, however many others are closed', () => {
    const objects = [
      ...['cp1', 'cp2', 'cp3'].map(controlPlane),
      node('w1', 2),
      running('f1', '1500m', 'w1', 0),
      node('w2', 2),
      running('f2', '1800m', 'w2', 0),
      workload('Deployment', 'web', 1, podSpec(1)),
    ];
    assert.deepEqual(causeOf(simulated(objects)).parts, [
      { kind: 'amount', resource: 'cpu', need: 1000, free: 500, capacity: 2000 },
    ]);
    assert.match(words(objects), /^it asks for 1 cpu; at most 0\.5 cpu free, on w1; cp1, cp2 and cp3 are closed/);
    assert.deepEqual(remediesOf(objects), ['add 1 node like w1', 'request deployment/default/web cpu=500m']);
  });

  it('[PLA-20] names all amounts that are short, and enlarges all of them', () => {
    const big = podSpec(6);
    const container = { name: 'main', image: 'a', resources: { requests: { cpu: '6', memory: '20Gi' } } };
    const objects = [
      node('w1', 4, { memory: '16Gi' }),
      workload('Deployment', 'web', 1, { ...big, containers: [container] }),
    ];
    assert.match(words(objects), /6 cpu.*20 Gi|20 Gi.*6 cpu/);
    assert.equal(remediesOf(objects)[0], 'add 1 node like w1 8:32Gi');
  });

  it('[PLA-20] says that no pod there has a lower priority where somebody chose one', () => {
    const full = (priority: number): readonly JsonObject[] => [
      node('w1', 2),
      running('old', '1500m', 'w1', priority),
      priorityClass('gold', 1000),
    ];
    const web = (spec: JsonObject): JsonObject => workload('Deployment', 'web', 1, { ...podSpec(1), ...spec });
    const gold = web({ priorityClassName: 'gold' });
    assert.match(words([...full(1000), gold]), /no pod there has a lower priority than its 1000$/);
    assert.match(words([...full(2000), gold]), /the pods there have a higher priority than its 1000$/);
    assert.doesNotMatch(words([...full(0), web({})]), /priority/);
  });

  it('[PLA-20] opens as many new domains as a constraint lacks, named as the others are', () => {
    const zone = 'topology.kubernetes.io/zone';
    const inZone = (name: string, value: string): JsonObject =>
      node(name, 4, { labels: { 'kubernetes.io/hostname': name, [zone]: value } });
    const nodes = [inZone('w1', 'eu-1a'), inZone('w2', 'eu-1b')];
    const web = workload('Deployment', 'web', 3, podSpec('100m', spreadOver(zone, { minDomains: 3 })));
    assert.equal(remediesOf([...nodes, web])[0], `add 1 node like w1 ${zone}=eu-1c`);
    const term = { topologyKey: zone, labelSelector: { matchLabels: { app: 'kv' } } };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const kv = workload('Deployment', 'kv', 4, podSpec('100m', { affinity }));
    assert.equal(remediesOf([...nodes, kv])[0], `add 1 node like w1 ${zone}=eu-1c; add 1 node like w1 ${zone}=eu-1d`);
  });

  it('[PLA-20] knows a resource that is nearly named as one that nodes offer', () => {
    const offering = node('g1', 4);
    Object.assign((offering['status'] as { allocatable: JsonObject }).allocatable, { 'nvidia.com/gpu': '2' });
    const container = { name: 'main', image: 'a', resources: { limits: { 'nvidia.com/gpus': '1' } } };
    const objects = [offering, workload('Deployment', 'train', 1, { containers: [container] })];
    assert.deepEqual(remediesOf(objects), ['ask for nvidia.com/gpu, which nodes offer']);
  });

  it('[#34] says that what is never overcommitted needs a limit beside its request', () => {
    const container = { name: 'main', image: 'a', resources: { requests: { 'nvidia.com/gpu': '1' } } };
    assert.deepEqual(remediesOf([node('g1', 4), workload('Deployment', 'infer', 1, { containers: [container] })]), [
      'write the same amount as limit and as request: devices and huge pages are never overcommitted',
    ]);
  });

  it('[#40] names the slices of a GPU that nodes offer, and not the whole one of which they have none', () => {
    const sliced = node('g1', 4);
    const { allocatable } = sliced['status'] as { allocatable: JsonObject };
    Object.assign(allocatable, { 'nvidia.com/gpu': '0', 'nvidia.com/mig-1g.5gb': '7' });
    const container = { name: 'main', image: 'a', resources: { limits: { 'nvidia.com/gpu': '1' } } };
    const objects = [sliced, workload('Deployment', 'infer', 1, { containers: [container] })];
    assert.match(words(objects), /no node offers it \(its device plugin runs on none, or has no such device\)/);
    assert.deepEqual(remediesOf(objects), ['ask for nvidia.com/mig-1g.5gb, which nodes offer instead']);
  });

  it('[PLA-20] names the pods that keep it away, and whose term does', () => {
    const objects = [
      controlPlane('cp1'),
      node('w1', 4),
      node('w2', 4),
      workload('Deployment', 'kv', 3, podSpec('100m', apart)),
    ];
    assert.match(words(objects), /^its anti-affinity keeps it apart from \S*kv\S* and \S*kv\S* on each of w1 and w2/);
    assert.equal(remediesOf(objects)[0], 'add 1 node like w1');
    const guard = running('guard', '100m', 'w1', 0, {
      spec: {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' },
            ],
          },
        },
      },
    });
    const kept = words([node('w1', 4), guard, workload('Deployment', 'web', 1, podSpec(1))]);
    assert.match(kept, /^the anti-affinity of default\/guard keeps it away on w1/);
  });

  it('[PLA-20] names the domain that holds the minimum, and why it takes no more', () => {
    const objects = [
      controlPlane('cp1'),
      node('w1', 4),
      node('w2', 4),
      workload('Deployment', 'web', 4, podSpec('100m', spreadOver('kubernetes.io/hostname'))),
    ];
    assert.match(words(objects), /w1 has 1, cp1 has 0; no pod can go there: cp1 is closed to it by taint/);
    assert.match(remediesOf(objects).join('\n'), /nodeTaintsPolicy: Honor/);
  });

  it('[PLA-20] says what preemption would take away', () => {
    const near = {
      priorityClassName: 'gold',
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: 'cache' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
    };
    const objects = [
      priorityClass('gold', 1000),
      node('n1', 2),
      running('cache', 1, 'n1', 0),
      running('ballast', 1, 'n1', 2000),
      workload('Deployment', 'front', 1, podSpec('500m', near)),
    ];
    assert.match(words(objects), /would take away default\/cache, which its pod affinity needs/);
    assert.match(remediesOf(objects).join('\n'), /give default\/cache the same or a higher class/);
  });

  it('[PLA-20] names a resource that no node offers, a cordoned node, and a label that has another name now', () => {
    const gpu = { name: 'main', image: 'a', resources: { limits: { 'nvidia.com/gpu': '1' } } };
    const train = workload('Deployment', 'train', 1, { ...podSpec(1), containers: [gpu] });
    assert.match(words([node('n1', 4), train]), /no node offers it \(its device plugin/);
    const cordoned = [node('n1', 4, { spec: { unschedulable: true } }), workload('Deployment', 'a', 1, podSpec(1))];
    assert.match(words(cordoned), /^n1 is cordoned/);
    const zoned = podSpec(1, { nodeSelector: { 'failure-domain.beta.kubernetes.io/zone': 'a' } });
    const old = [node('n1', 4), workload('Deployment', 'old', 1, zoned)];
    assert.match(words(old), /is called topology\.kubernetes\.io\/zone now/);
    assert.doesNotMatch(remediesOf(old).join('\n'), /label node|add/);
  });

  it('[#34] names cordoned nodes that lack more than that, and uncordons as many as the pods need', () => {
    const cordoned = (name: string, cpu: number): JsonObject => node(name, cpu, { spec: { unschedulable: true } });
    const web = (replicas: number): JsonObject => workload('Deployment', 'web', replicas, podSpec('700m'));
    const full = [cordoned('n2', 1), running('old', '900m', 'n2', 0)];
    assert.equal(
      words([cordoned('n1', 1), ...full, web(1)]),
      'n1 is cordoned; n2 is cordoned, and 0.6 cpu short on n2',
    );
    assert.match(
      words([cordoned('n1', 1), ...full, node('n3', 1), running('x', '900m', 'n3', 0), web(1)]),
      /, the only node it may use; n1 and n2 are cordoned, and 0\.6 cpu short on n2$/,
    );
    assert.equal(remediesOf([cordoned('n1', 1), ...full, web(1)])[0], 'uncordon node/n1');
    assert.equal(
      remediesOf([cordoned('n1', 1), cordoned('n2', 1), cordoned('n3', 1), web(2)])[0],
      'uncordon node/n1; uncordon node/n2',
    );
  });

  it('[#34] tells of a taint on all nodes that have it, and waits for no node that is being removed', () => {
    const web = workload('Deployment', 'web', 1, podSpec('100m'));
    const sick = ['n1', 'n2'].map((name) =>
      node(name, 4, { spec: { taints: [taint('node.kubernetes.io/disk-pressure')] } }),
    );
    assert.match(remediesOf([...sick, web]).join(), /disk-pressure:NoSchedule is still on n1 and n2: /);
    const going = node('n1', 4, { spec: { taints: [taint('ToBeDeletedByClusterAutoscaler', '1')] } });
    assert.deepEqual(remediesOf([going, web]), [
      'Cluster Autoscaler removes n1 (ToBeDeletedByClusterAutoscaler=1:NoSchedule): it takes no more pods',
    ]);
  });

  it('[PLA-20] says where an amount or a label comes from that the manifest does not ask for', () => {
    const kata = {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'kata' },
      handler: 'kata',
      overhead: { podFixed: { cpu: '500m' } },
    };
    const heavy = workload('Deployment', 'web', 1, podSpec('800m', { runtimeClassName: 'kata' }));
    assert.match(words([node('n1', 1), kata, heavy]), /0\.5 cpu of it is the overhead of RuntimeClass kata/);
    const limited = { name: 'main', image: 'a', resources: { limits: { memory: '80Gi' } } };
    const big = workload('Deployment', 'web', 1, { ...podSpec(1), containers: [limited] });
    assert.match(words([node('n1', 4), big]), /its limit of memory is its request, as none is written/);
    const range = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'usual', namespace: 'default' },
      spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '6' } }] },
    };
    const plain = workload('Deployment', 'web', 1, { ...podSpec(1), containers: [{ name: 'main', image: 'a' }] });
    assert.match(words([node('n1', 4), range, plain]), /LimitRange usual gives it the request of cpu/);
  });

  it('[PLA-20] says what only looks like something else: pages, a taint that is put on by hand, a class by hand', () => {
    const pages = {
      name: 'main',
      image: 'a',
      resources: { limits: { 'hugepages-2Mi': '1Gi', cpu: '1', memory: '1Gi' } },
    };
    const dpdk = workload('Deployment', 'dpdk', 1, { containers: [pages] });
    assert.doesNotMatch(words([node('n1', 4), dpdk]), /plugin/);
    assert.match(remediesOf([node('n1', 4), dpdk]).join(), /vm\.nr_hugepages/);
    const web = workload('Deployment', 'web', 1, podSpec(1));
    const lost = node('n1', 4, { spec: { taints: [taint('node.kubernetes.io/out-of-service', 'nodeshutdown')] } });
    assert.match(remediesOf([lost, web]).join(), /kubectl taint nodes n1 node\.kubernetes\.io\/out-of-service-/);
    const runtime = {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'gvisor' },
      handler: 'runsc',
      scheduling: { nodeSelector: { sandbox: 'gvisor' } },
    };
    const boxed = workload('Deployment', 'web', 1, podSpec(1, { runtimeClassName: 'gvisor' }));
    assert.match(remediesOf([node('n1', 4), runtime, boxed]).join(), /RuntimeClass gvisor asks for sandbox=gvisor/);
    const gt = [{ key: 'cpus', operator: 'Gt', values: ['16'] }];
    const terms = [{ matchExpressions: gt }];
    const large = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    const picky = workload('Deployment', 'web', 1, podSpec(1, { affinity: { nodeAffinity: large } }));
    const sized = node('n1', 4, { labels: { 'kubernetes.io/hostname': 'n1', cpus: '16' } });
    assert.match(words([sized, picky]), /of cpus nodes have 16/);
  });

  it('[PLA-20] advises nothing that opens a node which something else is to open', () => {
    for (const key of [
      'node.kubernetes.io/not-ready',
      'node.cloudprovider.kubernetes.io/uninitialized',
      'node.kubernetes.io/out-of-service',
      'node-role.kubernetes.io/control-plane',
      'CriticalAddonsOnly',
    ]) {
      const objects = [node('n1', 4, { spec: { taints: [taint(key)] } }), workload('Deployment', 'web', 1, podSpec(1))];
      const text = remediesOf(objects).join('\n');
      assert.doesNotMatch(text, /tolerate/, key);
      if (key.startsWith('node.')) assert.match(text, /find out why|kubectl taint/, key);
    }
  });

  it('[#34] tells of the pods of a DaemonSet on all nodes where they lack the same', () => {
    const full = ['n1', 'n2'].flatMap((name, at) => [
      node(name, 4),
      running(`on-${name}`, `${3600 + at * 100}m`, name, 0),
    ]);
    assert.equal(
      words([...full, workload('DaemonSet', 'agent', 0, podSpec('500m'))]),
      'each asks for 0.5 cpu; at most 0.4 cpu free, on n1 and n2',
    );
    const ports = { containers: [{ name: 'main', image: 'a', ports: [{ containerPort: 80, hostPort: 80 }] }] };
    const taken = ['n1', 'n2'].flatMap((name) => [node(name, 4), running(`on-${name}`, 1, name, 0, { spec: ports })]);
    const { answer } = simulated([...taken, workload('DaemonSet', 'agent', 0, { ...ports })]);
    assert.match(
      `${answer.headline} ${answer.cause}`,
      /host port 80\/TCP is taken on each of n1 and n2 by default\/on-n1 and default\/on-n2/,
    );
  });

  it('[#34] opens a pool that is full, and adds to it, where both are in the way', () => {
    const gpus = { 'nvidia.com/gpu': '1' };
    const spec = (more: JsonObject): JsonObject => ({
      containers: [{ name: 'main', image: 'a', resources: { requests: gpus, limits: gpus } }],
      ...more,
    });
    const closed = node('g1', 4, { spec: { taints: [taint('nvidia.com/gpu', 'present')] } });
    const amounts = { cpu: '4', memory: '64Gi', pods: '110', ...gpus };
    const objects = [
      { ...closed, status: { capacity: amounts, allocatable: amounts } },
      node('c1', 4),
      running('notebook', 1, 'g1', 0, { spec: spec({}) }),
      workload('Deployment', 'train', 1, spec({})),
    ];
    assert.deepEqual(remediesOf(objects), [
      'tolerate deployment/default/train nvidia.com/gpu=present:NoSchedule; add 1 node like g1',
    ]);
    const free = objects.filter((_, at) => at !== 2);
    assert.deepEqual(remediesOf(free), ['tolerate deployment/default/train nvidia.com/gpu=present:NoSchedule']);
  });

  it('[PLA-20] is that of who evicted the pod, where somebody asks who could', () => {
    const from = input([
      priorityClass('logging', 10_000),
      node('n1', 2),
      running('csi', 1, 'n1', 0, { owner: 'DaemonSet/csi' }),
      workload('Deployment', 'aggregator', 1, podSpec(2, { priorityClassName: 'logging' })),
    ]);
    const [csi] = threatsTo(from, 'pod/default/csi');
    assert.equal(csi?.node, 'n1');
    assert.deepEqual(
      csi.workloads.map(({ name, priority }) => [name, priority]),
      [['aggregator', 10_000]],
    );
  });

  it('#34 does not call a node the only one, or the largest, that the pod may use where its labels close it', () => {
    const web = (cpu: string): JsonObject =>
      workload('Deployment', 'web', 1, podSpec(cpu, { nodeSelector: { disk: 'ssd' } }));
    const full = workload('Deployment', 'full', 1, podSpec('3'));
    assert.equal(
      words([node('n1', 4), full, web('2')]),
      'it asks for 2 cpu; at most 1 cpu free, on n1, and no node has disk=ssd',
    );
    assert.equal(words([node('n1', 4), web('8')]), 'it asks for 8 cpu; n1 has 4 cpu, and no node has disk=ssd');
  });

  it('[PLA-20] knows whom pods wait for that are pending themselves, and who wait for each other', () => {
    const near = (name: string, app: string): JsonObject =>
      workload(
        'Deployment',
        name,
        1,
        podSpec('100m', { affinity: { podAffinity: { [required]: [term(app, hostname)] } } }),
      );
    const advice = remediesOf([node('n1', 4), near('a', 'b'), near('b', 'a')]);
    assert.deepEqual(advice, [
      'it and b wait for each other: ask for it as preferred affinity in one of them',
      'it and a wait for each other: ask for it as preferred affinity in one of them',
    ]);
    const behind = remediesOf([node('n1', 4), workload('Deployment', 'cache', 1, podSpec('8')), near('web', 'cache')]);
    assert.ok(behind.includes('see to cache first: it is pending itself'), behind.join('; '));
  });

  it('[PLA-20] knows what is misspelt: a label that nodes have, and the value of a toleration', () => {
    const wants = (nodeSelector: JsonObject): JsonObject =>
      workload('Deployment', 'web', 1, podSpec('100m', { nodeSelector }));
    const pools = [node('n1', 4, { labels: { pool: 'general' } }), node('n2', 4, { labels: { pool: 'pool-a' } })];
    assert.deepEqual(remediesOf([...pools, wants({ pool: 'genral' })]), ['select pool=general, which nodes have']);
    assert.equal(remediesOf([...pools, wants({ pool: 'pool-b' })])[0], 'add 1 node like n1 pool=pool-b');
    const tolerations = [{ key: 'dedicated', value: 'gpuu', effect: 'NoSchedule' }];
    const closed = node('n1', 4, { spec: { taints: [taint('dedicated', 'gpu')] } });
    assert.match(
      words([closed, workload('Deployment', 'web', 1, podSpec('100m', { tolerations }))]),
      /; its toleration of dedicated has the value gpuu$/,
    );
  });

  it('[PLA-20] does not call a node the largest where another is larger and lacks something else', () => {
    const requests = { cpu: '8', memory: '32Gi' };
    const spec = { ...podSpec(1), containers: [{ name: 'main', image: 'a', resources: { requests } }] };
    const objects = [
      node('cpu', 16, { memory: '8Gi' }),
      node('mem', 4, { memory: '64Gi' }),
      workload('Deployment', 'web', 1, spec),
    ];
    assert.match(words(objects), /^it asks for 8 cpu; mem has 4 cpu; cpu is too small \(8 Gi\)$/);
    assert.doesNotMatch(simulated(objects).answer.cause, /largest node/);
  });

  it('[PLA-20] names nodes that lack the label over which pods are spread, and whose anti-affinity closes others', () => {
    const spread = workload('Deployment', 'web', 1, podSpec('100m', spreadOver(zone)));
    const bare = [node('n1', 4), node('n2', 4)];
    assert.match(words([...bare, spread]), /^n1 and n2 have no label topology\.kubernetes\.io\/zone/);
    assert.deepEqual(remediesOf([...bare, spread]), [
      'spread over a label that nodes have, such as kubernetes.io/hostname',
    ]);
    const guard = running('guard', '100m', 'n1', 0, { spec: { affinity: antiAffinity('web', hostname) } });
    const full = running('full', '3900m', 'n2', 0);
    assert.match(
      words([...bare, guard, full, workload('Deployment', 'web', 1, podSpec('500m'))]),
      /at most 0\.1 cpu free, on n2; the anti-affinity of default\/guard keeps it from n1$/,
    );
  });

  it('[PLA-7] says that the pods which affinity asks for are in another namespace', () => {
    const near = {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: 'cache' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
    };
    const cache = workload('Deployment', 'cache', 1, podSpec('100m'));
    const objects = [
      node('n1', 4),
      { ...cache, metadata: { name: 'cache', namespace: 'data' } },
      workload('Deployment', 'web', 1, podSpec('100m', near)),
    ];
    assert.match(words(objects), /such pods are in namespace data$/);
    assert.match(remediesOf(objects).join(), /set namespaces: \[data\] in the affinity term/);
  });

  it('#34 gives advice that one may follow: the label that is nearly asked for, what ends a taint, no request below half', () => {
    const near = (app: string): JsonObject => ({
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
    });
    const cache = workload('Deployment', 'cache', 1, podSpec('100m'));
    const beside = (app: string): string =>
      remediesOf([node('n1', 4), cache, workload('Deployment', 'web', 1, podSpec('100m', near(app)))]).join();
    assert.equal(beside('cach'), 'select app=cache, which pods of its namespace have');
    assert.match(beside('queue'), /^deploy a pod of app=queue/);

    const sick = node('w1', 4, { spec: { taints: [taint('node.kubernetes.io/disk-pressure')] } });
    const full = [node('w2', 1), running('f', '900m', 'w2', 0), workload('Deployment', 'web', 1, podSpec('500m'))];
    assert.deepEqual(remediesOf([sick, ...full]), [
      'add 1 node like w2',
      'find out why node.kubernetes.io/disk-pressure:NoSchedule is still on w1: the kubelet removes it once there is disk space again',
    ]);

    const lost = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
    const db = running('db-0', '100m', 'w1', 0, { owner: 'StatefulSet/db', labels: { app: 'db' } });
    assert.deepEqual(remediesOf([node('w1', 4, { spec: { taints: [lost] } }), db]), [
      'find out why node.kubernetes.io/unreachable:NoExecute is still on w1: it goes once the kubelet reports to the API server again',
    ]);
    const wanted = node('w1', 4, { spec: { taints: [{ key: 'maint', effect: 'NoExecute' }] } });
    assert.deepEqual(remediesOf([wanted, node('w2', 4), running('web-0', '100m', 'w1', 0)]), []);
  });

  it('#34 lets a DaemonSet without pods tolerate the taint of a node that it selects, as a command of its own', () => {
    const labels = { accelerator: 'nvidia' };
    const gpu = node('g1', 4, { labels, spec: { taints: [taint('nvidia.com/gpu', 'present')] } });
    const plugin = workload('DaemonSet', 'plugin', 0, podSpec('100m', { nodeSelector: labels }));
    const from = input([node('w1', 4), gpu, plugin]);
    const remedies = runToEnd(findRemedies(runToEnd(simulate(from, workspace)), from, workspace));
    assert.deepEqual(
      remedies.map(({ group, whatIf, effect }) => [group, whatIf, effect]),
      [
        [
          'idle',
          ['tolerate daemonset/default/plugin nvidia.com/gpu=present:NoSchedule'],
          'it runs, nothing else changes',
        ],
      ],
    );
    const reserved = node('g1', 4, { labels, spec: { taints: [taint('node-role.kubernetes.io/control-plane')] } });
    assert.deepEqual(remediesOf([node('w1', 4), reserved, plugin]), []);
  });

  it('[PLA-20] gives a DaemonSet a class that lets it preempt, and changes no class that is there already', () => {
    const full = [node('n1', 1), running('busy', '850m', 'n1', 0)];
    assert.deepEqual(remediesOf([...full, workload('DaemonSet', 'agent', 0, podSpec('300m'))]), [
      'request daemonset/default/agent cpu=150m',
      'class agent-daemons value=1; priority daemonset/default/agent agent-daemons',
    ]);
    const patient = workload('Deployment', 'web', 1, podSpec('2', { priorityClassName: 'patient' }));
    const busy = [node('n1', 2), running('busy', '200m', 'n1', 0)];
    const lines = remediesOf([priorityClass('patient', 10, { preemptionPolicy: 'Never' }), ...busy, patient]);
    assert.deepEqual(lines, ['add 1 node like n1', 'request deployment/default/web cpu=1800m']);
  });

  it('#34 offers nothing that would only help before what is written runs', () => {
    const affinity = { podAffinity: { [required]: [term('web', hostname)] } };
    const web = workload('Deployment', 'web', 2, podSpec('3', { affinity }));
    const lines = remediesOf([node('n1', 4, { labels: { [hostname]: 'n1' } }), web]);
    // The first pod runs on n1, and the other one has to follow it.
    assert.deepEqual(
      lines.filter((each) => each.startsWith('add ')),
      [],
    );
  });

  it('[#34] adds no more nodes than help, where some pods stay pending whatever their number', () => {
    const inZone = node('w1', 1, { labels: { [hostname]: 'w1', [zone]: 'a' } });
    const web = workload('Deployment', 'web', 5, podSpec(3, { affinity: antiAffinity('web', zone) }));
    assert.equal(remediesOf([inZone, web])[0], 'add 1 node like w1 4:64Gi');
  });

  it('[#34] gives new nodes what the pod selects and the size that it needs, where the nearest node is closed', () => {
    const labelled = (name: string, pool: string, more: Parameters<typeof node>[2] = {}): JsonObject =>
      node(name, 2, { ...more, labels: { pool } });
    const closed = labelled('cp1', 'batch', { spec: { taints: [taint('node-role.kubernetes.io/control-plane')] } });
    const nodes = [closed, labelled('w1', 'general')];
    const batch = (cpu: number, more: JsonObject): JsonObject => workload('Deployment', 'batch', 1, podSpec(cpu, more));
    assert.equal(
      remediesOf([...nodes, batch(1, { nodeSelector: { pool: 'batch' } })])[0],
      'add 1 node like w1 pool=batch',
    );
    assert.equal(
      remediesOf([...nodes, batch(3, { nodeSelector: { pool: 'batch' } })])[0],
      'add 1 node like w1 4:64Gi pool=batch',
    );
    const terms = [{ matchExpressions: [{ key: 'pool', operator: 'NotIn', values: ['general'] }] }];
    const nodeAffinity = { [required]: { nodeSelectorTerms: terms } };
    assert.equal(remediesOf([...nodes, batch(1, { affinity: { nodeAffinity } })])[0], 'add 1 node like w1 pool=batch');
  });

  it('[#34] opens no node without the taint to a pool that is kept for some pods', () => {
    const labels = { pool: 'gpu' };
    const gpu = node('g1', 4, { labels, spec: { taints: [taint('gpu', 'true')] } });
    const train = workload('Deployment', 'train', 1, podSpec(1, { nodeSelector: labels }));
    assert.deepEqual(remediesOf([node('w1', 4), gpu, train]), [
      'tolerate deployment/default/train gpu=true:NoSchedule',
    ]);
  });

  it('[#34] names the budget of an evicted pod that nothing makes anew, of which none is left', () => {
    const objects = [
      node('a', 2),
      priorityClass('high', 1000),
      running('solo', 2, 'a', 0),
      budget('solo', { app: 'solo' }, { minAvailable: 1 }),
      workload('Deployment', 'web', 1, podSpec(1, { priorityClassName: 'high' })),
    ];
    const evicted = simulated(objects).answer.groups.find(({ kind }) => kind === 'evicted');
    assert.ok(evicted?.lines[0]?.details.includes('budget default/solo'), JSON.stringify(evicted?.lines));
  });

  it('[#34] has a fix for each of several reasons', () => {
    const selecting = workload('Deployment', 'gpu', 1, podSpec(1, { nodeSelector: { pool: 'gpu' } }));
    const big = workload('Deployment', 'big', 1, podSpec(6));
    const apart = workload('Deployment', 'kv', 2, podSpec('100m', { affinity: antiAffinity('kv', hostname) }));
    const from = input([node('w1', 4), selecting, big, apart]);
    const remedies = runToEnd(findRemedies(runToEnd(simulate(from, workspace)), from, workspace));
    const lines = remedies.flatMap(({ group, line, whatIf }) => (group === 'pending' && whatIf.length > 0 ? line : []));
    assert.deepEqual(lines, [0, 1, 2]);
  });

  it('[PLA-20] names the nodes that a DaemonSet is kept from, and why one or a suspended Job makes no pods', () => {
    const gpu = node('g1', 4, {
      labels: { accelerator: 'nvidia' },
      spec: { taints: [taint('nvidia.com/gpu', 'present')] },
    });
    const lines = (objects: readonly JsonObject[], group: string): readonly string[] => {
      const { answer } = simulated(objects);
      return (answer.groups.find(({ kind }) => kind === group)?.lines ?? []).map(({ details, then }) =>
        [...details, then].join(' | '),
      );
    };
    const agent = workload('DaemonSet', 'agent', 0, podSpec('100m'));
    const [placed] = lines([node('w1', 4), controlPlane('cp1'), controlPlane('cp2'), agent], 'scheduled');
    assert.match(
      placed ?? '',
      /\| cp1 and cp2 are closed to it by taint node-role\.kubernetes\.io\/control-plane:NoSchedule \|/,
    );
    const plugin = workload('DaemonSet', 'plugin', 0, podSpec('100m', { nodeSelector: { accelerator: 'nvidia' } }));
    assert.deepEqual(lines([node('w1', 4), plugin], 'idle'), ['no node has accelerator=nvidia | ']);
    assert.equal(
      simulated([node('w1', 4), plugin]).answer.headline,
      'plugin makes no pods: no node has accelerator=nvidia.',
    );
    assert.deepEqual(lines([node('w1', 4), gpu, plugin], 'idle'), [
      'g1 is closed to it by taint nvidia.com/gpu=present:NoSchedule | w1 lacks accelerator=nvidia | ',
    ]);
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'train', namespace: 'default', labels: { 'kueue.x-k8s.io/queue-name': 'a' } },
      spec: { suspend: true, template: { spec: { ...podSpec(1), restartPolicy: 'Never' } } },
    };
    assert.deepEqual(lines([node('w1', 4), job, workload('Deployment', 'web', 1, podSpec(1))], 'idle'), [
      'it is suspended (spec.suspend) | Kueue lets it begin when a queue admits it',
    ]);
  });
});
