import {
  type Assumption,
  type ComparedReport,
  isComparedReport,
  reportVersion,
  type WholeReport,
} from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import { isObject } from '../../util/values.ts';
import type { Way } from './build-plan.ts';
import { compared } from './compare-reports.ts';
import type { ChangedOutcome } from './changed-outcomes.ts';
import { isSavedManifests, type SavedManifests } from './saved-manifests.ts';

/** Reads what `podium simulate --format json` or the page has written. `problem` is a part of a sentence. */
export function readSavedReport(text: string): SavedReport | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {
      problem: text.startsWith('<') ? say`is a page; a report is compared as JSON (--format json)` : say`is not JSON`,
    };
  }
  const version = isObject(value) ? value['version'] : undefined;
  if (typeof version === 'number' && version !== reportVersion) {
    return { problem: say`is a report of version ${version}, and only ${reportVersion} is read` };
  }
  return isComparedReport(value) && pointsIntoItself(value)
    ? { report: value, manifests: manifestsIn(value) }
    : { problem: say`is not a report that was saved as JSON` };
}

/** A report, and the objects that it is of; null for one that does not say. */
export interface SavedReport {
  readonly report: ComparedReport;
  readonly manifests: SavedManifests | null;
}

function manifestsIn(report: object): SavedManifests | null {
  const manifests: unknown = 'manifests' in report ? report.manifests : null;
  return isSavedManifests(manifests) ? manifests : null;
}

/** Whether every pod, node and workload that is named by its place is there. */
function pointsIntoItself({
  pods,
  nodes,
  workloads,
  steps,
  victims,
  drains,
  timeline,
  answer,
}: ComparedReport): boolean {
  const pod = (index: number | null): boolean => index === null || index < pods.length;
  const node = (index: number | null): boolean => index === null || index < nodes.length;
  const workload = (index: number | null): boolean => index === null || index < workloads.length;
  return (
    pods.every((each) => workload(each.workload) && node(each.before.node) && node(each.after.node)) &&
    steps.every((each) => pod(each.pod) && node(each.node) && each.victims.every(pod)) &&
    victims.every((each) => pod(each.pod) && pod(each.preemptor) && node(each.node) && workload(each.workload)) &&
    drains.every((each) => node(each.node) && each.evicted.every((evicted) => pod(evicted.pod))) &&
    timeline.every((each) => pod(each.pod) && node(each.node)) &&
    answer.groups.every(({ lines }) => lines.every((line) => line.pods.every(pod) && line.workloads.every(workload)))
  );
}

/** What was done in a run that was saved, as it was written. */
export function savedEvents(saved: ComparedReport): ReadonlySet<string> {
  const events: unknown = 'events' in saved ? saved.events : [];
  if (!Array.isArray(events)) return new Set();
  return new Set(events.flatMap((each) => (isObject(each) && typeof each['text'] === 'string' ? [each['text']] : [])));
}

/**
 * A report with what differs from one that was saved.
 * @param happens what only this run does
 */
export function* sinceSaved(
  saved: ComparedReport,
  report: WholeReport,
  since: string,
  happens: readonly ChangedOutcome[],
  way?: Way,
): Generator<void, WholeReport> {
  return {
    ...(yield* compared(saved, report, since, { earlier: null, happens }, way)),
    assumptions: [...notesOf(since, saved, report), ...report.assumptions],
  };
}

/** What a comparison with a saved report does not know, or what makes it one of unlike things. */
function notesOf(name: string, before: ComparedReport, after: ComparedReport): readonly Assumption[] {
  const question = ({ scenario }: ComparedReport): string =>
    'label' in scenario ? `${scenario.kind} ${scenario.label}` : 'workspace';
  const notes: Assumption[] = [
    {
      mark: '?',
      text: say`${name} is a saved report: what was changed is listed as far as it shows there`,
      detail: say`Classes, workloads, requests and nodes are in a report; budgets, affinity and other fields of manifests are not.`,
    },
  ];
  if (question(before) !== question(after)) {
    notes.unshift({
      mark: '!',
      text: say`${name} answers another question than this run`,
      detail: say`Its new pods are not those here, so not every difference comes from a change.`,
    });
  }
  return notes;
}
