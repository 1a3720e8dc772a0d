import { say } from '../../util/say.ts';
import { compileRequiredNodeAffinity } from '../../kubernetes/node-selector.ts';
import type { PodSpec, RuntimeClass } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { code } from '../connection/markdown.ts';
import { factLink, nodeLinks, nodesText } from './links.ts';
import { type HoverPlace, nodesOf, paragraphs, points } from './place.ts';
import { amountsText } from './resources.ts';

/** What a RuntimeClass adds to the pods that name it. Source: plugin/pkg/admission/runtimeclass/admission.go */
export function runtimeClassHover(place: HoverPlace): string | undefined {
  const { fact, facts } = place;
  const name = fact.template?.spec.runtimeClassName ?? '';
  if (name === '') return undefined;
  const declared = facts.ofKind('RuntimeClass').find((each) => each.name === name);
  if (declared === undefined) {
    return say`RuntimeClass ${code(name)} is not declared here. Without it the API server refuses the pods.`;
  }
  const { overhead, scheduling } = declared.object as RuntimeClass;
  const { nodeSelector } = scheduling ?? {};
  const known = nodesOf(place);
  const matcher = compileRequiredNodeAffinity({ nodeSelector } as PodSpec);
  const nodes = known.matching(`runtime ${JSON.stringify(nodeSelector)}`, ({ selectable }) =>
    matcher.matches(selectable),
  );
  return paragraphs(
    say`**RuntimeClass ${factLink(declared, facts)}**`,
    points([
      overhead?.podFixed === undefined
        ? say`It adds no overhead`
        : say`It adds ${amountsText(readResourceList(overhead.podFixed))} to what each pod requests`,
      nodeSelector === undefined
        ? say`It takes every node`
        : known.nodes.length === 0
          ? say`It has a node selector`
          : say`Its node selector takes ${nodes.length} of ${nodesText(known)}${nodes.length === 0 ? '' : say`: ${nodeLinks(nodes, facts)}`}`,
    ]),
  );
}
