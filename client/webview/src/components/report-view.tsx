import { evictions } from '../../../../server/src/report-model/evicted-pods.ts';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Origin } from '../../../../server/src/report-model/origin.ts';
import { isAlone } from '../standalone.ts';
import { mapPng } from '../export/map-png.ts';
import { mapSvg } from '../export/map-svg.ts';
import { currentSvgTheme } from '../export/svg-theme.ts';
import { compileFilter } from '../model/filter.ts';
import { frameAt } from '../model/frame.ts';
import type { RunStatus, Shown, Tries } from '../model/page.ts';
import type { Action, Selection } from '../model/view-state.ts';
import { type Page, PageContext } from '../page-context.ts';
import { useKeptScroll } from '../scroll-memory.ts';
import { useMedia } from '../use-media.ts';
import { useLadderColours, useTheme } from '../use-theme.ts';
import { post } from '../vscode-api.ts';
import { Assumptions } from './assumptions.tsx';
import { type ExportChoice, Header } from './header.tsx';
import { Events, Questions } from './events.tsx';
import { Keys } from './keys.tsx';
import { MainView } from './main-view.tsx';
import { WhatIfBar } from './what-if-bar.tsx';
import type { MenuRequest } from '../model/menu-request.ts';
import { WhatIfMenu } from './what-if-menu.tsx';

interface ReportViewProps {
  readonly shown: Shown;
  readonly status: RunStatus;
  readonly tries: Tries;
  readonly tryOut: Page['tryOut'];
  readonly dispatch: (action: Action) => void;
  readonly onRun: () => void;
}

/** A report with everything around it: the answer, the views, and what it all rests on. */
export function ReportView({ shown, status, tries, tryOut, dispatch, onRun }: ReportViewProps) {
  const { report, names, explained, capacity, view } = shown;
  const wide = useMedia('(min-width: 1200px)');
  const theme = useTheme();
  useLadderColours(report.ladder, theme);
  // What would help comes later, with a report that is the same otherwise: nothing of this is worked out again.
  const frame = useMemo(() => frameAt(report, view.step), [report.steps, view.step]);
  const filter = useMemo(() => compileFilter(report, view.filter), [report.pods, view.filter]);
  const root = useRef<HTMLDivElement>(null);
  const [begun, setBegun] = useState<Page['begun']>(null);
  const [menu, setMenu] = useState<MenuRequest | null>(null);
  const closeMenu = useCallback(() => {
    setMenu(null);
  }, []);
  const page = useMemo<Page>(() => {
    const revealOrigin = (origin: Origin | null): void => {
      if (origin !== null) {
        post({ type: 'reveal', origin });
      }
    };
    return {
      report,
      explained,
      capacity,
      view,
      frame,
      filter,
      names,
      dispatch,
      tries,
      tryOut,
      attempt: ({ operation, isWhole }) => {
        if (isWhole) {
          tryOut([...tries.operations, operation]);
        } else {
          setBegun({ operation });
        }
      },
      begun,
      openMenu: isAlone ? undefined : setMenu,
      revealOrigin,
      reveal: (selection) => {
        revealOrigin(originOf(page, selection));
      },
    };
  }, [report, explained, capacity, view, frame, filter, names, tries, tryOut, dispatch, begun]);

  // While the first report is awaited the head is higher: what is kept counts from where it stands afterwards.
  const hasRested = useRef(false);
  hasRested.current ||= !status.running;
  useKeptScroll(root, 'page', hasRested.current);
  const filterField = useRef<VscodeTextfield>(null);
  useKeys(root, filterField, page);

  const exportAs = (format: ExportChoice): void => {
    if (format !== 'png') {
      post({ type: 'export', format });
      return;
    }
    void mapPng(mapSvg(report, frame, names, currentSvgTheme())).then((png) => {
      post({ type: 'exportPicture', png });
    });
  };

  // Only of what the page is about: a run that starts or ends must not draw it again.
  const body = useMemo(() => <MainView wide={wide} filterField={filterField} />, [wide]);
  return (
    <PageContext.Provider value={page}>
      <div class={wide ? 'report wide' : 'report narrow'} ref={root}>
        <Header report={report} status={status} onRun={onRun} onExport={exportAs} />
        {!isAlone && <WhatIfBar />}
        <Questions />
        <Events />
        {body}
        <Assumptions list={report.assumptions} hasSnapshot={report.snapshot !== null} />
        <Keys />
        {menu !== null && <WhatIfMenu request={menu} onClose={closeMenu} />}
      </div>
    </PageContext.Provider>
  );
}

function originOf({ report }: Page, selection: Selection): Origin | null {
  const found = selection.kind === 'pod' ? report.pods[selection.pod] : report.nodes[selection.node];
  return found?.origin ?? null;
}

/**
 * `/` goes to the filter, `j` and `k` to the next and the previous victim, `[` and `]` to another moment. Escape goes
 * back: out of the filter, along the trail of links, out of the drawer, out of a node.
 */
function useKeys(
  root: { readonly current: HTMLElement | null },
  filterField: { readonly current: VscodeTextfield | null },
  page: Page,
): void {
  const latest = useRef(page);
  latest.current = page;
  // What opened the drawer gets the focus back.
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const remember = (event: FocusEvent): void => {
      const { target } = event;
      if (target instanceof HTMLElement && target.closest('.drawer') === null) opener.current = target;
    };
    addEventListener('focusin', remember);
    return () => {
      removeEventListener('focusin', remember);
    };
  }, []);
  const { selection } = page.view;
  useEffect(() => {
    // What had the focus in the drawer is gone with it, or with the text that a link has led away from.
    if (document.activeElement !== document.body) return;
    const drawer = root.current?.querySelector<HTMLElement>('.drawer .drawer-close');
    if (selection === null) opener.current?.focus({ preventScroll: true });
    else if (latest.current.view.trail.length > 0) drawer?.focus({ preventScroll: true });
  }, [root, selection]);

  useEffect(() => {
    const focusMain = (): void => {
      root.current?.querySelector<HTMLElement>('.main-panel [tabindex="0"]')?.focus();
    };
    const press = (event: KeyboardEvent): void => {
      const { report, view, dispatch } = latest.current;
      const inField = event.target instanceof HTMLElement && /^(vscode-textfield|input)$/i.test(event.target.tagName);
      if (event.key === 'Escape') {
        if (event.target === filterField.current) {
          dispatch({ type: 'filter', text: '' });
          focusMain();
        } else if (view.trail.length > 0) {
          dispatch({ type: 'back' });
        } else if (view.selection !== null) {
          dispatch({ type: 'close' });
        } else if (view.filter !== '') {
          dispatch({ type: 'filter', text: '' });
        } else if (view.zoom !== null) {
          dispatch({ type: 'zoom', node: null });
        }
      } else if (!isAlone && !inField && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
        event.preventDefault();
        latest.current.tryOut(event.shiftKey ? 'redo' : 'undo');
      } else if (inField || event.ctrlKey || event.metaKey || event.altKey) {
        return;
      } else if (event.key === 'w') {
        event.preventDefault();
        root.current?.querySelector<HTMLElement>('.what-if input')?.focus();
      } else if (!isAlone && (event.key === 'c' || event.key === 'd') && view.selection?.kind === 'node') {
        const node = report.nodes[view.selection.node];
        if (node !== undefined) {
          const cordon = `${node.unschedulable ? 'uncordon' : 'cordon'} node/${node.name}`;
          const operation = event.key === 'c' ? cordon : `drain node/${node.name} --ignore-daemonsets`;
          latest.current.tryOut([...latest.current.tries.operations, operation]);
        }
      } else if (event.key === '/') {
        event.preventDefault();
        const field = filterField.current;
        // There is nothing to type into before the element is defined.
        if (field !== null && 'wrappedElement' in field) field.wrappedElement.focus();
      } else if (event.key === 'j' || event.key === 'k') {
        const victims = evictions(report);
        const selected = view.selection?.kind === 'pod' ? view.selection.pod : -1;
        const at = victims.findIndex(({ pod }) => pod === selected);
        const next = event.key === 'j' ? at + 1 : at < 0 ? victims.length - 1 : at - 1;
        const victim = victims[(next + victims.length) % victims.length];
        if (victim !== undefined) {
          dispatch({ type: 'view', view: 'map' });
          dispatch({ type: 'select', selection: { kind: 'pod', pod: victim.pod, node: victim.node } });
        }
      } else if (event.key === '[' || event.key === ']') {
        dispatch({ type: 'step', step: view.step + (event.key === ']' ? 1 : -1) });
      }
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
    };
  }, [root, filterField]);
}
