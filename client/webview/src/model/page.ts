import type { HostMessage } from '../../../src/report/messages.ts';
import type { ScenarioRequest } from '../../../../server/src/protocol.ts';
import type { Report } from '../../../../server/src/contract/report.ts';
import { type KeptState, type KeptView, keepView, restoreView } from './kept-state.ts';
import { type Action, initialState, reduce, type ViewState } from './view-state.ts';

export interface RunStatus {
  readonly running: boolean;
  readonly outdated: boolean;
  readonly failure: string;
}

/** A report and how it is looked at. */
export interface Shown {
  readonly report: Report;
  readonly view: ViewState;
}

/** Everything the page knows. */
export interface PageState {
  readonly scenario: ScenarioRequest | null;
  readonly status: RunStatus;
  readonly shown: Shown | null;
  /** The view of an earlier life of the page, until there is a report to apply it to. */
  readonly kept: KeptView | null;
}

export type PageAction = { readonly host: HostMessage } | { readonly user: Action };

export function initialPage(kept: KeptState | null): PageState {
  return {
    scenario: kept?.scenario ?? null,
    status: { running: true, outdated: false, failure: '' },
    shown: null,
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
  const message = action.host;
  switch (message.type) {
    case 'scenario':
      // Another question is looked at afresh; the same one keeps its place.
      return sameScenario(page.scenario, message.scenario)
        ? { ...page, scenario: message.scenario }
        : { ...page, scenario: message.scenario, shown: null, kept: null };
    case 'status':
      return { ...page, status: { running: message.running, outdated: message.outdated, failure: message.failure } };
    case 'report': {
      const kept = page.shown === null ? page.kept : keepView(page.shown.report, page.shown.view);
      const view = kept === null ? initialState(message.report) : restoreView(message.report, kept);
      return { ...page, kept: null, shown: { report: message.report, view } };
    }
    default:
      return message satisfies never;
  }
}

function sameScenario(left: ScenarioRequest | null, right: ScenarioRequest): boolean {
  return left === null || JSON.stringify(left) === JSON.stringify(right);
}
