import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { defaultPod } from '../../kubernetes/defaults/index.ts';
import type { Pod } from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { type HostPort, hostPortsOf, portsConflict } from '../../scheduler/framework/host-ports.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { code } from '../connection/markdown.ts';
import { podsOn } from '../index/running-pods.ts';
import { factLink, nodeLinks, nodesText } from './links.ts';
import { type HoverPlace, nodesOf, paragraphs, points } from './place.ts';

/** On which nodes a port that a container wants of its node is free. Source: pkg/scheduler/framework/plugins/nodeports */
export function hostPortHover(place: HoverPlace): string | undefined {
  const { fact, facts, path } = place;
  const [list, index, field, at] = path;
  if (field !== 'ports' || typeof index !== 'number' || typeof at !== 'number') return undefined;
  if (list !== 'containers' && list !== 'initContainers') return undefined;
  const container = fact.template?.spec[list]?.[index];
  const written = container?.ports?.[at];
  // A plain init container is over before its port could clash.
  const [port] = hostPortsOf({ spec: { containers: [{ name: '', ports: written === undefined ? [] : [written] }] } });
  if (port === undefined || (list === 'initContainers' && container?.restartPolicy !== 'Always')) return undefined;
  const known = nodesOf(place);
  const text = `${port.port}/${port.protocol}`;
  const taken = known.nodes.filter(({ name }) => holderOf(port, name, fact, facts) !== undefined);
  const free = known.nodes.length - taken.length;
  const holder = (name: string): string => factLink(holderOf(port, name, fact, facts)!, facts);
  return paragraphs(
    known.nodes.length === 0 ? '' : say`**Port ${code(text)} of the node is free on ${free} of ${nodesText(known)}**`,
    points(
      taken.length === 0 ? [] : [say`Taken on ${nodeLinks(taken, facts, ({ name }) => say` by ${holder(name)}`)}`],
    ),
    apartText(fact),
  );
}

/** Of the pods of a workload that take a port of their node each. */
export function apartText({ kind, object }: Fact): string {
  if (kind === 'Pod' || kind === 'DaemonSet' || replicasOf(object) < 2) return '';
  return say`No two of the ${count(replicasOf(object), 'pod')} share a node.`;
}

/** Who has a port on a node, but for the pod itself. */
export function holderOf(port: HostPort, node: string, fact: Fact, facts: Facts): Fact | undefined {
  return podsOn(facts, node).find(
    (pod) => pod !== fact && hostPortsOf(asServed(pod.object as Pod)).some((other) => portsConflict(port, other)),
  );
}

/** On the network of the node the API server makes host ports of all ports. */
function asServed(pod: Pod): Pod {
  return pod.spec?.hostNetwork === true ? defaultPod(pod) : pod;
}
