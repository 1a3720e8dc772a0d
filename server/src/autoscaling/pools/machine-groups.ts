import { own, put } from '../../util/own.ts';
import { isList, valueAt } from '../../util/values.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { Node, Taint } from '../../kubernetes/objects.ts';
import { taintOwner } from '../../kubernetes/taint-owner.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import { ec2Types, resourcesOf } from '../instance-types/read-table.ts';
import {
  annotationOf,
  capacityDomain,
  eksctlEntries,
  eksctlMarks,
  isOfWindows,
  machineMarks,
  type NodeMarks,
  scalar,
} from './node-marks.ts';

/** A node group of Cluster Autoscaler as it is written; without a template its shape is not known. */
export interface MachineGroup {
  readonly id: string;
  readonly kind: string;
  readonly min: number;
  readonly max: number;
  readonly size: number;
  readonly template: Node | undefined;
  readonly marks: NodeMarks;
  /** Nodes that are there and belong to it. */
  readonly nodes: ReadonlySet<string>;
}

export const sizeKeys = [
  'cluster.x-k8s.io/cluster-api-autoscaler-node-group-',
  'machine.openshift.io/cluster-api-autoscaler-node-group-',
];

/**
 * A MachineDeployment, MachineSet or MachinePool that may be scaled: with both bounds. A MachineSet of a MachineDeployment
 * has a copy of its annotations, and is scaled with it.
 * Source: cluster-autoscaler/cloudprovider/clusterapi (README.md, clusterapi_unstructured.go)
 */
export function machineGroup(
  written: JsonObject,
  autoscalers: readonly JsonObject[],
  nodes: readonly Node[],
): readonly MachineGroup[] {
  const kind = text(valueAt(written, ['kind']));
  const name = text(valueAt(written, ['metadata', 'name']));
  if (isOfDeployment(written)) return [];
  const at = (key: string): string => annotationOf(written, key);
  // A MachineAutoscaler writes the bounds of the MachineSet that it names.
  const own = autoscalers.find(
    (each) =>
      text(valueAt(each, ['spec', 'scaleTargetRef', 'name'])) === name &&
      text(valueAt(each, ['spec', 'scaleTargetRef', 'kind'])) === kind,
  );
  const bound = (end: 'min' | 'max'): number | undefined => {
    const written = sizeKeys.map((key) => at(`${key}${end}-size`)).find((each) => each !== '');
    const value = written ?? scalar(own === undefined ? undefined : valueAt(own, ['spec', `${end}Replicas`]));
    return /^\d+$/.test(value) ? Number(value) : undefined;
  };
  const [min, max] = [bound('min'), bound('max')];
  if (min === undefined || max === undefined || max <= min) return [];
  const replicas = valueAt(written, ['spec', 'replicas']);
  const id = `${kind}/${name}`;
  const resources: Record<string, string> = {};
  const offer = (resource: string, ...values: readonly string[]): void => {
    const value = values.find((each) => each !== '');
    if (value !== undefined) put(resources, resource, value);
  };
  const megabytes = at('machine.openshift.io/memoryMb');
  offer('cpu', at(`${capacityDomain}/cpu`), at('machine.openshift.io/vCPU'));
  offer('memory', at(`${capacityDomain}/memory`), megabytes === '' ? '' : `${megabytes}Mi`);
  offer('ephemeral-storage', at(`${capacityDomain}/ephemeral-disk`));
  offer('pods', at(`${capacityDomain}/maxPods`), at('machine.openshift.io/maxPods'), '110');
  const gpus = [at(`${capacityDomain}/gpu-count`), at('machine.openshift.io/GPU')].find(
    (each) => each !== '' && each !== '0',
  );
  if (gpus !== undefined) offer(at(`${capacityDomain}/gpu-type`) || 'nvidia.com/gpu', gpus);
  const isKnown = resources['cpu'] !== undefined && resources['memory'] !== undefined;
  const members = nodes.filter((node) => isMachineOf(node, name));
  const marks = machineMarks(written);
  const labels = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux', ...marks.labels };
  return [
    {
      id,
      kind,
      min,
      max,
      size: typeof replicas === 'number' ? replicas : min,
      marks,
      template: isKnown ? nodeOf(id, labels, marks.taints, resources, resources) : likeFirst(id, members),
      nodes: new Set(members.map(nameOf)),
    },
  ];
}

/** Source: cluster-autoscaler/cloudprovider/clusterapi/clusterapi_utils.go (machineSetHasMachineDeploymentOwnerRef) */
function isOfDeployment(written: JsonObject): boolean {
  const owners = valueAt(written, ['metadata', 'ownerReferences']);
  return isList(owners) && owners.some((owner) => valueAt(owner, ['kind']) === 'MachineDeployment');
}

/**
 * Whether a node is of a MachineDeployment or MachineSet: its machine, or the set of that, is called after it.
 * Source: cluster-api api/core/v1beta1 (OwnerNameAnnotation); machine-api-operator pkg/controller/nodelink
 */
function isMachineOf({ metadata }: Node, name: string): boolean {
  const owner = labelValue(metadata?.annotations, 'cluster.x-k8s.io/owner-name') ?? '';
  const machine = labelValue(metadata?.annotations, 'machine.openshift.io/machine') ?? '';
  return owner === name || isMadeOf(owner, name) || isMadeOf(machine.slice(machine.indexOf('/') + 1), name);
}

/** One part is added to the name: `workers-x7k2p` of `workers`. */
function isMadeOf(made: string, name: string): boolean {
  return made.startsWith(`${name}-`) && !made.slice(name.length + 1).includes('-');
}

/** Where nothing is written of it, what a new node is like shows one that is there. */
function likeFirst(id: string, [first]: readonly Node[]): Node | undefined {
  if (first?.status?.allocatable === undefined) return undefined;
  const { allocatable, capacity = allocatable } = first.status;
  const own = (first.spec?.taints ?? []).filter((taint) => taintOwner(taint.key) === 'own');
  return nodeOf(id, first.metadata?.labels ?? {}, own, capacity, allocatable);
}

/** Node groups of an eksctl ClusterConfig (eksctl.io/v1alpha5) that have room to grow. */
export function eksctlGroups(written: JsonObject, nodes: readonly Node[]): readonly MachineGroup[] {
  const region = text(valueAt(written, ['metadata', 'region']));
  const cluster = text(valueAt(written, ['metadata', 'name']));
  return eksctlEntries(written).flatMap(([group, isManaged]) => {
    const name = text(group['name']);
    const number = (key: string): number | undefined => {
      const value = own(group, key);
      return typeof value === 'number' ? value : undefined;
    };
    const max = number('maxSize');
    const min = number('minSize') ?? 0;
    if (max === undefined || max <= min) return [];
    const type = isOfWindows(group) ? undefined : ec2Types().get(firstType(group));
    const zones = isList(group['availabilityZones']) ? group['availabilityZones'].map(scalar) : [];
    const keys = ['eks.amazonaws.com/nodegroup', 'alpha.eksctl.io/nodegroup-name'];
    const members = nodes.filter(({ metadata }) => keys.some((key) => labelValue(metadata?.labels, key) === name));
    const marks = eksctlMarks(cluster, group, isManaged);
    const labels = {
      ...type?.labels,
      ...(region === '' ? {} : { 'topology.kubernetes.io/region': region }),
      ...(zones[0] === undefined ? {} : { 'topology.kubernetes.io/zone': zones[0] }),
      ...marks.labels,
    };
    const maxPods = number('maxPodsPerNode');
    const resources = type === undefined ? undefined : resourcesOf(type, maxPods === undefined ? {} : { maxPods });
    const id = `nodegroup/${name}`;
    return [
      {
        id,
        kind: 'ClusterConfig',
        min,
        max,
        size: members.length > 0 ? members.length : (number('desiredCapacity') ?? min),
        marks,
        template:
          resources === undefined
            ? likeFirst(id, members)
            : nodeOf(id, labels, marks.taints, printed(resources.capacity), printed(resources.allocatable)),
        nodes: new Set(members.map(nameOf)),
      },
    ];
  });
}

/** Cluster Autoscaler goes by the first. Source: eksctl pkg/apis/eksctl.io/v1alpha5 (DefaultNodeType) */
function firstType(group: Readonly<Record<string, unknown>>): string {
  const listed = own(group, 'instanceTypes') ?? valueAt(group, ['instancesDistribution', 'instanceTypes']);
  if (isList(listed)) return scalar(listed[0]);
  return text(own(group, 'instanceType')) || (own(group, 'instanceSelector') === undefined ? 'm5.large' : '');
}

function printed(amounts: ReturnType<typeof resourcesOf>['capacity']): Readonly<Record<string, string>> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}

function nodeOf(
  id: string,
  labels: Readonly<Record<string, string>>,
  taints: readonly Taint[],
  capacity: Readonly<Record<string, string>>,
  allocatable: Readonly<Record<string, string>>,
): Node {
  const name = id.slice(id.indexOf('/') + 1);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labels, 'kubernetes.io/hostname': name } },
    spec: { taints },
    status: { capacity, allocatable },
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
