import { own, put } from '../../../server/src/util/own.ts';
import type { HostMessage } from '../../src/report/host-messages.ts';
import type { Check } from '../../../server/src/report-model/check.ts';
import { isReport, type Report, reportRows } from '../../../server/src/report-model/report.ts';
import { namesInSteps } from '../../../server/src/report-model/short-names.ts';

/** How long a task that checks a report may take, in milliseconds. */
const slice = 20;
/** Rows that are checked between two yields. */
const atOnce = 1_000;

/**
 * Checks a report and gets it ready to be drawn, in tasks of a few milliseconds, between which the page stays responsive.
 * Messages are passed on in order.
 */
export class Inbox {
  readonly #send: (message: HostMessage) => void;
  /** Messages behind a report that is being checked; null while there is none. */
  #behind: HostMessage[] | null = null;

  constructor(send: (message: HostMessage) => void) {
    this.#send = send;
  }

  receive(message: HostMessage): void {
    if (this.#behind !== null) {
      this.#behind.push(message);
    } else if (message.type === 'report') {
      this.#behind = [];
      this.#read(readyReport(message.report));
    } else {
      this.#send(message);
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
        // What takes several tasks to check takes one of its own to draw.
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
    if (report !== null) this.#send({ type: 'report', report });
    for (const message of behind) this.receive(message);
  }
}

function* readyReport(value: unknown): Generator<void, Report | null> {
  const report = yield* checked(value);
  if (report !== null) yield* namesInSteps(report);
  return report;
}

/** The check of a report, with its long lists row after row. */
function* checked(value: unknown): Generator<void, Report | null> {
  const report = value as Report;
  const rest: Record<string, unknown> = { ...report };
  for (const [list, isRow] of Object.entries<Check<unknown>>(reportRows)) {
    const rows = own(rest, list);
    if (!Array.isArray(rows)) return null;
    for (const [index, row] of rows.entries()) {
      if (index % atOnce === 0) yield;
      if (!isRow(row)) return null;
    }
    put(rest, list, []);
  }
  return isReport(rest) ? report : null;
}
