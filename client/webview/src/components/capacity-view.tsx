import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { namedAmount } from '../../../../server/src/util/amounts.ts';
import { say } from '../../../../server/src/util/say.ts';
import { count } from '../../../../server/src/util/words.ts';
import { isAlone } from '../standalone.ts';
import { capacityTable, roomOfZones, type ZoneRoom } from '../model/capacity.ts';
import { frameAt } from '../model/frame.ts';
import { usePage } from '../page-context.ts';
import { post } from '../vscode-api.ts';
import { DataGrid } from './data-grid.tsx';

/** So many workloads are asked about at a time: of a large cluster each takes a second. */
const askedAtOnce = 4;
/** More zones are shown on request. */
const shownZones = 8;

/** What is left at the end of the run: of each resource in each zone, and how many more replicas find a place. */
export function CapacityView() {
  const { report, names, capacity, filter, view, dispatch, reveal } = usePage();
  const table = useMemo(() => {
    const all = capacityTable(report, names, capacity, filter);
    return isAlone ? { ...all, rows: all.rows.filter((row) => capacity.has(row)) } : all;
  }, [report.pods, names, capacity, filter]);
  const [drawn, setDrawn] = useState<readonly number[]>([]);
  const asked = useRef<{ readonly of: unknown; readonly rows: readonly number[] } | null>(null);
  useEffect(() => {
    const isWaiting = asked.current?.of === report.workloads && asked.current.rows.some((row) => !capacity.has(row));
    const rows = drawn.filter((row) => !capacity.has(row)).slice(0, askedAtOnce);
    if (isAlone || isWaiting || rows.length === 0) return;
    asked.current = { of: report.workloads, rows };
    post({ type: 'capacity', workloads: rows });
  }, [report.workloads, capacity, drawn]);
  const { selection } = view;
  const selected = selection?.kind === 'pod' ? report.pods[selection.pod]?.workload : undefined;
  return (
    <div class="capacity">
      <Room />
      <h2>{say`How many more replicas fit`}</h2>
      {isAlone && report.capacity === null ? (
        <p class="empty-text">{say`Nobody had asked for that when this file was made.`}</p>
      ) : (
        <DataGrid
          table={table}
          sort={view.sorts['capacity']}
          onSort={(column) => {
            dispatch({ type: 'sort', table: 'capacity', column });
          }}
          isActive={(row) => row === selected}
          onSelect={(_row, chosen) => {
            dispatch({ type: 'select', selection: chosen });
          }}
          onReveal={reveal}
          onDrawn={setDrawn}
        />
      )}
    </div>
  );
}

/** What is free in each zone, and where most of it is. */
function Room() {
  const { report } = usePage();
  const [all, setAll] = useState(false);
  const zones = useMemo(() => roomOfZones(report, frameAt(report, report.steps.length)), [report.steps, report.nodes]);
  const shown = all ? zones : zones.slice(0, shownZones);
  return (
    <section aria-label={say`Room that is left`}>
      <h2>{say`Room that is left`}</h2>
      <dl class="rooms">
        {shown.map((zone) => (
          <RoomOfZone key={zone.zone} room={zone} />
        ))}
      </dl>
      {zones.length > shown.length && (
        <button
          type="button"
          class="link"
          onClick={() => {
            setAll(true);
          }}
        >
          {count(zones.length - shown.length, 'more zone')}
        </button>
      )}
    </section>
  );
}

function RoomOfZone({ room: { zone, nodes, cordoned, amounts } }: { readonly room: ZoneRoom }) {
  const { names, dispatch } = usePage();
  return (
    <div class="room">
      <dt>
        <span class="zone-name">{zone === '' ? say`no zone` : zone}</span>{' '}
        <span class="muted">
          {cordoned === 0
            ? count(nodes, 'node')
            : say`${count(nodes, 'node')}, without ${count(cordoned, 'cordoned node')}`}
        </span>
      </dt>
      {amounts.map(({ resource, free, most, node }) => (
        <dd key={resource}>
          <strong>{namedAmount(resource, free)}</strong> {resource === 'memory' ? say`memory free` : say`free`}
          <span class="muted">
            {' '}
            {say`at most ${namedAmount(resource, most)} on`}{' '}
            <button
              type="button"
              class="link"
              onClick={() => {
                dispatch({ type: 'select', selection: { kind: 'node', node } });
              }}
            >
              {names.node(node)}
            </button>
          </span>
        </dd>
      ))}
    </div>
  );
}
