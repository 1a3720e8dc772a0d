import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkRule } from './check-rule.ts';

/** The first example of a rule's page, with a mark around a word. */
function bad(code: string, marked: string): string {
  const page = readFileSync(new URL(`../../../../docs/rules/${code}.md`, import.meta.url), 'utf8');
  const text = /## Bad\n\n```yaml\n([\s\S]*?)```/.exec(page)![1]!;
  assert.ok(text.includes(marked), `${code}: ${marked}`);
  const at = text.lastIndexOf(marked);
  return `${text.slice(0, at)}‹${marked}›${text.slice(at + marked.length)}`;
}

const claim = bad('roll-out-waits-for-claim', 'data');
const nodeName = bad('node-name-does-not-fit', 'nodeName: a').replace('‹nodeName: a›', 'nodeName: ‹a›');

describe('what comes of a workload once it runs', () => {
  it('[PLA-20] says that a roll-out with a surge waits for a claim of one node, and for good for one of one pod', async () => {
    await checkRule('roll-out-waits-for-claim', {
      manifest: claim,
      severity: 'information',
      message: 'on another node the new pod cannot attach the volume',
    });
    await checkRule('roll-out-waits-for-claim', {
      manifest: claim.replace('ReadWriteOnce', 'ReadWriteOncePod'),
      severity: 'warning',
      message: 'no roll-out ever ends',
    });
    const plain = claim.replaceAll(/[‹›]/g, '');
    for (const [from, to] of [
      ['ReadWriteOnce', 'ReadWriteMany'],
      ['  template:', '  strategy: { type: Recreate }\n  template:'],
      ['  template:', '  strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }\n  template:'],
    ] as const) {
      await checkRule('roll-out-waits-for-claim', { manifest: plain.replace(from, to) });
    }
  });

  it('[PLA-20] says that replicas which share a claim of one node do not start on others', async () => {
    const manifest = claim.replace('spec:\n  selector:', 'spec:\n  replicas: 2\n  selector:');
    await checkRule('roll-out-waits-for-claim', {
      manifest,
      severity: 'information',
      message: '2 replicas share claim data, which is ReadWriteOnce',
    });
  });

  it('[EVI-4] says that a quota has no room for a roll-out, and how it goes on', async () => {
    const manifest = bad('roll-out-exceeds-quota', 'replicas: 2').replace('‹replicas: 2›', 'replicas: ‹2›');
    const message = 'asks for 1 of requests.cpu, and of ResourceQuota team the workloads declared here use 2 of 2';
    await checkRule('roll-out-exceeds-quota', { manifest, severity: 'warning', message });
    const plain = manifest.replaceAll(/[‹›]/g, '');
    for (const [from, to] of [
      ['replicas: 2', 'replicas: 1'],
      ['replicas: 2', 'replicas: 3'],
      ['replicas: 2', 'replicas: 2\n  strategy: { type: Recreate }'],
      ['replicas: 2', 'replicas: 2\n  strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }'],
      ['requests.cpu: "2"', 'requests.memory: 2Gi'],
    ] as const) {
      await checkRule('roll-out-exceeds-quota', { manifest: plain.replace(from, to) });
    }
    const slow = manifest.replace(
      'replicas: ‹2›',
      'replicas: ‹2›\n  strategy: { rollingUpdate: { maxUnavailable: 1 } }',
    );
    await checkRule('roll-out-exceeds-quota', {
      manifest: slow,
      severity: 'information',
      message: 'tries again in ever longer steps',
    });
  });

  it('[EVI-4] says that a roll-out finds no node beside as many old pods as there are nodes', async () => {
    const manifest = bad('roll-out-finds-no-node', 'kubernetes.io/hostname');
    const plain = manifest.replaceAll(/[‹›]/g, '');
    await checkRule('roll-out-finds-no-node', {
      manifest,
      severity: 'information',
      message: 'each of the 2 values of kubernetes.io/hostname that it may use has one already',
    });
    for (const [from, to] of [
      ['replicas: 2', 'replicas: 1'],
      ['replicas: 2', 'replicas: 2\n  strategy: { type: Recreate }'],
      ['replicas: 2', 'replicas: 2\n  strategy: { rollingUpdate: { maxUnavailable: 1 } }'],
      ['topologyKey:', 'matchLabelKeys: [pod-template-hash]\n              topologyKey:'],
    ] as const) {
      await checkRule('roll-out-finds-no-node', { manifest: plain.replace(from, to) });
    }
    const ports = plain
      .replace(/ {6}affinity:[\s\S]*hostname\n/, '')
      .concat('          ‹ports›: [{ containerPort: 80, hostPort: 80 }]\n');
    await checkRule('roll-out-finds-no-node', {
      manifest: ports,
      message: 'which hold the host port on every node that it may use (2)',
    });
    const ofNode = ports
      .replace(', hostPort: 80', '')
      .replace('      containers:', '      hostNetwork: true\n      containers:');
    assert.ok(ofNode.includes('hostNetwork'));
    await checkRule('roll-out-finds-no-node', { manifest: ofNode, message: 'which hold the host port on every node' });
  });

  it('#34 says that the new pod of a DaemonSet finds no room beside the old one', async () => {
    const nodes = (cpu: string): string =>
      `apiVersion: v1\nkind: Node\nmetadata: { name: a }\nstatus: { allocatable: { cpu: '${cpu}', memory: 4Gi, pods: '10' } }\n`;
    const daemon = (strategy: string, container = ''): string =>
      `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: { name: agent }\nspec:\n  updateStrategy: { rollingUpdate: { ${strategy} } }\n  selector: { matchLabels: { app: agent } }\n  template:\n    metadata: { labels: { app: agent } }\n    spec: { containers: [{ name: c, image: x, resources: { requests: { cpu: 600m } }${container} }] }\n`;
    const others = { 'nodes.yaml': nodes('1') };
    await checkRule('roll-out-finds-no-node', {
      manifest: daemon('maxSurge: ‹1›, maxUnavailable: 0'),
      others,
      severity: 'information',
      message: 'starts the new pod of a beside the old one, and even an empty node of that size has no room for two',
      fixes: {
        'Set maxSurge: 0 and maxUnavailable: 1': daemon('maxSurge: 0').replace(
          '{ rollingUpdate: { maxSurge: 0 } }',
          '{ rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }, type: RollingUpdate }',
        ),
      },
    });
    await checkRule('roll-out-finds-no-node', { manifest: daemon('maxUnavailable: 1'), others });
    await checkRule('roll-out-finds-no-node', {
      manifest: daemon('maxSurge: 1'),
      others: { 'nodes.yaml': nodes('2') },
    });
    await checkRule('roll-out-finds-no-node', {
      manifest: daemon('maxSurge: ‹1›, maxUnavailable: 0', ', ports: [{ containerPort: 80, hostPort: 80 }]'),
      others: { 'nodes.yaml': nodes('2') },
      message: 'which holds the host port there',
    });
  });

  it('[#33] says that pods of a StatefulSet are never created behind a first one that no node takes', async () => {
    const manifest = bad('first-pod-blocks-others', 'replicas: 3').replace('‹replicas: 3›', 'replicas: ‹3›');
    const message = 'No known node takes db-0, and with podManagementPolicy: OrderedReady the 2 pods after it';
    await checkRule('first-pod-blocks-others', { manifest, severity: 'information', message });
    const plain = manifest.replaceAll(/[‹›]/g, '');
    const written = plain.replace('replicas: 3', 'replicas: 3\n  podManagementPolicy: ‹OrderedReady›');
    await checkRule('first-pod-blocks-others', {
      manifest: written,
      message,
      fixes: { 'Set podManagementPolicy: Parallel': written.replace('‹OrderedReady›', 'Parallel') },
    });
    await checkRule('first-pod-blocks-others', {
      manifest: plain
        .replace('disk: ssd', 'disk: hdd')
        .replace('replicas: 3', 'replicas: ‹3›\n  ordinals: { start: 5 }')
        .concat('          resources: { requests: { cpu: 8 } }\n'),
      message: 'No known node takes db-5,',
    });
    for (const [from, to] of [
      ['disk: ssd', 'disk: hdd'],
      ['replicas: 3', 'replicas: 1'],
      ['replicas: 3', 'replicas: 3\n  podManagementPolicy: Parallel'],
      ['disk: hdd', 'disk: ssd'],
    ] as const) {
      await checkRule('first-pod-blocks-others', { manifest: plain.replace(from, to) });
    }
    const volume = (value: string): string => `${plain.replace('disk: ssd', 'disk: hdd')}  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data-db-0 }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, volumeName: gone }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: gone }
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  local: { path: /data }
  nodeAffinity:
    required:
      nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: In, values: [${value}] }] }]
`;
    await checkRule('first-pod-blocks-others', {
      manifest: volume('nvme').replace('replicas: 3', 'replicas: ‹3›'),
      message: 'No known node reaches volume gone, to which a claim of db-0 is bound, and with',
    });
    await checkRule('first-pod-blocks-others', { manifest: volume('hdd') });
  });

  it('[PLA-20] says that nobody looks at a pod of an unknown scheduler, and what it is called', async () => {
    const manifest = bad('unknown-scheduler', 'default-schedular');
    await checkRule('unknown-scheduler', {
      manifest,
      severity: 'warning',
      message: 'did you mean default-scheduler?',
      fixes: { 'Change to default-scheduler': manifest.replace('‹default-schedular›', 'default-scheduler') },
    });
    await checkRule('unknown-scheduler', {
      manifest: manifest.replace('default-schedular', 'volcano'),
      severity: 'information',
      message: 'Unless another scheduler of that name runs',
    });
  });

  it('[PLA-20] says that a RuntimeClass is not declared', async () => {
    const manifest = bad('unknown-runtime-class', 'gvsior');
    await checkRule('unknown-runtime-class', {
      manifest,
      severity: 'warning',
      message: 'did you mean gvisor?',
      fixes: { 'Change to gvisor': manifest.replace('‹gvsior›', 'gvisor') },
    });
    await checkRule('unknown-runtime-class', {
      manifest: manifest.replace('gvsior', 'kata'),
      severity: 'information',
      message: 'Without it the API server refuses the pods',
    });
  });

  it('#34 says that a claim misspells a StorageClass, or names one that the cluster does not have', async () => {
    const manifest = bad('unknown-storage-class', 'fast-sdd');
    await checkRule('unknown-storage-class', {
      manifest,
      severity: 'warning',
      message: 'did you mean fast-ssd?',
      fixes: { 'Change to fast-ssd': manifest.replace('‹fast-sdd›', 'fast-ssd') },
    });
    await checkRule('unknown-storage-class', {
      manifest: manifest.replace('fast-sdd', 'nfs'),
      snapshot: 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: gp3 }\nprovisioner: p\n',
      severity: 'information',
      message: 'pods that use the claim stay pending',
    });
    await checkRule('unknown-storage-class', { manifest: manifest.replace('‹fast-sdd›', 'gp2') });
    const claim = manifest.slice(manifest.indexOf('---\n') + 4).replaceAll(/[‹›]/g, '');
    await checkRule('unknown-storage-class', { manifest: claim });
    const volume =
      '---\napiVersion: v1\nkind: PersistentVolume\nmetadata: { name: v }\nspec: { storageClassName: fast-sdd }\n';
    await checkRule('unknown-storage-class', { manifest: `${manifest.replaceAll(/[‹›]/g, '')}${volume}` });
    const set =
      '---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: { name: db }\nspec: { template: { spec: { containers: [{ name: a, image: a }] } }, volumeClaimTemplates: [{ metadata: { name: d }, spec: { storageClassName: ‹fast-sd› } }] }\n';
    const others = manifest.replaceAll(/[‹›]/g, '').replace('fast-sdd', 'fast-ssd');
    await checkRule('unknown-storage-class', { manifest: `${others}${set}`, message: 'did you mean fast-ssd?' });
  });

  it('[PLA-20] says that an autoscaler names a workload that is not declared', async () => {
    const manifest = bad('autoscaler-without-target', 'wbe');
    await checkRule('autoscaler-without-target', {
      manifest,
      severity: 'warning',
      message: 'did you mean web?',
      fixes: { 'Change to web': manifest.replace('‹wbe›', 'web') },
    });
    await checkRule('autoscaler-without-target', {
      manifest: manifest.replace('wbe', 'checkout'),
      severity: 'information',
      message: 'this autoscaler scales nothing',
    });
    const plain = manifest.replaceAll(/[‹›]/g, '');
    // A kind with a scale that Podium does not know, and one of which nothing is declared.
    for (const kind of ['Rollout', 'StatefulSet']) {
      const target = plain.replace(/kind: Deployment(\n {4}name: wbe)/, `kind: ${kind}$1`);
      await checkRule('autoscaler-without-target', { manifest: target });
    }
  });

  it('[PLA-20] says that an amount of memory or storage is a fraction of a byte', async () => {
    const manifest = bad('fractional-bytes', '256m');
    await checkRule('fractional-bytes', {
      manifest,
      severity: 'warning',
      message: 'did you mean 256Mi?',
      fixes: { 'Change to 256Mi': manifest.replace('‹256m›', '256Mi') },
    });
    const claim =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\nspec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: ‹10m› } } }\n';
    await checkRule('fractional-bytes', { manifest: claim, message: 'did you mean 10Mi?' });
    const plain = manifest.replaceAll(/[‹›]/g, '');
    for (const fine of ['memory: 256000m', 'memory: 1.5Gi', 'cpu: 256m']) {
      await checkRule('fractional-bytes', { manifest: plain.replace('memory: 256m', fine) });
    }
  });

  it('[PLA-12] hints that a spread constraint counts old pods while it is rolled out', async () => {
    const manifest = bad('spread-counts-old-pods', 'labelSelector');
    await checkRule('spread-counts-old-pods', { manifest, severity: 'hint', message: 'pod-template-hash' });
    const plain = manifest.replaceAll(/[‹›]/g, '');
    await checkRule('spread-counts-old-pods', { manifest: plain.replace('DoNotSchedule', 'ScheduleAnyway') });
  });

  it('[PRE-19] says that a Job without retries is lost when its pod is preempted', async () => {
    const manifest = bad('job-lost-when-evicted', '0').replace('value: 100‹0›', 'value: 1000');
    const marked = manifest.includes('backoffLimit: ‹0›')
      ? manifest
      : manifest.replace('backoffLimit: 0', 'backoffLimit: ‹0›');
    await checkRule('job-lost-when-evicted', {
      manifest: marked,
      severity: 'information',
      message: 'Pod default/api (1000) first',
    });
    // No policy goes with OnFailure.
    const restarts = marked.replace('restartPolicy: Never', 'restartPolicy: OnFailure');
    await checkRule('job-lost-when-evicted', {
      manifest: restarts,
      message: 'Pod default/api (1000) first',
      fixes: { 'Set backoffLimit: 1': restarts.replace('‹0›', '1') },
    });
  });

  it('[PLA-20] says of a CronJob how many runs may be there at once', async () => {
    const manifest = bad('cron-runs-pile-up', '"*/5 * * * *"');
    await checkRule('cron-runs-pile-up', { manifest, severity: 'information', message: '3 runs may be there at once' });
    const open = manifest.replace('      activeDeadlineSeconds: 900\n', '');
    await checkRule('cron-runs-pile-up', { manifest: open, severity: 'hint', message: 'they pile up' });
    const plain = open.replaceAll(/[‹›]/g, '');
    await checkRule('cron-runs-pile-up', { manifest: plain.replace('*/5 *', '0 3') });
    await checkRule('cron-runs-pile-up', {
      manifest: plain.replace('  jobTemplate', '  suspend: true\n  jobTemplate'),
    });
  });

  it('[PLA-20] says why the kubelet of a named node refuses a pod', async () => {
    await checkRule('node-name-does-not-fit', {
      manifest: nodeName,
      severity: 'warning',
      message: 'OutOfcpu, it asks for 4 cpu, and the node has 2 cpu',
    });
    const fits = nodeName.replace('cpu: "4"', 'cpu: "1"');
    await checkRule('node-name-does-not-fit', { manifest: fits.replaceAll(/[‹›]/g, '') });
    const tainted = fits.replace('status:', 'spec: { taints: [{ key: x, effect: NoExecute }] }\nstatus:');
    await checkRule('node-name-does-not-fit', { manifest: tainted, message: 'do not tolerate its taint x:NoExecute' });
    const lost = tainted.replace('key: x', 'key: node.kubernetes.io/unreachable').replaceAll(/[‹›]/g, '');
    await checkRule('node-name-does-not-fit', { manifest: lost });
    const busy =
      '---\napiVersion: v1\nkind: Pod\nmetadata: { name: busy }\nspec: { nodeName: a, containers: [{ name: a, image: a, resources: { requests: { cpu: 1500m } } }] }\nstatus: { phase: Running }\n';
    await checkRule('node-name-does-not-fit', {
      manifest: `${fits}${busy}`,
      message: 'OutOfcpu, it asks for 1 cpu, and beside the pods that run there 0.5 cpu is free',
    });
    // Pods of a workload beside those of others, and not beside its own.
    const node = fits.slice(0, fits.indexOf('---'));
    const web =
      '---\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec: { nodeName: ‹a›, containers: [{ name: a, image: a, resources: { requests: { cpu: "1" } } }] }\n';
    await checkRule('node-name-does-not-fit', {
      manifest: `${node}${web}${busy}`,
      message: 'beside the pods that run there 0.5 cpu is free',
    });
    const own = busy.replace('name: busy', 'name: busy, labels: { app: web }');
    await checkRule('node-name-does-not-fit', { manifest: `${node}${web}${own}`.replaceAll(/[‹›]/g, '') });
  });

  it('[EVI-1] says of pods that tolerate everything that they come back to a cordoned node', async () => {
    await checkRule('tolerates-cordoned-nodes', {
      manifest: bad('tolerates-cordoned-nodes', 'operator'),
      severity: 'information',
      message: 'placed on the same node again',
    });
  });

  it('[PLA-20] says that the nodes do not take what an autoscaler may ask for', async () => {
    const manifest = bad('autoscaler-maximum-does-not-fit', '20');
    await checkRule('autoscaler-maximum-does-not-fit', {
      manifest,
      severity: 'information',
      message: 'Deployment default/web may get 20 pods, and the known nodes that they may use take 4',
    });
    await checkRule('autoscaler-maximum-does-not-fit', { manifest: manifest.replace('‹20›', '4') });
    const quota =
      'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q }\nspec: { hard: { pods: "3", requests.cpu: "99" } }\n';
    await checkRule('autoscaler-maximum-does-not-fit', {
      manifest: manifest.replace('‹20›', '‹4›'),
      others: { 'quota.yaml': quota },
      message: 'may get 4 pods, and ResourceQuota q lets in 3 even when it counts nothing else (pods)',
    });
  });

  it('[PLA-1] says that pods ask for more than any node that they may use has', async () => {
    const manifest = bad('exceeds-every-node', '"400"');
    const message = 'ask for 400 cpu, and the largest known node that they may use has 8 cpu';
    await checkRule('exceeds-every-node', { manifest, severity: 'information', message });
    await checkRule('exceeds-every-node', { manifest: manifest.replace('‹"400"›', '8') });
    const inInit = manifest.replace(/( +)containers:/, '$1containers: [{ name: a, image: a }]\n$1initContainers:');
    await checkRule('exceeds-every-node', { manifest: inInit, message });
    const large = `apiVersion: v1\nkind: Node\nmetadata: { name: b, labels: { big: "yes" } }\nspec: { taints: [{ key: gpu, effect: NoSchedule }] }\nstatus: { allocatable: { cpu: "500", memory: 1Ti, pods: 110 } }\n`;
    await checkRule('exceeds-every-node', {
      manifest,
      message: 'Node b has that, and a taint or its labels close it to them; the largest known node',
      others: { 'b.yaml': large },
    });
    await checkRule('exceeds-every-node', { manifest, message: 'has 8 cpu; did you mean 400m?' });
    const open = large.replace(/spec:.*\n/, '');
    await checkRule('exceeds-every-node', { manifest: manifest.replaceAll(/[‹›]/g, ''), others: { 'b.yaml': open } });
    const gpus = (amount: string): string => manifest.replaceAll(/[‹›]/g, '').replace('cpu: "400"', amount);
    await checkRule('exceeds-every-node', {
      manifest: gpus('nvidia.com/gpus: ‹1›'),
      message: 'which no known node offers; did you mean nvidia.com/gpu?',
      others: { 'b.yaml': open.replace('cpu: "500"', 'nvidia.com/gpu: 2') },
      fixes: { 'Change to nvidia.com/gpu': gpus('nvidia.com/gpu: 1') },
    });
    const deviceClass = `apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: { name: gpu }\nspec: { extendedResourceName: nvidia.com/gpus }\n`;
    for (const resource of ['nvidia.com/gpus', 'deviceclass.resource.kubernetes.io/gpu']) {
      // Its devices are in ResourceSlices (#40).
      await checkRule('exceeds-every-node', {
        manifest: gpus(`${resource}: 1`),
        others: { 'c.yaml': deviceClass },
      });
    }
    const unsized = open.replace(/status:.*\n/, '');
    await checkRule('exceeds-every-node', {
      manifest: manifest.replaceAll(/[‹›]/g, ''),
      others: { 'b.yaml': unsized },
    });
  });
});
