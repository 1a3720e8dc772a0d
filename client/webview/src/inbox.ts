import type { HostMessage } from '../../src/report/host-messages.ts';
import type { Check } from '../../../server/src/contract/check.ts';
import { fromColumns } from '../../../server/src/contract/read-columns.ts';
import { isReport, type Report, reportRows } from '../../../server/src/contract/report.ts';
import { namesInSteps } from '../../../server/src/contract/short-names.ts';

/** What the panel says, with reports that are whole. */
export type WholeMessage = Exclude<HostMessage, { readonly type: 'columns' }>;

/** How long a task that reads a report may take, in milliseconds. */
const slice = 20;
/** Rows that are checked between two yields. */
const atOnce = 1_000;

/**
 * Reads a report that comes as columns, and gets it ready to be drawn, in tasks of a few milliseconds: between two tasks
 * the page answers to whoever uses it. Messages are passed on in the order in which they come.
 */
export class Inbox {
  readonly #tell: (message: WholeMessage) => void;
  /** Messages behind a report that is being read; null while there is none. */
  #behind: HostMessage[] | null = null;

  constructor(tell: (message: WholeMessage) => void) {
    this.#tell = tell;
  }

  receive(message: HostMessage): void {
    if (this.#behind !== null) {
      this.#behind.push(message);
    } else if (message.type === 'columns') {
      this.#behind = [];
      this.#read(reportIn(message.columns));
    } else {
      this.#tell(message);
    }
  }

  #read(steps: Generator<void, Report | null>, isFirst = true): void {
    const until = performance.now() + slice;
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        const finish = (): void => {
          this.#finish(step.value);
        };
        // What takes several tasks to read takes one of its own to draw.
        if (isFirst) finish();
        else setTimeout(finish);
        return;
      }
      if (performance.now() >= until) break;
    }
    setTimeout(() => {
      this.#read(steps, false);
    });
  }

  /** What is no report is dropped, as any other message that is none. */
  #finish(report: Report | null): void {
    const behind = this.#behind ?? [];
    this.#behind = null;
    if (report !== null) this.#tell({ type: 'report', report });
    for (const message of behind) this.receive(message);
  }
}

function* reportIn(columns: unknown): Generator<void, Report | null> {
  const value = yield* fromColumns(columns);
  const report = yield* checked(value);
  if (report !== null) yield* namesInSteps(report);
  return report;
}

/** The check of a report, with its long lists row after row. */
function* checked(value: unknown): Generator<void, Report | null> {
  const report = value as Report;
  const rest: Record<string, unknown> = { ...report };
  for (const [list, isRow] of Object.entries<Check<unknown>>(reportRows)) {
    const rows = rest[list];
    if (!Array.isArray(rows)) return null;
    for (const [index, row] of rows.entries()) {
      if (index % atOnce === 0) yield;
      if (!isRow(row)) return null;
    }
    rest[list] = [];
  }
  return isReport(rest) ? report : null;
}
