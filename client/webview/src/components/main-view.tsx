import { own } from '../../../../server/src/util/own.ts';
import { evictions } from '../../../../server/src/report-model/evicted-pods.ts';
import { say } from '../../../../server/src/util/say.ts';
import { count, grouped } from '../../../../server/src/util/words.ts';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { Ref, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { View } from '../model/view-state.ts';
import { usePage } from '../page-context.ts';
import { CapacityView } from './capacity-view.tsx';
import { ClusterMapView } from './cluster-map-view.tsx';
import { Drawer } from './drawer.tsx';
import { Maps } from './maps.tsx';
import { MainTable } from './main-table.tsx';
import { StepList } from './step-list.tsx';
import { Timeline } from './timeline.tsx';
import { Timelines } from './timelines.tsx';

interface MainViewProps {
  /** Whether there is room for the drawer beside the view. */
  readonly wide: boolean;
  readonly filterField: Ref<VscodeTextfield>;
}

/** The map, the timeline and the tables, one at a time, with the drawer at what is selected. */
export function MainView({ wide, filterField }: MainViewProps) {
  const { report, view, dispatch } = usePage();
  const tabs: readonly (readonly [View, string, number | null])[] = [
    ['map', report.comparison === null ? say`Map` : say`Maps`, report.comparison?.plan.nodes.length ?? null],
    ['timeline', report.comparison === null ? say`Timeline` : say`Timelines`, null],
    ['steps', say`Decisions`, report.steps.length],
    ['pods', say`Pods`, report.pods.length],
    ['nodes', say`Nodes`, report.nodes.length],
    ['capacity', say`Capacity`, null],
    ['victims', say`Victims`, evictions(report).length],
    ['pending', say`Pending`, report.pending.length],
  ];
  const shown = view.view;
  const body = useRef<HTMLDivElement>(null);
  const drawn = view.selection !== null && view.anchor === null;
  return (
    <section class="main-view" aria-label={say`Cluster`}>
      <div class="tab-line">
        <div
          role="tablist"
          class="tabs"
          aria-label={say`Views`}
          onKeyDown={(event) => {
            const direction = own({ ArrowRight: 1, ArrowLeft: -1 }, event.key);
            if (direction !== undefined) {
              event.preventDefault();
              const at = tabs.findIndex(([name]) => name === shown);
              const [next] = tabs[(at + direction + tabs.length) % tabs.length]!;
              dispatch({ type: 'view', view: next });
              event.currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
            }
          }}
        >
          {tabs.map(([name, label, amount]) => (
            <button
              key={name}
              id={`tab-${name}`}
              type="button"
              role="tab"
              aria-selected={name === shown}
              aria-controls="main-panel"
              tabIndex={name === shown ? 0 : -1}
              onClick={() => {
                dispatch({ type: 'view', view: name });
              }}
            >
              {label}
              {amount !== null && amount > 0 && <span class="badge">{grouped(amount)}</span>}
            </button>
          ))}
        </div>
        <FilterField field={filterField} />
      </div>
      <div class={drawn && wide ? 'view-body with-drawer' : 'view-body'} ref={body}>
        <div role="tabpanel" id="main-panel" class="main-panel" aria-labelledby={`tab-${shown}`}>
          {shown === 'map' ? (
            <>
              {report.comparison !== null && <Maps plan={report.comparison.plan} />}
              <ClusterMapView drawerInside={!wide} />
              {wide && report.steps.length > 0 && (
                <section class="below-map" aria-label={say`Timeline`}>
                  <Timeline below />
                </section>
              )}
            </>
          ) : shown === 'timeline' ? (
            <>
              {report.comparison !== null && <Timelines plan={report.comparison.plan} />}
              <Timeline />
            </>
          ) : shown === 'steps' ? (
            <StepList />
          ) : shown === 'capacity' ? (
            <CapacityView />
          ) : (
            <MainTable key={shown} name={shown} />
          )}
        </div>
        {drawn && wide && <Beside body={body} />}
        {drawn && !wide && shown !== 'map' && (
          <div class="drawer-below">
            <Drawer />
          </div>
        )}
      </div>
    </section>
  );
}

/** The drawer at the height of what it tells about. Without a place of its own there, it stays in sight. */
function Beside({ body }: { readonly body: RefObject<HTMLElement | null> }) {
  const { view } = usePage();
  const [top, setTop] = useState<number | null>(null);
  useLayoutEffect(() => {
    const card = body.current?.querySelector('.card.selected');
    const start = body.current?.getBoundingClientRect().top ?? 0;
    setTop(card == null ? null : card.getBoundingClientRect().top - start);
  }, [body, view]);
  return (
    <div class={top === null ? 'drawer-beside in-sight' : 'drawer-beside'} style={{ marginTop: `${top ?? 0}px` }}>
      <Drawer />
    </div>
  );
}

/** Narrows the map, the steps and the tables. */
function FilterField({ field }: { readonly field: Ref<VscodeTextfield> }) {
  const { report, view, filter, dispatch } = usePage();
  const left = filter === null ? 0 : report.pods.filter((_, pod) => filter.hasPod(pod)).length;
  return (
    <div class="filter-line">
      <span class="muted figure" role="status">
        {filter === null ? '' : say`${grouped(left)} of ${count(report.pods.length, 'pod')}`}
      </span>
      <vscode-textfield
        ref={field}
        class="filter"
        label={say`Filter pods and nodes`}
        placeholder={say`Filter (press /)`}
        value={view.filter}
        onInput={(event) => {
          dispatch({ type: 'filter', text: event.currentTarget.value });
        }}
      />
    </div>
  );
}
