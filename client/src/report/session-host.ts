import type { Capacity } from '../../../server/src/report-model/capacity.ts';
import type { Effect } from '../../../server/src/report-model/effect.ts';
import type { Origin } from '../../../server/src/report-model/origin.ts';
import type { Remedy } from '../../../server/src/report-model/remedy.ts';
import type { PageParts } from '../../../server/src/report-model/report-file.ts';
import type { Report, ReportDecision } from '../../../server/src/report-model/report.ts';
import type { Against, Confirmation, ScenarioRequest } from '../../../server/src/protocol.ts';
import type { Other } from '../on-request/compare-with.ts';
import type { HostMessage } from './host-messages.ts';
import type { OtherAsked, PanelCommand } from './messages.ts';

/** Of the files that are exported, without the dot. */
export type ExportExtension = 'html' | 'json' | 'md' | 'png';

/** What a session needs from its surroundings. */
export interface SessionHost {
  post(message: HostMessage): void;
  /** Rejects when there is no report; an aborted run may reject with anything. */
  simulate(
    scenario: ScenarioRequest,
    operations: readonly string[],
    signal: AbortSignal,
    asked: { readonly run: number; readonly against: Against | undefined } & Asks,
  ): Promise<Report | Confirmation>;
  /** The whole of some decisions, or of all, of the report of a run. Rejects when they are not known any more. */
  explain(run: number, indexes: readonly number[] | null): Promise<readonly ReportDecision[]>;
  /** How much room is left for workloads, at the end of the run of a report. Rejects when it is not known any more. */
  capacity(run: number, workloads: readonly number[], signal: AbortSignal): Promise<readonly Capacity[]>;
  /** What each operation does; as `simulate`, and sooner. */
  effects(
    scenario: ScenarioRequest,
    operations: readonly string[],
    signal: AbortSignal,
    asked: Asks & { readonly run: number },
  ): Promise<readonly Effect[]>;
  /** What would help against what the report of the same question says. */
  remedies(scenario: ScenarioRequest, operations: readonly string[], signal: AbortSignal): Promise<readonly Remedy[]>;
  /** Offers the edit that makes an operation true of the manifests. */
  apply(operation: string): void;
  /** Keeps the report of a run beyond a restart of the window: where, or null where that is not possible. */
  keepRun(report: Report | null): Promise<string | null>;
  /** Keeps operations under a name that is asked for. */
  keep(operations: readonly string[]): void;
  /** Asks which branch, commit, report or scenario to compare with; undefined for none. */
  chooseOther(kind: OtherAsked): Promise<Other | undefined>;
  /** Asks which of the kept operations to take up; undefined for none. */
  choose(): Promise<readonly string[] | undefined>;
  reveal(origin: Origin): void;
  run(command: PanelCommand): void;
  /** The page, for a file of its own. */
  page(): Promise<PageParts>;
  /** Offers to save a file. */
  save(content: string | Uint8Array, extension: ExportExtension): void;
  copy(text: string): void;
  /** Calls back after `milliseconds`; the answer cancels. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** What the user is asked about before a run is begun. */
interface Asks {
  readonly asks: Confirmation['about'][];
}
