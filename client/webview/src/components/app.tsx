import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { hostMessageSchema } from '../../../src/report/messages.ts';
import { type KeptState, keepView } from '../model/kept-state.ts';
import { initialPage, reducePage } from '../model/page.ts';
import type { Action } from '../model/view-state.ts';
import { ScrollMemory, type Scrolls } from '../scroll-memory.ts';
import { keepState, post } from '../vscode-api.ts';
import { Banner } from './banner.tsx';
import { ReportView } from './report-view.tsx';

/** The page: listens to the panel, keeps its state, and shows the report once there is one. */
export function App({ kept }: { readonly kept: KeptState | null }) {
  const [page, dispatch] = useReducer(reducePage, kept, initialPage);
  const scrolls = useRef<Record<string, number>>({ ...kept?.scroll });
  const latest = useRef(page);
  latest.current = page;

  const keep = useCallback(() => {
    const { scenario, shown, kept: waiting } = latest.current;
    if (scenario !== null) {
      const view = shown === null ? waiting : keepView(shown.report, shown.view);
      keepState({ scenario, view, scroll: scrolls.current } satisfies KeptState);
    }
  }, []);
  useEffect(keep, [page, keep]);

  const memory = useMemo<Scrolls>(() => {
    let asked = false;
    return {
      recall: (name) => scrolls.current[name] ?? 0,
      remember: (name, top) => {
        scrolls.current[name] = top;
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
    const listen = (event: MessageEvent<unknown>): void => {
      const message = hostMessageSchema.safeParse(event.data);
      if (message.success) {
        dispatch({ host: message.data });
      }
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
  const run = useCallback(() => {
    post({ type: 'runAgain' });
  }, []);

  const { shown, status } = page;
  return (
    <ScrollMemory.Provider value={memory}>
      <main class="app" aria-busy={status.running}>
        <Banner status={status} onRun={run} />
        {shown === null ? (
          <p class="empty-text waiting-text">{status.running ? 'Simulating…' : 'There is no report yet.'}</p>
        ) : (
          <ReportView shown={shown} status={status} dispatch={act} onRun={run} />
        )}
      </main>
    </ScrollMemory.Provider>
  );
}
