import type { HostMessage } from '../../../src/report/host-messages.ts';
import type { Comparison } from '../../../src/report/messages.ts';
import type { ScenarioRequest } from '../../../../server/src/protocol.ts';
import type { Capacity } from '../../../../server/src/report-model/capacity.ts';
import type { Effect } from '../../../../server/src/report-model/effect.ts';
import type { Report, ReportDecision } from '../../../../server/src/report-model/report.ts';
import type { SoFar } from '../../../../server/src/report-model/so-far.ts';
import type { ShortNames } from '../../../../server/src/report-model/short-names.ts';
import { shortNames } from '../../../../server/src/report-model/short-names.ts';
import { type KeptState, type KeptView, keepView, restoreView } from './kept-state.ts';
import { type Action, initialState, reduce, type ViewState } from './view-state.ts';

export interface RunStatus {
  readonly running: boolean;
  readonly outdated: boolean;
  readonly failure: string;
  /** What is being done; empty where nobody has said. */
  readonly progress: string;
  /** What the run has decided until now, or had when it was stopped; null where nothing is known. */
  readonly soFar: SoFar | null;
  /** The user has stopped the last run. */
  readonly stopped: boolean;
  /** Why the run was not begun; null where it was. */
  readonly doubt: NonNullable<Extract<HostMessage, { readonly type: 'status' }>['doubt']> | null;
  /** There is a run before the one that is shown. */
  readonly previous: boolean;
  /** What the run is compared with, where its scenario does not say so; null for nothing. */
  readonly against: Comparison | null;
}

/** The operations that are tried, and those that were before. */
export interface Tries {
  readonly operations: readonly string[];
  /** Null while it is not known what they do. */
  readonly effects: readonly Effect[] | null;
  readonly undo: readonly (readonly string[])[];
  readonly redo: readonly (readonly string[])[];
}

/** How often Ctrl+Z can go back. */
const undoLength = 50;

/** A report and how it is looked at. */
export interface Shown {
  readonly report: Report;
  readonly names: ShortNames;
  /** The whole of decisions that were looked at, or why it is not known. */
  readonly explained: ReadonlyMap<number, ReportDecision | string>;
  /** How much room is left, of workloads that were looked at, or why it is not known. */
  readonly capacity: ReadonlyMap<number, Capacity | string>;
  readonly view: ViewState;
}

/** Everything the page knows. */
export interface PageState {
  readonly scenario: ScenarioRequest | null;
  readonly status: RunStatus;
  readonly shown: Shown | null;
  readonly tries: Tries;
  /** The view of an earlier life of the page, until there is a report to apply it to. */
  readonly kept: KeptView | null;
}

export type PageAction =
  { readonly host: HostMessage } | { readonly user: Action } | { readonly tries: 'undo' | 'redo' | readonly string[] };

export function initialPage(kept: KeptState | null): PageState {
  return {
    scenario: kept?.scenario ?? null,
    status: {
      running: true,
      outdated: false,
      failure: '',
      progress: '',
      soFar: null,
      stopped: false,
      doubt: null,
      previous: false,
      against: kept?.against ?? null,
    },
    shown: null,
    tries: { operations: kept?.operations ?? [], effects: null, undo: [], redo: [] },
    kept: kept?.view ?? null,
  };
}

export function reducePage(page: PageState, action: PageAction): PageState {
  if ('user' in action) {
    const { shown } = page;
    return shown === null
      ? page
      : { ...page, shown: { ...shown, view: reduce(shown.report, shown.view, action.user) } };
  }
  if ('tries' in action) return { ...page, tries: reduceTries(page.tries, action.tries) };
  const message = action.host;
  switch (message.type) {
    case 'scenario':
      // Another question is looked at afresh; the same one keeps its place.
      return page.scenario === null || JSON.stringify(page.scenario) === JSON.stringify(message.scenario)
        ? { ...page, scenario: message.scenario }
        : { ...page, scenario: message.scenario, shown: null, kept: null };
    case 'status':
      return {
        ...page,
        status: {
          running: message.running,
          outdated: message.outdated,
          failure: message.failure,
          progress: message.progress ?? '',
          soFar: message.soFar ?? null,
          stopped: message.stopped ?? false,
          doubt: message.doubt ?? null,
          previous: message.previous ?? false,
          against: message.against ?? null,
        },
      };
    case 'whatIf':
      return { ...page, tries: { ...page.tries, operations: message.operations, effects: message.effects } };
    case 'remedies':
      return page.shown === null
        ? page
        : { ...page, shown: { ...page.shown, report: { ...page.shown.report, remedies: message.remedies } } };
    case 'report': {
      const kept = page.shown === null ? page.kept : keepView(page.shown.report, page.shown.view);
      const view = kept === null ? initialState(message.report) : restoreView(message.report, kept);
      return {
        ...page,
        kept: null,
        shown: {
          report: message.report,
          names: shortNames(message.report),
          explained: new Map(),
          capacity: new Map(message.report.capacity?.map((row) => [row.workload, row])),
          view,
        },
      };
    }
    case 'explained': {
      if (page.shown === null) return page;
      const explained = new Map(page.shown.explained).set(message.index, message.decision ?? message.failure);
      return { ...page, shown: { ...page.shown, explained } };
    }
    case 'capacity': {
      if (page.shown === null) return page;
      const capacity = new Map(page.shown.capacity);
      if (message.failure !== '') for (const workload of message.workloads) capacity.set(workload, message.failure);
      for (const row of message.rows) capacity.set(row.workload, row);
      return { ...page, shown: { ...page.shown, capacity } };
    }
    default:
      return message satisfies never;
  }
}

/** Other operations, or those of before. What they do is not known until somebody says. */
function reduceTries(tries: Tries, next: 'undo' | 'redo' | readonly string[]): Tries {
  const { operations, undo, redo } = tries;
  if (next === 'undo') {
    const before = undo.at(-1);
    if (before === undefined) return tries;
    return { operations: before, effects: null, undo: undo.slice(0, -1), redo: [...redo, operations] };
  }
  if (next === 'redo') {
    const after = redo.at(-1);
    if (after === undefined) return tries;
    return { operations: after, effects: null, undo: [...undo, operations], redo: redo.slice(0, -1) };
  }
  return { operations: next, effects: null, undo: [...undo, operations].slice(-undoLength), redo: [] };
}
