import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { DaemonSet, Deployment, StatefulSet } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { daemonSetFenceposts, deploymentFenceposts } from '../../kubernetes/rolling-update.ts';
import { isRunning } from '../index/running-pods.ts';
import { requestedOn, requestsOf } from '../rules/support/requested-on.ts';
import { type HoverPlace, nodesOf, paragraphs } from './place.ts';

/** How a change is rolled out: bounds as numbers of pods, and whether a surge finds room now. */
export function rollOutHover(place: HoverPlace): string | undefined {
  const { fact, path } = place;
  if (path[0] !== 'spec' || (path[1] !== 'strategy' && path[1] !== 'updateStrategy')) return undefined;
  const field = path.at(-1);
  switch (fact.kind) {
    case 'Deployment':
      return path[1] === 'strategy' ? deploymentText(place, field) : undefined;
    case 'DaemonSet':
      return path[1] === 'updateStrategy' ? daemonSetText(place, field) : undefined;
    case 'StatefulSet':
      return path[1] === 'updateStrategy' ? statefulSetText(place, field) : undefined;
    default:
      return undefined;
  }
}

function deploymentText(place: HoverPlace, field: string | number | undefined): string {
  const { spec } = place.fact.object as Deployment;
  const replicas = replicasOf(place.fact.object);
  const all = count(replicas, 'pod');
  if (spec?.strategy?.type === 'Recreate') {
    return say`All **${all}** end before the first new one starts: until that is ready, none serves.`;
  }
  const { surge, unavailable } = deploymentFenceposts(spec, replicas);
  const more = say`**${count(surge, 'pod')}** beyond the ${replicas}, rounded up.`;
  const fewer =
    unavailable === 0
      ? say`**0 of ${all}** may be missing, rounded down: no old pod ends before a new one is ready.`
      : say`**${unavailable} of ${all}** may be missing, rounded down.`;
  switch (field) {
    case 'maxSurge':
      return paragraphs(more, surgeRoom(place, surge));
    case 'maxUnavailable':
      return fewer;
    default:
      return paragraphs(
        say`A roll-out has up to **${replicas + surge}** pods at a time, and at least **${replicas - unavailable}** of them are ready.`,
        surgeRoom(place, surge),
      );
  }
}

function daemonSetText(place: HoverPlace, field: string | number | undefined): string {
  const { spec } = place.fact.object as DaemonSet;
  if (spec?.updateStrategy?.type === 'OnDelete') return onDelete;
  const { nodes } = nodesOf(place);
  if (nodes.length === 0) return '';
  const { surge, unavailable } = daemonSetFenceposts(spec, nodes.length);
  const fewer = say`On **${count(unavailable, 'node')}** at a time the old pod ends, and then the new one starts.`;
  const more = say`On **${count(surge, 'node')}** at a time a new pod starts beside the old one, which needs room for both.`;
  if (field === 'maxSurge') return more;
  if (field === 'maxUnavailable') return fewer;
  return surge > 0 ? more : fewer;
}

function statefulSetText({ fact }: HoverPlace, field: string | number | undefined): string {
  const { spec } = fact.object as StatefulSet;
  if (spec?.updateStrategy?.type === 'OnDelete') return onDelete;
  const { partition = 0 } = spec?.updateStrategy?.rollingUpdate ?? {};
  const replicas = replicasOf(fact.object);
  const first = spec?.ordinals?.start ?? 0;
  const name = (ordinal: number): string => `\`${fact.name}-${first + ordinal}\``;
  const updated = Math.max(0, replicas - partition);
  if (updated === 0 && replicas > 0) {
    return say`**No pod** is updated: the partition is not below the number of replicas (${replicas}).`;
  }
  const kept =
    partition === 0 ? '' : say` Those below ${name(partition)} keep their revision, and get it again if they are lost.`;
  const order = say`**${count(updated, 'pod')}** ${updated === 1 ? 'is' : 'are'} updated, one after the other from ${name(replicas - 1)} down: each old one ends first.`;
  return field === 'partition' || partition > 0 ? say`${order}${kept}` : order;
}

const onDelete = say`A pod is updated when it is deleted.`;

/** By requests alone: what else keeps a pod off a node is said elsewhere. */
function surgeRoom(place: HoverPlace, surge: number): string {
  const { fact, facts } = place;
  const known = nodesOf(place);
  if (surge === 0 || known.areAssumed || !facts.ofKind('Pod').some(isRunning)) return '';
  const requests = requestsOf(fact, facts);
  const open = known.nodes.filter(({ name, node }) => {
    const allocatable = readResourceList(node.status?.allocatable);
    const used = requestedOn(name, facts);
    return [...requests].every(
      ([resource, { nanos }]) =>
        nanos === 0n || nanos + (used.get(resource)?.nanos ?? 0n) <= (allocatable.get(resource)?.nanos ?? 0n),
    );
  });
  return open.length === 0
    ? say`**No node** has room for one more pod now, by what is requested.`
    : say`${open.length} of ${count(known.nodes.length, 'node')} ${open.length === 1 ? 'has' : 'have'} room for one more pod now, by what is requested.`;
}
