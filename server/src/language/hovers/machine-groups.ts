import { joined, say } from '../../util/say.ts';
import { valueAt } from '../../util/values.ts';
import { count } from '../../util/words.ts';
import { taintText } from '../../kubernetes/taints.ts';
import { code } from '../connection/markdown.ts';
import type { Fact } from '../index/fact.ts';
import { poolTypes } from '../index/pool-types.ts';
import { nodePoolOf, poolMarks, poolsFor, writtenOf } from '../index/pools.ts';
import { factLinks, some } from './links.ts';
import { workloadsAskingForNodes } from './node-pool.ts';
import { type HoverPlace, isHeading, isText, paragraphs, points } from './place.ts';

type Group = NonNullable<ReturnType<NonNullable<ReturnType<typeof poolTypes>>['groupsOf']>>[number];

/** What Cluster Autoscaler reads of an annotation. Source: cluster-autoscaler/cloudprovider/clusterapi/README.md */
function annotationText(key: string): string | undefined {
  switch (key.slice(key.indexOf('/') + 1)) {
    case 'cluster-api-autoscaler-node-group-min-size':
      return say`The fewest nodes that Cluster Autoscaler leaves. It changes only groups that have both bounds.`;
    case 'cluster-api-autoscaler-node-group-max-size':
      return say`The most nodes that Cluster Autoscaler adds. It changes only groups that have both bounds.`;
    case 'cpu':
    case 'vCPU':
      return say`The processors of a new node. With the memory it lets Cluster Autoscaler scale from zero.`;
    case 'memory':
      return say`The memory of a new node. With the processors it lets Cluster Autoscaler scale from zero.`;
    case 'memoryMb':
      return say`The memory of a new node, in MiB. With the processors it lets Cluster Autoscaler scale from zero.`;
    case 'gpu-count':
    case 'GPU':
      return say`How many GPUs a new node has.`;
    case 'gpu-type':
      return say`The resource that its GPUs are called, such as nvidia.com/gpu.`;
    case 'ephemeral-disk':
      return say`The ephemeral storage of a new node.`;
    case 'maxPods':
      return say`How many pods a new node takes; 110 where it is not written.`;
    case 'labels':
      return say`Labels of a new node, as key=value,key=value. Pods may select by them while there is no node.`;
    case 'taints':
      return say`Taints of a new node, as key=value:Effect, with commas between. They win over those of the template.`;
    default:
      return undefined;
  }
}

const ofGroups = /^(?:capacity\.cluster-autoscaler\.kubernetes\.io|cluster\.x-k8s\.io|machine\.openshift\.io)\//;

/** A MachineDeployment, MachineSet, MachinePool, or the node groups of a ClusterConfig. */
export function machineGroupHover(place: HoverPlace): string | undefined {
  const { fact, path, facts } = place;
  const groups = poolTypes()?.groupsOf(fact, facts) ?? [];
  const [first, second, third] = path;
  if (first === 'metadata' && second === 'annotations' && typeof third === 'string') {
    const text = ofGroups.test(third) ? annotationText(third) : undefined;
    return text === undefined ? undefined : paragraphs(text, groupsText(place, groups));
  }
  if (fact.kind === 'ClusterConfig') {
    if (isHeading(path)) return groupsText(place, groups);
    if (first !== 'managedNodeGroups' && first !== 'nodeGroups') return undefined;
    const name = typeof second === 'number' ? nameAt(fact, first, second) : undefined;
    const named = name === undefined ? groups : groups.filter(({ id }) => id === `nodegroup/${name}`);
    return path.length > 2 && third !== 'name' ? undefined : groupsText(place, named);
  }
  return isHeading(path) ? groupsText(place, groups) : undefined;
}

function nameAt(fact: Fact, list: string, index: number): string | undefined {
  const name = valueAt(writtenOf(fact), [list, index, 'name']);
  return typeof name === 'string' ? name : undefined;
}

function groupsText(place: HoverPlace, groups: readonly Group[]): string {
  if (groups.length === 0) {
    return place.fact.kind === 'ClusterConfig'
      ? say`No node group here may grow: none has a maxSize above its minSize.`
      : say`Cluster Autoscaler does not change it: both bounds have to be written, the largest above the smallest.`;
  }
  return paragraphs(...groups.map((group) => groupText(place, group)));
}

function groupText(place: HoverPlace, { id, min, max, size, template }: Group): string {
  const name = id.slice(id.indexOf('/') + 1);
  const title = say`**${code(name)}: ${min} to ${count(max, 'node')}**, ${size} by what is known`;
  if (template === undefined) {
    return paragraphs(
      title,
      say`How large its nodes are is not written, and no node of it is known: nothing says which pods would fit.`,
    );
  }
  const allocatable = template.status?.allocatable ?? {};
  const amounts = Object.entries(allocatable).map(([resource, amount]) => say`${amount} ${resource}`);
  const taints = template.spec?.taints ?? [];
  return paragraphs(
    title,
    points(
      [
        say`A new node has ${joined(amounts, ', ')}`,
        taints.length === 0 ? '' : say`Its taints: ${some(taints, (taint) => code(taintText(taint)))}`,
        usersText(place, name),
      ].filter(isText),
    ),
  );
}

/** Workloads whose labels and taints let their pods be on a node of the group. */
function usersText({ fact, facts }: HoverPlace, name: string): string {
  const marks = poolMarks(facts).find((each) => each.fact === fact && each.title.endsWith(` ${name}`));
  const all = workloadsAskingForNodes(facts);
  if (marks === undefined || all.length === 0) return '';
  const users = all.filter(({ template }) => poolsFor(template!.spec, facts).includes(marks));
  if (users.length === 0) return say`No workload that is declared here selects and tolerates it`;
  return say`${count(users.length, 'workload')} of ${all.length} may use it: ${factLinks(users, facts)}`;
}

/** An EC2NodeClass: which pools make nodes with it, where, and what is left of a node for pods. */
export function nodeClassHover({ fact, path, facts }: HoverPlace): string | undefined {
  const isKubelet = path[0] === 'spec' && path[1] === 'kubelet';
  const found = isHeading(path) || isKubelet ? poolTypes()?.nodeClassOf(fact) : undefined;
  if (found === undefined) return undefined;
  const { zones, reserve, isWindows } = found;
  const { maxPods, podsPerCore, kubeReserved, systemReserved } = reserve;
  const reserved = kubeReserved ?? systemReserved;
  return paragraphs(
    say`**EC2NodeClass ${code(fact.name)}**`,
    points(
      [
        usedBy(fact, facts),
        zones.length === 0
          ? say`Its zones are those of its subnets, which only its status says: those of nodes and pools count`
          : say`Zones: ${some(zones, code)}`,
        maxPods === undefined ? '' : say`At most ${count(maxPods, 'pod')} on a node`,
        podsPerCore === undefined ? '' : say`At most ${count(podsPerCore, 'pod')} for each core`,
        reserved === undefined
          ? ''
          : say`What it reserves for the kubelet or the system is not left for pods, and counts`,
        isWindows ? say`Its nodes run Windows: their instance types are not known here` : '',
      ].filter(isText),
    ),
  );
}

function usedBy({ name, kind }: Fact, facts: HoverPlace['facts']): string {
  const users = facts.ofKind('NodePool').filter((pool) => {
    const { nodeClass } = nodePoolOf(pool);
    return nodeClass.name === name && nodeClass.kind === kind;
  });
  return users.length === 0 ? say`No NodePool that is declared here uses it` : say`Used by ${factLinks(users, facts)}`;
}

/** A class of another provider: what uses it. */
export function otherClassHover(place: HoverPlace): string | undefined {
  const { fact, path, facts } = place;
  if (!isHeading(path)) return undefined;
  const users = fact.kind === 'ComputeClass' ? usersText(place, fact.name) : usedBy(fact, facts);
  const unknown = say`The instance types of its provider are not known here.`;
  return paragraphs(`**${fact.kind} ${code(fact.name)}**`, points([users].filter(isText)), unknown);
}

/** A CapacityBuffer: what it holds room for. */
export function bufferHover({ fact, path, facts }: HoverPlace): string | undefined {
  if (!isHeading(path) && path[0] !== 'spec') return undefined;
  const buffer = poolTypes()?.bufferOf(fact, facts);
  if (buffer === undefined) {
    return say`What it names is not declared here, or its strategy is not known: the room that it holds counts as free.`;
  }
  const { pods, requests } = buffer;
  const each = Object.entries(requests).map(([resource, amount]) => say`${amount} ${resource}`);
  const room = each.length === 0 ? '' : say` of ${joined(each, ', ')} each`;
  return paragraphs(
    say`**Room for ${count(pods, 'pod')}${room}**`,
    say`Autoscalers keep nodes with so much free room. Pods of any priority may take it, and nodes are added for it anew.`,
  );
}
