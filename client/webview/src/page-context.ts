import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Origin } from '../../../server/src/contract/origin.ts';
import type { Report, ReportDecision } from '../../../server/src/contract/report.ts';
import type { ShortNames } from '../../../server/src/contract/short-names.ts';
import type { Filter } from './model/filter.ts';
import type { Frame } from './model/frame.ts';
import type { Tries } from './model/page.ts';
import type { Action, Selection, ViewState } from './model/view-state.ts';

/** What the parts of the page share. */
export interface Page {
  readonly report: Report;
  /** The whole of decisions that were looked at, or why it is not known. */
  readonly explained: ReadonlyMap<number, ReportDecision | string>;
  readonly view: ViewState;
  readonly frame: Frame;
  readonly filter: Filter | null;
  readonly names: ShortNames;
  readonly dispatch: (action: Action) => void;
  readonly tries: Tries;
  /** Tries other operations, or goes back and forth among those that were tried. */
  readonly tryOut: (next: 'undo' | 'redo' | readonly string[]) => void;
  /** Shows the manifest of something in the other column. A click never does: it selects. */
  readonly reveal: (selection: Selection) => void;
  readonly revealOrigin: (origin: Origin | null) => void;
}

export const PageContext = createContext<Page | null>(null);

/** Only below a page that shows a report. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) {
    throw new Error('There is no report to show.');
  }
  return page;
}
