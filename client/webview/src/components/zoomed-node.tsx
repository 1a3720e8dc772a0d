import { own } from '../../../../server/src/util/own.ts';
import { formatAmount } from '../../../../server/src/util/amounts.ts';
import { say } from '../../../../server/src/util/say.ts';
import { grouped } from '../../../../server/src/util/words.ts';
import { type ClusterMap, mostOfNode, podsOfNode } from '../model/cluster-map.ts';
import { spokenTile, tileText } from '../model/spoken.ts';
import { usePage } from '../page-context.ts';
import { classes } from './classes.ts';
import { NodeCard } from './node-card.tsx';
import { ShortName } from './short-name.tsx';

interface ZoomedNodeProps {
  readonly map: ClusterMap;
  readonly node: number;
  readonly resource: string;
  /** The cell that the Tab key stops at. */
  readonly stop: string;
  readonly drawerInside: boolean;
}

/** One node, with all of its pods; and the way back. */
export function ZoomedNode({ map, node, resource, stop, drawerInside }: ZoomedNodeProps) {
  const { report, frame, view, names, dispatch } = usePage();
  const { zone = '' } = report.nodes[node] ?? {};
  const { selection } = view;
  const pods = podsOfNode(report, frame, node);
  return (
    <div role="rowgroup" aria-label={names.node(node)}>
      <div role="row" class="zoom-path">
        <div role="gridcell">
          <button
            type="button"
            class="link"
            onClick={() => {
              dispatch({ type: 'zoom', node: null });
            }}
          >
            {say`All nodes`}
          </button>
          <span class="muted">{` › ${zone === '' ? say`no zone` : zone} › `}</span>
          {names.node(node)}
        </div>
      </div>
      <NodeCard map={map} node={node} resource={resource} stop={stop} drawerInside={drawerInside} whole />
      <div role="row" class="node-pods" aria-label={say`pods`}>
        {pods.slice(0, mostOfNode).map(({ pod, look }) => {
          const amount = resource === 'pods' ? 1 : (own(report.pods[pod]?.requests, resource) ?? 0);
          const tile = { pod, look, amount, pods: 1, start: 0, width: 0 };
          const id = `all-${node}-${pod}`;
          const spoken = spokenTile(report, names, tile, resource);
          return (
            <div
              key={id}
              id={id}
              data-cell={`pods-${node}`}
              role="gridcell"
              tabIndex={id === stop ? 0 : -1}
              class={classes(`node-pod look-${look}`, [
                view.anchor === null && selection?.kind === 'pod' && selection.pod === pod,
                'selected',
              ])}
              title={spoken}
            >
              <ShortName text={tileText(names, tile)} spoken={spoken} />
              <span class="figure">{formatAmount(resource, amount)}</span>
              <span class="figure">{grouped(report.pods[pod]?.priority ?? 0)}</span>
            </div>
          );
        })}
        {pods.length > mostOfNode && (
          <div role="gridcell" class="muted">
            {say`${grouped(pods.length - mostOfNode)} more`}
          </div>
        )}
      </div>
    </div>
  );
}
