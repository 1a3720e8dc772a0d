import { checkHover, type HoverCase } from './hover-case.ts';

const node = `apiVersion: v1
kind: Node
metadata: { name: a, labels: { zone: one } }
spec: { taints: [{ key: dedicated, value: gpu, effect: NoSchedule }] }
status: { allocatable: { cpu: "4", memory: 16Gi, pods: "110" } }
`;
const other = node
  .replace('name: a', 'name: b')
  .replace('zone: one', 'zone: two')
  .replace('effect: NoSchedule', 'effect: NoExecute');

const pod = (name: string, priority: number, cpu: string, className = ''): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: shop, uid: ${name}, labels: { app: web }, ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: w, controller: true }] }
spec: { nodeName: a, priority: ${priority}, ${className === '' ? '' : `priorityClassName: ${className}, `}containers: [{ name: app, image: a, resources: { requests: { cpu: ${cpu} } } }] }
status: { phase: Running }
`;
const snapshot = [pod('web-1', 1000, '500m', 'standard'), pod('web-2', 500, '250m', 'standard')].join('---\n');

const deployment = (spec: string, more = '  replicas: 3\n'): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
${more}  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
${spec}      containers: [{ name: app, image: a }]
`;

const standard = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: standard }\nvalue: 1000\n';

const autoscaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: shop }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 2, maxReplicas: 6 }
`;

const configuration = (profiles: string, more = ''): string =>
  `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n${more}profiles:\n${profiles}`;

const quota = `apiVersion: v1
kind: ResourceQuota
metadata: { name: all, namespace: shop }
spec: { hard: { requests.cpu: "1", pods: "10" } }
status: { hard: { requests.cpu: "1", pods: "10" }, used: { requests.cpu: 750m, pods: "2" } }
`;

const range = `apiVersion: v1
kind: LimitRange
metadata: { name: usual, namespace: shop }
spec: { limits: [{ type: Container, defaultRequest: { cpu: 100m }, max: { memory: 1Gi } }] }
`;

const cases: readonly (HoverCase & { readonly it: string })[] = [
  {
    it: 'says of a node what is free, who runs there by priority, and who tolerates its taints',
    manifest: node.replace('name: a', 'name: ‹a›'),
    others: { 'web.yaml': deployment('      tolerations: [{ operator: Exists }]\n') },
    snapshot,
    says: [
      '**Node `a`**',
      /cpu +0\.75 of 4 requested +3\.25 of 4 free/,
      /pods +2 of 110 requested +108 of 110 free/,
      '2 pods run here',
      '- Priority 1000: [`shop/web-1`]',
      '- Priority 500: [`shop/web-2`]',
      '`dedicated=gpu:NoSchedule` is tolerated by 1 workload: [`shop/web`]',
    ],
  },
  {
    it: 'says of a resource of a node who requests most of it',
    manifest: node.replace('allocatable: { cpu', 'allocatable: { ‹cpu›'),
    snapshot,
    says: [/cpu +0\.75 of 4 requested/, 'Most of it is requested by [`shop/web-1`]'],
  },
  {
    it: '[PLA-13] says of a taint who tolerates it, and who runs there all the same',
    manifest: node.replace('key: dedicated', '‹key›: dedicated'),
    snapshot,
    says: [
      'tolerated by nothing that is declared here',
      'what runs already stays. 2 pods run here that do not tolerate it',
    ],
  },
  {
    it: 'says what cordoning does',
    manifest: node.replace('spec: {', 'spec: { ‹unschedulable›: true,'),
    snapshot,
    says: ['**Cordoned**', '2 pods that run here stay'],
  },
  {
    it: 'says which nodes share a label, and who selects by it',
    manifest: node.replace('zone: one', '‹zone›: one'),
    others: { 'b.yaml': other, 'web.yaml': deployment('      nodeSelector: { zone: one }\n') },
    says: [
      '**1 node** has `zone=one`: [`a`]',
      'Other values: `two` (1 node)',
      '1 workload selects by it: [`shop/web`]',
    ],
  },
  {
    it: '[PLA-11] says whether a named node exists, its room, and what naming it skips',
    manifest: deployment('      nodeName: ‹a›\n'),
    others: { 'a-node.yaml': node },
    snapshot,
    says: ['**Node [`a`]', /cpu +0\.75 of 4 requested/, 'The scheduler never sees such a pod'],
  },
  {
    it: '[PLA-11] says that a named node does not exist',
    manifest: deployment('      nodeName: ‹bb›\n'),
    others: { 'b.yaml': other },
    says: ['**None of the 1 known node is named `bb`**; did you mean `b`?', 'is deleted in the end'],
  },
  {
    it: '[PRE-20] says which profile answers to the name of a scheduler, and what it does otherwise',
    manifest: deployment('      schedulerName: ‹packed›\n'),
    others: {
      'config.yaml': configuration(
        '- { schedulerName: packed, plugins: { postFilter: { disabled: [{ name: DefaultPreemption }] }, score: { disabled: [{ name: ImageLocality }], enabled: [{ name: NodeResourcesFit, weight: 9 }] } } }\n',
      ),
    },
    says: [
      '**Profile `packed`** of [`KubeSchedulerConfiguration`](file:///config.yaml',
      'help a pod that no node takes (`postFilter`): without `DefaultPreemption`',
      'without `ImageLocality`',
      'Weights: `NodeResourcesFit` 9 instead of 1',
      'has no preemption',
    ],
  },
  {
    it: 'says that no profile answers to the name of a scheduler',
    manifest: deployment('      schedulerName: ‹theirs›\n'),
    says: ['**No profile answers to `theirs`**: no KubeSchedulerConfiguration is declared here', 'stay pending'],
  },
  {
    it: 'says who makes replicas, which autoscaler decides, and how many run',
    manifest: deployment('').replace('replicas: 3', '‹replicas›: 3'),
    others: { 'scaler.yaml': autoscaler },
    snapshot,
    says: [
      '**3 pods**, made by the ReplicaSet of each revision',
      'with up to `25%` more meanwhile',
      'HorizontalPodAutoscaler [`shop/web`](file:///scaler.yaml',
      'decides: between 2 and 6',
      '2 such pods run now',
      'Eviction: always granted',
    ],
  },
  {
    it: 'names the pods of a StatefulSet',
    manifest: deployment('').replace('kind: Deployment', 'kind: StatefulSet').replace('replicas: 3', '‹replicas›: 3'),
    says: ['`web-0` to `web-2`', 'No autoscaler that is declared here'],
  },
  {
    it: 'says how many pods of a Job run at a time',
    manifest:
      'apiVersion: batch/v1\nkind: Job\nmetadata: { name: train }\nspec: { ‹parallelism›: 4, completions: 9, template: { spec: { restartPolicy: Never, containers: [] } } }\n',
    says: ['**4 pods at a time**', 'until 9 have succeeded'],
  },
  {
    it: '[PRE-22] says what time a victim gets',
    manifest: deployment('      terminationGracePeriodSeconds: ‹90›\n'),
    says: ['has 90 seconds to end', 'nominated to the node', 'Under node pressure a hard threshold leaves none'],
  },
  {
    it: 'says what a RuntimeClass adds',
    manifest: deployment('      runtimeClassName: ‹kata›\n'),
    others: {
      'a-node.yaml': node,
      'kata.yaml':
        'apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: kata }\nhandler: kata\noverhead: { podFixed: { cpu: 250m } }\nscheduling: { nodeSelector: { zone: one } }\n',
    },
    says: ['**RuntimeClass [`kata`]', 'adds 0.25 cpu', 'takes 1 of 1 known node: [`a`]'],
  },
  {
    it: 'says what is in a namespace',
    manifest: 'apiVersion: v1\nkind: Namespace\nmetadata: { name: ‹shop› }\n',
    others: { 'web.yaml': deployment(''), 'quota.yaml': quota, 'range.yaml': range },
    snapshot,
    says: [
      '**Namespace `shop`**',
      '1 workload: [`shop/web`](file:///web.yaml#L3) (3 pods)',
      '2 pods run now',
      '1 quota: [`shop/all`](file:///quota.yaml#L3): `requests.cpu` 1050m of 1',
      '1 range of limits: [`shop/usual`]',
      'No budget',
    ],
  },
  {
    it: 'says what is in the namespace that an object names',
    manifest: deployment('').replace('namespace: shop', 'namespace: ‹shop›'),
    says: ['**Namespace `shop`** is not declared here', '1 workload: [`shop/web`]'],
  },
  {
    it: 'knows the namespaces that every cluster has',
    manifest: deployment('').replace('namespace: shop', 'namespace: ‹kube-system›'),
    says: [/\*\*Namespace `kube-system`\*\*\n/],
  },
  {
    it: 'says what is used of a quota in the cluster, and who asks for most of a resource',
    manifest: quota.replace('hard: { requests.cpu', 'hard: { ‹requests.cpu›'),
    others: { 'web.yaml': deployment(''), 'range.yaml': range },
    says: [
      '**ResourceQuota `all`**',
      /requests\.cpu +300m of 1 +\(in the cluster: 750m\)/,
      'Of `requests.cpu` [`shop/web`]',
      'asks for 300m',
    ],
  },
  {
    it: 'says which defaults a range of limits writes, into whom, and whom it refuses',
    manifest: range.replace('name: usual', 'name: ‹usual›'),
    others: {
      'web.yaml': deployment(''),
      'big.yaml': deployment('')
        .replace('name: web', 'name: big')
        .replace('image: a }', 'image: a, resources: { limits: { memory: 2Gi } } }'),
    },
    says: [
      '**LimitRange `usual`**',
      '`requests.cpu` `100m`',
      'changes the pods of 2 workloads: [`shop/big`]',
      'refuses the pods of 1 workload: [`shop/big`](file:///big.yaml#L3) (`maximum memory usage per Container is 1Gi, but limit is 2Gi`)',
    ],
  },
  {
    it: '[PRI-15] says of a class which running pods have another number',
    manifest: standard.replace('value: 1000', '‹value›: 1000'),
    snapshot,
    says: ['1 running pod of this class has another number, which they keep: [`shop/web-2`]', '(500, `standard`)'],
  },
  {
    it: '[PRI-15] says of a workload which running pods have another number or class',
    manifest: deployment('      ‹priorityClassName›: standard\n'),
    others: { 'classes.yaml': standard },
    snapshot,
    says: [
      '**Priority 1000**',
      '1 running pod of it has what was so when it was created: [`shop/web-2`]',
      '(500, `standard`)',
    ],
  },
  {
    it: 'says for whom the profiles of a scheduler are',
    manifest: configuration('- ‹schedulerName›: packed\n'),
    others: { 'web.yaml': deployment('      schedulerName: packed\n') },
    says: ['**Profile `packed`**: for 1 workload, [`shop/web`]', 'those of the default profile'],
  },
  {
    it: 'says which plugins run at a point, with their weights, and what one that is named does',
    manifest: configuration('- plugins: { score: { ‹enabled›: [{ name: NodeResourcesFit, weight: 9 }] } }\n'),
    says: ['plugins** at `score`, in this order, with their weights', '`NodeResourcesFit` 9'],
  },
  {
    it: 'says what part of the score a plugin has',
    manifest: configuration('- plugins: { score: { enabled: [{ name: NodeResourcesFit, ‹weight›: 9 }] } }\n'),
    says: ['**`NodeResourcesFit` runs**', 'Of the score it has weight 9 of '],
  },
  {
    it: 'says how many nodes the scheduler looks at',
    manifest: configuration('- schedulerName: a\n', '‹percentageOfNodesToScore›: 10\n'),
    others: { 'a-node.yaml': node },
    says: ['**10 %**: with 1 known node the scheduler looks at all of them'],
  },
  {
    it: 'says how long pods wait before they are tried again',
    manifest: configuration('- schedulerName: a\n', '‹podMaxBackoffSeconds›: 10\n'),
    says: ['waits 1 s, 2 s, 4 s, 8 s, 10 s** and from then on so long'],
  },
  {
    it: 'says what an extender is asked, for whose pods, and what follows when it does not answer',
    manifest: configuration(
      '- schedulerName: a\n',
      'extenders: [{ ‹urlPrefix›: "http://gpu", filterVerb: filter, prioritizeVerb: sort, weight: 2, managedResources: [{ name: example.com/gpu, ignoredByScheduler: true }] }]\n',
    ),
    others: {
      'gpu.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: train, namespace: shop }\nspec: { containers: [{ name: a, image: b, resources: { limits: { example.com/gpu: 1 } } }] }\n',
      'web.yaml': deployment(''),
    },
    says: [
      '**Extender `http://gpu`** is asked which of the nodes that the plugins leave may be used; for scores of nodes, up to 200 points of the sum.',
      '- For pods that request `example.com/gpu`: 1 workload, [`shop/train`](file:///gpu.yaml',
      '- When it does not answer, those pods stay pending and are tried again.',
      '- The scheduler itself does not count `example.com/gpu`.',
      'Podium asks no extender',
      'Where the program is reached',
    ],
  },
  {
    it: 'says of an extender of everybody that it may be silent, and of one without a verb that nobody asks it',
    manifest: configuration('- schedulerName: a\n', 'extenders: [{ urlPrefix: "http://all", ‹ignorable›: true }]\n'),
    says: ['**Extender `http://all`** is asked for nothing', 'For every pod of every profile', 'placed without it'],
  },
  {
    it: 'says what the argument of a plugin of the scheduler is for',
    manifest: configuration('- pluginConfig: [{ name: InterPodAffinity, args: { ‹hardPodAffinityWeight›: 5 } }]\n'),
    says: ['**Profile `default-scheduler`**', 'How much a required affinity of others counts'],
  },
  {
    it: 'says what a field is for where there is nothing more to say',
    manifest: deployment('      ‹restartPolicy›: Always\n'),
    says: [/^`restartPolicy` [^\n]+\n\n.+\.$/],
  },
];

describe('hover over objects and the rest of a pod', () => {
  for (const { it: name, ...rest } of cases) it(name, () => checkHover(rest));

  describe('of how a change is rolled out', () => {
    const deployment = (strategy: string, replicas = 4): string =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  replicas: ${replicas}\n  strategy:\n${strategy}  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec: { containers: [{ name: c, image: c, resources: { requests: { cpu: "1" } } }] }\n`;
    const node =
      'apiVersion: v1\nkind: Node\nmetadata: { name: a }\nstatus: { allocatable: { cpu: "2", pods: "110" } }\n';
    const pod = (cpu: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: x }\nspec: { nodeName: a, containers: [{ name: c, image: c, resources: { requests: { cpu: "${cpu}" } } }] }\n`;

    it('[EVI-4] says the bounds of a Deployment in pods, and whether a surge finds room now', async () => {
      const surge = '    rollingUpdate:\n      ‹maxSurge›: 30%\n      maxUnavailable: 1\n';
      await checkHover({
        manifest: deployment(surge),
        others: { 'node.yaml': node, 'pod.yaml': pod('1') },
        says: ['**2 pods** beyond the 4, rounded up.', '1 of 1 node has room for one more pod now'],
      });
      await checkHover({
        manifest: deployment(surge),
        others: { 'node.yaml': node, 'pod.yaml': pod('1500m') },
        says: ['**No node** has room for one more pod now'],
      });
      await checkHover({
        manifest: deployment('    rollingUpdate:\n      ‹maxUnavailable›: 30%\n'),
        says: ['**1 of 4 pods** may be missing, rounded down.'],
      });
      await checkHover({
        manifest: deployment('    rollingUpdate:\n      ‹maxUnavailable›: 30%\n', 3),
        says: ['**0 of 3 pods** may be missing, rounded down: no old pod ends before a new one is ready.'],
      });
      await checkHover({
        manifest: deployment('    ‹type›: RollingUpdate\n'),
        says: ['up to **5** pods at a time, and at least **3** of them are ready'],
      });
      await checkHover({
        manifest: deployment('    ‹type›: Recreate\n'),
        says: ['All **4 pods** end before the first new one starts'],
      });
    });

    it('[EVI-4] says which pods of a StatefulSet and how many of a DaemonSet are updated', async () => {
      const of = (kind: string, strategy: string): string =>
        `apiVersion: apps/v1\nkind: ${kind}\nmetadata: { name: db }\nspec:\n  ${kind === 'DaemonSet' ? '' : 'replicas: 3\n  serviceName: db\n  '}updateStrategy:\n${strategy}  selector: { matchLabels: { app: db } }\n  template:\n    metadata: { labels: { app: db } }\n    spec: { containers: [{ name: c, image: c }] }\n`;
      await checkHover({
        manifest: of('StatefulSet', '    rollingUpdate:\n      ‹partition›: 1\n'),
        says: ['**2 pods** are updated, one after the other from `db-2` down', 'below `db-1` keep their revision'],
      });
      await checkHover({
        manifest: of('StatefulSet', '    rollingUpdate:\n      ‹partition›: 3\n'),
        says: ['**No pod** is updated: the partition is not below the number of replicas (3).'],
      });
      await checkHover({
        manifest: of('StatefulSet', '    ‹type›: OnDelete\n'),
        says: ['A pod is updated when it is deleted.'],
      });
      await checkHover({
        manifest: of('DaemonSet', '    rollingUpdate:\n      ‹maxUnavailable›: 2\n'),
        says: ['On **2 nodes** at a time the old pod ends, and then the new one starts.'],
      });
    });
  });
});
