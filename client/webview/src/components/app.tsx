import { own, put } from '../../../../server/src/util/own.ts';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { hostMessageSchema } from '../../../src/report/host-messages.ts';
import { Inbox } from '../inbox.ts';
import { type KeptState, keepView } from '../model/kept-state.ts';
import { initialPage, reducePage } from '../model/page.ts';
import type { Action } from '../model/view-state.ts';
import { ScrollMemory, type Scrolls } from '../scroll-memory.ts';
import { keepState, post } from '../vscode-api.ts';
import { Banner } from './banner.tsx';
import { Waiting } from './waiting.tsx';
import { ReportView } from './report-view.tsx';

/** The page: listens to the panel, keeps its state, and shows the report once there is one. */
export function App({ kept }: { readonly kept: KeptState | null }) {
  const [page, dispatch] = useReducer(reducePage, kept, initialPage);
  const scrolls = useRef<Record<string, number>>({ ...kept?.scroll });
  const latest = useRef(page);
  latest.current = page;

  const keep = useCallback(() => {
    const { scenario, shown, kept: waiting, tries, status } = latest.current;
    if (scenario !== null) {
      const view = shown === null ? waiting : keepView(shown.report, shown.view);
      const operations = tries.operations.length === 0 ? {} : { operations: [...tries.operations] };
      const against = status.against === null ? {} : { against: status.against };
      keepState({ scenario, ...operations, ...against, view, scroll: scrolls.current } satisfies KeptState);
    }
  }, []);
  useEffect(keep, [page, keep]);

  const memory = useMemo<Scrolls>(() => {
    let asked = false;
    return {
      recall: (name) => own(scrolls.current, name) ?? 0,
      remember: (name, top) => {
        put(scrolls.current, name, top);
        if (!asked) {
          asked = true;
          requestAnimationFrame(() => {
            asked = false;
            keep();
          });
        }
      },
    };
  }, [keep]);

  useEffect(() => {
    const inbox = new Inbox((host) => {
      dispatch({ host });
    });
    const listen = (event: MessageEvent<unknown>): void => {
      const message = hostMessageSchema.safeParse(event.data);
      if (message.success) inbox.receive(message.data);
    };
    addEventListener('message', listen);
    post({ type: 'ready' });
    return () => {
      removeEventListener('message', listen);
    };
  }, []);

  const act = useCallback((action: Action) => {
    dispatch({ user: action });
  }, []);
  const tryOut = useCallback((next: 'undo' | 'redo' | readonly string[]) => {
    const { tries } = reducePage(latest.current, { tries: next });
    if (tries === latest.current.tries) return;
    dispatch({ tries: next });
    post({ type: 'tryOut', operations: [...tries.operations] });
  }, []);
  const run = useCallback(() => {
    post({ type: 'runAgain' });
  }, []);

  const { shown, status, tries } = page;
  return (
    <ScrollMemory.Provider value={memory}>
      <main class="app" aria-busy={status.running}>
        <Banner status={status} hasReport={shown !== null} onRun={run} />
        {shown === null ? (
          <Waiting status={status} />
        ) : (
          <ReportView shown={shown} status={status} tries={tries} tryOut={tryOut} dispatch={act} onRun={run} />
        )}
      </main>
    </ScrollMemory.Provider>
  );
}
