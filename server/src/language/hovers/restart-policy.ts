import { joined, say } from '../../util/say.ts';
import type { Container, PodSpec } from '../../kubernetes/objects.ts';
import { podRequests } from '../../kubernetes/pod-resources.ts';
import { code } from '../connection/markdown.ts';
import { madePod } from '../rules/support/made-pods.ts';
import { type HoverPlace, paragraphs } from './place.ts';
import { amountsText } from './resources.ts';

/** What the restart policy of a container has to do with room. Source: component-helpers/resource/helpers.go (PodRequests) */
export function containerRestartHover(place: HoverPlace): string | undefined {
  const { fact, facts, path } = place;
  const [list, index, field] = path;
  if (field !== 'restartPolicy' || typeof index !== 'number') return undefined;
  if (list !== 'containers' && list !== 'initContainers') return undefined;
  const spec = madePod(fact, facts)?.spec;
  const container = spec?.[list]?.[index];
  if (spec === undefined || container === undefined) return undefined;
  const name = code(container.name);
  const requested = say`Each pod requests ${amountsText(podRequests(spec))}.`;
  if (list === 'containers') {
    return paragraphs(
      say`**Its pod keeps the room of ${name} until the whole pod ends**, whether the container is started again or not.`,
      requested,
    );
  }
  const isSidecar = container.restartPolicy === 'Always';
  const other = amountsText(podRequests(withPolicy(spec, container, isSidecar ? undefined : 'Always')));
  return paragraphs(
    isSidecar
      ? say`**${name} is a sidecar**: it runs as long as the containers, and its requests count with theirs.`
      : say`**${name} ends before the containers start**: only the larger need counts.`,
    joined(
      [
        requested,
        isSidecar
          ? say`As a plain init container, which ends before they start, it would make that ${other}.`
          : say`As a sidecar (\`Always\`) it would make that ${other}.`,
      ],
      ' ',
    ),
  );
}

function withPolicy(spec: PodSpec, container: Container, restartPolicy: string | undefined): PodSpec {
  const { restartPolicy: _, ...rest } = container;
  const changed = restartPolicy === undefined ? rest : { ...rest, restartPolicy };
  return { ...spec, initContainers: spec.initContainers!.map((each) => (each === container ? changed : each)) };
}
