import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { type HostPort, hostPortsOf } from '../../scheduler/framework/host-ports.ts';
import { code } from '../connection/markdown.ts';
import { madePod } from '../rules/support/made-pods.ts';
import { apartText, holderOf } from './host-port.ts';
import { factLink, nodeLinks, nodesText } from './links.ts';
import { type HoverPlace, nodesOf, paragraphs, points } from './place.ts';

/** Ports that are told of. */
const shownPorts = 6;

/**
 * Which ports a pod takes of its node, and where they are free. On the network of the node every port of its containers
 * is one. Sources: SetDefaults_PodSpec in pkg/apis/core/v1/defaults.go, pkg/scheduler/framework/plugins/nodeports
 */
export function hostNetworkHover(place: HoverPlace): string | undefined {
  const { fact, facts } = place;
  const pod = madePod(fact, facts);
  if (pod === undefined) return undefined;
  const isOfNode = pod.spec?.hostNetwork === true;
  const ports = hostPortsOf(pod);
  if (ports.length === 0) {
    return isOfNode
      ? say`**Takes no port of its node that the scheduler knows of**: its containers declare none.`
      : say`**Takes no port of its node**: none is written as \`hostPort\`.`;
  }
  const known = nodesOf(place);
  const holders = ports.map(
    (port) => new Map(known.nodes.flatMap(({ name }) => heldOn(port, name, place).map((holder) => [name, holder]))),
  );
  const free = known.nodes.filter(({ name }) => !holders.some((held) => held.has(name)));
  const lines = ports.slice(0, shownPorts).map(({ port, protocol }, at) => {
    const held = holders[at]!;
    const taken = known.nodes.filter(({ name }) => held.has(name));
    const text = code(`${port}/${protocol}`);
    if (known.nodes.length === 0) return text;
    if (taken.length === 0) return say`${text} is free on all`;
    return say`${text} is taken on ${nodeLinks(taken, facts, ({ name }) => say` by ${factLink(held.get(name)!, facts)}`)}`;
  });
  if (ports.length > lines.length) lines.push(say`${ports.length - lines.length} more`);
  const whose = isOfNode ? say`every port of its containers` : say`what is written as \`hostPort\``;
  return paragraphs(
    joined(
      [
        say`**Each pod takes ${count(ports.length, 'port')} of its node**: ${whose}.`,
        known.nodes.length === 0 ? '' : say`All are free on ${free.length} of ${nodesText(known)}.`,
      ],
      ' ',
    ),
    points(lines),
    apartText(fact),
  );
}

function heldOn(port: HostPort, node: string, { fact, facts }: HoverPlace) {
  const holder = holderOf(port, node, fact, facts);
  return holder === undefined ? [] : [holder];
}
