import { say } from '../../util/say.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { code } from '../connection/markdown.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { nodeLink, nodesText } from './links.ts';
import { roomTable } from './node.ts';
import { type HoverPlace, nodesOf, paragraphs } from './place.ts';

/** Whether a node exists that pods name, and what that skips. */
export function nodeNameHover(place: HoverPlace): string | undefined {
  const { fact, facts } = place;
  const name = fact.template?.spec.nodeName ?? '';
  if (name === '') return undefined;
  const known = nodesOf(place);
  const node = known.areAssumed ? undefined : known.byName.get(name);
  const [nearest] =
    name.length > 253 ? [] : nearestNames(name, [...known.byName.keys()].slice(0, maxNames), maxChanges);
  return paragraphs(
    node !== undefined
      ? say`**Node ${nodeLink(node, facts)}**`
      : known.areAssumed
        ? say`No Node is declared, so whether this one exists is not known.`
        : say`**None of the ${nodesText(known)} is named ${code(name)}**${nearest === undefined ? '' : say`; did you mean ${code(nearest)}?`} While it does not exist the pod never runs, and is deleted in the end.`,
    node === undefined ? '' : roomTable(node, place),
    isStoredPod(fact) ? '' : skippedText,
  );
}

/** Names among which a similar one is looked for, and the changes that make a mistake. */
const maxNames = 1000;
const maxChanges = 3;

/** Sources: responsibleForPod in pkg/scheduler/eventhandlers.go, generalFilter in pkg/kubelet/lifecycle/predicate.go */
const skippedText = say`The scheduler never sees such a pod: its queue, filters, scores and preemption are skipped, and gates are refused. The kubelet judges instead: it refuses a pod whose requests do not fit (\`OutOfcpu\`), whose node selector or required affinity does not match, or that does not tolerate a \`NoExecute\` taint.`;
