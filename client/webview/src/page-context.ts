import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Capacity } from '../../../server/src/report-model/capacity.ts';
import type { Origin } from '../../../server/src/report-model/origin.ts';
import type { Report, ReportDecision } from '../../../server/src/report-model/report.ts';
import type { ShortNames } from '../../../server/src/report-model/short-names.ts';
import type { Filter } from './model/filter.ts';
import type { Frame } from './model/frame.ts';
import type { MenuRequest } from './model/menu-request.ts';
import type { Trial } from './model/operations.ts';
import type { Tries } from './model/page.ts';
import type { Action, Selection, ViewState } from './model/view-state.ts';

/** What the parts of the page share. */
export interface Page {
  readonly report: Report;
  /** The whole of decisions that were looked at, or why it is not known. */
  readonly explained: ReadonlyMap<number, ReportDecision | string>;
  /** How much room is left, of workloads that were looked at, or why it is not known. */
  readonly capacity: ReadonlyMap<number, Capacity | string>;
  readonly view: ViewState;
  readonly frame: Frame;
  readonly filter: Filter | null;
  readonly names: ShortNames;
  readonly dispatch: (action: Action) => void;
  readonly tries: Tries;
  /** Tries other operations, or goes back and forth among those that were tried. */
  readonly tryOut: (next: 'undo' | 'redo' | readonly string[]) => void;
  /** Tries an operation on top of those; one that is only begun goes into the line, to be written to its end. */
  readonly attempt: (trial: Pick<Trial, 'operation' | 'isWhole'>) => void;
  /** What was begun last, for the line. */
  readonly begun: { readonly operation: string } | null;
  /** Opens the menu of what can be tried with something; undefined in a file, where nothing can. */
  readonly openMenu: ((request: MenuRequest) => void) | undefined;
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
