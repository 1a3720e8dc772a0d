import { grouped } from '../../../../server/src/kit/words.ts';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { Ref } from 'preact';
import type { View } from '../model/view-state.ts';
import { usePage } from '../page-context.ts';
import { ClusterMap } from './cluster-map.tsx';
import { FilterField } from './filter-field.tsx';
import { MainTable } from './main-table.tsx';
import { StepList } from './step-list.tsx';

interface MainViewProps {
  /** Whether the steps have a place of their own beside this. */
  readonly stepsBeside: boolean;
  readonly filterField: Ref<VscodeTextfield>;
}

/** The map and the tables of what is on it, one at a time. */
export function MainView({ stepsBeside, filterField }: MainViewProps) {
  const { report, view, dispatch } = usePage();
  const all: readonly (readonly [View, string, number | null])[] = [
    ['map', 'Map', null],
    ['steps', 'Steps', report.steps.length],
    ['pods', 'Pods', report.pods.length],
    ['nodes', 'Nodes', report.nodes.length],
    ['victims', 'Victims', report.victims.length],
    ['pending', 'Pending', report.pending.length],
  ];
  const tabs = all.filter(([name]) => name !== 'steps' || !stepsBeside);
  const shown: View = view.view === 'steps' && stepsBeside ? 'map' : view.view;
  return (
    <section class="main-view" aria-label="Cluster">
      <div class="tab-line">
        <div
          role="tablist"
          class="tabs"
          onKeyDown={(event) => {
            const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (direction !== undefined) {
              event.preventDefault();
              const at = tabs.findIndex(([name]) => name === shown);
              const [next] = tabs[(at + direction + tabs.length) % tabs.length]!;
              dispatch({ type: 'view', view: next });
              event.currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
            }
          }}
        >
          {tabs.map(([name, label, count]) => (
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
              {count !== null && <span class="badge">{grouped(count)}</span>}
            </button>
          ))}
        </div>
        <FilterField field={filterField} />
      </div>
      <div role="tabpanel" id="main-panel" class="main-panel" aria-labelledby={`tab-${shown}`}>
        {shown === 'map' ? <ClusterMap /> : shown === 'steps' ? <StepList /> : <MainTable key={shown} name={shown} />}
      </div>
    </section>
  );
}
