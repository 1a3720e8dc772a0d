import { checkHover, type HoverCase } from './hover-case.ts';

const node = (name: string, zone: string, rest = '', allocatable = '{ cpu: "4", memory: 16Gi, pods: "110" }'): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name}${zone === '' ? '' : `, zone: ${zone}`} } }\n${rest}status: { allocatable: ${allocatable} }\n`;

const nodes = [
  node('a', 'one'),
  node('b', 'two', 'spec: { taints: [{ key: dedicated, value: gpu, effect: NoSchedule }] }\n'),
  node('c', 'two', 'spec: { unschedulable: true }\n', '{ cpu: "8", memory: 32Gi, pods: "110" }'),
  node('d', ''),
].join('---\n');

const running = (name: string, on: string, rest = ''): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: shop, uid: ${name}, labels: { app: web }, ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: w, controller: true }] }\nspec: { nodeName: ${on}, containers: [] }\nstatus: { phase: Running${rest} }\n`;

const web = (spec: string, containers = '[]'): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
${spec}      containers: ${containers}
`;

const proxy =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: proxy, namespace: shop, uid: p }\nspec: { nodeName: b, containers: [{ name: p, image: p, ports: [{ containerPort: 80, hostPort: 8080 }, { containerPort: 53, hostPort: 5353, protocol: UDP }] }] }\nstatus: { phase: Running }\n';

const claims = [
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data, namespace: shop }\nspec: { accessModes: [ReadWriteOncePod], volumeName: v, resources: { requests: { storage: 5Gi } } }\n',
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: later, namespace: shop }\nspec: { storageClassName: slow }\n',
  'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: slow }\nprovisioner: x\nvolumeBindingMode: WaitForFirstConsumer\n',
  'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: v }\nspec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: In, values: [two] }] }] } } }\n',
].join('---\n');

const devices = [
  'apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: { name: shared, namespace: shop }\nspec: { devices: { requests: [{ name: gpu, exactly: { deviceClassName: large, count: 2 } }] } }\nstatus: { allocation: {}, reservedFor: [{ resource: pods, name: x, uid: x }] }\n',
  'apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: { name: own, namespace: shop }\nspec: { spec: { devices: { requests: [{ name: gpu, firstAvailable: [{ name: a, deviceClassName: large }, { name: b, deviceClassName: small }] }] } } }\n',
].join('---\n');

const cases: readonly (HoverCase & { readonly it: string })[] = [
  {
    it: 'tells on which nodes a port of theirs is free, and who has it on the others',
    manifest: web('', '[{ name: app, image: a, ports: [{ containerPort: 80, hostPort: ‹8080› }] }]'),
    others: { 'proxy.yaml': proxy },
    says: [
      '**Port `8080/TCP` of the node is free on 3 of 4 known nodes**',
      'Taken on [`b`](file:///nodes.yaml',
      'by [`shop/proxy`](file:///proxy.yaml',
      'No two of the 3 pods share a node.',
    ],
  },
  {
    it: 'knows ports of another protocol apart',
    manifest: web('', '[{ name: app, image: a, ports: [{ containerPort: 53, hostPort: ‹5353› }] }]'),
    others: { 'proxy.yaml': proxy },
    says: ['**Port `5353/TCP` of the node is free on 4 of 4 known nodes**'],
  },
  {
    it: 'tells what a claim asks for, and which nodes reach its volume',
    manifest: web('      volumes: [{ name: data, persistentVolumeClaim: { claimName: ‹data› } }]\n'),
    others: { 'claims.yaml': claims },
    says: [
      '**Claim [`shop/data`](file:///claims.yaml',
      'It asks for `5Gi`',
      'Access: `ReadWriteOncePod`',
      'Bound to [`v`](file:///claims.yaml',
      'which 2 of 4 known nodes can reach: [`b`](file:///nodes.yaml',
      'only one pod runs with it at a time',
    ],
  },
  {
    it: 'tells when a claim that is not bound will be',
    manifest: web('      volumes: [{ name: data, persistentVolumeClaim: { claimName: ‹later› } }]\n'),
    others: { 'claims.yaml': claims },
    says: ['Not bound; [`slow`](file:///claims.yaml', 'binds it on the node that is chosen for the pod'],
  },
  {
    it: 'tells which devices claims ask for, and that no priority gets them',
    manifest: web(
      '      ‹resourceClaims›: [{ name: a, resourceClaimName: shared }, { name: b, resourceClaimTemplateName: own }, { name: c, resourceClaimName: lost }]\n',
    ),
    others: { 'devices.yaml': devices },
    says: [
      'ResourceClaim [`shop/shared`](file:///devices.yaml',
      'asks for 2 devices of class `large`; it has them, reserved for 1 pod',
      'ResourceClaimTemplate [`shop/own`](file:///devices.yaml',
      'asks for the first that can be had of `a` (1 device of class `large`), `b` (1 device of class `small`), one for each pod',
      'ResourceClaim `lost` is not declared here',
      'Priority never preempts for devices',
    ],
  },
  {
    it: 'tells which device claims a container gets, with the classes, and who shares them',
    manifest: web(
      '      resourceClaims: [{ name: a, resourceClaimName: shared }, { name: b, resourceClaimTemplateName: own }]\n',
      '[{ name: app, image: a, resources: { ‹claims›: [{ name: a, request: gpu }, { name: b }, { name: c }, { name: a, request: fpga }] } }, { name: side, image: a, resources: { claims: [{ name: a }] } }]',
    ),
    others: { 'devices.yaml': devices },
    says: [
      '**Container `app` gets devices of 4 claims of its pod**',
      '`a`, shared with `side`: ResourceClaim [`shop/shared`](file:///devices.yaml',
      'asks for 2 devices of class `large`; it has them',
      '`b`: ResourceClaimTemplate [`shop/own`](file:///devices.yaml',
      'asks for the first that can be had of `a` (1 device of class `large`), `b` (1 device of class `small`), one for each pod',
      '`c`: the pod has no such claim',
      '`a`, shared with `side`: ResourceClaim [`shop/shared`](file:///devices.yaml',
      'asks for nothing called `fpga`',
      'Priority never preempts for devices',
    ],
  },
  {
    it: 'tells which ports of its node a pod on the network of the node takes, and where they are free',
    manifest: web(
      '      ‹hostNetwork›: true\n',
      '[{ name: app, image: a, ports: [{ containerPort: 8080 }, { containerPort: 9090, protocol: UDP }] }]',
    ),
    others: { 'proxy.yaml': proxy },
    says: [
      '**Each pod takes 2 ports of its node**: every port of its containers. All are free on 3 of 4 known nodes',
      '`8080/TCP` is taken on [`b`](file:///nodes.yaml',
      'by [`shop/proxy`](file:///proxy.yaml',
      '`9090/UDP` is free on all',
      'No two of the 3 pods share a node.',
    ],
  },
  {
    it: 'counts the ports of running pods on the network of their node, also where nobody has written them as host ports',
    manifest: web('      ‹hostNetwork›: true\n', '[{ name: app, image: a, ports: [{ containerPort: 7070 }] }]'),
    others: {
      'agent.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: agent, namespace: shop, uid: g }\nspec: { nodeName: a, hostNetwork: true, containers: [{ name: p, image: p, ports: [{ containerPort: 7070 }] }] }\nstatus: { phase: Running }\n',
    },
    says: ['All are free on 3 of 4 known nodes', '`7070/TCP` is taken on [`a`]', 'by [`shop/agent`]'],
  },
  {
    it: 'says that nothing is taken of the node where no container declares a port',
    manifest: web('      ‹hostNetwork›: true\n', '[{ name: app, image: a }]'),
    says: ['**Takes no port of its node that the scheduler knows of**: its containers declare none.'],
  },
  {
    it: 'says that only host ports are taken of the node by a pod with a network of its own',
    manifest: web(
      '      ‹hostNetwork›: false\n',
      '[{ name: app, image: a, ports: [{ containerPort: 80, hostPort: 8080 }, { containerPort: 81 }] }]',
    ),
    others: { 'proxy.yaml': proxy },
    says: [
      '**Each pod takes 1 port of its node**: what is written as `hostPort`. All are free on 3 of 4 known nodes',
      '`8080/TCP` is taken on [`b`]',
    ],
  },
  {
    it: 'says that a pod with a network of its own takes no port of its node',
    manifest: web('      ‹hostNetwork›: false\n', '[{ name: app, image: a, ports: [{ containerPort: 80 }] }]'),
    says: ['**Takes no port of its node**: none is written as `hostPort`.'],
  },
  {
    it: 'tells what a sidecar adds to the requests of its pod, and what it would as a plain init container',
    manifest: web(
      '      initContainers: [{ name: side, image: a, ‹restartPolicy›: Always, resources: { requests: { cpu: 500m } } }]\n',
      '[{ name: app, image: a, resources: { requests: { cpu: "1" } } }]',
    ),
    says: [
      '**`side` is a sidecar**: it runs as long as the containers, and its requests count with theirs.',
      'Each pod requests 1.5 cpu. As a plain init container, which ends before they start, it would make that 1 cpu.',
    ],
  },
  {
    it: 'tells of an init container that ends what it would add as a sidecar',
    manifest: web(
      '      initContainers: [{ name: first, image: a, ‹restartPolicy›: Never, resources: { requests: { cpu: 500m } } }]\n',
      '[{ name: app, image: a, resources: { requests: { cpu: "1" } } }]',
    ),
    says: [
      '**`first` ends before the containers start**: only the larger need counts.',
      'Each pod requests 1 cpu. As a sidecar (`Always`) it would make that 1.5 cpu.',
    ],
  },
  {
    it: 'says of a container that its room does not depend on whether it is started again',
    manifest: web('', '[{ name: app, image: a, ‹restartPolicy›: Never, resources: { requests: { cpu: "1" } } }]'),
    says: ['**Its pod keeps the room of `app` until the whole pod ends**', 'Each pod requests 1 cpu.'],
  },
  {
    it: 'tells when a deadline ends a pod, what a simulation makes of it, and which quotas count it for it',
    manifest:
      'apiVersion: batch/v1\nkind: Job\nmetadata: { name: web, namespace: shop }\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      ‹activeDeadlineSeconds›: 600\n      containers: [{ name: app, image: a }]\n',
    others: {
      'quotas.yaml': ['Terminating', 'NotTerminating']
        .map(
          (scope) =>
            `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q-${scope.toLowerCase()}, namespace: shop }\nspec: { hard: { pods: "5" }, scopes: [${scope}] }\n`,
        )
        .join('---\n'),
    },
    says: [
      '**The kubelet ends each pod as failed 600 seconds after it has taken it up**; the time for which it waits for a node does not count.',
      '- For its Job that is a failure, which `backoffLimit` counts.',
      '- A simulation does not end it',
      '- Quotas of the scope `Terminating` count it, those of `NotTerminating` do not: here [`shop/q-terminating`](file:///quotas.yaml',
    ],
  },
  {
    it: 'says where the API server takes no deadline',
    manifest: web('      ‹activeDeadlineSeconds›: 600\n', '[{ name: app, image: a }]'),
    says: ['**The API server refuses it in a Deployment**: there pods are to run for good.'],
  },
  {
    it: 'says that a claim is not there',
    manifest: web('      volumes: [{ name: data, persistentVolumeClaim: { claimName: ‹lost› } }]\n'),
    others: { 'claims.yaml': claims },
    says: ['Claim `lost` is not declared here in namespace `shop`. Without it no node takes the pod.'],
  },
  {
    it: 'tells the share that requests take of the largest node and of each size, and the QoS class',
    manifest: web('', '[{ name: app, image: a, ‹resources›: { requests: { cpu: "2", memory: 4Gi } } }]'),
    says: [
      '**Each pod requests 2 cpu, 4 Gi** · QoS class `Burstable`',
      'container `app` requests 2 cpu, 4 Gi; it has no limits',
      'Its 3 pods request 6 cpu, 12 Gi together',
      'Of the 4 known nodes',
      'the largest: [`a`](file:///nodes.yaml',
      'and 1 alike (4 cpu, 16 Gi): 50 % of cpu, 25 % of memory, room for 2',
      'it may not run on 2 other nodes: their labels or taints keep it away',
    ],
  },
  {
    it: 'counts init containers, sidecars and overhead as the scheduler does',
    manifest: web(
      '      runtimeClassName: kata\n      initContainers: [{ name: init, image: a, resources: { requests: { cpu: "3" } } }, { name: side, image: a, restartPolicy: Always, resources: { requests: { cpu: 500m } } }]\n',
      '[{ name: app, image: a, resources: { ‹requests›: { cpu: "1" } } }]',
    ),
    others: {
      'kata.yaml':
        'apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: kata }\nhandler: kata\noverhead: { podFixed: { cpu: 250m } }\n',
    },
    says: [
      '**Each pod requests 3.25 cpu**',
      'Sidecars (1) run as long as the containers',
      'Init containers need more than what runs later, so their need counts: 3 cpu, where the containers request 1 cpu',
      '0.25 cpu of it is overhead of the RuntimeClass `kata`',
    ],
  },
  {
    it: 'takes requests of the pod as a whole for those of its containers',
    manifest: web(
      '      ‹resources›: { requests: { cpu: "2", memory: 1Gi }, limits: { cpu: "2", memory: 1Gi } }\n',
      '[{ name: app, image: a, resources: { requests: { cpu: "1" } } }]',
    ),
    says: ['**Each pod requests 2 cpu, 1 Gi** · QoS class `Guaranteed`', 'The pod as a whole says what it requests'],
  },
  {
    it: 'says where a request comes from that is not written',
    manifest: web('', '[{ name: app, image: a, resources: { ‹limits›: { cpu: "1" } } }]'),
    others: {
      'range.yaml':
        'apiVersion: v1\nkind: LimitRange\nmetadata: { name: usual, namespace: shop }\nspec: { limits: [{ type: Container, defaultRequest: { memory: 64Mi } }] }\n',
    },
    says: ['A request that is not written is the limit: `cpu`', '`memory` comes from the LimitRange [`shop/usual`]'],
  },
  {
    it: 'says that a pod is too large for every node, and for nodes without a resource',
    manifest: web(
      '',
      '[{ name: app, image: a, resources: { requests: { ‹nvidia.com/gpu›: "1" }, limits: { nvidia.com/gpu: "1" } } }]',
    ),
    says: ['the largest: [`a`]', 'too small, 1 nvidia.com/gpu of none'],
  },
  {
    it: 'says of a pod without requests that it goes first',
    manifest: web('', '[{ name: app, image: a, ‹resources›: {} }]'),
    says: ['requests nothing** · QoS class `BestEffort`', 'fits every node that has a pod left', 'room for 110'],
  },
  {
    it: '[PLA-13] says which taints of which nodes a toleration is for',
    manifest: web(
      '      tolerations: [{ ‹key›: dedicated, operator: Exists, effect: NoExecute }, { key: dedicated, operator: Exists }]\n',
    ),
    says: ['**Tolerates none of 2 taints** on the 4 known nodes', 'There are `dedicated=gpu:NoSchedule` (1 node)'],
  },
  {
    it: '[PLA-13] says how long a pod stays that tolerates a taint for some time',
    manifest: web('      tolerations: [{ key: dedicated, operator: Exists, ‹tolerationSeconds›: 60 }]\n'),
    says: [
      '**Tolerates 1 of 2 taints**',
      '`dedicated=gpu:NoSchedule` of [`b`]',
      'stays for 60 seconds and is then evicted',
    ],
  },
  {
    it: '[PLA-13] says which nodes tolerations open, and which stay closed',
    manifest: web('      ‹tolerations›: [{ key: dedicated, operator: Exists }]\n'),
    says: [
      '**3 of 4 known nodes**',
      'Only by these tolerations: [`b`]',
      'Closed: [`c`]',
      'node.kubernetes.io/unschedulable:NoSchedule',
    ],
  },
  {
    it: '[PLA-1] names the nodes that a node selector matches',
    manifest: web('      ‹nodeSelector›: { zone: two }\n'),
    says: ['**2 of 4 known nodes match**: [`b`]', 'leave none of 4 known nodes to these pods'],
  },
  {
    it: '[PLA-1] says what values nodes have where none has the one that is asked for',
    manifest: web('      nodeSelector: { ‹zone›: three, kubernetes.io/hostname: a }\n'),
    says: [
      '**None of 4 known nodes match**',
      'Nodes have `zone` as `one` (1), `two` (2)',
      'The 2 labels of the selector together',
    ],
  },
  {
    it: 'asks whether another label was meant',
    manifest: web('      nodeSelector: { ‹zonee›: two }\n'),
    says: ['No node has a label `zonee`. Did you mean `zone`?'],
  },
  {
    it: '[PLA-2] [PLA-4] tells what a requirement of node affinity, its term and all terms match',
    manifest: web(
      '      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: zone, ‹operator›: Exists }, { key: zone, operator: NotIn, values: [one] }] }, { matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [d] }] }] } } }\n',
    ),
    says: [
      '**3 of 4 known nodes match**',
      'The 2 requirements of the term together: **2 of 4 known nodes match**',
      'with 1 other, **3 of 4',
      'leave 1 of 4 known nodes to these pods: [`d`]',
    ],
  },
  {
    it: '[PLA-2] tells what weight the nodes of a preference get',
    manifest: web(
      '      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ ‹weight›: 7, preference: { matchExpressions: [{ key: zone, operator: In, values: [one] }] } }] } }\n',
    ),
    says: ['**1 of 4 known nodes matches**: [`a`]', 'They get weight 7 of up to 100'],
  },
  {
    it: 'names the pods that anti-affinity means, where they run, and the domains that are left',
    manifest: web(
      '      affinity: { podAntiAffinity: { ‹requiredDuringSchedulingIgnoredDuringExecution›: [{ topologyKey: zone, labelSelector: { matchLabels: { app: web } } }] } }\n',
    ),
    says: ['Required apart from the pods of [`shop/web`](file:///a.yaml', 'by `zone`'],
  },
  {
    it: 'names the pods that the selector of a term means',
    manifest: web(
      '      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, ‹labelSelector›: { matchLabels: { app: web } } }] } }\n',
    ),
    snapshot: [running('web-1', 'a'), running('web-2', 'a')].join('---\n'),
    says: [
      '**Selects the pods of 1 workload**: [`shop/web`]',
      '(3 pods)',
      '2 such pods run now on 1 node: [`shop/web-1`](file:///snapshot.yaml',
      'on `a`',
    ],
  },
  {
    it: 'tells where the pods of a preferred term run, and which domains are left',
    manifest: web(
      '      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ ‹weight›: 5, podAffinityTerm: { topologyKey: zone, labelSelector: { matchLabels: { app: web } } } }] } }\n',
    ),
    snapshot: running('web-1', 'a'),
    says: [
      '**Selects the pods of 1 workload**',
      'They run now in `one` (1): of the other domains these pods rather go to `two`.',
      'There the term changes no score',
    ],
  },
  {
    it: '[PLA-9] tells the domains of a topology key, and the nodes that are in none',
    manifest: web(
      '      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ‹topologyKey›: zone, labelSelector: {} }] } }\n',
    ),
    says: [
      '**2 domains** of `zone` over 4 known nodes: `one` (1 node), `two` (2 nodes).',
      '1 node lacks the label `zone`: [`d`]',
      'There these pods are never placed',
    ],
  },
  {
    it: '[PLA-12] tells the domains of a spread constraint with their pods, the skew now, and where one more may go',
    manifest: web(
      '      topologySpreadConstraints:\n      - ‹maxSkew›: 1\n        topologyKey: zone\n        whenUnsatisfiable: DoNotSchedule\n        labelSelector: { matchLabels: { app: web } }\n',
    ),
    snapshot: [
      running('web-1', 'a'),
      running('web-2', 'a'),
      running('web-3', 'b'),
      running('ended', 'b').replace('Running', 'Failed'),
    ].join('---\n'),
    says: [
      '**2 domains** of `zone`: skew 1 now, 1 is allowed.',
      'one  2 pods  1 node   takes none: one more is a skew of 2',
      'two  1 pod   2 nodes  takes one more',
    ],
  },
  {
    it: '[PLA-12] counts no nodes that the policies of a spread constraint leave out',
    manifest: web(
      '      nodeSelector: { zone: two }\n      topologySpreadConstraints:\n      - { ‹maxSkew›: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, nodeTaintsPolicy: Honor, minDomains: 2, labelSelector: { matchLabels: { app: other } } }\n',
    ),
    says: ['**1 domain** of `zone`', 'two  0 pods  1 node', 'Its own pods are not selected', 'fewer than 2 domains'],
  },
  {
    it: 'names the pods that a service selects',
    manifest:
      'apiVersion: v1\nkind: Service\nmetadata: { name: web, namespace: shop }\nspec: { ‹selector›: { app: web } }\n',
    others: { 'web.yaml': web('') },
    says: ['**Selects the pods of 1 workload**: [`shop/web`]', '(3 pods)'],
  },
  {
    it: 'says what one of several requirements of a selector selects alone',
    manifest:
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop }\nspec: { maxUnavailable: 1, selector: { matchLabels: { ‹app›: web, tier: front } } }\n',
    others: { 'web.yaml': web('') },
    says: [
      'This one of its requirements alone selects the pods of 1 workload',
      '**Selects pods of none of the workloads**',
      '**PodDisruptionBudget `web`**',
    ],
  },
  {
    it: 'says that a workload does not select its own pods',
    manifest: web('').replace('selector: { matchLabels: { app: web } }', '‹selector›: { matchLabels: { app: wep } }'),
    says: ['**Selects pods of none', 'the API server refuses the workload'],
  },
];

describe('hover over where pods go', () => {
  for (const { it: name, others, ...rest } of cases) {
    it(name, () => checkHover({ ...rest, others: { 'nodes.yaml': nodes, ...others } }));
  }

  it('tells what rests on assumed nodes', () =>
    checkHover({
      manifest: web('', '[{ name: app, image: a, ‹resources›: { requests: { cpu: "1" } } }]'),
      says: ['No Node is declared, so these are assumed:', '`assumed-a` and 2 alike'],
    }));

  it('stays short and plain whatever nodes are called', async () => {
    const hostile = `"[x](command:evil) <b>${'y'.repeat(5000)}"`;
    const many = Array.from({ length: 400 }, (_, at) => node(`n${at}`, hostile)).join('---\n');
    await checkHover({
      manifest: web(
        '      topologySpreadConstraints: [{ ‹topologyKey›: zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule }]\n',
      ),
      others: { 'nodes.yaml': many },
      says: [
        /^.{0,200}\n\n\*\*1 domain\*\* of `zone` over 400 known nodes: `\[x\]\(command:evil\) <b>y{200,300}…` \(400 nodes\)\./,
      ],
    });
  });
});
