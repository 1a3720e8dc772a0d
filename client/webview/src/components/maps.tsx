import { own } from '../../../../server/src/util/own.ts';
import { useState } from 'preact/hooks';
import type { Plan, PlanNode, PlanNodeState } from '../../../../server/src/report-model/plan.ts';
import { formatUsage } from '../../../../server/src/util/amounts.ts';
import { joined, say } from '../../../../server/src/util/say.ts';
import { count } from '../../../../server/src/util/words.ts';
import { resourcesOf } from '../model/cluster-map.ts';
import { usePage } from '../page-context.ts';
import { useMedia } from '../use-media.ts';
import { classes } from './classes.ts';
import { ShortName } from './short-name.tsx';

/** The nodes that a change makes end otherwise, stage by stage: beside one another, where there is room. */
export function Maps({ plan }: { readonly plan: Plan }) {
  const { report, view, names } = usePage();
  const narrow = useMedia('(max-width: 699px)');
  const [only, setOnly] = useState<number | null>(null);
  const resources = resourcesOf(report);
  const resource =
    view.resource !== null && resources.includes(view.resource) ? view.resource : (resources[0] ?? 'cpu');
  const { stages, nodes, moreNodes, sameNodes } = plan;
  if (nodes.length === 0) return <p class="muted maps-rest">{say`Every node ends alike.`}</p>;
  const short = new Map(report.nodes.map(({ name }, index) => [name, names.node(index)]));
  const shown = stages.flatMap((stage, index) => (narrow && only !== null && only !== index ? [] : [{ stage, index }]));
  const rest = [
    ...(moreNodes === 0 ? [] : [say`${count(moreNodes, 'more node')} end otherwise`]),
    ...(sameNodes === 0 ? [] : [say`${count(sameNodes, 'node')} the same at all stages`]),
  ];
  return (
    <section class="maps" aria-label={say`Maps side by side`}>
      {narrow && (
        <div class="maps-switch" role="group" aria-label={say`Stage`}>
          {[null, ...stages.keys()].map((index) => (
            <button
              key={index}
              type="button"
              class="small-button"
              aria-pressed={only === index}
              onClick={() => {
                setOnly(index);
              }}
            >
              {index === null ? say`All` : stages[index]?.label}
            </button>
          ))}
        </div>
      )}
      <p class="muted maps-width">{say`at the end; width = ${resource}`}</p>
      {nodes.map((node) => (
        <div key={node.name} class="maps-row">
          <h3 title={node.name}>{short.get(node.name) ?? node.name}</h3>
          <div class="maps-stages" style={{ '--stages': shown.length }}>
            {shown.map(({ stage, index }) => (
              <Stage
                key={stage.id}
                node={node}
                label={stage.label}
                state={node.at[index] ?? null}
                scale={scaleOf(node, resource)}
                resource={resource}
              />
            ))}
          </div>
        </div>
      ))}
      {rest.length > 0 && <p class="muted maps-rest">{joined(rest, ' · ')}</p>}
    </section>
  );
}

/** The most that any stage has or asks for, so that all bars of a node are on one scale. */
function scaleOf({ at }: PlanNode, resource: string): number {
  return Math.max(
    1,
    ...at.flatMap((state) => [own(state?.allocatable, resource) ?? 0, own(state?.used, resource) ?? 0]),
  );
}

interface StageProps {
  readonly node: PlanNode;
  readonly label: string;
  readonly state: PlanNodeState | null;
  readonly scale: number;
  readonly resource: string;
}

function Stage({ node, label, state, scale, resource }: StageProps) {
  if (state === null) {
    return (
      <div class="maps-stage absent">
        <span class="maps-label">{label}</span>
        <span class="muted">{say`not there`}</span>
      </div>
    );
  }
  const { evicted, tiles, used, allocatable } = state;
  const names = evicted.map(({ name, pods }) => (pods === 1 ? name : `${name} ×${pods}`)).join(', ');
  const usage = formatUsage(resource, own(used, resource) ?? 0, own(allocatable, resource) ?? 0);
  const amountOf = (tile: PlanNodeState['tiles'][number]): number =>
    resource === 'pods' ? tile.pods : (own(tile.requests, resource) ?? 0);
  const arrivals = tiles.filter(({ look }) => look === 'arrived').map(({ name }) => name);
  const spoken = [
    label,
    node.name,
    evicted.length === 0 ? say`no pod is evicted` : say`evicted: ${names}`,
    ...(arrivals.length === 0 ? [] : [say`new: ${arrivals.join(', ')}`]),
    `${resource} ${usage}`,
  ];
  return (
    <div class="maps-stage">
      <span class="maps-label">{label}</span>
      <span class="maps-head">
        <span class={evicted.length === 0 ? 'muted' : 'tone-bad'}>
          {evicted.length === 0 ? say`no pod is evicted` : `− ${names}`}
        </span>
        <span class="muted figure">{usage}</span>
      </span>
      <div class="bar" role="img" aria-label={joined(spoken, ', ')}>
        {tiles.map((tile, index) => (
          <div
            key={index}
            class={classes(`tile look-${tile.look}`)}
            style={{
              left: percent(tiles.slice(0, index).reduce((sum, each) => sum + amountOf(each), 0) / scale),
              width: percent(amountOf(tile) / scale),
            }}
            title={tile.name}
          >
            <ShortName
              text={
                tile.name === ''
                  ? say`${count(tile.pods, 'pod')} not touched`
                  : `${tile.look === 'arrived' ? '+ ' : ''}${tile.name}`
              }
            />
          </div>
        ))}
      </div>
    </div>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(3)}%`;
}
