import { basename } from 'node:path';
import { URI } from 'vscode-uri';
import type { CancellationToken } from 'vscode-languageserver';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import { isManifestName } from '../../manifests/file-provider.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { wholeFile } from '../../manifests/last-whole.ts';
import type { WorkspaceIndex } from '../../manifests/workspace-index.ts';
import type { AppliedStatus, TargetsResult } from '../../protocol.ts';
import { unseenGroups, unseenSummary } from '../../simulation/report/unseen.ts';
import { isDelivery } from '../../sources/files/delivery-kinds.ts';
import { kustomizationNames } from '../../sources/kustomize/kustomization-names.ts';
import { holdsParts } from '../../sources/kustomize/unused-patch.ts';
import { lesserMode, toolsWithoutSandbox } from '../../sources/targets/lesser-mode.ts';
import { pathOf } from '../../sources/files/path-of.ts';
import { isInside } from '../../sources/files/paths.ts';
import { writtenVersions } from '../../sources/files/kubelet-versions.ts';
import type { Remote } from '../../sources/files/remote.ts';
import type { Source } from '../../sources/files/source.ts';
import { isInTarget, type Target, type Targets } from '../../sources/targets/targets.ts';
import { findTools, type Tools } from '../../sources/tools/tools.ts';
import { type NodePlace, nodePlacesOf } from '../../sources/files/node-places.ts';
import { onlyApplied } from '../../sources/targets/only-applied.ts';
import { unseenInSteps } from '../../sources/targets/unseen.ts';
import { type FoundSources, WorkspaceSources } from '../../sources/targets/workspace-sources.ts';
import { comparedTargets, type ComparedTargets, type RenderedTarget } from '../../sources/targets/rendered-target.ts';
import { eachInSlices, others, runInSlices } from '../../util/run-in-slices.ts';
import { say } from '../../util/say.ts';
import { Facts } from '../index/facts.ts';
import { renderedFor } from '../index/kubernetes-version.ts';
import type { Settings } from '../settings/settings.ts';
import { AppliedTarget } from './applied-target.ts';
import { type RenderHost, RenderPermission } from './render-permission.ts';
import { renderingLog, renderingStatus } from './rendering-status.ts';
import { reachedBy, UnfinishedEdits } from './unfinished-edits.ts';

/** What the sources of a workspace are found and rendered with. */
export interface AppliedHost extends RenderHost {
  readonly index: WorkspaceIndex;
  /** Those of the first target. */
  readonly facts: Facts;
  readonly openFiles: () => readonly ManifestFile[];
  readonly settings: () => Settings;
  readonly isSnapshot: (uri: string) => boolean;
  /** Where what was fetched lies. */
  readonly storage: () => string;
  /** The targets are others now. */
  readonly changed: () => void;
  /** Takes a line for the log. */
  readonly info: (message: string) => void;
}

/** How long typing must pause before sources are rendered again, in milliseconds. */
const pause = 50;

/** When what failed is tried again, in milliseconds: later each time. */
const firstRetry = 5_000;
const lastRetry = 600_000;

/**
 * What the files of a workspace come to: its targets, found in the background and rendered as far as somebody looks at
 * them, or wholly when a simulation asks. Made anew when a file changes that sources are made of.
 */
export class AppliedWorkspace {
  readonly #host: AppliedHost;
  readonly #sources = new WorkspaceSources();
  readonly #unfinished: UnfinishedEdits;
  readonly #permission: RenderPermission;
  #targets: readonly AppliedTarget[] = [];
  /** The last of the findings, of which the targets are made. */
  #found: FoundSources | undefined;
  /** Files that sources read. */
  #reached: ReadonlySet<string> = new Set();
  /** Folders of charts. */
  #charts: readonly string[] = [];
  /** Whether every source of the targets is wanted, as somebody has asked what would happen. */
  #wantsAll = false;
  #hasAll = false;
  /** Grows with everything that may change the targets. */
  #version = 0;
  /** The version that the targets are of, and the one for which none could be made. */
  #madeOf = -1;
  #failedOf = -1;
  /** What was edited since the finding under way began. */
  readonly #edits = new Map<string, ManifestFile | undefined>();
  #running: Promise<void> | undefined;
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retryPause = firstRetry;
  #logged = '';

  /** Besides those that were chosen: targets of what is open and is of none of those. */
  #openTargets: readonly string[] = [];

  constructor(host: AppliedHost) {
    this.#host = host;
    this.#unfinished = new UnfinishedEdits(host.openFiles);
    this.#permission = new RenderPermission(host, () => {
      this.invalidate();
    });
  }

  /** Those that count, the one that is simulated first; empty before the first were found. */
  get targets(): readonly AppliedTarget[] {
    return this.#targets;
  }

  /** Whether the targets are what the files say now, with everything rendered that can be. */
  get isWhole(): boolean {
    return this.#madeOf === this.#version && this.#hasAll;
  }

  /** Where the Nodes that are not of a snapshot come from. */
  nodePlaces(facts: Facts): readonly NodePlace[] {
    const nodes = facts.ofKind('Node').filter(({ source }) => source === 'workspace');
    return nodePlacesOf(
      nodes.map((fact) => facts.originOf(fact)?.uri ?? fact.uri),
      this.#host.folders(),
    );
  }

  get hasHelm(): boolean {
    return this.#tools().helm !== null;
  }

  /** URIs of files that are edited and make nothing: what they made before counts. */
  get unfinished(): readonly string[] {
    return this.#unfinished.uris;
  }

  status(): AppliedStatus | null {
    const [first] = this.#targets;
    if (first === undefined || this.#found === undefined) return null;
    const { sources } = this.#found.applied;
    if (sources.length === 0 && first.unseen.length === 0) return null;
    const withoutSandbox = toolsWithoutSandbox(sources);
    return {
      targets: chosenOf(this.#found.targets, this.#host.settings().sources).map(({ name }) => name),
      ...renderingStatus(this.#found, this.#tools(), this.#host.isTrusted()),
      unseen: this.#hasAll ? unseenGroups(first.unseen) : [],
      unseenCount: this.#hasAll ? first.unseen.reduce((sum, { count }) => sum + count, 0) : 0,
      lesserMode: withoutSandbox.length === 0 ? '' : say`${lesserMode(withoutSandbox)}.`,
    };
  }

  /** An edit, in a file of any kind: what does not concern sources counts at once, the rest when it was rendered. */
  setFile(uri: string, before: ManifestFile | undefined, after: ManifestFile | undefined): void {
    for (const target of this.#targets) target.setFile(uri, after);
    if (this.#targets.length === 0) this.#host.facts.setFile(uri, after);
    this.#edits.set(uri, after);
    if (this.#concerns(pathOf(uri) ?? uri, before, after)) this.invalidate();
  }

  /** A file, or a folder that has gone, is another on disk: also where its text is what it was, after it was away. */
  changedOnDisk(uri: string, isGone: boolean): void {
    const path = pathOf(uri);
    if (path === null) return;
    const hadFailed = this.#sources.changedOnDisk(path);
    // A template reads any file of its chart, also one that was not there.
    const isOfChart = this.#charts.some((chart) => isInside(path, chart));
    const isRead = this.#reached.has(path) || (isGone && [...this.#reached].some((each) => isInside(each, path)));
    const isPart = isStructure(basename(path)) || /\.(?:tpl|tgz)$/.test(path);
    if (hadFailed || isOfChart || isRead || isPart) this.invalidate();
  }

  /**
   * A file was saved, and is what counts, whatever comes of it.
   * @param countedAsBefore whether an earlier text of it counted, as it cannot be read
   */
  saved(uri: string, countedAsBefore: boolean): void {
    this.#unfinished.saved(pathOf(uri) ?? uri);
    if (countedAsBefore || this.#unfinished.uris.includes(uri)) this.invalidate();
  }

  /** A file was opened or closed: sources that read it may be wanted now. */
  looksElsewhere(): void {
    if (!this.#hasAll) this.invalidate();
  }

  /** The user trusts the workspace, or has another answer whether tools may be run. */
  askAgain(): void {
    this.#permission.reset();
    this.invalidate();
  }

  /** Something has changed that is not known here by its name: a file on disk, settings, folders. */
  invalidate(): void {
    this.#outdate();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), pause);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    this.#abort.abort();
  }

  /** Settles when the targets are whole, or nobody wants to know any more. */
  async whole(token: CancellationToken): Promise<void> {
    if (!this.#wantsAll) {
      this.#wantsAll = true;
      this.#outdate();
    }
    let listener: { dispose(): void } | undefined;
    const cancellation = new Promise<void>((resolve) => {
      listener = token.onCancellationRequested(() => {
        resolve();
      });
    });
    // What failed is tried again after a pause; until then the answer is what is known.
    while (!this.isWhole && this.#failedOf !== this.#version && !token.isCancellationRequested) {
      await Promise.race([this.#run(), cancellation]);
    }
    listener?.dispose();
  }

  /** Every target there is, rendered, with what it comes to. */
  async listing(token: CancellationToken): Promise<TargetsResult> {
    await this.whole(token);
    const found = await this.#find({ choose: ({ all }) => all, signal: signalOf(token) });
    const chosen = new Set(this.#targets.map(({ name }) => name));
    const targets: TargetsResult['targets'][number][] = [];
    for (const target of found.targets.all) {
      await others();
      const rendered = found.rendered(target);
      let objects = 0;
      let workloads = 0;
      await eachInSlices(rendered.files, ({ documents }) => {
        for (const { document } of documents) {
          objects += document.objects.length;
          for (const { kind } of document.objects) if (isWorkloadKind(kind)) workloads++;
        }
      });
      const unseen = (await runInSlices(unseenInSteps(rendered, found.applied.inputs), () => true))!;
      targets.push({
        name: target.name,
        objects,
        workloads,
        chosen: chosen.has(target.name),
        unseen: unseenSummary(unseen),
      });
    }
    const { rendering } = renderingStatus(found, this.#tools(), this.#host.isTrusted());
    return { rendering, targets };
  }

  /** What sources need that is not in the workspace, of every target. */
  async remotes(token: CancellationToken): Promise<readonly Remote[]> {
    const { applied } = await this.#find({ choose: ({ all }) => all, signal: signalOf(token) });
    return applied.sources.flatMap(({ source }) => source.remotes);
  }

  /** URIs of files that sources are made of and that are no manifests by their names, as parts of templates. */
  get otherInputs(): readonly string[] {
    return [...this.#reached].filter((path) => !isManifestName(path)).map((path) => URI.file(path).toString());
  }

  /** A target, and what it was with other texts, null for files that were not there. */
  async comparedWith(
    target: AppliedTarget,
    plain: readonly ManifestFile[],
    texts: ReadonlyMap<string, string | null>,
    token: CancellationToken,
  ): Promise<ComparedTargets> {
    const unsaved = await this.#unfinished.unsaved();
    for (const [uri, text] of texts) {
      const path = pathOf(uri);
      if (path !== null) unsaved.set(path, text);
    }
    const choose = (targets: Targets): readonly Target[] => chosenOf(targets, [target.name]);
    const found = await this.#find({ choose, signal: signalOf(token), plain, unsaved });
    const earlier = found.rendered(choose(found.targets)[0]!);
    const { files } = onlyApplied(earlier, found.applied.inputs);
    return comparedTargets({ ...target.renderedTarget, files: target.applied() }, { ...earlier, files });
  }

  #outdate(): void {
    this.#version++;
    this.#abort.abort();
  }

  #run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running ??= this.#runUntilCurrent().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runUntilCurrent(): Promise<void> {
    while (this.#madeOf !== this.#version) {
      const version = this.#version;
      const began = performance.now();
      this.#edits.clear();
      this.#abort = new AbortController();
      const { signal } = this.#abort;
      const isWhole = this.#wantsAll;
      try {
        const choose = (targets: Targets): readonly Target[] => this.#choose(targets);
        const { found, plain, broken, take } = await this.#unfinished.findOrKeep(
          this.#found,
          () => this.#plainFiles(),
          (texts) => this.#find({ choose, signal, isWhole, ...texts }),
        );
        if (signal.aborted) continue;
        const openTargets = this.#findOpenTargets(found);
        if (openTargets.join('\n') !== this.#openTargets.join('\n')) {
          this.#openTargets = openTargets;
          continue;
        }
        // Worlds of large workspaces take a while, in which others are answered.
        await others();
        const renderedTargets = this.#choose(found.targets).map((target) => found.rendered(target));
        await others();
        // What is not seen in a file is kept with the file, for those who ask.
        for (const rendered of renderedTargets) {
          await runInSlices(unseenInSteps(rendered, found.applied.inputs), () => true);
        }
        if (version !== this.#version) continue;
        this.#madeOf = version;
        clearTimeout(this.#retry);
        this.#retryPause = firstRetry;
        // What is made stands where it was made of another text.
        const unreadable = this.#host.openFiles().filter((each) => wholeFile(each) !== each);
        for (const file of [...take(), ...unreadable]) {
          this.#edits.set(file.uri, file);
        }
        const told = renderedTargets.map((each) => ({ ...each, unfinished: broken }));
        this.#take(found, told, isWhole, new Set(plain));
        this.#log(found, performance.now() - began);
      } catch (error) {
        this.#host.failed(error);
        // Nobody else begins what was asked for meanwhile.
        if (version !== this.#version) continue;
        this.#failedOf = version;
        this.#later(() => {
          if (version === this.#version) this.invalidate();
        });
        return;
      }
    }
  }

  #choose(targets: Targets): readonly Target[] {
    const chosen = chosenOf(targets, this.#host.settings().sources);
    const open = targets.all.filter((target) => this.#openTargets.includes(target.name) && !chosen.includes(target));
    return [...chosen, ...open];
  }

  /** Names of targets without which nothing would be known of a file that is open. */
  #findOpenTargets({ applied, targets }: FoundSources): string[] {
    const chosen = chosenOf(targets, this.#host.settings().sources);
    const names = new Set<string>();
    for (const { uri } of this.#host.openFiles()) {
      const readers = applied.sources.filter(({ source }) => reachedBy(source).has(pathOf(uri) ?? uri));
      if (readers.some((reader) => chosen.some((target) => isInTarget(target, reader)))) continue;
      const target = targets.all.find((each) => readers.some((reader) => isInTarget(each, reader)));
      if (target !== undefined) names.add(target.name);
    }
    return [...names].sort();
  }

  /** @param plain the files as they were written when the finding began: others in the worlds are what sources made */
  #take(
    found: FoundSources,
    renderedTargets: readonly RenderedTarget[],
    isWhole: boolean,
    plain: ReadonlySet<ManifestFile>,
  ): void {
    this.#found = found;
    this.#hasAll = isWhole;
    const reached = new Set(found.applied.inputs);
    for (const { source } of found.applied.sources) for (const path of reachedBy(source)) reached.add(path);
    this.#reached = reached;
    const recipes = found.applied.sources.map(({ source }) => source.recipe);
    this.#charts = recipes.flatMap((recipe) => (recipe?.tool === 'helm' ? [recipe.chart] : []));
    const { facts } = this.#host;
    facts.cluster.featureGates = found.featureGates;
    const before = this.#targets;
    const names = found.targets.all.map(({ name }) => name);
    this.#targets = renderedTargets.map((rendered, position) => {
      const known = before.find(({ name }, at) => at > 0 && name === rendered.target)?.facts;
      const own = position === 0 ? facts : (known ?? new Facts(facts.cluster));
      return new AppliedTarget(own, rendered, names, found.applied.inputs, plain);
    });
    for (const target of this.#targets) for (const [uri, file] of this.#edits) target.setFile(uri, file);
    this.#host.changed();
    if (this.#needsTools(found)) void this.#permission.ask();
  }

  /** What came of the sources, where it is another than before. */
  #log(found: FoundSources, taken: number): void {
    const names = this.#targets.map(({ name }) => name || 'all');
    const text = renderingLog(found, this.#tools(), names);
    if (text === '' || text === this.#logged) return;
    this.#logged = text;
    this.#host.info(`${text}; ${Math.round(taken)} ms`);
  }

  /** What failed is tried again after a pause that grows. */
  #later(call: () => void): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(call, this.#retryPause);
    this.#retryPause = Math.min(this.#retryPause * 2, lastRetry);
  }

  #needsTools({ applied }: FoundSources): boolean {
    return applied.sources.some(({ source, refusal }) => refusal?.why === 'not-allowed' && this.#isWanted(source));
  }

  #tools(): Tools {
    return findTools(this.#host.folders());
  }

  #isWanted(source: Source): boolean {
    if (this.#wantsAll) return true;
    const reached = reachedBy(source);
    return this.#host.openFiles().some(({ uri }) => reached.has(pathOf(uri) ?? uri));
  }

  async #find({ choose, signal, isWhole = true, plain, unsaved }: FindOptions): Promise<FoundSources> {
    const { index, facts, folders, settings, isTrusted } = this.#host;
    const texts = unsaved ?? (await this.#unfinished.unsaved());
    const written = [...index.uris()].flatMap((uri) => pathOf(uri) ?? []);
    const files = plain ?? this.#plainFiles();
    const held = [...texts].flatMap(([path, text]) => (text === null || !isManifestName(path) ? [] : [path]));
    const paths = new Set([...written, ...held]);
    return this.#sources.find({
      roots: folders(),
      served: folders(),
      // Whatever came first: sources are told in this order.
      paths: [...paths].sort(),
      plain: files,
      unsaved: texts,
      exclude: settings().exclude,
      folders: settings().folders,
      tools: this.#tools(),
      whyNot: !isTrusted() ? 'not-trusted' : this.#permission.isGiven ? null : 'not-allowed',
      kubernetes: renderedFor(facts, settings(), files),
      choose,
      isWanted: isWhole ? undefined : (source) => this.#isWanted(source),
      storage: this.#host.storage(),
      signal,
    });
  }

  /** Manifests as they are written, of what cannot be read the last that could be. */
  #plainFiles(): readonly ManifestFile[] {
    const { index, isSnapshot } = this.#host;
    return index.files().flatMap((file) => (isSnapshot(file.uri) ? [] : [wholeFile(file)]));
  }

  #concerns(path: string, before: ManifestFile | undefined, after: ManifestFile | undefined): boolean {
    if (before === undefined || after === undefined || this.#reached.has(path)) return true;
    if (isStructure(basename(path)) || [before, after].some(saysWhatIsApplied)) return true;
    if (holdsParts(before) !== holdsParts(after)) return true;
    return String(writtenVersions([before])) !== String(writtenVersions([after]));
  }
}

interface FindOptions {
  readonly choose: (targets: Targets) => readonly Target[];
  readonly signal: AbortSignal;
  readonly isWhole?: boolean;
  readonly plain?: readonly ManifestFile[];
  readonly unsaved?: ReadonlyMap<string, string | null>;
}

/** Files whose names say that they are what sources are made of, or that what lies beside them is of a test. */
function isStructure(name: string): boolean {
  return kustomizationNames.includes(name) || name === 'Chart.yaml' || name === 'suite.yaml';
}

/** Whether a file has objects of Flux or Argo CD, or what they take variables from. */
function saysWhatIsApplied({ documents }: ManifestFile): boolean {
  return documents.some(({ document }) =>
    document.objects.some((object) => isDelivery(object) || object.kind === 'ConfigMap'),
  );
}

function chosenOf({ all, preferred }: Targets, names: readonly string[]): readonly Target[] {
  const chosen = names.flatMap((name) => all.find((target) => target.name === name) ?? []);
  return chosen.length === 0 ? [preferred] : chosen;
}

function signalOf(token: CancellationToken): AbortSignal {
  const abort = new AbortController();
  token.onCancellationRequested(() => {
    abort.abort();
  });
  return abort.signal;
}
