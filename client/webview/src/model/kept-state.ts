/**
 * What the page remembers through `setState` while it is hidden, reloaded or given a new report. Pods and nodes are
 * kept by name, because their indices change from report to report.
 */
import * as z from 'zod/mini';
import { comparisonSchema } from '../../../src/report/messages.ts';
import { scenarioSchema } from '../../../../server/src/protocol.ts';
import type { Report } from '../../../../server/src/report-model/report.ts';
import { colours, initialState, type Selection, type ViewState, views } from './view-state.ts';

const keptSelection = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pod'), namespace: z.string(), name: z.string(), node: z.nullable(z.string()) }),
  z.object({ kind: z.literal('node'), name: z.string() }),
]);
type KeptSelection = z.infer<typeof keptSelection>;

const keptView = z.object({
  colour: z.enum(colours),
  resource: z.nullable(z.string()),
  /** Null for the last step, whatever its number. */
  step: z.nullable(z.number()),
  view: z.enum(views),
  selection: z.nullable(keptSelection),
  trail: z.array(keptSelection),
  filter: z.string(),
  sorts: z.record(z.string(), z.object({ column: z.string(), descending: z.boolean() })),
  openZones: z.array(z.string()),
  openSteps: z.array(z.number()),
  /** The name of the node. */
  zoom: z.optional(z.string()),
});
export type KeptView = z.infer<typeof keptView>;

export const keptStateSchema = z.object({
  /** The panel reads this to come back after a restart. */
  scenario: scenarioSchema,
  operations: z.optional(z.array(z.string())),
  against: z.optional(comparisonSchema),
  view: z.nullable(keptView),
  /** Name of a scrolling area → pixels from its top. */
  scroll: z.record(z.string(), z.number()),
});
export type KeptState = z.infer<typeof keptStateSchema>;

export function keepView(report: Report, state: ViewState): KeptView {
  const keep = (selection: Selection): KeptSelection | null => keepSelection(report, selection);
  return {
    colour: state.colour,
    resource: state.resource,
    step: state.step === report.steps.length ? null : state.step,
    view: state.view,
    selection: state.selection === null ? null : keep(state.selection),
    trail: state.trail.map(keep).filter((selection) => selection !== null),
    filter: state.filter,
    sorts: { ...state.sorts },
    openZones: [...state.openZones],
    openSteps: [...state.openSteps],
    ...(state.zoom === null ? {} : { zoom: report.nodes[state.zoom]?.name }),
  };
}

/** The same view of another report, as far as what it showed still exists. */
export function restoreView(report: Report, kept: KeptView): ViewState {
  const fresh = initialState(report);
  const find = finder(report);
  const selection = kept.selection === null ? null : find(kept.selection);
  const zoomed = report.nodes.findIndex(({ name }) => name === kept.zoom);
  return {
    ...fresh,
    colour: kept.colour,
    resource: kept.resource,
    step: kept.step === null ? fresh.step : Math.min(Math.max(0, Math.trunc(kept.step)), fresh.step),
    view: kept.view,
    selection,
    trail: kept.trail.map(find).filter((found) => found !== null),
    filter: kept.filter,
    sorts: kept.sorts,
    openZones: new Set(kept.openZones),
    openSteps: new Set(kept.openSteps.filter((step) => step < report.steps.length)),
    zoom: zoomed < 0 ? null : zoomed,
  };
}

function keepSelection(report: Report, selection: Selection): KeptSelection | null {
  if (selection.kind === 'node') {
    const node = report.nodes[selection.node];
    return node === undefined ? null : { kind: 'node', name: node.name };
  }
  const pod = report.pods[selection.pod];
  const node = selection.node === null ? null : (report.nodes[selection.node]?.name ?? null);
  return pod === undefined ? null : { kind: 'pod', namespace: pod.namespace, name: pod.name, node };
}

function finder(report: Report): (kept: KeptSelection) => Selection | null {
  return (kept) => {
    if (kept.kind === 'node') {
      const node = report.nodes.findIndex(({ name }) => name === kept.name);
      return node < 0 ? null : { kind: 'node', node };
    }
    const pod = report.pods.findIndex(({ namespace, name }) => namespace === kept.namespace && name === kept.name);
    const node = kept.node === null ? -1 : report.nodes.findIndex(({ name }) => name === kept.node);
    return pod < 0 ? null : { kind: 'pod', pod, node: node < 0 ? null : node };
  };
}
