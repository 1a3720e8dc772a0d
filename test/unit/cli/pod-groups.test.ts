import assert from 'node:assert/strict';
import { podium } from './run-podium.ts';

const gates = 'GenericWorkload=true,GangScheduling=true';

const cluster = (cpu: number): string => `apiVersion: v1
kind: Node
metadata: { name: w1 }
status: { allocatable: { cpu: "${cpu}", memory: 8Gi, pods: "110" }, nodeInfo: { kubeletVersion: v1.36.3 } }
---
apiVersion: scheduling.k8s.io/v1alpha2
kind: PodGroup
metadata: { name: trainer, namespace: default }
spec: { schedulingPolicy: { gang: { minCount: 3 } } }
---
apiVersion: batch/v1
kind: Job
metadata: { name: trainer, namespace: default }
spec:
  parallelism: 3
  completions: 3
  template:
    spec:
      restartPolicy: Never
      schedulingGroup: { podGroupName: trainer }
      containers: [{ name: c, image: "registry.example/train:1", resources: { requests: { cpu: "2" } } }]
`;

async function simulate(cpu: number, ...more: readonly string[]): Promise<string> {
  const { stdout } = await podium(['simulate', '-', '--workload', 'Job/default/trainer', ...more], {
    stdin: cluster(cpu),
  });
  return stdout.replaceAll(/\s+/g, ' ');
}

describe('pod groups on the command line', () => {
  it('[PRE-1] says of a group that it stays pending as a whole, and which pod does not fit', async () => {
    const text = await simulate(4, '--feature-gates', gates);
    assert.match(text, /3 new pods = 0 scheduled \+ 3 pending/);
    assert.match(
      text,
      /its pod group trainer is scheduled whole or not at all: 2 of its 3 pods fit at once, and 3 must; beside the others trainer-1 finds no node: it asks for 2 cpu; no cpu free on w1/,
    );
    assert.match(text, /trainer stays pending: its pod group trainer is scheduled whole or not at all: 2 of its 3/);
  });

  it('[PRE-1] leaves a group that evicts in vain, whose victims come back each time', async () => {
    const web = `---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 1000
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: "registry.example/web:1", resources: { requests: { cpu: "2" } } }] }
`;
    const stdin = `${cluster(4).replace('restartPolicy', 'priorityClassName: high\n      restartPolicy')}${web}`;
    const { stdout } = await podium(['simulate', '-', '--feature-gates', gates], { stdin });
    assert.match(stdout, /^trainer evicts web; 3 pods stay pending\.$/m);
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /2 of its 3 pods find a node at once, by evicting others, and 3 must; so it evicts pods in vain each time it is tried, and here it is left after 3 times/,
    );
  });

  it('[PRE-1] says that a group is scheduled whole', async () => {
    assert.match(
      await simulate(6, '--feature-gates', gates),
      /3 of 3 w1 at once · evicts no pod · pod group trainer whole/,
    );
  });

  it('[PRE-1] places each pod by itself where the gates are off', async () => {
    const text = await simulate(4);
    assert.match(text, /3 new pods = 2 scheduled \+ 1 pending/);
    assert.doesNotMatch(text, /pod group/);
  });

  it('[PRE-1] takes the kind and the field where the gate is on', async () => {
    const on = await podium(['check', '-', '--feature-gates', gates], { stdin: cluster(6) });
    assert.match(on.stdout, /No problems/);
    const off = await podium(['check', '-'], { stdin: cluster(6) });
    assert.match(off.stdout, /no matches for kind "PodGroup"/);
    assert.match(off.stdout, /needs the feature gate GenericWorkload/);
  });

  it('[PRE-1] says who removes a gate of Kueue, and that workloads in its queues count as admitted', async () => {
    const job = (name: string, label: string, gates: string): string =>
      `apiVersion: batch/v1\nkind: Job\nmetadata: { name: ${name}, namespace: default, labels: { ${label} } }\nspec: { template: { spec: { restartPolicy: Never${gates}, containers: [{ name: c, image: "a:1" }] } } }\n---\n`;
    const gated = job('gated', '', ', schedulingGates: [{ name: kueue.x-k8s.io/admission }]');
    const input = `${gated}${job('queued', 'kueue.x-k8s.io/queue-name: team', '')}${cluster(4)}`;
    const { stdout } = await podium(['simulate', '-', '--show', 'assumptions'], { stdin: input });
    const text = stdout.replaceAll(/\s+/g, ' ');
    assert.match(
      text,
      /gate kueue\.x-k8s\.io\/admission Kueue removes it when the pod's LocalQueue admits its workload/,
    );
    assert.match(text, /1 workload taken for admitted by Kueue: queued/);
  });
});
