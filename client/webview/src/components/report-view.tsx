import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Origin } from '../../../../server/src/contract/report.ts';
import { mapSvg } from '../export/map-svg.ts';
import { currentSvgTheme } from '../export/svg-theme.ts';
import { compileFilter } from '../model/filter.ts';
import { frameAt } from '../model/frame.ts';
import type { RunStatus, Shown } from '../model/page.ts';
import type { Action, Selection } from '../model/view-state.ts';
import { type Page, PageContext } from '../page-context.ts';
import { useKeptScroll } from '../scroll-memory.ts';
import { useMedia } from '../use-media.ts';
import { useLadderColours, useTheme } from '../use-theme.ts';
import { post } from '../vscode-api.ts';
import { Assumptions } from './assumptions.tsx';
import { Decision } from './decision.tsx';
import { Facts } from './facts.tsx';
import { type ExportFormat, Header } from './header.tsx';
import { Legend } from './legend.tsx';
import { MainView } from './main-view.tsx';
import { ScrollArea } from './scroll-area.tsx';
import { StepList } from './step-list.tsx';
import { Toolbar } from './toolbar.tsx';

interface ReportViewProps {
  readonly shown: Shown;
  readonly status: RunStatus;
  readonly dispatch: (action: Action) => void;
  readonly onRun: () => void;
}

/** A report with everything around it. Wide pages have the steps and the facts beside the map, narrow ones below. */
export function ReportView({ shown, status, dispatch, onRun }: ReportViewProps) {
  const { report, view } = shown;
  const wide = useMedia('(min-width: 1000px)');
  const theme = useTheme();
  useLadderColours(report.ladder, theme);
  const frame = useMemo(() => frameAt(report, view.step, view.mode), [report, view.step, view.mode]);
  const filter = useMemo(() => compileFilter(report, view.filter), [report, view.filter]);
  const page = useMemo<Page>(() => {
    const revealOrigin = (origin: Origin | null): void => {
      if (origin !== null) {
        post({ type: 'reveal', origin });
      }
    };
    return {
      report,
      view,
      frame,
      filter,
      dispatch,
      revealOrigin,
      reveal: (selection) => {
        revealOrigin(originOf(page, selection));
      },
    };
  }, [report, view, frame, filter, dispatch]);

  const root = useRef<HTMLDivElement>(null);
  useKeptScroll(root, 'page');
  const filterField = useRef<VscodeTextfield>(null);
  useKeys(root, filterField, page);

  const exportAs = (format: ExportFormat): void => {
    if (format === 'svg') {
      post({ type: 'exportMap', svg: mapSvg(report, frame, currentSvgTheme(theme)) });
    } else {
      post({ type: 'export', format });
    }
  };

  // Only of what the page is about: a run that starts or ends must not draw it again.
  const body = useMemo(
    () => (
      <>
        <Toolbar />
        <Legend />
        <div class="panes">
          <div class="column">
            <MainView stepsBeside={wide} filterField={filterField} />
            <ScrollArea name="detail" label="Detail">
              {!wide && <Facts />}
              <Decision />
            </ScrollArea>
          </div>
          {wide && (
            <div class="column">
              <section class="steps-pane" aria-label="Steps">
                <h2>Steps</h2>
                <StepList />
              </section>
              <ScrollArea name="facts" label="Selection">
                <Facts />
              </ScrollArea>
            </div>
          )}
        </div>
      </>
    ),
    [wide],
  );
  return (
    <PageContext.Provider value={page}>
      <div class={wide ? 'report wide' : 'report narrow'} ref={root}>
        <Header report={report} status={status} onRun={onRun} onExport={exportAs} />
        {body}
        <Assumptions list={report.assumptions} />
      </div>
    </PageContext.Provider>
  );
}

function originOf({ report }: Page, selection: Selection): Origin | null {
  const found = selection.kind === 'pod' ? report.pods[selection.pod] : report.nodes[selection.node];
  return found?.origin ?? null;
}

/** `/` goes to the filter; Escape goes back: out of the filter, along the trail of links, to the map or table. */
function useKeys(
  root: { readonly current: HTMLElement | null },
  filterField: { readonly current: VscodeTextfield | null },
  page: Page,
): void {
  const latest = useRef(page);
  latest.current = page;
  useEffect(() => {
    const focusMain = (): void => {
      root.current?.querySelector<HTMLElement>('.main-panel [tabindex="0"]')?.focus();
    };
    const press = (event: KeyboardEvent): void => {
      const { view, dispatch } = latest.current;
      const inFilter = event.target === filterField.current;
      if (event.key === '/' && !inFilter && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        const field = filterField.current;
        // There is nothing to type into before the element is defined.
        if (field !== null && 'wrappedElement' in field) {
          field.wrappedElement.focus();
        }
      } else if (event.key === 'Escape') {
        const main = root.current?.querySelector('.main-panel');
        const inMain = event.target instanceof Node && (main?.contains(event.target) ?? false);
        if (inFilter) {
          dispatch({ type: 'filter', text: '' });
          focusMain();
        } else if (view.trail.length > 0) {
          dispatch({ type: 'back' });
        } else if (!inMain) {
          focusMain();
        } else if (view.filter !== '') {
          dispatch({ type: 'filter', text: '' });
        } else if (view.rung !== null) {
          dispatch({ type: 'rung', rung: null });
        }
      }
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
    };
  }, [root, filterField]);

  // A link that was followed is gone with the text around it; the focus stays in its region.
  const region = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const element = root.current;
    const remember = (event: FocusEvent): void => {
      region.current = event.target instanceof Element ? event.target.closest<HTMLElement>('.scroll-area') : null;
    };
    element?.addEventListener('focusin', remember);
    return () => {
      element?.removeEventListener('focusin', remember);
    };
  }, [root]);
  const { selection } = page.view;
  useEffect(() => {
    if (document.activeElement === document.body && region.current?.isConnected === true) {
      region.current.focus({ preventScroll: true });
    }
  }, [selection]);
}
