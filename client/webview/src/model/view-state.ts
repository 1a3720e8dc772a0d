import type { Report } from '../../../../server/src/contract/report.ts';
import type { Mode } from './frame.ts';

export const views = ['map', 'steps', 'pods', 'nodes', 'victims', 'pending'] as const;
export type View = (typeof views)[number];

/** What the detail shows. `node` of a pod says which of its tiles is meant. */
export type Selection =
  | { readonly kind: 'pod'; readonly pod: number; readonly node: number | null }
  | { readonly kind: 'node'; readonly node: number };

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

/** Everything the user has chosen on the page. Plain data; scroll positions are kept beside it. */
export interface ViewState {
  readonly mode: Mode;
  /** Steps applied: 0 is the state before the first. */
  readonly step: number;
  readonly view: View;
  readonly selection: Selection | null;
  /** Where Escape leads back to, the latest last. */
  readonly trail: readonly Selection[];
  /** The decision that is shown of a pod with several; null for the one that fits the step. */
  readonly decision: number | null;
  readonly filter: string;
  /** The rung whose pods are emphasised. */
  readonly rung: number | null;
  readonly sorts: Readonly<Record<string, Sort>>;
  readonly openZones: ReadonlySet<string>;
  readonly openSteps: ReadonlySet<number>;
}

export type Action =
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'step'; readonly step: number }
  /** Shows a step: the map after it, and the pod it is about. */
  | { readonly type: 'openStep'; readonly index: number }
  | { readonly type: 'toggleStep'; readonly index: number }
  | { readonly type: 'view'; readonly view: View }
  | { readonly type: 'select'; readonly selection: Selection }
  /** Selects by a link, so that Escape leads back. */
  | { readonly type: 'follow'; readonly selection: Selection }
  | { readonly type: 'back' }
  | { readonly type: 'decision'; readonly decision: number }
  | { readonly type: 'filter'; readonly text: string }
  | { readonly type: 'rung'; readonly rung: number | null }
  | { readonly type: 'sort'; readonly table: string; readonly column: string }
  | { readonly type: 'toggleZone'; readonly zone: string };

/** How many selections Escape can go back. */
const trailLength = 50;

/** The first look at a report: the difference after the last step, and the pod the story is about. */
export function initialState(report: Report): ViewState {
  return {
    mode: 'difference',
    step: report.steps.length,
    view: 'map',
    selection: protagonist(report),
    trail: [],
    decision: null,
    filter: '',
    rung: null,
    sorts: {},
    openZones: new Set(),
    openSteps: new Set(),
  };
}

/** The first pod that evicts others, else the first that stays pending, else the first that is decided about. */
function protagonist(report: Report): Selection | null {
  const step =
    report.steps.find(({ kind }) => kind === 'nominated') ??
    report.steps.find(({ kind }) => kind === 'pending' || kind === 'rejected') ??
    report.steps[0];
  return step === undefined ? null : selectPod(report, step.pod);
}

/** Selects a pod where it ends up, or where it was before. */
export function selectPod(report: Report, pod: number): Selection {
  const found = report.pods[pod];
  return { kind: 'pod', pod, node: found?.after.node ?? found?.before.node ?? null };
}

export function reduce(report: Report, state: ViewState, action: Action): ViewState {
  switch (action.type) {
    case 'mode':
      // Before and After are the two ends; the difference keeps its step.
      return {
        ...state,
        mode: action.mode,
        step: action.mode === 'difference' && state.step > 0 ? state.step : report.steps.length,
        decision: null,
      };
    case 'step':
      return {
        ...state,
        step: Math.min(Math.max(0, action.step), report.steps.length),
        mode: state.mode === 'before' ? 'difference' : state.mode,
        decision: null,
      };
    case 'openStep': {
      const step = report.steps[action.index];
      return step === undefined
        ? state
        : {
            ...state,
            step: action.index + 1,
            mode: state.mode === 'before' ? 'difference' : state.mode,
            selection: { kind: 'pod', pod: step.pod, node: step.node },
            decision: step.decision,
          };
    }
    case 'toggleStep':
      return { ...state, openSteps: toggled(state.openSteps, action.index) };
    case 'view':
      return { ...state, view: action.view };
    case 'select':
      return { ...state, selection: action.selection, decision: null };
    case 'follow':
      return {
        ...state,
        selection: action.selection,
        decision: null,
        trail: state.selection === null ? state.trail : [...state.trail, state.selection].slice(-trailLength),
      };
    case 'back': {
      const previous = state.trail.at(-1);
      return previous === undefined
        ? state
        : { ...state, selection: previous, decision: null, trail: state.trail.slice(0, -1) };
    }
    case 'decision':
      return { ...state, decision: action.decision };
    case 'filter':
      return { ...state, filter: action.text };
    case 'rung':
      return { ...state, rung: state.rung === action.rung ? null : action.rung };
    case 'sort':
      return {
        ...state,
        sorts: { ...state.sorts, [action.table]: nextSort(state.sorts[action.table], action.column) },
      };
    case 'toggleZone':
      return { ...state, openZones: toggled(state.openZones, action.zone) };
    default:
      return action satisfies never;
  }
}

function nextSort(sort: Sort | undefined, column: string): Sort {
  return { column, descending: sort?.column === column && !sort.descending };
}

function toggled<Item>(set: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(set);
  if (!next.delete(item)) {
    next.add(item);
  }
  return next;
}

export function sameSelection(left: Selection | null, right: Selection | null): boolean {
  if (left?.kind === 'pod' && right?.kind === 'pod') {
    return left.pod === right.pod && left.node === right.node;
  }
  return left?.kind === right?.kind && left?.node === right?.node;
}

/**
 * The decision to show for a pod: the chosen one, else the last about it up to the step that is shown, else its last.
 * Before a pod has been tried, that is the coming one. Of a pod that was never tried, the one that evicts it.
 */
export function decisionOf(report: Report, state: ViewState, pod: number): number | null {
  if (state.decision !== null && report.decisions[state.decision]?.pod === pod) {
    return state.decision;
  }
  const attempts = attemptsOf(report, pod);
  const reached = attempts.filter(({ step }) => step <= state.step);
  // What made room explains more than the binding that follows from it.
  const telling = reached.findLast(({ decision }) => report.decisions[decision]?.kind === 'preempts');
  const own = telling?.decision ?? reached.at(-1)?.decision ?? attempts[0]?.decision ?? report.pods[pod]?.decision;
  return own ?? evictionOf(report, pod);
}

function evictionOf(report: Report, pod: number): number | null {
  return report.steps.find(({ kind, victims }) => kind === 'nominated' && victims.includes(pod))?.decision ?? null;
}

/** The decisions about a pod, with the number of steps applied after each. */
export function attemptsOf(
  report: Report,
  pod: number,
): readonly { readonly step: number; readonly decision: number }[] {
  return report.steps.flatMap(({ pod: about, decision }, index) =>
    about === pod && decision !== null ? [{ step: index + 1, decision }] : [],
  );
}
