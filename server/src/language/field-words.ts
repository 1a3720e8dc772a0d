/**
 * What each field is for that bears on scheduling, in a sentence: for completion and for hovers. By struct of the API
 * and name of the field, as `PodSpec.priorityClassName`; what stands in several structs under one name is there once
 * for each. Long, because it is one table.
 */

interface FieldWords {
  readonly text: string;
  /** A page that tells more; empty where there is none. */
  readonly docs: string;
}

/** The sentence of a field, by its Go name; undefined where Podium has none. */
export function fieldWords(name: string): FieldWords | undefined {
  const dot = name.indexOf('.');
  const struct = name.slice(0, dot);
  const text = ownEntry(ownEntry(words, struct), name.slice(dot + 1));
  return text === undefined ? undefined : { text, docs: pageOf(struct, name.slice(dot + 1)) };
}

function ownEntry<Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

const concepts = 'https://kubernetes.io/docs/concepts/';

function pageOf(struct: string, field: string): string {
  const page = ownEntry(pages, `${struct}.${field}`) ?? ownEntry(pages, struct);
  return page === undefined ? '' : concepts + page;
}

/** Pages of the documentation of Kubernetes, for structs and for fields of their own. */
const pages: Readonly<Record<string, string>> = {
  Affinity: 'scheduling-eviction/assign-pod-node/',
  KubeSchedulerConfiguration: 'scheduling-eviction/kube-scheduler/',
  KubeSchedulerProfile: 'scheduling-eviction/scheduling-framework/',
  LimitRangeItem: 'policy/limit-range/',
  NodeAffinity: 'scheduling-eviction/assign-pod-node/',
  NodeSelectorRequirement: 'scheduling-eviction/assign-pod-node/',
  PodAffinity: 'scheduling-eviction/assign-pod-node/',
  PodAffinityTerm: 'scheduling-eviction/assign-pod-node/',
  PodAntiAffinity: 'scheduling-eviction/assign-pod-node/',
  PodDisruptionBudgetSpec: 'workloads/pods/disruptions/',
  'PodSpec.affinity': 'scheduling-eviction/assign-pod-node/',
  'PodSpec.nodeName': 'scheduling-eviction/assign-pod-node/',
  'PodSpec.nodeSelector': 'scheduling-eviction/assign-pod-node/',
  'PodSpec.overhead': 'scheduling-eviction/pod-overhead/',
  'PodSpec.preemptionPolicy': 'scheduling-eviction/pod-priority-preemption/',
  'PodSpec.priority': 'scheduling-eviction/pod-priority-preemption/',
  'PodSpec.priorityClassName': 'scheduling-eviction/pod-priority-preemption/',
  'PodSpec.resourceClaims': 'scheduling-eviction/dynamic-resource-allocation/',
  'PodSpec.schedulingGates': 'scheduling-eviction/pod-scheduling-readiness/',
  'PodSpec.tolerations': 'scheduling-eviction/taint-and-toleration/',
  'PodSpec.topologySpreadConstraints': 'scheduling-eviction/topology-spread-constraints/',
  PodSchedulingGate: 'scheduling-eviction/pod-scheduling-readiness/',
  PriorityClass: 'scheduling-eviction/pod-priority-preemption/',
  ResourceQuotaSpec: 'policy/resource-quotas/',
  ResourceRequirements: 'configuration/manage-resources-containers/',
  RuntimeClass: 'containers/runtime-class/',
  ScopedResourceSelectorRequirement: 'policy/resource-quotas/',
  Taint: 'scheduling-eviction/taint-and-toleration/',
  Toleration: 'scheduling-eviction/taint-and-toleration/',
  TopologySpreadConstraint: 'scheduling-eviction/topology-spread-constraints/',
};

const requiredNodes = 'Nodes that do not match are no candidates; a running pod stays when its node changes later.';
const preferredNodes = 'Nodes that match score higher by the weight of each term; the others stay candidates.';
const replicas = 'How many pods there shall be; where an autoscaler targets the workload, it writes this number.';
const template = 'The pods that are made: their labels and their spec.';
const selector = 'Which pods belong to it; the labels of its own template must match.';
const minReady = 'Seconds for which a new pod must be ready before it counts as available, for budgets and rollouts.';
const rollingUpdate = 'How many pods a rollout may take away or add at a time.';
const maxUnavailable = 'How many pods, or which share of them, a rollout may leave without a running pod.';
const maxSurge = 'How many pods, or which share of them, a rollout may add beside the wanted ones; they need room too.';
const matchLabels = 'Labels with the values that they must have; all of them must match.';
const requests = 'What the scheduler sets aside on the node; preemption and room are counted in requests.';
const limits = 'What a container may use at most; where no request is written, the limit counts as the request.';
const storageClass = 'The StorageClass, which decides whether a volume is bound before or after a node is chosen.';
const enabled = 'Plugins that are on besides the default ones, in the order in which they run.';
const disabled = 'Default plugins that are off; `*` turns all of them off.';
const preemption = 'Whether pods of the class may evict others to make room: PreemptLowerPriority, or Never.';

/** Struct → field → sentence. */
export const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ObjectMeta: {
    name: 'The name of the object, unique among those of its kind in its namespace.',
    generateName: 'The beginning of a name that the API server completes; without a name of its own.',
    namespace: 'The namespace: quotas, budgets, Services and selectors of pods look only into their own.',
    labels: 'What selectors select by: of a node for affinity and topology, of a pod for budgets, spread and Services.',
    annotations: 'Notes for tools; the scheduler does not read them.',
    ownerReferences: 'The controller that makes the object anew when it is evicted or deleted.',
    deletionTimestamp: 'Since when the object is being deleted; a pod with it is on its way out and frees its room.',
  },
  OwnerReference: {
    apiVersion: 'The version of the owner.',
    kind: 'The kind of the owner.',
    name: 'The name of the owner.',
    uid: 'The identity of the owner; another object of the same name is another owner.',
    controller: 'Whether this owner makes the object; an evicted pod is only made anew by its controller.',
  },
  Pod: { spec: 'What runs, and where it may run.' },
  PodTemplateSpec: {
    metadata: 'Labels and annotations of the pods that are made.',
    spec: 'What runs in each pod, and where it may run.',
  },
  PodSpec: {
    containers: 'What runs in the pod; their requests add up to what the pod needs on a node.',
    initContainers:
      'What runs before the containers; the largest request counts, and sidecars count with the containers.',
    volumes: 'What containers can mount; volumes with a node affinity or a zone narrow the nodes down.',
    restartPolicy: 'Whether containers that end are started again; pods of a Job must not say Always.',
    terminationGracePeriodSeconds:
      'How long an evicted pod may take to stop; a preemptor waits this long for its room.',
    activeDeadlineSeconds: 'Seconds after which a running pod is ended as failed.',
    nodeSelector: 'Labels that a node must have, with these values, to be a candidate.',
    nodeName: 'The node itself: the scheduler is passed by, and only the kubelet can still refuse the pod.',
    affinity: 'Rules over the labels of nodes, and over the pods that run near, that a node must or should satisfy.',
    schedulerName:
      'The profile of the scheduler that decides about the pod; default-scheduler where nothing is written.',
    tolerations: 'Taints of nodes that the pod puts up with; without them tainted nodes are no candidates.',
    priorityClassName: 'The PriorityClass, whose number decides who is first in the queue and who evicts whom.',
    priority: 'The number of the PriorityClass; the API server writes it, and refuses another one.',
    preemptionPolicy: 'Whether the pod may evict others; the API server writes that of the class, and refuses another.',
    topologySpreadConstraints: 'How evenly pods are spread over zones, nodes or other domains.',
    schedulingGates: 'Names of what must happen first: while one is left, the scheduler does not look at the pod.',
    overhead: 'What the runtime needs besides the containers; the API server writes it from the RuntimeClass.',
    runtimeClassName: 'The RuntimeClass, which may add overhead, a node selector and tolerations.',
    resourceClaims: 'Claims of devices that must be allocated on the node before the pod can run there.',
    resources: 'Requests and limits of the pod as a whole, beside those of its containers.',
    hostNetwork: 'Whether the pod uses the network of its node; its ports are then taken on the node.',
    os: 'The operating system that the pod is written for.',
    serviceAccountName: 'The account that the pod acts as; it does not matter to the scheduler.',
    schedulingGroup: 'The group of pods that are scheduled together; read where its feature gate is on.',
    workloadRef: 'The Workload that the pod belongs to; read where its feature gate is on.',
  },
  PodSchedulingGate: { name: 'The name of the gate; a controller takes it out when the pod may be scheduled.' },
  PodSchedulingGroup: { podGroupName: 'The PodGroup whose pods are scheduled together.' },
  PodResourceClaim: {
    name: 'What containers of the pod call the claim.',
    resourceClaimName: 'A ResourceClaim that is there already, and may be shared by pods.',
    resourceClaimTemplateName: 'A ResourceClaimTemplate, from which each pod gets a claim of its own.',
  },
  PodOS: { name: 'The operating system: linux or windows.' },
  Container: {
    name: 'The name of the container, unique in its pod.',
    image: 'The image; nodes that have it already score a little higher.',
    resources: 'What the container needs, and what it may use at most.',
    ports: 'Ports of the container; only host ports matter to the scheduler.',
    restartPolicy: 'Always makes an init container a sidecar, whose requests count with those of the containers.',
  },
  ContainerPort: {
    containerPort: 'The port in the container.',
    hostPort: 'A port of the node: two pods that want the same one cannot share a node.',
    hostIP: 'The address of the node that the host port is taken on; all when left out.',
    protocol: 'TCP, UDP or SCTP; a host port is free for each of them.',
  },
  ResourceRequirements: { requests, limits, claims: 'Which claims of the pod the container uses.' },
  VolumeResourceRequirements: { requests: 'How large the volume must be.', limits: 'How large it may be at most.' },
  Volume: {
    name: 'What containers call the volume.',
    persistentVolumeClaim: 'A PersistentVolumeClaim; where its volume is decides where the pod can run.',
    ephemeral: 'A claim that is made for the pod, and goes with it.',
    emptyDir: 'A folder that lives as long as the pod; kubectl drain refuses to lose it without a flag.',
    hostPath: 'A folder of the node, which is another on each node.',
  },
  PersistentVolumeClaimVolumeSource: { claimName: 'A claim in the namespace of the pod.' },
  Affinity: {
    nodeAffinity: 'Rules over the labels of nodes.',
    podAffinity: 'Rules that bring the pod near others.',
    podAntiAffinity: 'Rules that keep the pod away from others, among them those of its own workload.',
  },
  NodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: requiredNodes,
    preferredDuringSchedulingIgnoredDuringExecution: preferredNodes,
  },
  NodeSelector: { nodeSelectorTerms: 'Terms of which one must match; a term without expressions matches nothing.' },
  NodeSelectorTerm: {
    matchExpressions: 'Requirements over the labels of nodes; all of them must match.',
    matchFields: 'Requirements over fields of nodes, of which there is only metadata.name.',
  },
  NodeSelectorRequirement: {
    key: 'The key of a label of nodes.',
    operator: 'How label and values are compared; Gt and Lt compare whole numbers.',
    values: 'Values to compare with; none for Exists and DoesNotExist, one for Gt and Lt.',
  },
  PreferredSchedulingTerm: {
    weight: 'How much a node that matches gains, from 1 to 100.',
    preference: 'The requirements that such a node matches.',
  },
  PodAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: 'Only domains in which such pods run are candidates.',
    preferredDuringSchedulingIgnoredDuringExecution: 'Domains in which such pods run score higher.',
  },
  PodAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution:
      'Domains in which such pods run are no candidates, and these pods keep such others away in turn.',
    preferredDuringSchedulingIgnoredDuringExecution: 'Domains in which such pods run score lower.',
  },
  PodAffinityTerm: {
    labelSelector: 'Which pods are meant, by their labels; left out, it matches no pod.',
    namespaces: 'Namespaces of those pods; that of the pod itself where neither this nor a selector is written.',
    namespaceSelector: 'Namespaces of those pods, by their labels; an empty one means all.',
    topologyKey: 'The label of nodes whose values are the domains: near means in the same one.',
    matchLabelKeys: 'Label keys whose values are taken from the pod itself and added to the selector.',
    mismatchLabelKeys: 'Label keys whose values, taken from the pod itself, the others must not have.',
  },
  WeightedPodAffinityTerm: {
    weight: 'How much each matching pod adds to the score, from 1 to 100.',
    podAffinityTerm: 'Which pods, and over which domains.',
  },
  LabelSelector: {
    matchLabels,
    matchExpressions: 'Requirements over labels; all of them must match.',
  },
  LabelSelectorRequirement: {
    key: 'The key of a label.',
    operator: 'In, NotIn, Exists or DoesNotExist.',
    values: 'Values to compare with; none for Exists and DoesNotExist.',
  },
  Toleration: {
    key: 'The key of the taint; left out with Exists, every taint is tolerated.',
    operator: 'Equal compares the value, Exists only asks for the key; Equal where nothing is written.',
    value: 'The value of the taint; none with Exists.',
    effect: 'The effect of the taint; left out, every effect is tolerated.',
    tolerationSeconds: 'How long a running pod stays on a node that gets a NoExecute taint; for ever when left out.',
  },
  TopologySpreadConstraint: {
    maxSkew: 'How many pods more than the emptiest domain any domain may have.',
    topologyKey: 'The label of nodes whose values are the domains; a rule leaves out nodes without it.',
    whenUnsatisfiable: 'DoNotSchedule makes it a rule, ScheduleAnyway a wish that only scores.',
    labelSelector: 'Which pods are counted; it should select the pods themselves.',
    minDomains: 'With fewer domains than this, the emptiest counts as having no pod.',
    nodeAffinityPolicy: 'Whether only nodes that the affinity of the pod allows count as domains.',
    nodeTaintsPolicy: 'Whether nodes whose taints the pod does not tolerate are left out.',
    matchLabelKeys: 'Label keys whose values are taken from the pod, so that only its own revision is counted.',
  },
  PriorityClass: {
    value: 'The priority of its pods: higher ones come first in the queue, and may evict lower ones.',
    globalDefault: 'Whether pods without a class get this one; only one class may say so.',
    description: 'For whom the class is meant.',
    preemptionPolicy: preemption,
  },
  PodDisruptionBudgetSpec: {
    minAvailable: 'How many of the pods, or which share, must stay healthy when pods are evicted.',
    maxUnavailable:
      'How many of the pods, or which share, may be unhealthy when pods are evicted; 0 blocks each drain.',
    selector: 'Which pods of the namespace are protected; a pod with two budgets cannot be evicted.',
    unhealthyPodEvictionPolicy: 'Whether pods that are not ready may be evicted although the budget is used up.',
  },
  ResourceQuotaSpec: {
    hard: 'How much of each resource the pods of the namespace may ask for together.',
    scopes: 'Which pods are counted; a pod must match all scopes.',
    scopeSelector: 'Which pods are counted, by expressions: of a PriorityClass, for example.',
  },
  ScopeSelector: { matchExpressions: 'Requirements over scopes; a pod must match all of them.' },
  ScopedResourceSelectorRequirement: {
    scopeName: 'What is looked at: the PriorityClass, the QoS class, or how long the pod may run.',
    operator: 'How it is compared; only PriorityClass knows In and NotIn.',
    values: 'Names of classes, with In and NotIn.',
  },
  LimitRangeSpec: { limits: 'One item for each type: Container, Pod or PersistentVolumeClaim.' },
  LimitRangeItem: {
    type: 'What is limited: Container, Pod or PersistentVolumeClaim.',
    max: 'What may be asked for at most; more is refused.',
    min: 'What must be asked for at least; less is refused.',
    default: 'The limit of containers that say none.',
    defaultRequest: 'The request of containers that say none: this is what the scheduler counts.',
    maxLimitRequestRatio: 'How many times the request a limit may be.',
  },
  NodeSpec: {
    unschedulable: 'Whether the node is cordoned: no new pod comes here but those that tolerate it.',
    taints: 'What keeps pods away that do not tolerate it.',
    podCIDR: 'The addresses of the pods on the node.',
    providerID: 'The name of the machine at its provider.',
  },
  Taint: {
    key: 'The key, which tolerations name.',
    value: 'The value, which tolerations with Equal name.',
    effect: 'NoSchedule keeps new pods away, PreferNoSchedule would rather, NoExecute evicts running ones too.',
    timeAdded: 'Since when a NoExecute taint is there; tolerationSeconds count from then.',
  },
  DeploymentSpec: {
    replicas,
    selector,
    template,
    strategy: 'How pods of an old revision are replaced.',
    minReadySeconds: minReady,
    paused: 'Whether changes of the template wait.',
    progressDeadlineSeconds: 'Seconds after which a rollout that does not get on counts as failed.',
    revisionHistoryLimit: 'How many old ReplicaSets are kept.',
  },
  DeploymentStrategy: { type: 'RollingUpdate replaces pods bit by bit, Recreate all at once.', rollingUpdate },
  RollingUpdateDeployment: { maxUnavailable, maxSurge },
  ReplicaSetSpec: { replicas, selector, template, minReadySeconds: minReady },
  ReplicationControllerSpec: { replicas, selector, template, minReadySeconds: minReady },
  StatefulSetSpec: {
    replicas,
    selector,
    template,
    serviceName: 'The Service that gives the pods their names in DNS.',
    podManagementPolicy: 'OrderedReady makes one pod after the other, so that one that is pending stops the next.',
    updateStrategy: 'How pods of an old revision are replaced.',
    volumeClaimTemplates: 'Claims that each pod gets; their volumes tie it to where they are.',
    minReadySeconds: minReady,
  },
  StatefulSetUpdateStrategy: {
    type: 'RollingUpdate, or OnDelete: not before somebody deletes the pod.',
    rollingUpdate,
  },
  RollingUpdateStatefulSetStrategy: {
    maxUnavailable,
    partition: 'Only pods with this ordinal or a higher one change.',
  },
  DaemonSetSpec: {
    selector,
    template,
    updateStrategy: 'How pods of an old revision are replaced.',
    minReadySeconds: minReady,
  },
  DaemonSetUpdateStrategy: { type: 'RollingUpdate, or OnDelete: not before somebody deletes the pod.', rollingUpdate },
  RollingUpdateDaemonSet: { maxUnavailable, maxSurge },
  JobSpec: {
    template,
    parallelism: 'How many pods run at a time.',
    completions: 'How many pods must end well.',
    completionMode: 'Indexed gives each pod a number of its own.',
    suspend: 'Whether the Job makes no pods for now; while it is, its scheduling directives may change.',
    backoffLimit: 'How many pods may fail before the Job does; an evicted pod counts unless a policy ignores it.',
    podFailurePolicy: 'What a failed pod means, so that disruptions need not count.',
    podReplacementPolicy: 'Whether a pod that is terminating is replaced at once or when it has ended.',
    activeDeadlineSeconds: 'Seconds after which the Job is ended as failed.',
    ttlSecondsAfterFinished: 'Seconds after which a finished Job is deleted.',
    selector: 'Which pods belong to it; the API server writes it.',
  },
  CronJobSpec: {
    schedule: 'When a Job is made.',
    jobTemplate: 'The Jobs that are made.',
    concurrencyPolicy: 'What happens when the last Job is still running: Allow, Forbid or Replace.',
    suspend: 'Whether no further Jobs are made.',
    timeZone: 'The time zone of the schedule.',
    startingDeadlineSeconds: 'How late a Job may start before it is left out.',
  },
  HorizontalPodAutoscalerSpec: {
    scaleTargetRef: 'The workload whose replicas it writes.',
    minReplicas: 'How many pods there are at least; 1 where nothing is written.',
    maxReplicas: 'How many pods there are at most: plan room for these.',
    metrics: 'What is measured, and what it should be.',
    behavior: 'How fast replicas come and go.',
  },
  CrossVersionObjectReference: {
    kind: 'The kind of the workload.',
    name: 'The name of the workload, in the same namespace.',
    apiVersion: 'The version of the workload.',
  },
  ServiceSpec: { selector: 'Which pods of the namespace answer; the built-in spread constraints count them together.' },
  PersistentVolumeClaimSpec: {
    storageClassName: storageClass,
    volumeName: 'The volume itself, whose nodes are then the only candidates.',
    resources: 'How large the volume must be.',
    accessModes: 'From how many nodes, and by how many pods, it may be used; ReadWriteOncePod is for one pod.',
    selector: 'Which volumes come into question, by their labels.',
    volumeMode: 'A file system, or a bare device.',
  },
  PersistentVolumeSpec: {
    nodeAffinity: 'From which nodes the volume can be reached: pods that use it run only there.',
    storageClassName: storageClass,
    capacity: 'How large the volume is.',
    claimRef: 'The claim that the volume is bound to.',
    accessModes: 'From how many nodes, and by how many pods, it may be used.',
    persistentVolumeReclaimPolicy: 'What becomes of the volume when its claim is deleted.',
  },
  VolumeNodeAffinity: { required: 'Terms over the labels of nodes, of which one must match.' },
  StorageClass: {
    provisioner: 'Who makes the volumes.',
    volumeBindingMode:
      'WaitForFirstConsumer lets the scheduler choose the node first; Immediate may choose a zone before.',
    allowedTopologies: 'Where volumes may be made.',
    reclaimPolicy: 'What becomes of a volume when its claim is deleted.',
    allowVolumeExpansion: 'Whether a claim may ask for more later.',
  },
  CSINodeDriver: {
    name: 'The driver.',
    nodeID: 'What the driver calls the node.',
    topologyKeys: 'Labels of nodes that say from where volumes of the driver can be reached.',
    allocatable: 'How many volumes of the driver can be attached to the node.',
  },
  VolumeNodeResources: { count: 'How many volumes can be attached at a time; more make the node no candidate.' },
  RuntimeClass: {
    handler: 'The runtime on the node.',
    overhead: 'What each pod needs besides its containers.',
    scheduling: 'A node selector and tolerations that are added to its pods.',
  },
  Overhead: { podFixed: 'Added to the requests of each pod.' },
  Scheduling: {
    nodeSelector: 'Added to the node selector of each pod.',
    tolerations: 'Added to the tolerations of each pod.',
  },
  KubeSchedulerConfiguration: {
    profiles: 'Schedulers by name, each with its plugins; pods choose one with schedulerName.',
    percentageOfNodesToScore:
      'How large a share of the nodes is looked at in large clusters; 0 lets the scheduler decide.',
    parallelism: 'How many nodes are looked at at a time.',
    podInitialBackoffSeconds: 'How long a pod that failed waits before it is tried again.',
    podMaxBackoffSeconds: 'How long it waits at most.',
    extenders: 'Programs that are asked besides; Podium does not model them.',
    leaderElection: 'How several instances agree who decides.',
    clientConnection: 'How the API server is reached.',
    delayCacheUntilActive: 'Whether an instance that does not lead keeps no copy of the cluster.',
  },
  KubeSchedulerProfile: {
    schedulerName: 'The name that pods write as schedulerName.',
    percentageOfNodesToScore: 'The share of nodes to look at, for this profile.',
    plugins: 'Which plugins are on and off, by extension point.',
    pluginConfig: 'Arguments of plugins.',
  },
  Plugins: {
    multiPoint: 'Turns plugins on or off at all points that they know.',
    preEnqueue: 'Decides whether a pod may enter the queue.',
    queueSort: 'Decides who comes first in the queue; all profiles must have the same.',
    preFilter: 'Prepares, and may refuse a pod before any node is looked at.',
    filter: 'Decides which nodes are candidates.',
    postFilter: 'Is asked when no node is left: preemption.',
    preScore: 'Prepares scoring.',
    score: 'Decides which candidate is best; each plugin has a weight.',
    reserve: 'Sets aside what the pod needs, and gives it back when binding fails.',
    permit: 'May hold back a pod before it is bound.',
    preBind: 'Prepares what binding needs, such as volumes.',
    bind: 'Binds the pod to its node.',
    postBind: 'Is told when a pod is bound.',
  },
  PluginSet: { enabled, disabled },
  Plugin: { name: 'The name of the plugin.', weight: 'How much its score counts; only plugins that score have one.' },
  PluginConfig: { name: 'The plugin that the arguments are for.', args: 'What the plugin is told.' },
  DefaultPreemptionArgs: {
    minCandidateNodesPercentage: 'Of how large a share of the nodes preemption tries at least.',
    minCandidateNodesAbsolute: 'Of how many nodes preemption tries at least.',
  },
  NodeResourcesFitArgs: {
    ignoredResources: 'Extended resources that are not counted.',
    ignoredResourceGroups: 'Groups of extended resources that are not counted.',
    scoringStrategy: 'Whether empty or full nodes are preferred, and by which resources.',
  },
  InterPodAffinityArgs: {
    hardPodAffinityWeight: 'How much a required affinity of others counts when nodes are scored.',
    ignorePreferredTermsOfExistingPods: 'Whether wishes of pods that run already are left out of the score.',
  },
  NodeAffinityArgs: { addedAffinity: 'Node affinity that is added to every pod of the profile.' },
  PodTopologySpreadArgs: {
    defaultConstraints: 'Constraints for pods that have none.',
    defaultingType: 'System uses the built-in constraints, List those that are written here.',
  },
  VolumeBindingArgs: { bindTimeoutSeconds: 'How long is waited until volumes are bound.' },
};
