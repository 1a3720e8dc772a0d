import { own } from '../../../../server/src/util/own.ts';
import type { Report } from '../../../../server/src/report-model/report.ts';

export const views = ['map', 'timeline', 'steps', 'pods', 'nodes', 'capacity', 'victims', 'pending'] as const;
export type View = (typeof views)[number];

/** What the detail shows. `node` of a pod says which of its tiles is meant. */
export type Selection =
  | { readonly kind: 'pod'; readonly pod: number; readonly node: number | null }
  | { readonly kind: 'node'; readonly node: number };

/** What the colours of the map tell. */
export const colours = ['outcome', 'priority'] as const;
export type Colour = (typeof colours)[number];

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

/** Everything the user has chosen on the page. Plain data; scroll positions are kept beside it. */
export interface ViewState {
  readonly colour: Colour;
  /** What gives tiles their width; null for the scarcest. */
  readonly resource: string | null;
  /** Steps applied: 0 is the state before the first. */
  readonly step: number;
  readonly view: View;
  readonly selection: Selection | null;
  /** The line of the answer under which the drawer is open; null for the place of the selection in the view. */
  readonly anchor: string | null;
  /** Where Escape leads back to, the latest last. */
  readonly trail: readonly Selection[];
  /** The decision that is shown of a pod with several; null for the one that fits the step. */
  readonly decision: number | null;
  readonly filter: string;
  readonly sorts: Readonly<Record<string, Sort>>;
  readonly openZones: ReadonlySet<string>;
  /** The node that the map shows alone, with each of its pods; null for all. */
  readonly zoom: number | null;
  readonly openSteps: ReadonlySet<number>;
}

export type Action =
  | { readonly type: 'colour'; readonly colour: Colour }
  | { readonly type: 'resource'; readonly resource: string }
  | { readonly type: 'step'; readonly step: number }
  /** Shows a step: the map after it, and the pod it is about. */
  | { readonly type: 'openStep'; readonly index: number }
  | { readonly type: 'toggleStep'; readonly index: number }
  | { readonly type: 'view'; readonly view: View }
  | { readonly type: 'select'; readonly selection: Selection }
  /** Selects from a line of the answer, and opens the drawer under it; once more closes it. */
  | { readonly type: 'answer'; readonly selection: Selection; readonly anchor: string }
  | { readonly type: 'close' }
  /** Selects by a link, so that Escape leads back. */
  | { readonly type: 'follow'; readonly selection: Selection }
  | { readonly type: 'back' }
  | { readonly type: 'decision'; readonly decision: number }
  | { readonly type: 'filter'; readonly text: string }
  | { readonly type: 'sort'; readonly table: string; readonly column: string }
  | { readonly type: 'toggleZone'; readonly zone: string }
  | { readonly type: 'zoom'; readonly node: number | null };

/** How many selections Escape can go back. */
const trailLength = 50;

/** The first look at a report: after the last step, and nothing over the answer. */
export function initialState(report: Report): ViewState {
  return {
    colour: 'outcome',
    resource: null,
    step: report.steps.length,
    view: 'map',
    selection: null,
    anchor: null,
    trail: [],
    decision: null,
    filter: '',
    sorts: {},
    openZones: new Set(),
    zoom: null,
    openSteps: new Set(),
  };
}

/** Selects a pod where it ends up, or where it was before. */
export function selectPod(report: Report, pod: number): Selection {
  const found = report.pods[pod];
  return { kind: 'pod', pod, node: found?.after.node ?? found?.before.node ?? null };
}

export function reduce(report: Report, state: ViewState, action: Action): ViewState {
  return outOfZoom(reduced(report, state, action), state);
}

/** Whoever is led to another node sees it. */
function outOfZoom(next: ViewState, { zoom, selection }: ViewState): ViewState {
  const isElsewhere = next.selection !== null && next.selection !== selection && next.selection.node !== next.zoom;
  return next.zoom !== null && next.zoom === zoom && isElsewhere ? { ...next, zoom: null } : next;
}

function reduced(report: Report, state: ViewState, action: Action): ViewState {
  switch (action.type) {
    case 'colour':
      return { ...state, colour: action.colour };
    case 'resource':
      return { ...state, resource: action.resource };
    case 'step':
      return {
        ...state,
        step: Math.min(Math.max(0, action.step), report.steps.length),
        decision: null,
      };
    case 'openStep': {
      const step = report.steps[action.index];
      return step === undefined
        ? state
        : {
            ...state,
            step: action.index + 1,
            selection: { kind: 'pod', pod: step.pod, node: step.node },
            anchor: null,
            decision: step.decision,
          };
    }
    case 'toggleStep':
      return { ...state, openSteps: toggled(state.openSteps, action.index) };
    case 'view':
      return { ...state, view: action.view, anchor: null };
    case 'select':
      return { ...state, selection: action.selection, anchor: null, decision: null };
    case 'answer':
      return state.anchor === action.anchor
        ? closed(state)
        : { ...state, selection: action.selection, anchor: action.anchor, decision: null, trail: [] };
    case 'close':
      return closed(state);
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
    case 'sort':
      return {
        ...state,
        sorts: { ...state.sorts, [action.table]: nextSort(own(state.sorts, action.table), action.column) },
      };
    case 'toggleZone':
      return { ...state, openZones: toggled(state.openZones, action.zone) };
    case 'zoom':
      return { ...state, zoom: action.node };
    default:
      return action satisfies never;
  }
}

function closed(state: ViewState): ViewState {
  return { ...state, selection: null, anchor: null, trail: [], decision: null };
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
