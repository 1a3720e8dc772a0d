/** The fields that bear on scheduling, for the table of docs/language.md and the test that walks it. */

/** Where a field stands: how the manifest around it is written, and how deep. */
export const surroundings = {
  pod: {
    indent: 2,
    text: `apiVersion: v1
kind: Pod
metadata: { name: mine, namespace: shop, labels: { app: mine } }
spec:
  containers:
    - name: app
      image: app
      resources: { requests: { cpu: 100m } }
`,
  },
  container: {
    indent: 6,
    text: `apiVersion: v1
kind: Pod
metadata: { name: mine, namespace: shop, labels: { app: mine } }
spec:
  resourceClaims: [{ name: gpu, resourceClaimName: gpu }]
  containers:
    - name: app
      image: app
`,
  },
  class: {
    indent: 0,
    text: `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: mine }
`,
  },
  budget: {
    indent: 0,
    text: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: mine, namespace: shop }
`,
  },
  quota: {
    indent: 0,
    text: `apiVersion: v1
kind: ResourceQuota
metadata: { name: mine, namespace: shop }
`,
  },
  node: {
    indent: 0,
    text: `apiVersion: v1
kind: Node
`,
  },
  scheduler: {
    indent: 0,
    text: `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
`,
  },
} as const;

export type Column = 'completion' | 'hover' | 'definition' | 'diagnostics' | 'fix';

export interface FieldRow {
  /** As the API calls it. */
  readonly field: string;
  readonly in: keyof typeof surroundings;
  /** `^` before its key, and `~` before its value, which ends with its line. The field comes last. */
  readonly write: string;
  /** The same with a mistake that a rule tells of. */
  readonly bad?: string;
  /** What its hover tells. */
  readonly tells: string;
  /** What the hover says of `write`. */
  readonly says: RegExp;
  /** Why there is nothing in a column. */
  readonly why?: Partial<Readonly<Record<Column, string>>>;
}

/** Why there is nothing, where it is the same for several fields. */
const nowhere = 'names nothing that is declared';
const notNamed = 'has no value of its own';
const unclear = 'no one value is certainly meant';
const nothingWrong = 'nothing is reported about it';
const offered = 'completion offers the right ones';
const amount = 'an amount';
const number = { definition: nowhere, completion: 'a number' };

const nodeTerm = (last: string): string =>
  `affinity:\n  nodeAffinity:\n    requiredDuringSchedulingIgnoredDuringExecution:\n      nodeSelectorTerms:\n        - matchExpressions:\n            - key: zone\n              operator: In\n              ${last}`;
const near = (last: string): string =>
  `affinity:\n  podAntiAffinity:\n    requiredDuringSchedulingIgnoredDuringExecution:\n      - labelSelector: { matchLabels: { app: web } }\n        ${last}`;
const spread = (last: string): string =>
  `topologySpreadConstraints:\n  - labelSelector: { matchLabels: { app: mine } }\n    ${last}`;

export const fieldRows: readonly FieldRow[] = [
  {
    field: 'PodSpec.priorityClassName',
    in: 'pod',
    write: '^priorityClassName: ~high',
    bad: '^priorityClassName: system-mine',
    tells: 'the number, where it comes from, its rank, which pods evict which',
    says: /\*\*Priority 1000\*\*/,
  },
  {
    field: 'PodSpec.priority',
    in: 'pod',
    write: 'priorityClassName: high\n^priority: ~1000',
    bad: 'priorityClassName: high\n^priority: 5',
    tells: 'the same',
    says: /\*\*Priority 1000\*\*/,
    why: number,
  },
  {
    field: 'PodSpec.preemptionPolicy',
    in: 'pod',
    write: '^preemptionPolicy: ~PreemptLowerPriority',
    bad: '^preemptionPolicy: Sometimes',
    tells: 'the same',
    says: /preempts lower|Priority/,
    why: { fix: offered, definition: nowhere },
  },
  {
    field: 'PodSpec.schedulerName',
    in: 'pod',
    write: '^schedulerName: ~packed',
    bad: '^schedulerName: packd',
    tells: 'its profile and what that does otherwise',
    says: /\*\*Profile `packed`\*\*/,
  },
  {
    field: 'PodSpec.schedulingGates',
    in: 'pod',
    write: 'schedulingGates:\n  - ^name: ~example.com/quota',
    bad: 'schedulingGates:\n  - ^name: -bad-',
    tells: '`SchedulingGated`, and what may change meanwhile',
    says: /SchedulingGated/,
    why: { completion: 'a name of your own', definition: nowhere, fix: unclear },
  },
  {
    field: 'PodSpec.nodeName',
    in: 'pod',
    write: '^nodeName: ~node-a',
    bad: '^nodeName: node-z',
    tells: 'whether the node exists, its free room, what naming it skips',
    says: /\*\*Node \[`node-a`\]/,
    why: { fix: unclear },
  },
  {
    field: 'PodSpec.nodeSelector',
    in: 'pod',
    write: '^nodeSelector:\n  zone: ~one',
    bad: '^nodeSelector:\n  zone: three',
    tells: 'how many nodes match, by name; which values there are',
    says: /\*\*1 of 2 known nodes matches\*\*/,
    why: { fix: unclear },
  },
  {
    field: 'NodeAffinity.requiredDuringSchedulingIgnoredDuringExecution',
    in: 'pod',
    write:
      'affinity:\n  nodeAffinity:\n    ^requiredDuringSchedulingIgnoredDuringExecution:\n      nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: Exists }] }]',
    bad: 'affinity:\n  nodeAffinity:\n    ^requiredDuringSchedulingIgnoredDuringExecution:\n      nodeSelectorTerms: []',
    tells: 'how many nodes match, by name',
    says: /\*\*2 of 2 known nodes match\*\*/,
    why: { definition: notNamed, fix: unclear },
  },
  {
    field: 'NodeAffinity.preferredDuringSchedulingIgnoredDuringExecution',
    in: 'pod',
    write:
      'affinity:\n  nodeAffinity:\n    ^preferredDuringSchedulingIgnoredDuringExecution:\n      - { weight: 5, preference: { matchExpressions: [{ key: zone, operator: In, values: [one] }] } }',
    bad: 'affinity:\n  nodeAffinity:\n    ^preferredDuringSchedulingIgnoredDuringExecution:\n      - { weight: 500, preference: { matchExpressions: [{ key: zone, operator: In, values: [one] }] } }',
    tells: 'for each weight how many nodes get it',
    says: /Weight 5: \*\*1 of 2 known nodes/,
    why: { definition: notNamed, fix: unclear },
  },
  {
    field: 'NodeSelectorRequirement.key',
    in: 'pod',
    write: nodeTerm('values: [one]').replace(
      '- key: zone\n              operator: In\n              values: [one]',
      '- operator: Exists\n              ^key: ~zone',
    ),
    bad: nodeTerm('values: [one]').replace(
      '- key: zone\n              operator: In\n              values: [one]',
      '- operator: Exists\n              ^key: "a b"',
    ),
    tells: 'how many nodes this one leaves, and all of its term',
    says: /\*\*2 of 2 known nodes match\*\*/,
    why: { fix: unclear },
  },
  {
    field: 'NodeSelectorRequirement.operator',
    in: 'pod',
    write: nodeTerm('values: [one]').replace(
      'operator: In\n              values: [one]',
      'values: [one]\n              ^operator: ~In',
    ),
    bad: nodeTerm('values: [one]').replace(
      'operator: In\n              values: [one]',
      'values: [one]\n              ^operator: Within',
    ),
    tells: 'the same',
    says: /\*\*1 of 2 known nodes matches\*\*/,
    why: { fix: offered, definition: nowhere },
  },
  {
    field: 'NodeSelectorRequirement.values',
    in: 'pod',
    write: nodeTerm('^values:\n                - ~one'),
    bad: nodeTerm('^values: []'),
    tells: 'the same',
    says: /\*\*1 of 2 known nodes matches\*\*/,
    why: { definition: 'the key leads to the nodes', fix: unclear },
  },
  {
    field: 'PodAffinityTerm.labelSelector',
    in: 'pod',
    write: near('topologyKey: zone').replace(
      'labelSelector: { matchLabels: { app: web } }\n        topologyKey: zone',
      'topologyKey: zone\n        ^labelSelector:\n          matchLabels:\n            app: ~web',
    ),
    bad: near('topologyKey: zone').replace(
      'labelSelector: { matchLabels: { app: web } }\n        topologyKey: zone',
      'topologyKey: zone\n        ^labelSelector:\n          matchLabels:\n            app: none-such',
    ),
    tells: 'how many pods it selects, by workload, and where they run',
    says: /\*\*Selects the pods of 1 workload\*\*/,
    why: { fix: unclear, definition: 'hover and references name the workloads' },
  },
  {
    field: 'PodAffinityTerm.topologyKey',
    in: 'pod',
    write: near('^topologyKey: ~zone'),
    bad: near('^topologyKey: zonee'),
    tells: 'its domains with their nodes, and the nodes without the label',
    says: /\*\*2 domains\*\* of `zone`/,
    why: { fix: unclear },
  },
  {
    field: 'PodAffinityTerm.namespaces',
    in: 'pod',
    write: near('topologyKey: zone\n        ^namespaces:\n          - ~shop'),
    bad: near('topologyKey: zone\n        ^namespaces:\n          - Not_One'),
    tells: 'how many namespaces, by name',
    says: /pods of 1 namespace\*\*: `shop`/,
    why: { fix: unclear },
  },
  {
    field: 'PodAffinityTerm.namespaceSelector',
    in: 'pod',
    write: near('topologyKey: zone\n        ^namespaceSelector:\n          matchLabels:\n            team: ~shop'),
    bad: near('topologyKey: zone\n        ^namespaceSelector:\n          matchLabels:\n            team: "a b"'),
    tells: 'the same',
    says: /pods of 1 namespace\*\*/,
    why: { definition: 'the hover names the namespaces', fix: unclear },
  },
  {
    field: 'PodAffinityTerm.matchLabelKeys',
    in: 'pod',
    write: near('topologyKey: zone\n        ^matchLabelKeys:\n          - ~pod-template-hash'),
    bad: near('topologyKey: zone\n        ^matchLabelKeys:\n          - "a b"'),
    tells: 'what the term selects',
    says: /\*\*Selects the pods/,
    why: { definition: nowhere, fix: unclear },
  },
  {
    field: 'WeightedPodAffinityTerm.weight',
    in: 'pod',
    write:
      'affinity:\n  podAffinity:\n    preferredDuringSchedulingIgnoredDuringExecution:\n      - podAffinityTerm: { topologyKey: zone, labelSelector: { matchLabels: { app: web } } }\n        ^weight: ~5',
    bad: 'affinity:\n  podAffinity:\n    preferredDuringSchedulingIgnoredDuringExecution:\n      - podAffinityTerm: { topologyKey: zone, labelSelector: { matchLabels: { app: web } } }\n        ^weight: 500',
    tells: 'what its term selects, and the domains',
    says: /\*\*2 domains\*\*/,
    why: { ...number, fix: unclear },
  },
  {
    field: 'TopologySpreadConstraint.topologyKey',
    in: 'pod',
    write: spread('maxSkew: 1\n    whenUnsatisfiable: DoNotSchedule\n    ^topologyKey: ~zone'),
    bad: spread('maxSkew: 1\n    whenUnsatisfiable: DoNotSchedule\n    ^topologyKey: zonee'),
    tells: 'its domains, and the nodes without the label',
    says: /\*\*2 domains\*\* of `zone`/,
    why: { fix: unclear },
  },
  {
    field: 'TopologySpreadConstraint.maxSkew',
    in: 'pod',
    write: spread('topologyKey: zone\n    whenUnsatisfiable: DoNotSchedule\n    ^maxSkew: ~1'),
    bad: spread('topologyKey: zone\n    whenUnsatisfiable: DoNotSchedule\n    ^maxSkew: 0'),
    tells: 'the pods of each domain, the skew now, where one more may go',
    says: /skew 1 now/,
    why: { ...number, fix: unclear },
  },
  {
    field: 'TopologySpreadConstraint.whenUnsatisfiable',
    in: 'pod',
    write: spread('topologyKey: zone\n    maxSkew: 1\n    ^whenUnsatisfiable: ~DoNotSchedule'),
    bad: spread('topologyKey: zone\n    maxSkew: 1\n    ^whenUnsatisfiable: Never'),
    tells: 'the same',
    says: /takes none|takes one more/,
    why: { fix: offered, definition: nowhere },
  },
  {
    field: 'TopologySpreadConstraint.labelSelector',
    in: 'pod',
    write:
      'topologySpreadConstraints:\n  - topologyKey: zone\n    maxSkew: 1\n    whenUnsatisfiable: DoNotSchedule\n    ^labelSelector:\n      matchLabels:\n        app: ~mine',
    bad: 'topologySpreadConstraints:\n  - topologyKey: zone\n    maxSkew: 1\n    whenUnsatisfiable: DoNotSchedule\n    ^labelSelector:\n      matchLabels:\n        app: other',
    tells: 'which pods it counts, and whether its own are among them',
    says: /\*\*Selects the pods/,
    why: { definition: 'the hover names the workloads', fix: unclear },
  },
  {
    field: 'TopologySpreadConstraint.minDomains',
    in: 'pod',
    write: spread('topologyKey: zone\n    maxSkew: 1\n    whenUnsatisfiable: DoNotSchedule\n    ^minDomains: ~3'),
    bad: spread('topologyKey: zone\n    maxSkew: 1\n    whenUnsatisfiable: DoNotSchedule\n    ^minDomains: 0'),
    tells: 'the same, with the fewest as none',
    says: /fewer than 3 domains/,
    why: { ...number, fix: unclear },
  },
  ...(['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const).map((name): FieldRow => ({
    field: `TopologySpreadConstraint.${name}`,
    in: 'pod',
    write: spread(`topologyKey: zone\n    maxSkew: 1\n    whenUnsatisfiable: DoNotSchedule\n    ^${name}: ~Honor`),
    bad: spread(`topologyKey: zone\n    maxSkew: 1\n    whenUnsatisfiable: DoNotSchedule\n    ^${name}: Sometimes`),
    tells: 'the domains of the nodes that count',
    says: /domains?\*\* of `zone`/,
    why: { definition: nowhere, fix: offered },
  })),
  {
    field: 'TopologySpreadConstraint.matchLabelKeys',
    in: 'pod',
    write: spread(
      'topologyKey: zone\n    maxSkew: 1\n    whenUnsatisfiable: DoNotSchedule\n    ^matchLabelKeys:\n      - ~pod-template-hash',
    ),
    bad: spread(
      'topologyKey: zone\n    maxSkew: 1\n    whenUnsatisfiable: DoNotSchedule\n    ^matchLabelKeys:\n      - "a b"',
    ),
    tells: 'the same, for pods with the same values',
    says: /same values of `matchLabelKeys`/,
    why: { definition: nowhere, fix: unclear },
  },
  {
    field: 'Toleration.key',
    in: 'pod',
    write: 'tolerations:\n  - operator: Exists\n    ^key: ~dedicated',
    bad: 'tolerations:\n  - operator: Exists\n    ^key: dedicate',
    tells: 'which taints of which nodes it tolerates',
    says: /\*\*Tolerates 1 of 1 taint\*\*/,
    why: { fix: unclear },
  },
  {
    field: 'Toleration.operator',
    in: 'pod',
    write: 'tolerations:\n  - key: dedicated\n    ^operator: ~Exists',
    bad: 'tolerations:\n  - key: dedicated\n    ^operator: Is',
    tells: 'the same',
    says: /\*\*Tolerates 1 of 1 taint\*\*/,
    why: { fix: offered, definition: nowhere },
  },
  {
    field: 'Toleration.value',
    in: 'pod',
    write: 'tolerations:\n  - key: dedicated\n    ^value: ~gpu',
    bad: 'tolerations:\n  - key: dedicated\n    operator: Exists\n    ^value: gpu',
    tells: 'the same',
    says: /\*\*Tolerates 1 of 1 taint\*\*/,
    why: { definition: 'the key leads to the nodes', fix: unclear },
  },
  {
    field: 'Toleration.effect',
    in: 'pod',
    write: 'tolerations:\n  - key: dedicated\n    operator: Exists\n    ^effect: ~NoSchedule',
    bad: 'tolerations:\n  - key: dedicated\n    operator: Exists\n    ^effect: NoRun',
    tells: 'the same',
    says: /\*\*Tolerates 1 of 1 taint\*\*/,
    why: { fix: offered, definition: nowhere },
  },
  {
    field: 'Toleration.tolerationSeconds',
    in: 'pod',
    write: 'tolerations:\n  - key: dedicated\n    operator: Exists\n    effect: NoExecute\n    ^tolerationSeconds: ~60',
    bad: 'tolerations:\n  - key: dedicated\n    operator: Exists\n    ^effect: NoSchedule\n    tolerationSeconds: 60',
    tells: 'how long a running pod stays',
    says: /stays for 60 seconds/,
    why: { ...number, fix: unclear },
  },
  {
    field: 'ResourceRequirements.requests',
    in: 'container',
    write: 'resources:\n  ^requests:\n    cpu: ~500m',
    bad: 'resources:\n  ^requests:\n    memory: 1gi',
    tells: 'what the pod requests, its share of the largest node and of each size, the QoS class',
    says: /\*\*This pod requests 0\.5 cpu\*\*/,
    why: { completion: amount, definition: nowhere },
  },
  {
    field: 'ResourceRequirements.limits',
    in: 'container',
    write: 'resources:\n  ^limits:\n    memory: ~1Gi',
    bad: 'resources:\n  ^requests: { memory: 2Gi }\n  limits:\n    memory: 1Gi',
    tells: 'the same',
    says: /1 Gi/,
    why: { completion: amount, definition: nowhere, fix: unclear },
  },
  {
    field: 'ResourceRequirements.claims',
    in: 'container',
    write: 'resources:\n  ^claims:\n    - name: ~gpu',
    bad: 'resources:\n  ^claims:\n    - name: none-such',
    tells: 'what the claims ask for, and who shares them',
    says: /gets devices of 1 claim/,
    why: { fix: unclear },
  },
  {
    field: 'ContainerPort.hostPort',
    in: 'container',
    write: 'ports:\n  - containerPort: 80\n    ^hostPort: ~8080',
    bad: 'ports:\n  - containerPort: 80\n    ^hostPort: 99999',
    tells: 'on which nodes it is free, and who has it',
    says: /is free on/,
    why: { ...number, fix: unclear },
  },
  {
    field: 'Container.restartPolicy',
    in: 'pod',
    write: 'initContainers:\n  - name: side\n    image: side\n    ^restartPolicy: ~Always',
    bad: 'initContainers:\n  - name: side\n    image: side\n    ^restartPolicy: Sometimes',
    tells: 'what it makes of the requests of the pod',
    says: /is a sidecar/,
    why: { fix: offered, definition: nowhere },
  },
  {
    field: 'PodSpec.resources',
    in: 'pod',
    write: '^resources:\n  requests: { cpu: "1" }',
    bad: '^resources:\n  requests: { cpu: 10m }',
    tells: 'as of containers: it counts instead of theirs',
    says: /The pod as a whole says/,
    why: { definition: nowhere, fix: unclear },
  },
  {
    field: 'PodSpec.overhead',
    in: 'pod',
    write: 'runtimeClassName: kata\n^overhead:\n  cpu: ~250m',
    bad: 'runtimeClassName: kata\n^overhead:\n  memory: 1gi',
    tells: 'as of requests, to which it is added',
    says: /overhead of the RuntimeClass `kata`/,
    why: { completion: amount, definition: nowhere },
  },
  {
    field: 'PodSpec.runtimeClassName',
    in: 'pod',
    write: '^runtimeClassName: ~kata',
    bad: '^runtimeClassName: Not_One',
    tells: 'its overhead, and the nodes that it takes',
    says: /\*\*RuntimeClass \[`kata`\]/,
    why: { definition: 'the hover leads there', fix: unclear },
  },
  {
    field: 'PodSpec.terminationGracePeriodSeconds',
    in: 'pod',
    write: '^terminationGracePeriodSeconds: ~60',
    bad: '^terminationGracePeriodSeconds: 7200',
    tells: 'what a victim gets, and who waits for it',
    says: /has 60 seconds to end/,
    why: { ...number, fix: unclear },
  },
  {
    field: 'PodSpec.resourceClaims',
    in: 'pod',
    write: 'resourceClaims:\n  - name: gpu\n    ^resourceClaimName: ~gpu',
    bad: 'resourceClaims:\n  - name: gpu\n    ^resourceClaimName: Not_One',
    tells: 'what its claims ask for, and that no priority gets devices',
    says: /asks for nothing/,
    why: { fix: unclear },
  },
  {
    field: 'PersistentVolumeClaimVolumeSource.claimName',
    in: 'pod',
    write: 'volumes:\n  - name: data\n    persistentVolumeClaim:\n      ^claimName: ~data',
    bad: 'volumes:\n  - name: data\n    persistentVolumeClaim:\n      ^claimName: ""',
    tells: 'its claim, the volume and which nodes reach it',
    says: /\*\*Claim/,
    why: { fix: unclear },
  },
  {
    field: 'PodSpec.hostNetwork',
    in: 'pod',
    write: '^hostNetwork: ~true',
    bad: '^hostNetwork: perhaps',
    tells: 'which ports of its node it takes, and where they are free',
    says: /Takes no port of its node/,
    why: { definition: nowhere, fix: unclear },
  },
  {
    field: 'PodSpec.activeDeadlineSeconds',
    in: 'pod',
    write: '^activeDeadlineSeconds: ~60',
    bad: '^activeDeadlineSeconds: 0',
    tells: 'when it ends, what follows, and which quotas count it',
    says: /The kubelet ends each pod/,
    why: { ...number, fix: unclear },
  },
  {
    field: 'ObjectMeta.name of a PriorityClass',
    in: 'class',
    write: 'value: 5\nmetadata:\n  ^name: ~mine',
    bad: 'value: 5\nmetadata:\n  ^name: system-mine',
    tells: 'its place on the ladder, who uses it, which pods evict which, running pods with another number',
    says: /\*\*PriorityClass `mine`\*\*: 5/,
    why: { completion: 'a name of your own' },
  },
  {
    field: 'PriorityClass.value',
    in: 'class',
    write: '^value: ~5',
    bad: '^value: 2000000000',
    tells: 'the same',
    says: /\*\*PriorityClass `mine`\*\*: 5/,
    why: number,
  },
  {
    field: 'PriorityClass.globalDefault',
    in: 'class',
    write: 'value: 5\n^globalDefault: ~false',
    bad: 'value: 5\n^globalDefault: perhaps',
    tells: 'the same',
    says: /\*\*PriorityClass/,
    why: { definition: nowhere, fix: unclear },
  },
  {
    field: 'PriorityClass.preemptionPolicy',
    in: 'class',
    write: 'value: 5\n^preemptionPolicy: ~Never',
    bad: 'value: 5\n^preemptionPolicy: Sometimes',
    tells: 'the same',
    says: /never preempts/,
    why: { fix: offered, definition: nowhere },
  },
  {
    field: 'PriorityClass.description',
    in: 'class',
    write: 'value: 5\n^description: ~For tests',
    bad: 'value: 5\n^description: 5',
    tells: 'the same',
    says: /For tests/,
    why: { definition: nowhere, completion: 'free text' },
  },
  {
    field: 'PodDisruptionBudgetSpec.selector',
    in: 'budget',
    write: 'spec:\n  maxUnavailable: 1\n  ^selector:\n    matchLabels:\n      app: ~web',
    bad: 'spec:\n  maxUnavailable: 1\n  ^selector:\n    matchLabels:\n      app: none-such',
    tells: 'how many pods it selects, by workload; what the budget allows and holds for',
    says: /\*\*Selects the pods of 1 workload\*\*[^]*allows/,
    why: { fix: unclear },
  },
  ...(['minAvailable', 'maxUnavailable'] as const).map((name): FieldRow => ({
    field: `PodDisruptionBudgetSpec.${name}`,
    in: 'budget',
    write: `spec:\n  selector: { matchLabels: { app: web } }\n  ^${name}: ~1`,
    bad: `spec:\n  selector: { matchLabels: { app: web } }\n  ^${name}: ${name === 'minAvailable' ? '100%' : '0'}`,
    tells: 'what the budget allows now, and what it does not hold for',
    says: /allows \d disruption/,
    why: { ...number, fix: unclear },
  })),
  {
    field: 'PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy',
    in: 'budget',
    write:
      'spec:\n  maxUnavailable: 1\n  selector: { matchLabels: { app: web } }\n  ^unhealthyPodEvictionPolicy: ~AlwaysAllow',
    bad: 'spec:\n  maxUnavailable: 1\n  selector: { matchLabels: { app: web } }\n  ^unhealthyPodEvictionPolicy: Sometimes',
    tells: 'the same',
    says: /allows \d disruption/,
    why: { fix: offered, definition: nowhere },
  },
  {
    field: 'ResourceQuotaSpec.hard',
    in: 'quota',
    write: 'spec:\n  ^hard:\n    pods: ~"1"',
    bad: 'spec:\n  ^hard:\n    pods: many',
    tells: 'which pods it counts, what they request, what is used',
    says: /\*\*ResourceQuota `mine`\*\*/,
    why: { completion: amount, definition: nowhere, fix: unclear },
  },
  {
    field: 'ResourceQuotaSpec.scopes',
    in: 'quota',
    write: 'spec:\n  hard: { pods: "10" }\n  ^scopes:\n    - ~BestEffort',
    bad: 'spec:\n  hard: { pods: "10" }\n  ^scopes:\n    - Some',
    tells: 'the same, in the scope',
    says: /scope `BestEffort/,
    why: { definition: nowhere, fix: unclear },
  },
  {
    field: 'ScopedResourceSelectorRequirement.scopeName',
    in: 'quota',
    write:
      'spec:\n  hard: { pods: "10" }\n  scopeSelector:\n    matchExpressions:\n      - operator: Exists\n        ^scopeName: ~PriorityClass',
    bad: 'spec:\n  hard: { pods: "10" }\n  scopeSelector:\n    matchExpressions:\n      - operator: Exists\n        ^scopeName: Some',
    tells: 'the same',
    says: /scope `PriorityClass/,
    why: { definition: nowhere, fix: unclear },
  },
  {
    field: 'ScopedResourceSelectorRequirement.operator',
    in: 'quota',
    write:
      'spec:\n  hard: { pods: "10" }\n  scopeSelector:\n    matchExpressions:\n      - scopeName: PriorityClass\n        ^operator: ~Exists',
    bad: 'spec:\n  hard: { pods: "10" }\n  scopeSelector:\n    matchExpressions:\n      - scopeName: PriorityClass\n        ^operator: Is',
    tells: 'the same',
    says: /scope `PriorityClass/,
    why: { definition: nowhere, fix: unclear },
  },
  {
    field: 'ScopedResourceSelectorRequirement.values',
    in: 'quota',
    write:
      'spec:\n  hard: { pods: "10" }\n  scopeSelector:\n    matchExpressions:\n      - scopeName: PriorityClass\n        operator: In\n        ^values:\n          - ~high',
    bad: 'spec:\n  hard: { pods: "10" }\n  scopeSelector:\n    matchExpressions:\n      - scopeName: PriorityClass\n        operator: In\n        ^values: []',
    tells: 'the same',
    says: /scope `PriorityClass In high/,
    why: { fix: unclear },
  },
  {
    field: 'ObjectMeta.name of a Node',
    in: 'node',
    write: 'metadata:\n  ^name: ~node-c',
    bad: 'metadata:\n  ^name: Not_One',
    tells: 'free room by resource, who runs there by priority, taints and who tolerates them',
    says: /\*\*Node `node-c`\*\*/,
    why: { completion: 'a name of your own', fix: unclear },
  },
  {
    field: 'ObjectMeta.labels of a Node',
    in: 'node',
    write: 'metadata:\n  name: node-c\n  labels:\n    ^zone: ~one',
    bad: 'metadata:\n  name: node-c\n  labels:\n    ^zone: "a b"',
    tells: 'which nodes have it, other values, who selects by it',
    says: /\*\*2 nodes\*\* have `zone=one`/,
    why: { fix: unclear },
  },
  {
    field: 'NodeSpec.taints',
    in: 'node',
    write: 'metadata: { name: node-c }\nspec:\n  ^taints:\n    - { key: dedicated, value: gpu, effect: NoSchedule }',
    bad: 'metadata: { name: node-c }\nspec:\n  ^taints:\n    - { key: dedicated, effect: NoSchedule }\n    - { key: dedicated, effect: NoSchedule }',
    tells: 'who tolerates each',
    says: /`dedicated=gpu:NoSchedule` is tolerated by 1 workload/,
    why: { definition: notNamed, fix: unclear },
  },
  {
    field: 'Taint.key',
    in: 'node',
    write: 'metadata: { name: node-c }\nspec:\n  taints:\n    - effect: NoSchedule\n      ^key: ~dedicated',
    bad: 'metadata: { name: node-c }\nspec:\n  taints:\n    - effect: NoSchedule\n      ^key: "a b"',
    tells: 'who tolerates it, and who runs there all the same',
    says: /`dedicated:NoSchedule` is tolerated by/,
    why: { fix: unclear },
  },
  {
    field: 'Taint.value',
    in: 'node',
    write:
      'metadata: { name: node-c }\nspec:\n  taints:\n    - effect: NoSchedule\n      key: dedicated\n      ^value: ~gpu',
    bad: 'metadata: { name: node-c }\nspec:\n  taints:\n    - effect: NoSchedule\n      key: dedicated\n      ^value: "a b"',
    tells: 'the same',
    says: /`dedicated=gpu:NoSchedule` is tolerated by/,
    why: { definition: 'the key leads to the nodes', fix: unclear },
  },
  {
    field: 'Taint.effect',
    in: 'node',
    write: 'metadata: { name: node-c }\nspec:\n  taints:\n    - key: dedicated\n      ^effect: ~NoSchedule',
    bad: 'metadata: { name: node-c }\nspec:\n  taints:\n    - key: dedicated\n      ^effect: NoRun',
    tells: 'the same',
    says: /`dedicated:NoSchedule` is tolerated by/,
    why: { fix: offered, definition: nowhere },
  },
  {
    field: 'NodeSpec.unschedulable',
    in: 'node',
    write: 'metadata: { name: node-c }\nspec:\n  ^unschedulable: ~true',
    bad: 'metadata: { name: node-c }\nspec:\n  ^unschedulable: perhaps',
    tells: 'what cordoning does, and how many pods stay',
    says: /\*\*Cordoned\*\*/,
    why: { definition: nowhere, fix: unclear },
  },
  ...(['allocatable', 'capacity'] as const).map((name): FieldRow => ({
    field: `NodeStatus.${name}`,
    in: 'node',
    write: `metadata: { name: node-c }\nstatus:\n  ^${name}:\n    cpu: ~"4"`,
    bad: `metadata: { name: node-c }\nstatus:\n  ^${name}:\n    memory: 16gi`,
    tells: 'what is requested and what is free of each resource, and who requests most',
    says: /free/,
    why: { definition: nowhere, completion: 'what the kubelet reports' },
  })),
  {
    field: 'KubeSchedulerConfiguration.percentageOfNodesToScore',
    in: 'scheduler',
    write: '^percentageOfNodesToScore: ~50',
    bad: '^percentageOfNodesToScore: 500',
    tells: 'how many of the known nodes the scheduler looks at',
    says: /\*\*50 %\*\*/,
    why: { ...number, fix: unclear },
  },
  ...(['podInitialBackoffSeconds', 'podMaxBackoffSeconds'] as const).map((name): FieldRow => ({
    field: `KubeSchedulerConfiguration.${name}`,
    in: 'scheduler',
    write: `^${name}: ~${name === 'podInitialBackoffSeconds' ? 2 : 20}`,
    bad: `^${name}: -1`,
    tells: 'how long a pod waits each time',
    says: /A pod that found no node waits/,
    why: { ...number, fix: unclear },
  })),
  {
    field: 'KubeSchedulerProfile.schedulerName',
    in: 'scheduler',
    write: 'profiles:\n  - ^schedulerName: ~loose',
    bad: 'profiles:\n  - { schedulerName: loose }\n  - ^schedulerName: loose',
    tells: 'for which workloads it is, and what it does otherwise',
    says: /\*\*Profile `loose`\*\*/,
    why: { completion: 'a name of your own', fix: unclear },
  },
  {
    field: 'KubeSchedulerProfile.percentageOfNodesToScore',
    in: 'scheduler',
    write: 'profiles:\n  - schedulerName: loose\n    ^percentageOfNodesToScore: ~50',
    bad: 'profiles:\n  - schedulerName: loose\n    ^percentageOfNodesToScore: 500',
    tells: 'how many of the known nodes the scheduler looks at',
    says: /\*\*50 %\*\*/,
    why: { ...number, fix: unclear },
  },
  {
    field: 'PluginSet.enabled',
    in: 'scheduler',
    write:
      'profiles:\n  - schedulerName: loose\n    plugins:\n      score:\n        enabled:\n          - ^name: ~NodeResourcesFit',
    bad: 'profiles:\n  - schedulerName: loose\n    plugins:\n      score:\n        enabled:\n          - ^name: Mine',
    tells: 'where the plugin runs, and its weight; on the point, all that run there',
    says: /\*\*`NodeResourcesFit` runs\*\*/,
    why: { definition: nowhere, fix: unclear },
  },
  {
    field: 'PluginSet.disabled',
    in: 'scheduler',
    write:
      'profiles:\n  - schedulerName: loose\n    plugins:\n      postFilter:\n        disabled:\n          - ^name: ~DefaultPreemption',
    tells: 'the same',
    says: /`DefaultPreemption` runs\*\* in profile `loose` at `preEnqueue`/,
    why: { definition: nowhere, diagnostics: 'a name that nobody knows disables nothing', fix: nothingWrong },
  },
  {
    field: 'Plugin.weight',
    in: 'scheduler',
    write:
      'profiles:\n  - schedulerName: loose\n    plugins:\n      score:\n        enabled:\n          - name: NodeResourcesFit\n            ^weight: ~9',
    bad: 'profiles:\n  - schedulerName: loose\n    plugins:\n      score:\n        enabled:\n          - name: NodeResourcesFit\n            ^weight: heavy',
    tells: 'what part of the score it is',
    says: /weight 9 of/,
    why: { ...number, fix: unclear },
  },
  {
    field: 'PluginConfig.args',
    in: 'scheduler',
    write:
      'profiles:\n  - schedulerName: loose\n    pluginConfig:\n      - name: NodeResourcesFit\n        ^args:\n          scoringStrategy: { type: ~MostAllocated }',
    bad: 'profiles:\n  - schedulerName: loose\n    pluginConfig:\n      - name: NodeResourcesFit\n        ^args: { scoringStrategy: { type: Most } }',
    tells: 'the profile',
    says: /\*\*Profile `loose`\*\*/,
    why: { definition: nowhere, fix: unclear },
  },
  {
    field: 'KubeSchedulerConfiguration.extenders',
    in: 'scheduler',
    write: '^extenders:\n  - urlPrefix: ~http://127.0.0.1/\n    filterVerb: filter',
    bad: '^extenders:\n  - weight: 1',
    tells: 'what each is asked, for whose pods, what follows when it is silent, and that Podium does not ask it',
    says: /\*\* is asked which of the nodes/,
    why: { definition: nowhere, fix: unclear },
  },
];
