import type { Origin } from '../../../server/src/contract/report.ts';
import type { ScenarioRequest } from '../../../server/src/protocol.ts';
import type { Report } from '../../../server/src/contract/report.ts';
import { reportMarkdown } from '../../../server/src/contract/markdown.ts';
import { type HostMessage, pageMessageSchema } from './messages.ts';

/** How long the manifests must rest before the report follows them, in milliseconds. */
const followPause = 800;

/** What a session needs from its surroundings. */
export interface SessionHost {
  post(message: HostMessage): void;
  /** Rejects when there is no report; an aborted run may reject with anything. */
  simulate(scenario: ScenarioRequest, signal: AbortSignal): Promise<Report>;
  reveal(origin: Origin): void;
  /** Offers to save a file; `extension` without the dot. */
  save(text: string, extension: 'json' | 'md' | 'svg'): void;
  copy(text: string): void;
  /** Calls back after `milliseconds`; the answer cancels. */
  after(milliseconds: number, callback: () => void): () => void;
}

/**
 * One report and the page that shows it, without the editor's API: the handshake, runs that replace each other,
 * following edits after a pause, and answers to what the page asks for.
 */
export class ReportSession {
  readonly #host: SessionHost;
  #scenario: ScenarioRequest;
  #report: Report | null = null;
  #uris: ReadonlySet<string> = new Set();
  #failure = '';
  #outdated = false;
  #pageListens = false;
  #visible = true;
  #run: AbortController | null = null;
  #cancelPause: () => void = () => undefined;

  constructor(scenario: ScenarioRequest, host: SessionHost) {
    this.#scenario = scenario;
    this.#host = host;
    this.#simulate();
  }

  /** Shows another scenario in the same place, or runs the same one again. */
  open(scenario: ScenarioRequest): void {
    this.#scenario = scenario;
    this.#post({ type: 'scenario', scenario });
    this.#simulate();
  }

  /** The manifests or the cluster changed: says so at once, follows after a pause. */
  modelChanged(): void {
    this.#outdated = true;
    this.#postStatus();
    this.#followSoon();
  }

  /** VS Code drops a hidden page. It says `ready` when it is back; until then nothing is computed for it. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    if (!visible) {
      this.#pageListens = false;
      this.#cancelPause();
    } else if (this.#outdated) {
      this.#followSoon();
    }
  }

  /** A message from the page, not trusted. */
  receive(raw: unknown): void {
    const parsed = pageMessageSchema.safeParse(raw);
    if (!parsed.success) {
      return;
    }
    const message = parsed.data;
    switch (message.type) {
      case 'ready':
        this.#greet();
        return;
      case 'runAgain':
        this.#simulate();
        return;
      case 'reveal':
        // The page may only open what the report came from.
        if (this.#uris.has(message.origin.uri)) {
          this.#host.reveal(message.origin);
        }
        return;
      case 'export':
        if (this.#report !== null) {
          this.#export(this.#report, message.format);
        }
        return;
      case 'exportMap':
        this.#host.save(message.svg, 'svg');
        return;
      case 'copy':
        this.#host.copy(message.text);
        return;
    }
  }

  dispose(): void {
    this.#cancelPause();
    this.#run?.abort();
    this.#run = null;
    this.#pageListens = false;
  }

  #greet(): void {
    this.#pageListens = true;
    this.#post({ type: 'scenario', scenario: this.#scenario });
    if (this.#report !== null) {
      this.#post({ type: 'report', report: this.#report });
    }
    this.#postStatus();
  }

  #export(report: Report, format: 'json' | 'markdown'): void {
    if (format === 'json') {
      this.#host.save(`${JSON.stringify(report, null, 2)}\n`, 'json');
    } else {
      this.#host.save(reportMarkdown(report), 'md');
    }
  }

  #followSoon(): void {
    this.#cancelPause();
    if (this.#visible) {
      this.#cancelPause = this.#host.after(followPause, () => {
        this.#simulate();
      });
    }
  }

  #simulate(): void {
    this.#cancelPause();
    this.#run?.abort();
    const run = new AbortController();
    this.#run = run;
    this.#outdated = false;
    this.#postStatus();
    this.#host.simulate(this.#scenario, run.signal).then(
      (report) => {
        this.#settle(run, () => {
          this.#report = report;
          this.#uris = urisOf(report);
          this.#failure = '';
          this.#post({ type: 'report', report });
        });
      },
      (error: unknown) => {
        this.#settle(run, () => {
          this.#failure = error instanceof Error ? error.message : String(error);
        });
      },
    );
  }

  /** Applies the outcome of a run unless a newer one has taken its place. */
  #settle(run: AbortController, apply: () => void): void {
    if (this.#run !== run) {
      return;
    }
    this.#run = null;
    apply();
    this.#postStatus();
  }

  #postStatus(): void {
    this.#post({
      type: 'status',
      running: this.#run !== null,
      outdated: this.#outdated,
      failure: this.#failure,
    });
  }

  #post(message: HostMessage): void {
    if (this.#pageListens) {
      this.#host.post(message);
    }
  }
}

function urisOf(report: Report): ReadonlySet<string> {
  const uris = new Set<string>();
  for (const { origin } of [...report.pods, ...report.nodes, ...report.workloads]) {
    if (origin !== null) {
      uris.add(origin.uri);
    }
  }
  return uris;
}
