import type { Confirmation, EffectsProgress, ScenarioRequest } from '../../../server/src/protocol.ts';
import type { Effect } from '../../../server/src/report-model/effect.ts';
import type { Remedy } from '../../../server/src/report-model/remedy.ts';
import type { Report, ReportDecision } from '../../../server/src/report-model/report.ts';
import type { SimulationProgress, SoFar } from '../../../server/src/report-model/so-far.ts';
import type { HostMessage } from './host-messages.ts';
import { type ComparedWith, type Comparison, doubts, type ExportFormat, pageMessageSchema } from './messages.ts';
import { CapacityRequest } from './capacity-request.ts';
import { requestOf, urisOf } from './report-places.ts';
import type { SessionHost } from './session-host.ts';

/** How long the manifests must rest before the report follows them, in milliseconds. */
const followPause = 800;

/** What a session begins with. */
export interface Beginning {
  /** Operations that are tried from the beginning. */
  readonly operations?: readonly string[] | undefined;
  /** What the run is compared with, where the scenario does not say so. */
  readonly against?: Comparison | undefined;
  /** What the user need not be asked about. */
  readonly accepted?: Confirmation['about'] | undefined;
}

/**
 * One report and the page that shows it, without the editor's API: the handshake, runs that replace each other,
 * following edits after a pause, and answers to what the page asks for.
 */
export class ReportSession {
  readonly #host: SessionHost;
  #scenario: ScenarioRequest;
  #report: Report | null = null;
  /** Which run the report is of, and the last that was begun. */
  #reported = 0;
  #begun = 0;
  #uris: ReadonlySet<string> = new Set();
  #failure = '';
  #operations: readonly string[];
  /** The report of another state before that of `#report`, as the server has it. */
  #earlier: Report | null = null;
  #hasChanged = false;
  #effects: readonly Effect[] | null = null;
  #areEffectsKnown = false;
  #remedies: readonly Remedy[] | null = null;
  readonly #room: CapacityRequest;
  #progress = '';
  /** What the run has decided until now, or had when it was stopped. */
  #soFar: SoFar | undefined;
  /** What the run is compared with, where the scenario does not say so. */
  #against: Comparison | null;
  /** What was asked about before a comparison that has not been answered yet. */
  #backTo: ScenarioRequest | null = null;
  /** Of the question that is asked now. */
  #reports = 0;
  #stopped = false;
  /** What the user is asked about, and has not been yet; and what the last run was not begun for. */
  #asks: readonly Confirmation['about'][];
  #doubt: Confirmation | null = null;
  #outdated = false;
  #pageListens = false;
  #visible = true;
  #run: AbortController | null = null;
  #looking: AbortController | null = null;
  #cancelPause: () => void = () => undefined;

  /** @param beginning that of an earlier life of the page, or what was asked for */
  constructor(scenario: ScenarioRequest, host: SessionHost, { operations = [], against, accepted }: Beginning = {}) {
    this.#against = against ?? null;
    this.#asks = doubts.filter((about) => about !== accepted);
    this.#scenario = scenario;
    this.#operations = operations;
    this.#host = host;
    this.#room = new CapacityRequest(
      (workloads, signal) => host.capacity(this.#reported, workloads, signal),
      (message) => {
        this.#post(message);
      },
    );
    this.#simulate();
  }

  /** Shows another scenario in the same place, or runs the same one again, with operations that are tried. */
  open(scenario: ScenarioRequest, operations: readonly string[] = [], accepted?: Confirmation['about']): void {
    this.#scenario = scenario;
    this.#against = null;
    this.#backTo = null;
    this.#reports = 0;
    this.#asks = doubts.filter((about) => about !== accepted);
    this.#post({ type: 'scenario', scenario });
    if (this.#operations.length + operations.length > 0) this.#tryOut(operations);
    else this.#simulate();
  }

  /** The manifests or the cluster changed: says so at once, follows after a pause. */
  modelChanged(): void {
    this.#outdated = true;
    this.#hasChanged = true;
    this.#postStatus();
    this.#followSoon();
  }

  /** What the server is doing for the run that is under way. */
  progress({ text, soFar }: SimulationProgress): void {
    if (this.#run === null) return;
    this.#progress = text;
    this.#soFar = soFar ?? this.#soFar;
    this.#postStatus();
  }

  /** What is known of the operations that are tried; the last is a part. */
  effects({ run, effects }: EffectsProgress): void {
    if (this.#run === null || run !== this.#begun || this.#areEffectsKnown) return;
    this.#effects = effects;
    this.#postWhatIf();
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
      case 'explain':
        this.#explain(message.index);
        return;
      case 'capacity':
        this.#room.ask(message.workloads, this.#run === null);
        return;
      case 'reveal':
        // The page may only open what the report came from.
        if (this.#uris.has(message.origin.uri) || message.origin.uri === this.#doubt?.origin?.uri) {
          this.#host.reveal(message.origin);
        }
        return;
      case 'export':
        if (this.#report !== null) {
          void this.#export(this.#report, message.format);
        }
        return;
      case 'exportPicture':
        this.#host.save(
          Uint8Array.from(atob(message.png), (byte) => byte.charCodeAt(0)),
          'png',
        );
        return;
      case 'copy':
        this.#host.copy(message.text);
        return;
      case 'cancel':
        this.#cancel();
        return;
      case 'goOn':
        this.#asks = this.#asks.filter((about) => about !== message.about);
        this.#simulate();
        return;
      case 'tryOut':
        this.#tryOut(message.operations);
        return;
      case 'ask':
        this.#ask(message.about, 'workload' in message ? message.workload : 0);
        return;
      case 'compare':
        this.compare(message.with);
        return;
      case 'apply':
        this.#host.apply(message.operation);
        return;
      case 'command':
        this.#host.run(message.command);
        return;
      case 'keepWhatIf':
        if (this.#operations.length > 0) this.#host.keep(this.#operations);
        return;
      case 'openWhatIf':
        void this.#host.choose().then((operations) => {
          if (operations !== undefined) this.#tryOut(operations);
        });
        return;
    }
  }

  dispose(): void {
    this.#cancelPause();
    this.#run?.abort();
    this.#looking?.abort();
    this.#room.stop();
    this.#run = null;
    this.#pageListens = false;
  }

  /** Another question, of what is tried; about a workload of the report, or its file. */
  #ask(about: 'workspace' | 'file' | 'workload', index: number): void {
    const workload = this.#report?.workloads[index];
    const scenario = about === 'workspace' ? ({ kind: about } as const) : requestOf(about, workload);
    if (scenario !== undefined) this.open(scenario, this.#operations);
  }

  #greet(): void {
    this.#pageListens = true;
    this.#post({ type: 'scenario', scenario: this.#scenario });
    if (this.#report !== null) {
      this.#postReport(this.#report);
      this.#postRemedies();
    }
    if (this.#operations.length > 0) this.#postWhatIf();
    this.#postStatus();
  }

  #tryOut(operations: readonly string[]): void {
    this.#operations = operations;
    this.#hasChanged = true;
    this.#effects = operations.length === 0 ? [] : null;
    this.#postWhatIf();
    this.#simulate();
  }

  /** Whether there is a run before the one that is shown. */
  get hasPrevious(): boolean {
    return this.#reports > 1;
  }

  /** Compares with something else, which is asked for where it is not said. */
  compare(other: ComparedWith): void {
    switch (other) {
      case 'nothing':
        this.#compareWith(null);
        return;
      case 'commit':
        this.#compareWith({ commit: 'HEAD' });
        return;
      case 'previous':
        // A restart of the window forgets the run, and not its report.
        void this.#host.keepRun(this.#earlier).then((kept) => {
          this.#compareWith({ with: other, name: '', against: { kind: other, ...(kept === null ? {} : { kept }) } });
        });
        return;
      default:
        void this.#host.chooseOther(other).then((chosen) => {
          if (chosen === undefined) this.#postStatus();
          else this.#compareWith('commit' in chosen ? chosen : { ...chosen, with: other });
        });
    }
  }

  #compareWith(other: Comparison | { readonly commit: string } | null): void {
    // With a commit the whole workspace is compared, and afterwards it is the whole workspace that is asked about.
    const isCommit = this.#scenario.kind === 'change';
    const scenario: ScenarioRequest | null =
      other !== null && 'commit' in other
        ? { kind: 'change', ...(other.commit === 'HEAD' ? {} : { commit: other.commit }) }
        : isCommit
          ? { kind: 'workspace' }
          : null;
    this.#against = other !== null && 'commit' in other ? null : other;
    if (scenario !== null) {
      // Where git does not know the commit, what was shown before is shown again.
      this.#backTo = this.#scenario;
      this.#scenario = scenario;
      this.#reports = 0;
      this.#post({ type: 'scenario', scenario });
    }
    this.#simulate();
  }

  #goBack(): void {
    if (this.#backTo === null) return;
    this.#scenario = this.#backTo;
    this.#backTo = null;
    this.#post({ type: 'scenario', scenario: this.#scenario });
    if (this.#report !== null) this.#postReport(this.#report);
  }

  #cancel(): void {
    if (this.#run === null && this.#doubt === null) return;
    this.#run?.abort();
    this.#run = null;
    this.#doubt = null;
    this.#stopped = true;
    this.#failure = '';
    this.#postStatus();
    this.#room.goOn();
  }

  async #export(report: Report, format: ExportFormat): Promise<void> {
    try {
      const known = { ...report, remedies: this.#remedies, capacity: this.#room.known };
      const { exportReport } = await import('../on-request/export-report.ts');
      await exportReport(known, format, this.#host, this.#reported);
    } catch (error) {
      this.#failure = reasonOf(error);
      this.#postStatus();
    }
  }

  #explain(index: number): void {
    const report = this.#report;
    const notify = (decision: ReportDecision | null, failure: string): void => {
      // A later report has other decisions.
      if (this.#report === report) this.#post({ type: 'explained', index, decision, failure });
    };
    this.#host.explain(this.#reported, [index]).then(
      ([decision = null]) => {
        notify(decision, '');
      },
      (error: unknown) => {
        notify(null, reasonOf(error));
      },
    );
  }

  #followSoon(): void {
    this.#cancelPause();
    // Somebody is being asked whether it may take long.
    if (this.#visible && this.#doubt?.about !== 'large') {
      this.#cancelPause = this.#host.after(followPause, () => {
        this.#simulate();
      });
    }
  }

  #simulate(): void {
    this.#cancelPause();
    this.#run?.abort();
    this.#looking?.abort();
    this.#room.stop();
    const run = new AbortController();
    this.#run = run;
    this.#progress = '';
    this.#soFar = undefined;
    this.#stopped = false;
    this.#outdated = false;
    this.#doubt = null;
    this.#postStatus();
    const asks = [...this.#asks];
    const operations = this.#operations;
    this.#begun += 1;
    const begun = this.#begun;
    this.#areEffectsKnown = false;
    if (operations.length > 0) {
      // What the chips say is there long before the whole report.
      this.#host.effects(this.#scenario, operations, run.signal, { asks, run: begun }).then(
        (effects) => {
          if (this.#run !== run) return;
          this.#areEffectsKnown = true;
          this.#effects = effects;
          this.#postWhatIf();
        },
        () => undefined,
      );
    }
    const asked = { run: begun, against: this.#against?.against, asks };
    this.#host.simulate(this.#scenario, operations, run.signal, asked).then(
      (report) => {
        if ('doubt' in report) {
          this.#settle(run, () => {
            this.#doubt = report;
            this.#failure = '';
            this.#room.goOn();
          });
          return;
        }
        this.#settle(run, () => {
          if (this.#against?.with !== 'previous' && (this.#hasChanged || this.#reports === 0)) {
            this.#earlier = this.#reports === 0 ? null : this.#report;
          }
          this.#hasChanged = false;
          this.#report = report;
          this.#reports += 1;
          this.#reported = begun;
          this.#uris = urisOf(report);
          this.#failure = '';
          this.#backTo = null;
          this.#remedies = null;
          this.#room.forget();
          this.#postReport(report);
        });
        this.#findRemedies(report, operations);
      },
      (error: unknown) => {
        this.#settle(run, () => {
          this.#failure = reasonOf(error);
          this.#against = null;
          this.#goBack();
          this.#room.goOn();
        });
      },
    );
  }

  /** After the report has been shown; given up as soon as there is a further run. */
  #findRemedies(report: Report, operations: readonly string[]): void {
    this.#looking?.abort();
    if (this.#report !== report || this.#run !== null) return;
    const looking = new AbortController();
    this.#looking = looking;
    this.#host.remedies(this.#scenario, operations, looking.signal).then(
      (remedies) => {
        if (this.#report !== report || this.#looking !== looking) return;
        this.#remedies = remedies;
        this.#postRemedies();
      },
      // The report is whole without them.
      () => undefined,
    );
  }

  /** Applies the outcome of a run unless a newer one has taken its place. */
  #settle(run: AbortController, apply: () => void): void {
    if (this.#run !== run) {
      return;
    }
    this.#run = null;
    this.#soFar = undefined;
    apply();
    this.#postStatus();
  }

  #postStatus(): void {
    this.#post({
      type: 'status',
      running: this.#run !== null,
      outdated: this.#outdated,
      failure: this.#failure,
      ...(this.#progress === '' ? {} : { progress: this.#progress }),
      ...(this.#soFar === undefined ? {} : { soFar: this.#soFar }),
      ...(this.#doubt === null
        ? {}
        : { doubt: { about: this.#doubt.about, text: this.#doubt.doubt, origin: this.#doubt.origin } }),
      ...(this.#stopped ? { stopped: true } : {}),
      ...(this.hasPrevious ? { previous: true } : {}),
      ...(this.#against === null ? {} : { against: this.#against }),
    });
  }

  #postWhatIf(): void {
    this.#post({ type: 'whatIf', operations: [...this.#operations], effects: this.#effects });
  }

  #postReport(report: Report): void {
    if (this.#pageListens) this.#post({ type: 'report', report });
  }

  #postRemedies(): void {
    if (this.#remedies !== null) this.#post({ type: 'remedies', remedies: this.#remedies });
  }

  #post(message: HostMessage): void {
    if (this.#pageListens) {
      this.#host.post(message);
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
