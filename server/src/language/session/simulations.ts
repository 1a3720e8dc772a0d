import type { Edit } from '../../util/edits.ts';
import type { CancellationToken } from 'vscode-languageserver';
import { declaredObjects } from '../../manifests/declared-objects.ts';
import type { Gates } from '../../kubernetes/feature-gates.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { NodePlace } from '../../sources/files/node-places.ts';
import { finishedFile } from '../../manifests/last-whole.ts';
import { serverVersionIn } from '../../manifests/server-version.ts';
import type * as simulation from '../../simulation/index.ts';
import type { Growing, Missing, Scenario, SimulationInput } from '../../simulation/cluster/input.ts';
import type { ArrivalPreview, ArrivalPreviews } from '../../simulation/preview/preview.ts';
import type { WorkspaceRuns } from '../../simulation/preview/workspace-runs.ts';
import type { WholeReport } from '../../report-model/report.ts';
import { getOrInsert } from '../../util/maps.ts';
import { others, runInSlices } from '../../util/run-in-slices.ts';
import { growthFor } from './growth.ts';
import type { EarlierVersion } from '../rules/support/rule.ts';
import type { AppliedTarget } from '../applied/applied-target.ts';
import type { Settings } from '../settings/settings.ts';

/** What has changed since a commit. */
export interface EarlierTexts {
  /** By URI, the text that files had before; null for those that were not there. Files that are left out are unchanged. */
  readonly texts: ReadonlyMap<string, string | null>;
  /** What counts as unchanged because it cannot be compared: parts of a sentence. */
  readonly notCompared: readonly string[];
}

/** What was applied in a commit. */
export interface FilesBefore {
  readonly files: readonly ManifestFile[];
  /** What is compared with it where that is not all that is applied now: a source that fails counts as unchanged. */
  readonly now: readonly ManifestFile[] | null;
  /** What counts as unchanged because it cannot be compared. */
  readonly missing: readonly Missing[];
  /** Objects that are removed when they are written no longer, by `workloadKey`. */
  readonly pruned: ReadonlySet<string>;
  /** Where files were edited since. */
  readonly edits: readonly Edit[];
}

/** What simulations are made from. */
export interface SimulationSource {
  readonly files: () => readonly ManifestFile[];
  /** The target that they are of; undefined while sources are not known. */
  readonly applied: () => Pick<AppliedTarget, 'name' | 'of' | 'unseen' | 'withoutSandbox'> | undefined;
  readonly nodePlaces: () => readonly NodePlace[];
  /** Gates that a configuration in the workspace switches. */
  readonly foundGates: () => Gates;
  readonly snapshot: () => ManifestFile | undefined;
  readonly settings: () => Settings;
  /** Whether a file is the one that the settings name as the snapshot, of use or not. */
  readonly isSnapshot: (uri: string) => boolean;
  /** What the settings name and cannot be used: the snapshot. */
  readonly missing: () => readonly Missing[];
  /** Changes with every edit. */
  readonly version: () => number;
}

/** The work was given up because nobody wants it any more or because it rests on text that has changed. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError';
  readonly reason: 'cancelled' | 'outdated';

  constructor(reason: 'cancelled' | 'outdated') {
    super(reason);
    this.reason = reason;
  }
}

/** The engine and what is built on it. It is a fifth of the server, loaded when somebody first asks what would happen. */
type Engine = typeof simulation;

/** Everything of one version of the workspace. */
interface Model {
  readonly version: number;
  readonly settings: Settings;
  readonly input: SimulationInput & Required<Pick<SimulationInput, 'missing'>>;
  readonly previews: ArrivalPreviews;
  readonly runs: WorkspaceRuns;
}

/** Runs simulations over the workspace as it is, in slices, so that the editor is never kept waiting. */
export class Simulations {
  readonly #source: SimulationSource;
  #model: Model | undefined;
  #growth: Growing | undefined;
  /** What an edit leaves as it is. */
  #known: simulation.KnownPods | undefined;
  /** Simulations run one after the other: side by side each would only take longer. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: SimulationSource) {
    this.#source = source;
  }

  /**
   * Simulates the workspace, after operations, and compares it with what it was in a commit. Rejects with
   * `AbandonedError` when the token is cancelled.
   * @param since what the commit is called
   */
  simulateChange(
    { files, now: compared, missing: notCompared, pruned, edits }: FilesBefore,
    since: string,
    operations: readonly string[],
    watch: simulation.Watch,
    token: CancellationToken,
  ): Promise<WholeReport> {
    return this.#queue(
      ({ input }, { branchOf, compareRuns, eventsOf }) => {
        const missing = [...input.missing, ...notCompared];
        const workspace = this.#declared(files);
        const asNow = compared === null ? {} : { workspace: this.#declared(compared) };
        const now = { ...input, ...asNow, missing, edits };
        const events = eventsOf(branchOf(now, operations));
        const earlier = { input: { ...input, workspace }, events: [] };
        return compareRuns(earlier, { input: now, events, prunes: pruned }, { kind: 'workspace' }, since, watch);
      },
      token,
      false,
    );
  }

  /**
   * Asks the runs of the workspace as it is. Rejects as `simulate` throws, and with `AbandonedError` when the token is
   * cancelled.
   */
  ask<Result>(start: (runs: WorkspaceRuns) => Generator<void, Result>, token: CancellationToken): Promise<Result> {
    return this.#queue(({ runs }) => start(runs), token, false);
  }

  /**
   * What the arrival of a workload would do; null when it is not declared. Rejects with `AbandonedError` when the token
   * is cancelled or the workspace changes meanwhile.
   */
  preview(
    workload: Scenario & { readonly kind: 'workload' },
    token: CancellationToken,
  ): Promise<ArrivalPreview | null> {
    return this.#queue(({ previews }) => previews.arrivalOf(workload), token, true);
  }

  /** What an edit of a workload does since an earlier version of it; null where that rolls nothing out. As `preview`. */
  rollOut(
    workload: Scenario & { readonly kind: 'workload' },
    { object, commit = 'HEAD' }: EarlierVersion,
    token: CancellationToken,
  ): Promise<ArrivalPreview | null> {
    return this.#queue(({ previews }) => previews.rollOutSince(workload, object, commit), token, true);
  }

  /**
   * Looks at the cluster of the workspace as it is. Rejects with `AbandonedError` when the token is cancelled or the
   * workspace changes meanwhile.
   */
  inCluster<Result>(look: simulation.LookInCluster<Result>, token: CancellationToken): Promise<Result> {
    return this.#queue(({ previews }) => previews.inCluster(look), token, true);
  }

  /**
   * What simulations are made from; and of other files, what they would be made from. Rejects with `AbandonedError` when
   * the token is cancelled.
   */
  input(token: CancellationToken): Promise<{
    readonly input: SimulationInput;
    readonly inputOf: (files: readonly ManifestFile[]) => SimulationInput;
  }> {
    // oxlint-disable-next-line require-yield -- it is known at once
    const known = function* ({ input }: Model): Generator<void, SimulationInput> {
      return input;
    };
    return this.#queue(known, token, false).then((input) => ({
      input,
      inputOf: (files) => ({ ...input, workspace: this.#declared(files) }),
    }));
  }

  /**
   * Does other work on what is known, when its turn comes. Rejects with `AbandonedError` when the token is cancelled, and
   * where it rests on the text when that changes meanwhile.
   */
  work<Result>(steps: Generator<void, Result>, token: CancellationToken, mustBeCurrent: boolean): Promise<Result> {
    return this.#queue(() => steps, token, mustBeCurrent);
  }

  #current({ ArrivalPreviews, KnownPods, WorkspaceRuns }: Engine): Model {
    const version = this.#source.version();
    const settings = this.#source.settings();
    if (this.#model?.version !== version || this.#model.settings !== settings) {
      const cluster = this.#source.snapshot();
      const input = {
        workspace: this.#declared(this.#source.files()),
        snapshot: cluster === undefined ? [] : declaredIn(cluster),
        now: Date.now(),
        assumedNodes: settings.cluster.assumedNodes,
        kubernetes: settings.kubernetes.version,
        featureGates: new Map([...this.#source.foundGates(), ...settings.kubernetes.featureGates]),
        admissionPlugins: settings.admissionPlugins,
        serverVersion: cluster === undefined ? undefined : serverVersionIn(cluster),
        missing: this.#source.missing(),
        nodePlaces: this.#source.nodePlaces(),
        known: (this.#known ??= new KnownPods()),
        ...this.#applied(),
        growth: this.#growth,
      };
      const previews = new ArrivalPreviews(input);
      this.#model = { version, settings, input, previews, runs: new WorkspaceRuns(input, previews) };
    }
    return this.#model;
  }

  /** What autoscalers add, where the workspace or its cluster has pools. */
  async #loadGrowth(): Promise<void> {
    if (!this.#source.settings().autoscaling.enabled) {
      this.#growth = undefined;
      return;
    }
    const cluster = this.#source.snapshot();
    const files = [...this.#source.files(), ...(cluster === undefined ? [] : [cluster])];
    this.#growth = await growthFor(files.map(declaredIn));
  }

  #applied(): Pick<SimulationInput, 'unseen' | 'withoutSandbox' | 'target' | 'knowsPatches'> {
    const applied = this.#source.applied();
    if (applied === undefined) return {};
    const { name, of, unseen, withoutSandbox } = applied;
    const known = { unseen, withoutSandbox, knowsPatches: true };
    const named = of.filter((each) => each !== '');
    return named.length === 0 ? known : { ...known, target: { name, of: named } };
  }

  /** What files declare; the snapshot is the cluster, and not applied to it. */
  #declared(files: readonly ManifestFile[]): Declared[] {
    return files.filter(({ uri }) => !this.#source.isSnapshot(uri)).flatMap(declaredIn);
  }

  #queue<Result>(start: Start<Result>, token: CancellationToken, mustBeCurrent: boolean): Promise<Result> {
    const result = this.#last.then(() => this.#run(start, token, mustBeCurrent));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #run<Result>(start: Start<Result>, token: CancellationToken, mustBeCurrent: boolean): Promise<Result> {
    const version = this.#source.version();
    const goesOn = (): true => {
      if (token.isCancellationRequested) throw new AbandonedError('cancelled');
      if (mustBeCurrent && this.#source.version() !== version) throw new AbandonedError('outdated');
      return true;
    };
    const engine = await import('../../simulation/index.ts');
    await this.#loadGrowth();
    await others();
    goesOn();
    const model = this.#current(engine);
    await engine.loadDevicesFor(model.input.workspace, model.input.snapshot);
    return (await runInSlices(start(model, engine), goesOn))!;
  }
}

const declared = new WeakMap<ManifestFile, readonly Declared[]>();

/** What a file declares. Kept with the file, as an edit leaves all others as they are. */
function declaredIn(file: ManifestFile): readonly Declared[] {
  const finished = finishedFile(file);
  return getOrInsert(declared, finished, () => declaredObjects(finished));
}

type Start<Result> = (model: Model, engine: Engine) => Generator<void, Result>;
