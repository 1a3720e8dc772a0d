/**
 * What each field is for that bears on scheduling, in a sentence: for completion and for hovers. By struct of the API
 * and name of the field, as `PodSpec.priorityClassName`; what stands in several structs under one name is there once
 * for each. Long, because it is one table.
 */
import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { plainFieldWords } from './plain-field-words/index.ts';

interface FieldWords {
  readonly text: string;
  /** A page that tells more; empty where there is none. */
  readonly docs: string;
}

/** The sentence of a field, by its Go name; undefined where Podium has none. */
export function fieldWords(name: string): FieldWords | undefined {
  const dot = name.indexOf('.');
  const struct = name.slice(0, dot);
  const field = name.slice(dot + 1);
  const text = own(own(words, struct), field) ?? plainFieldWords(struct, field);
  return text === undefined ? undefined : { text, docs: pageOf(struct, field) };
}

/** Whether a field decides where pods run, or whom they evict. */
export function bearsOnScheduling(name: string): boolean {
  const dot = name.indexOf('.');
  return own(own(words, name.slice(0, dot)), name.slice(dot + 1)) !== undefined;
}

const concepts = 'https://kubernetes.io/docs/concepts/';

function pageOf(struct: string, field: string): string {
  const page = own(pages, `${struct}.${field}`) ?? own(pages, struct);
  return page === undefined ? '' : concepts + page;
}

/** Pages of the documentation of Kubernetes, for structs and for fields of their own. */
const pages: Readonly<Record<string, string>> = {
  Affinity: 'scheduling-eviction/assign-pod-node/',
  KubeSchedulerConfiguration: 'scheduling-eviction/kube-scheduler/',
  KubeSchedulerProfile: 'scheduling-eviction/scheduling-framework/',
  Extender: 'extend-kubernetes/',
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

const requiredNodes = say`Nodes that do not match are no candidates; a running pod stays when its node changes later.`;
const preferredNodes = say`Nodes that match score higher by the weight of each term; the others stay candidates.`;
const replicas = say`How many pods there should be; where an autoscaler targets the workload, it writes this number.`;
const template = say`The pods that are made: their labels and their spec.`;
const selector = say`Which pods belong to it; the labels of its own template must match.`;
const minReady = say`Seconds for which a new pod must be ready before it counts as available, for budgets and rollouts.`;
const rollingUpdate = say`How many pods a rollout may take away or add at a time.`;
const maxUnavailable = say`How many pods, or which share of them, a rollout may leave without a running pod.`;
const maxSurge = say`How many pods, or which share of them, a rollout may add beside the wanted ones; they need room too.`;
const matchLabels = say`Labels with the values that they must have; all of them must match.`;
const requests = say`What the scheduler sets aside on the node; preemption and room are counted in requests.`;
const limits = say`What a container may use at most; where no request is written, the limit counts as the request.`;
const storageClass = say`The StorageClass, which decides whether a volume is bound before or after a node is chosen.`;
const enabled = say`Plugins that are on besides the default ones, in the order in which they run.`;
const disabled = say`Default plugins that are off; \`*\` turns all of them off.`;
const preemption = say`Whether pods of the class may evict others to make room: PreemptLowerPriority, or Never.`;

/** Struct → field → sentence. */
export const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ObjectMeta: {
    name: say`The name of the object, unique among those of its kind in its namespace.`,
    generateName: say`The beginning of a name that the API server completes; without a name of its own.`,
    namespace: say`The namespace: quotas, budgets, Services and selectors of pods look only into their own.`,
    labels: say`What selectors select by: of a node for affinity and topology, of a pod for budgets, spread and Services.`,
    annotations: say`Notes for tools; the scheduler does not read them.`,
    ownerReferences: say`The controller that recreates the object when it is evicted or deleted.`,
    deletionTimestamp: say`Since when the object is being deleted; a pod with it is on its way out and frees its room.`,
  },
  OwnerReference: {
    apiVersion: say`The version of the owner.`,
    kind: say`The kind of the owner.`,
    name: say`The name of the owner.`,
    uid: say`The identity of the owner; another object of the same name is another owner.`,
    controller: say`Whether this owner makes the object; an evicted pod is recreated only by its controller.`,
  },
  Pod: { spec: say`What runs, and where it may run.` },
  PodTemplateSpec: {
    metadata: say`Labels and annotations of the pods that are made.`,
    spec: say`What runs in each pod, and where it may run.`,
  },
  PodSpec: {
    containers: say`What runs in the pod; their requests add up to what the pod needs on a node.`,
    initContainers: say`What runs before the containers; the largest request counts, and sidecars count with the containers.`,
    volumes: say`What containers can mount; volumes with a node affinity or a zone narrow the nodes down.`,
    restartPolicy: say`Whether containers that end are started again; pods of a Job must not say Always.`,
    terminationGracePeriodSeconds: say`How long an evicted pod may take to stop; a preemptor waits this long for its room.`,
    activeDeadlineSeconds: say`Seconds after which a running pod is ended as failed.`,
    nodeSelector: say`Labels that a node must have, with these values, to be a candidate.`,
    nodeName: say`The node itself: the scheduler is passed by, and only the kubelet can still refuse the pod.`,
    affinity: say`Rules over the labels of nodes, and over the pods that run near, that a node must or should satisfy.`,
    schedulerName: say`The profile of the scheduler that decides about the pod; default-scheduler where nothing is written.`,
    tolerations: say`Taints of nodes that the pod tolerates; without them tainted nodes are no candidates.`,
    priorityClassName: say`The PriorityClass, whose number decides which pods come first in the queue and which may evict others.`,
    priority: say`The number of the PriorityClass; the API server writes it, and refuses another one.`,
    preemptionPolicy: say`Whether the pod may evict others; the API server writes that of the class, and refuses another.`,
    topologySpreadConstraints: say`How evenly pods are spread over zones, nodes or other domains.`,
    schedulingGates: say`Names of what must happen first: while one is left, the scheduler does not look at the pod.`,
    overhead: say`What the runtime needs besides the containers; the API server writes it from the RuntimeClass.`,
    runtimeClassName: say`The RuntimeClass, which may add overhead, a node selector and tolerations.`,
    resourceClaims: say`Claims of devices that must be allocated on the node before the pod can run there.`,
    resources: say`Requests and limits of the pod as a whole, beside those of its containers.`,
    hostNetwork: say`Whether the pod uses the network of its node; its ports are then taken on the node.`,
    os: say`The operating system that the pod is written for.`,
    serviceAccountName: say`The account that the pod acts as; it does not matter to the scheduler.`,
    schedulingGroup: say`The group of pods that are scheduled together; read where its feature gate is on.`,
    workloadRef: say`The Workload that the pod belongs to; read where its feature gate is on.`,
  },
  PodSchedulingGate: { name: say`The name of the gate; a controller removes it when the pod may be scheduled.` },
  PodSchedulingGroup: { podGroupName: say`The PodGroup whose pods are scheduled together.` },
  PodResourceClaim: {
    name: say`What containers of the pod call the claim.`,
    resourceClaimName: say`A ResourceClaim that is there already, and may be shared by pods.`,
    resourceClaimTemplateName: say`A ResourceClaimTemplate, from which each pod gets a claim of its own.`,
  },
  PodOS: { name: say`The operating system: linux or windows.` },
  Container: {
    name: say`The name of the container, unique in its pod.`,
    image: say`The image; nodes that have it already score a little higher.`,
    resources: say`What the container needs, and what it may use at most.`,
    ports: say`Ports of the container; only host ports matter to the scheduler.`,
    restartPolicy: say`Always makes an init container a sidecar, whose requests count with those of the containers.`,
  },
  ContainerPort: {
    containerPort: say`The port in the container.`,
    hostPort: say`A port of the node: two pods that want the same one cannot share a node.`,
    hostIP: say`The address of the node that the host port is taken on; all when left out.`,
    protocol: say`TCP, UDP or SCTP; a host port is free for each of them.`,
  },
  ResourceRequirements: { requests, limits, claims: say`Which claims of the pod the container uses.` },
  VolumeResourceRequirements: {
    requests: say`How large the volume must be.`,
    limits: say`How large it may be at most.`,
  },
  Volume: {
    name: say`What containers call the volume.`,
    persistentVolumeClaim: say`A PersistentVolumeClaim; where its volume is decides where the pod can run.`,
    ephemeral: say`A claim that is made for the pod, and goes with it.`,
    emptyDir: say`A folder that lives as long as the pod; kubectl drain refuses to lose it without a flag.`,
    hostPath: say`A folder of the node, which is another on each node.`,
  },
  PersistentVolumeClaimVolumeSource: { claimName: say`A claim in the namespace of the pod.` },
  Affinity: {
    nodeAffinity: say`Rules over the labels of nodes.`,
    podAffinity: say`Rules that bring the pod near others.`,
    podAntiAffinity: say`Rules that keep the pod away from others, among them those of its own workload.`,
  },
  NodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: requiredNodes,
    preferredDuringSchedulingIgnoredDuringExecution: preferredNodes,
  },
  NodeSelector: { nodeSelectorTerms: say`Terms of which one must match; a term without expressions matches nothing.` },
  NodeSelectorTerm: {
    matchExpressions: say`Requirements over the labels of nodes; all of them must match.`,
    matchFields: say`Requirements over fields of nodes, of which there is only metadata.name.`,
  },
  NodeSelectorRequirement: {
    key: say`The key of a label of nodes.`,
    operator: say`How label and values are compared; Gt and Lt compare whole numbers.`,
    values: say`Values to compare with; none for Exists and DoesNotExist, one for Gt and Lt.`,
  },
  PreferredSchedulingTerm: {
    weight: say`How much a node that matches gains, from 1 to 100.`,
    preference: say`The requirements that such a node matches.`,
  },
  PodAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: say`Only domains in which such pods run are candidates.`,
    preferredDuringSchedulingIgnoredDuringExecution: say`Domains in which such pods run score higher.`,
  },
  PodAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: say`Domains in which such pods run are no candidates, and these pods keep such others away in turn.`,
    preferredDuringSchedulingIgnoredDuringExecution: say`Domains in which such pods run score lower.`,
  },
  PodAffinityTerm: {
    labelSelector: say`Which pods are meant, by their labels; left out, it matches no pod.`,
    namespaces: say`Namespaces of those pods; that of the pod itself where neither this nor a selector is written.`,
    namespaceSelector: say`Namespaces of those pods, by their labels; an empty one means all.`,
    topologyKey: say`The label of nodes whose values are the domains: near means in the same one.`,
    matchLabelKeys: say`Label keys whose values are taken from the pod itself and added to the selector.`,
    mismatchLabelKeys: say`Label keys whose values, taken from the pod itself, the others must not have.`,
  },
  WeightedPodAffinityTerm: {
    weight: say`How much each matching pod adds to the score, from 1 to 100.`,
    podAffinityTerm: say`Which pods, and over which domains.`,
  },
  LabelSelector: {
    matchLabels,
    matchExpressions: say`Requirements over labels; all of them must match.`,
  },
  LabelSelectorRequirement: {
    key: say`The key of a label.`,
    operator: say`In, NotIn, Exists or DoesNotExist.`,
    values: say`Values to compare with; none for Exists and DoesNotExist.`,
  },
  Toleration: {
    key: say`The key of the taint; left out with Exists, every taint is tolerated.`,
    operator: say`Equal compares the value, Exists only asks for the key; Equal where nothing is written.`,
    value: say`The value of the taint; none with Exists.`,
    effect: say`The effect of the taint; left out, every effect is tolerated.`,
    tolerationSeconds: say`How long a running pod stays on a node that gets a NoExecute taint; for ever when left out.`,
  },
  TopologySpreadConstraint: {
    maxSkew: say`How many pods more than the emptiest domain any domain may have.`,
    topologyKey: say`The label of nodes whose values are the domains; a rule leaves out nodes without it.`,
    whenUnsatisfiable: say`DoNotSchedule makes it a rule, ScheduleAnyway a wish that only scores.`,
    labelSelector: say`Which pods are counted; it should select the pods themselves.`,
    minDomains: say`With fewer domains than this, the emptiest counts as having no pod.`,
    nodeAffinityPolicy: say`Whether only nodes that the affinity of the pod allows count as domains.`,
    nodeTaintsPolicy: say`Whether nodes whose taints the pod does not tolerate are left out.`,
    matchLabelKeys: say`Label keys whose values are taken from the pod, so that only its own revision is counted.`,
  },
  PriorityClass: {
    value: say`The priority of its pods: higher ones come first in the queue, and may evict lower ones.`,
    globalDefault: say`Whether pods without a class get this one; only one class may say so.`,
    description: say`What the class is meant for.`,
    preemptionPolicy: preemption,
  },
  PodDisruptionBudgetSpec: {
    minAvailable: say`How many of the pods, or which share, must stay healthy when pods are evicted.`,
    maxUnavailable: say`How many of the pods, or which share, may be unhealthy when pods are evicted; 0 blocks each drain.`,
    selector: say`Which pods of the namespace are protected; a pod with two budgets cannot be evicted.`,
    unhealthyPodEvictionPolicy: say`Whether pods that are not ready may be evicted although the budget is used up.`,
  },
  ResourceQuotaSpec: {
    hard: say`How much of each resource the pods of the namespace may ask for together.`,
    scopes: say`Which pods are counted; a pod must match all scopes.`,
    scopeSelector: say`Which pods are counted, by expressions: of a PriorityClass, for example.`,
  },
  ScopeSelector: { matchExpressions: say`Requirements over scopes; a pod must match all of them.` },
  ScopedResourceSelectorRequirement: {
    scopeName: say`What is looked at: the PriorityClass, the QoS class, or how long the pod may run.`,
    operator: say`How it is compared; only PriorityClass knows In and NotIn.`,
    values: say`Names of classes, with In and NotIn.`,
  },
  LimitRangeSpec: { limits: say`One item for each type: Container, Pod or PersistentVolumeClaim.` },
  LimitRangeItem: {
    type: say`What is limited: Container, Pod or PersistentVolumeClaim.`,
    max: say`What may be asked for at most; more is refused.`,
    min: say`What must be asked for at least; less is refused.`,
    default: say`The limit of containers that say none.`,
    defaultRequest: say`The request of containers that say none: this is what the scheduler counts.`,
    maxLimitRequestRatio: say`How many times the request a limit may be.`,
  },
  NodeSpec: {
    unschedulable: say`Whether the node is cordoned: no new pod comes here but those that tolerate it.`,
    taints: say`What keeps pods away that do not tolerate it.`,
    podCIDR: say`The addresses of the pods on the node.`,
    providerID: say`The name of the machine at its provider.`,
  },
  Taint: {
    key: say`The key, which tolerations name.`,
    value: say`The value, which tolerations with Equal name.`,
    effect: say`NoSchedule keeps new pods away, PreferNoSchedule would rather, NoExecute evicts running ones too.`,
    timeAdded: say`Since when a NoExecute taint is there; tolerationSeconds count from then.`,
  },
  DeploymentSpec: {
    replicas,
    selector,
    template,
    strategy: say`How pods of an old revision are replaced.`,
    minReadySeconds: minReady,
    paused: say`Whether changes of the template wait.`,
    progressDeadlineSeconds: say`Seconds after which a rollout that does not get on counts as failed.`,
    revisionHistoryLimit: say`How many old ReplicaSets are kept.`,
  },
  DeploymentStrategy: { type: say`RollingUpdate replaces pods bit by bit, Recreate all at once.`, rollingUpdate },
  RollingUpdateDeployment: { maxUnavailable, maxSurge },
  ReplicaSetSpec: { replicas, selector, template, minReadySeconds: minReady },
  ReplicationControllerSpec: { replicas, selector, template, minReadySeconds: minReady },
  StatefulSetSpec: {
    replicas,
    selector,
    template,
    serviceName: say`The Service that gives the pods their names in DNS.`,
    podManagementPolicy: say`OrderedReady makes one pod after the other, so that one that is pending stops the next.`,
    updateStrategy: say`How pods of an old revision are replaced.`,
    volumeClaimTemplates: say`Claims that each pod gets; their volumes tie it to where they are.`,
    minReadySeconds: minReady,
  },
  StatefulSetUpdateStrategy: {
    type: say`RollingUpdate, or OnDelete: only after the pod is deleted.`,
    rollingUpdate,
  },
  RollingUpdateStatefulSetStrategy: {
    maxUnavailable,
    partition: say`Only pods with this ordinal or a higher one change.`,
  },
  DaemonSetSpec: {
    selector,
    template,
    updateStrategy: say`How pods of an old revision are replaced.`,
    minReadySeconds: minReady,
  },
  DaemonSetUpdateStrategy: {
    type: say`RollingUpdate, or OnDelete: only after the pod is deleted.`,
    rollingUpdate,
  },
  RollingUpdateDaemonSet: { maxUnavailable, maxSurge },
  JobSpec: {
    template,
    parallelism: say`How many pods run at a time.`,
    completions: say`How many pods must end well.`,
    completionMode: say`Indexed gives each pod a number of its own.`,
    suspend: say`Whether the Job makes no pods for now; while it is, its scheduling directives may change.`,
    backoffLimit: say`How many pods may fail before the Job does; an evicted pod counts unless a policy ignores it.`,
    podFailurePolicy: say`What a failed pod means, so that disruptions need not count.`,
    podReplacementPolicy: say`Whether a pod that is terminating is replaced at once or when it has ended.`,
    activeDeadlineSeconds: say`Seconds after which the Job is ended as failed.`,
    ttlSecondsAfterFinished: say`Seconds after which a finished Job is deleted.`,
    selector: say`Which pods belong to it; the API server writes it.`,
  },
  CronJobSpec: {
    schedule: say`When a Job is made.`,
    jobTemplate: say`The Jobs that are made.`,
    concurrencyPolicy: say`What happens when the last Job is still running: Allow, Forbid or Replace.`,
    suspend: say`Whether no further Jobs are made.`,
    timeZone: say`The time zone of the schedule.`,
    startingDeadlineSeconds: say`How late a Job may start before it is left out.`,
  },
  HorizontalPodAutoscalerSpec: {
    scaleTargetRef: say`The workload whose replicas it writes.`,
    minReplicas: say`How many pods there are at least; 1 where nothing is written.`,
    maxReplicas: say`How many pods there are at most: plan room for these.`,
    metrics: say`What is measured, and what it should be.`,
    behavior: say`How fast replicas come and go.`,
  },
  CrossVersionObjectReference: {
    kind: say`The kind of the workload.`,
    name: say`The name of the workload, in the same namespace.`,
    apiVersion: say`The version of the workload.`,
  },
  ServiceSpec: {
    selector: say`Which pods this Service sends traffic to; spread constraints count them as one group.`,
  },
  PersistentVolumeClaimSpec: {
    storageClassName: storageClass,
    volumeName: say`The volume itself, whose nodes are then the only candidates.`,
    resources: say`How large the volume must be.`,
    accessModes: say`From how many nodes, and by how many pods, it may be used; ReadWriteOncePod is for one pod.`,
    selector: say`Which volumes come into question, by their labels.`,
    volumeMode: say`A file system, or a raw block device.`,
  },
  PersistentVolumeSpec: {
    nodeAffinity: say`From which nodes the volume can be reached: pods that use it run only there.`,
    storageClassName: storageClass,
    capacity: say`How large the volume is.`,
    claimRef: say`The claim that the volume is bound to.`,
    accessModes: say`From how many nodes, and by how many pods, it may be used.`,
    persistentVolumeReclaimPolicy: say`What becomes of the volume when its claim is deleted.`,
  },
  VolumeNodeAffinity: { required: say`Terms over the labels of nodes, of which one must match.` },
  StorageClass: {
    provisioner: say`The provisioner that makes the volumes.`,
    volumeBindingMode: say`WaitForFirstConsumer lets the scheduler choose the node first; Immediate may choose a zone before.`,
    allowedTopologies: say`Where volumes may be made.`,
    reclaimPolicy: say`What becomes of a volume when its claim is deleted.`,
    allowVolumeExpansion: say`Whether a claim may ask for more later.`,
  },
  CSINodeDriver: {
    name: say`The driver.`,
    nodeID: say`What the driver calls the node.`,
    topologyKeys: say`Labels of nodes that say from where volumes of the driver can be reached.`,
    allocatable: say`How many volumes of the driver can be attached to the node.`,
  },
  VolumeNodeResources: { count: say`How many volumes can be attached at a time; more make the node no candidate.` },
  RuntimeClass: {
    handler: say`The runtime on the node.`,
    overhead: say`What each pod needs besides its containers.`,
    scheduling: say`A node selector and tolerations that are added to its pods.`,
  },
  Overhead: { podFixed: say`Added to the requests of each pod.` },
  Scheduling: {
    nodeSelector: say`Added to the node selector of each pod.`,
    tolerations: say`Added to the tolerations of each pod.`,
  },
  KubeSchedulerConfiguration: {
    profiles: say`Schedulers by name, each with its plugins; pods choose one with schedulerName.`,
    percentageOfNodesToScore: say`How large a share of the nodes is looked at in large clusters; 0 lets the scheduler decide.`,
    parallelism: say`How many nodes are looked at at a time.`,
    podInitialBackoffSeconds: say`How long a pod that failed waits before it is tried again.`,
    podMaxBackoffSeconds: say`How long it waits at most.`,
    extenders: say`Programs that are asked besides; Podium does not model them.`,
    leaderElection: say`How several instances elect a leader.`,
    clientConnection: say`How the API server is reached.`,
    delayCacheUntilActive: say`Whether an instance that does not lead keeps no copy of the cluster.`,
  },
  KubeSchedulerProfile: {
    schedulerName: say`The name that pods write as schedulerName.`,
    percentageOfNodesToScore: say`The share of nodes to look at, for this profile.`,
    plugins: say`Which plugins are on and off, by extension point.`,
    pluginConfig: say`Arguments of plugins.`,
  },
  Plugins: {
    multiPoint: say`Turns plugins on or off at all points that they know.`,
    preEnqueue: say`Decides whether a pod may enter the queue.`,
    queueSort: say`Orders the queue; all profiles must have the same.`,
    preFilter: say`Prepares, and may refuse a pod before any node is looked at.`,
    filter: say`Decides which nodes are candidates.`,
    postFilter: say`Is asked when no node is left: preemption.`,
    preScore: say`Prepares scoring.`,
    score: say`Decides which candidate is best; each plugin has a weight.`,
    reserve: say`Sets aside what the pod needs, and gives it back when binding fails.`,
    permit: say`May hold back a pod before it is bound.`,
    preBind: say`Prepares what binding needs, such as volumes.`,
    bind: say`Binds the pod to its node.`,
    postBind: say`Called after a pod is bound.`,
  },
  Extender: {
    urlPrefix: say`Where the program is reached; the verbs are added to it.`,
    filterVerb: say`What is asked for the nodes that it leaves; without it no node is refused.`,
    preemptVerb: say`What is asked for the victims that it accepts; without it preemption does not ask.`,
    prioritizeVerb: say`What is asked for scores of nodes; without it none is given.`,
    weight: say`How much its scores count.`,
    bindVerb: say`What is asked to bind a pod; only one extender may.`,
    enableHTTPS: say`Whether it is reached by HTTPS.`,
    tlsConfig: say`The certificates for that.`,
    httpTimeout: say`How long an answer is waited for.`,
    nodeCacheCapable: say`Whether it knows nodes itself and is only sent their names.`,
    managedResources: say`Only pods that request one of these are sent to it; without any, all are.`,
    ignorable: say`Whether pods are placed without it when it does not answer.`,
  },
  ExtenderManagedResource: {
    name: say`The resource, as pods request it.`,
    ignoredByScheduler: say`Whether the scheduler itself does not count it on nodes.`,
  },
  PluginSet: { enabled, disabled },
  Plugin: {
    name: say`The name of the plugin.`,
    weight: say`How much its score counts; only plugins that score have one.`,
  },
  PluginConfig: { name: say`The plugin that the arguments are for.`, args: say`The arguments.` },
  DefaultPreemptionArgs: {
    minCandidateNodesPercentage: say`Of how large a share of the nodes preemption tries at least.`,
    minCandidateNodesAbsolute: say`Of how many nodes preemption tries at least.`,
  },
  NodeResourcesFitArgs: {
    ignoredResources: say`Extended resources that are not counted.`,
    ignoredResourceGroups: say`Groups of extended resources that are not counted.`,
    scoringStrategy: say`Whether empty or full nodes are preferred, and by which resources.`,
  },
  InterPodAffinityArgs: {
    hardPodAffinityWeight: say`How much a required affinity of others counts when nodes are scored.`,
    ignorePreferredTermsOfExistingPods: say`Whether wishes of pods that run already are left out of the score.`,
  },
  NodeAffinityArgs: { addedAffinity: say`Node affinity that is added to every pod of the profile.` },
  PodTopologySpreadArgs: {
    defaultConstraints: say`Constraints for pods that have none.`,
    defaultingType: say`System uses the built-in constraints, List those that are written here.`,
  },
  VolumeBindingArgs: { bindTimeoutSeconds: say`How long is waited until volumes are bound.` },
};
