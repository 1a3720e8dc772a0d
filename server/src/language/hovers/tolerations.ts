import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { Toleration } from '../../kubernetes/objects.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS, taintText, tolerates } from '../../kubernetes/taints.ts';
import { code, plain } from '../connection/markdown.ts';
import { poolMarks } from '../index/pools.ts';
import { nodeLinks, nodesText, some } from './links.ts';
import { poolsText } from './node-pool.ts';
import { type HoverPlace, nodesOf, paragraphs, points } from './place.ts';

/** Which taints of which nodes a toleration covers; on the list, which nodes that opens and which stay closed. */
export function tolerationsHover(place: HoverPlace): string | undefined {
  const { fact, path } = place;
  const tolerations = fact.template?.spec.tolerations ?? [];
  const [, index] = path;
  if (index === undefined) return listText(tolerations, place);
  const toleration = typeof index === 'number' ? tolerations[index] : undefined;
  return toleration === undefined ? undefined : tolerationText(toleration, place);
}

/** How many taints are told, each with its nodes. */
const shownTaints = 5;

function tolerationText(toleration: Toleration, place: HoverPlace): string {
  const known = nodesOf(place);
  const covered = known.taints.filter(({ taint }) => tolerates(toleration, taint));
  const others = known.taints.filter(({ taint }) => !tolerates(toleration, taint));
  const ofPools = poolMarks(place.facts).flatMap(({ title, taints }) =>
    taints
      .filter((taint) => tolerates(toleration, taint))
      .map((taint) => say`${code(taintText(taint))} of ${plain(title)}`),
  );
  return paragraphs(
    (covered.length === 0 && ofPools.length > 0) || known.nodes.length === 0
      ? ''
      : known.taints.length === 0
        ? say`**Tolerates no taint that is there**: none of the ${nodesText(known)} has any.`
        : say`**Tolerates ${covered.length === 0 ? say`none` : String(covered.length)} of ${count(known.taints.length, 'taint')}** on the ${nodesText(known)}.`,
    points(
      covered
        .slice(0, shownTaints)
        .map(({ taint, nodes }) => say`${code(taintText(taint))} of ${nodeLinks(nodes, place.facts)}`),
    ),
    points(ofPools.slice(0, shownTaints)),
    covered.length > shownTaints ? say`${covered.length - shownTaints} more taints are tolerated.` : '',
    covered.length === 0 && others.length > 0
      ? say`There are ${some(others, ({ taint, nodes }) => say`${code(taintText(taint))} (${count(nodes.length, 'node')})`, shownTaints)}.`
      : '',
    reachText(toleration),
  );
}

function reachText({ key = '', operator = '', effect = '', tolerationSeconds }: Toleration): string {
  const notes: string[] = [];
  if (key === '' && operator === 'Exists') notes.push(say`Without a key it is about every taint.`);
  if (effect === '') notes.push(say`Without an effect it is about all three.`);
  if (effect === '' || effect === 'NoExecute') {
    notes.push(
      tolerationSeconds === undefined
        ? say`A running pod stays for ever when such a \`NoExecute\` taint comes.`
        : say`When such a \`NoExecute\` taint comes, a running pod stays for ${count(Math.max(0, tolerationSeconds), 'second')} and is then evicted.`,
    );
  }
  notes.push(say`A toleration lets pods onto a node; it does not attract them.`);
  return joined(notes, ' ');
}

function listText(tolerations: readonly Toleration[], place: HoverPlace): string {
  const known = nodesOf(place);
  const { nodes } = known;
  const key = `taints ${JSON.stringify(tolerations)}`;
  const blocking = (taints: (typeof nodes)[number]['taints']) =>
    firstUntolerated(taints, tolerations, NO_SCHEDULE_EFFECTS);
  const open = known.matching(key, ({ taints }) => blocking(taints) === undefined);
  const opened = open.filter(({ taints }) => firstUntolerated(taints, [], NO_SCHEDULE_EFFECTS) !== undefined);
  const isOpen = new Set(open);
  const closed = nodes.filter((node) => !isOpen.has(node));
  return paragraphs(
    nodes.length === 0
      ? poolsText(place)
      : say`**${open.length} of ${nodesText(known)}** ${open.length === 1 ? 'is' : 'are'} open to these pods, as far as taints go.`,
    points([
      ...(opened.length === 0 ? [] : [say`Only by these tolerations: ${nodeLinks(opened, place.facts)}`]),
      ...(closed.length === 0
        ? []
        : [
            say`Closed: ${nodeLinks(closed, place.facts, ({ taints }) => say` (${code(taintText(blocking(taints)!))})`)}`,
          ]),
    ]),
    addedText(place),
  );
}

/** Sources: plugin/pkg/admission/defaulttolerationseconds; AddOrUpdateDaemonPodTolerations in pkg/controller/daemon/util */
function addedText({ fact }: HoverPlace): string {
  return fact.kind === 'DaemonSet'
    ? say`The DaemonSet controller adds tolerations of nodes that are not ready, not reachable, under pressure or cordoned: these pods run there all the same.`
    : say`The API server adds tolerations of \`node.kubernetes.io/not-ready\` and \`node.kubernetes.io/unreachable\` for 300 seconds, where none is written.`;
}
