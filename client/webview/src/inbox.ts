import type { HostMessage } from '../../src/report/host-messages.ts';
import type { Report } from '../../../server/src/contract/report.ts';
import { joined, type ReportRows } from '../../../server/src/contract/report-parts.ts';
import { shortNames } from '../../../server/src/contract/short-names.ts';

/** What the panel says, with reports that are whole. */
export type WholeMessage = Exclude<HostMessage, { readonly type: 'rows' }>;

/**
 * Puts a large report together, and gets it ready to be drawn, each in a task of its own: between two tasks the page
 * answers to whoever uses it. Messages are passed on in the order in which they come.
 */
export class Inbox {
  readonly #tell: (message: WholeMessage) => void;
  #begun: { readonly report: Report; readonly more: number; readonly rows: ReportRows[] } | null = null;
  /** Messages behind a report that is got ready; null while there is none. */
  #waiting: WholeMessage[] | null = null;

  constructor(tell: (message: WholeMessage) => void) {
    this.#tell = tell;
  }

  receive(message: HostMessage): void {
    if (message.type === 'rows') {
      this.#begun?.rows.push(message.part);
      if (this.#begun !== null && this.#begun.rows.length === this.#begun.more) this.#finish(joined(this.#begun));
      return;
    }
    if (message.type === 'report') this.#begun = null;
    if (message.type === 'report' && message.more !== undefined) {
      this.#begun = { report: message.report, more: message.more, rows: [] };
    } else if (this.#waiting !== null) {
      this.#waiting.push(message);
    } else {
      this.#tell(message);
    }
  }

  #finish(report: Report): void {
    this.#begun = null;
    const behind: WholeMessage[] = [{ type: 'report', report }];
    if (this.#waiting !== null) {
      this.#waiting.push(...behind);
      return;
    }
    this.#waiting = behind;
    setTimeout(() => {
      shortNames(report);
      setTimeout(() => {
        this.#waiting = null;
        for (const message of behind) this.#tell(message);
      });
    });
  }
}
