import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { containedWhile } from '../../util/contain.ts';
import { say, sayUnstopped } from '../../util/say.ts';
import type { AppliedSource } from './applied-source.ts';
import { placedPosition } from '../../manifests/text-positions.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { Discovery, type Workspace } from '../discover/discover.ts';
import { isDelivery } from '../files/delivery-kinds.ts';
import type { DeliveryObject } from '../flux/delivery.ts';
import { unfilledPath } from '../flux/flux.ts';
import { type IdleEntry, idleInKustomizations } from '../rendering/idle-entries.ts';
import { idleValues, withoutSharedValues } from './idle-values.ts';
import { pathOf } from '../files/path-of.ts';
import { readFolder } from '../rendering/read-rendering.ts';
import type { Readings } from '../rendering/readings.ts';
import { lackingTool, type RenderContext } from '../rendering/render.ts';
import type { RenderQueue } from '../rendering/render-queue.ts';
import { isInside, shownPath } from '../files/paths.ts';
import type { HelmRecipe, KustomizeRecipe, Recipe, Refusal, Source } from '../files/source.ts';
import { findTargets, isInTarget, type Target, type Targets } from './targets.ts';

export interface ApplyOptions {
  readonly queue: RenderQueue;
  readonly render: Omit<RenderContext, 'files'>;
  /** Why nothing may be rendered; null where it may. */
  readonly whyNot: Refusal['why'] | null;
  /** Which targets are wanted now; sources that are of none of them are only found. */
  readonly choose: (targets: Targets) => readonly Target[];
  /** Which of their sources somebody looks at; the others are only found. Left out: all. */
  readonly isWanted?: ((source: Source) => boolean) | undefined;
  readonly readings: Readings;
  readonly parsed: (path: string) => Promise<ManifestFile | null>;
  readonly signal?: AbortSignal;
}

export interface AppliedSources {
  readonly sources: readonly AppliedSource[];
  /** What is written and the charts of nobody, which sort all sources into targets, be they made by others as well. */
  readonly written: readonly Source[];
  /** Files that are no manifests of their own. */
  readonly inputs: ReadonlySet<string>;
}

const whyNots: Readonly<Partial<Record<Refusal['why'], string>>> = {
  'not-asked': say`nothing is rendered (--no-render)`,
  'not-trusted': say`nothing is rendered in a workspace that is not trusted`,
  'not-allowed': say`rendering needs your permission`,
};

/** Objects of Flux and Argo CD may be made by sources that such objects name, this deep. */
const maxRounds = 6;

/** Finds all sources of a folder and renders those that are wanted. */
export async function applySources(workspace: Workspace, options: ApplyOptions): Promise<AppliedSources> {
  const discovery = new Discovery(workspace);
  const run = new Run(discovery, workspace, options);
  await run.start();
  return { sources: withoutSharedValues(run.applied), written: run.written, inputs: await run.inputs() };
}

interface Pending {
  readonly source: Source;
  readonly parent: AppliedSource | null;
}

class Run {
  readonly applied: AppliedSource[] = [];
  readonly written: Source[] = [];
  readonly #discovery: Discovery;
  readonly #workspace: Workspace;
  readonly #options: ApplyOptions;
  /** Sources to come, by the place of the object that they are written in. */
  readonly #pending = new Map<string, Pending[]>();
  /** Places whose objects were rendered, which counts more than what is written there. */
  readonly #rendered = new Set<string>();
  /** Which sources were made by which. */
  readonly #ids = new Set<string>();
  /** Files whose objects would be other ones if a source that cannot be rendered had been. */
  readonly #unchanged = new Set<string>();
  #chosen: readonly Target[] = [];

  constructor(discovery: Discovery, workspace: Workspace, options: ApplyOptions) {
    this.#discovery = discovery;
    this.#workspace = workspace;
    this.#options = options;
  }

  async start(): Promise<void> {
    for (const object of await this.#discovery.delivery()) await this.#expect(object, null);
    const delivered = [...this.#pending.values()].flat().map(({ source }) => source);
    for (const source of [
      ...(await this.#discovery.ofOtherTools()),
      ...(await this.#discovery.kustomizations(delivered)),
    ]) {
      this.#pending.set(source.id, [{ source, parent: null }]);
      this.#leaveOpen(source, source.refusal);
    }
    this.written.push(...[...this.#pending.values()].flat().map(({ source }) => source));
    const all = [...this.written, ...(await this.#discovery.ownCharts(this.written))];
    this.#chosen = this.#options.choose(findTargets(all));
    await this.#rounds();
    const charts = await this.#discovery.ownCharts(this.applied.map(({ source }) => source));
    const own = await this.#applyAll(charts.map((source) => ({ source: this.#unlessUnused(source), parent: null })));
    await this.#expectMade(own);
    await this.#rounds();
    for (const chart of own) this.#leaveToItsInstaller(chart);
    this.#excuseWithOtherValues(own);
    this.written.push(...own.filter((chart) => this.applied.includes(chart)).map(({ source }) => source));
    this.#leaveUnfilled();
    this.#excuseUnlisted();
  }

  /** What no source takes in, where sources take in others like it, is not missed: somebody has turned it off. */
  #excuseUnlisted(): void {
    const listed = new Set(this.applied.flatMap(({ source }) => [...source.resources]));
    const kinds = new Set(this.applied.flatMap(({ source, parent }) => (parent === null ? [] : source.kind)));
    for (const [at, one] of this.applied.entries()) {
      const { source, parent, refusal } = one;
      if (refusal?.why !== 'missing' || parent !== null || !kinds.has(source.kind) || listed.has(source.place.file)) {
        continue;
      }
      const message = say`no kustomization lists it, and ${refusal.message}`;
      this.applied[at] = { ...one, refusal: { why: 'not-applied', message, place: refusal.place } };
    }
  }

  /** A cluster that Flux applies with values for the variables in paths is not missed without them. */
  #leaveUnfilled(): void {
    const isUnfilled = ({ refusal }: AppliedSource): boolean => refusal?.cause === unfilledPath;
    const filled = new Set(this.applied.flatMap((one) => (isUnfilled(one) ? [] : [this.#withTargets(one)])));
    const kept = this.applied.filter((one) => !isUnfilled(one) || !filled.has(this.#withTargets(one)));
    this.applied.splice(0, this.applied.length, ...kept);
  }

  #withTargets(one: AppliedSource): string {
    return JSON.stringify([this.#targetsOf(one), one.source.id]);
  }

  #targetsOf(one: AppliedSource): string[] {
    return this.#chosen.filter((target) => isInTarget(target, one)).map(({ name }) => name);
  }

  async #rounds(): Promise<void> {
    for (let round = 0; round < maxRounds && this.#pending.size > 0; round++) await this.#round();
  }

  /** Where objects say what charts are installed, one that they do not name and that cannot be rendered is not missed. */
  #unlessUnused(chart: Source): Source {
    const refusal = chart.refusal ?? chart.leftOut;
    const isInstalled = ({ source: { kind, recipe } }: AppliedSource): boolean =>
      kind !== 'chart' && recipe?.tool === 'helm' && isInside(recipe.chart, this.#workspace.root);
    if (refusal === undefined || !this.applied.some(isInstalled)) return chart;
    return {
      ...chart,
      refusal: { ...refusal, why: 'not-applied', message: say`nothing installs it, and ${refusal.message}` },
    };
  }

  /** A chart that an object of a chart installs, be it its own, is not installed by itself as well. */
  #leaveToItsInstaller(chart: AppliedSource): void {
    const installers = this.applied.filter(
      (one) => one.parent !== null && one.refusal === null && chartOf(one) === chartOf(chart),
    );
    const installer = installers.find((one) => !isMadeBy(chart, one)) ?? installers[0];
    if (installer === undefined) return;
    const isKept = (one: AppliedSource): boolean =>
      !isMadeBy(chart, one) || isMadeBy(installer, one) || (one !== chart && isMadeBy(one, installer));
    this.applied.splice(0, this.applied.length, ...this.applied.filter(isKept));
  }

  /** Of a chart that is installed with values that are not known, nobody misses what comes of its own. */
  #excuseWithOtherValues(charts: readonly AppliedSource[]): void {
    const installed = new Set(this.applied.flatMap(({ source }) => source.applies ?? []));
    for (const [at, one] of this.applied.entries()) {
      const { refusal } = one;
      if (refusal?.why !== 'tool-error') continue;
      const isInstalled = charts.includes(one) && installed.has(chartOf(one) ?? '');
      if (!isInstalled && !isOfBareChart(one.parent)) continue;
      const message = isInstalled
        ? say`its ApplicationSet gives it values that are not known without Argo CD, and with its own: ${refusal.message}`
        : say`the chart that makes it is installed with values that are not known here, and with its own: ${refusal.message}`;
      this.applied[at] = { ...one, refusal: { ...refusal, why: 'not-supported', message, cause: 'other values' } };
    }
  }

  async inputs(): Promise<Set<string>> {
    const inputs = await this.#discovery.inputs();
    for (const { source } of this.applied) for (const file of source.inputs) inputs.add(file);
    return inputs;
  }

  async #expect(object: DeliveryObject, parent: AppliedSource | null): Promise<void> {
    const key = `${object.place.file}#${object.place.line}`;
    if (parent === null && this.#rendered.has(key)) return;
    // What is rendered takes the place of what is written.
    const isFirst = parent !== null && !this.#rendered.has(key);
    const known = isFirst ? [] : (this.#pending.get(key) ?? []);
    if (parent !== null) this.#rendered.add(key);
    const found: Source[] = [];
    const targets = parent === null ? [] : this.#targetsOf(parent);
    for (const source of await this.#discovery.sourcesOf(object, madeAbove(parent))) {
      // Two overlays and two clusters make the same object, each its own; a source that makes itself has made it before.
      const id = JSON.stringify([targets, parent?.source.id, source.id]);
      if (!this.#ids.has(id)) found.push(source);
      this.#ids.add(id);
      this.#leaveOpen(source, source.refusal);
    }
    this.#pending.set(key, [...known, ...found.map((source) => ({ source, parent }))]);
  }

  /** Applies what no other source that is still to come may change. */
  async #round(): Promise<void> {
    const entries = [...this.#pending].flatMap(([key, list]) => list.map((entry) => ({ key, entry })));
    const makers = entries.filter(({ entry: { source } }) => this.#isRendered(source)).map(({ entry }) => entry.source);
    const isFree = ({ entry: { source, parent } }: (typeof entries)[number]): boolean =>
      parent !== null || !makers.some((maker) => maker !== source && maker.resources.has(source.place.file));
    const free = entries.filter(isFree);
    const ready = free.length === 0 ? entries : free;
    for (const { key, entry } of ready) {
      const rest = (this.#pending.get(key) ?? []).filter((other) => other !== entry);
      if (rest.length === 0) this.#pending.delete(key);
      else this.#pending.set(key, rest);
    }
    await this.#expectMade(await this.#applyAll(ready.map(({ entry }) => entry)));
  }

  /** Expects the sources of the objects of Flux and Argo CD that sources made. */
  async #expectMade(applied: readonly AppliedSource[]): Promise<void> {
    for (const one of applied) {
      const parent = await this.#asItMakesItself(one);
      for (const object of deliveredBy(parent)) {
        if (!isWrittenIn(parent.source, object)) await this.#expect(object, parent);
      }
    }
  }

  /** A source that takes in the object that it is written in, and changes it by patches, is applied as that says then. */
  async #asItMakesItself(one: AppliedSource): Promise<AppliedSource> {
    const self = deliveredBy(one).find((object) => isWrittenIn(one.source, object));
    const [source] = self === undefined ? [] : await this.#discovery.sourcesOf(self, madeAbove(one));
    if (source === undefined || isDeepStrictEqual(source.recipe, one.source.recipe)) return one;
    const [again] = await this.#applyAll([{ source, parent: one.parent }]);
    const [kept, left] = again!.refusal === null ? [again!, one] : [one, again!];
    this.applied.splice(this.applied.indexOf(left), 1);
    return kept;
  }

  #isRendered({ recipe, refusal }: Source): boolean {
    return recipe !== null && refusal === null && (this.#options.whyNot === null || recipe.tool === 'none');
  }

  /** What a source that is not rendered would have changed. */
  #leaveOpen({ isPlain, resources }: Source, refusal: Refusal | null): void {
    if (refusal !== null && !isPlain) for (const file of resources) this.#unchanged.add(file);
  }

  async #applyAll(entries: readonly Pending[]): Promise<AppliedSource[]> {
    const applied = await Promise.all(
      entries.map((entry) =>
        containedWhile(
          say`this source`,
          () => this.#apply(entry),
          (text): AppliedSource => {
            const refusal = { why: 'unreadable', message: sayUnstopped(text), place: entry.source.place } as const;
            return { ...entry, made: [], refusal, notes: [], withoutSandbox: [] };
          },
        ),
      ),
    );
    this.applied.push(...applied);
    for (const { source, refusal } of applied) this.#leaveOpen(source, refusal);
    return applied;
  }

  async #apply({ source, parent }: Pending): Promise<AppliedSource> {
    const { queue, render, whyNot, parsed, readings, isWanted, signal } = this.#options;
    // Patches of a Kustomization give others their variables.
    const mayBeChanged = source.kind === 'flux-kustomization' && this.#unchanged.has(source.place.file);
    const recipe = mayBeChanged ? withUnknown(source.recipe) : source.recipe;
    const withoutSandbox: string[] = [];
    const refused = (refusal: Refusal): AppliedSource => {
      return { source, parent, made: [], refusal, notes: [], withoutSandbox };
    };
    if (source.refusal !== null) return refused(source.refusal);
    if (recipe === null) {
      return refused({ why: 'not-supported', message: say`it cannot be rendered`, place: source.place });
    }
    const { files, fetched } = this.#workspace;
    const context = { files, fetched, graph: this.#discovery.graph, parsed };
    if (recipe.tool === 'none') {
      const made = await readFolder(source, recipe, context);
      return { source, parent, made, refusal: null, notes: [], withoutSandbox };
    }
    // Nobody is asked to allow a tool that is not there.
    const lacking = whyNot === 'not-allowed' ? lackingTool(source, recipe, render.tools) : null;
    if (lacking !== null) return refused(lacking);
    if (whyNot !== null) {
      return refused({ why: whyNot, message: whyNots[whyNot] ?? say`it is not rendered`, place: source.place });
    }
    if (!this.#chosen.some((target) => target.includes(source))) {
      return refused({ why: 'not-asked', message: say`it is of a target that was not chosen`, place: source.place });
    }
    if (isWanted?.(source) === false) {
      return refused({ why: 'not-asked', message: say`it has not been looked at yet`, place: source.place });
    }
    // An entry may be for what is left out.
    const isWhole = source.leftOut === undefined;
    const idleInValues = recipe.tool === 'helm' && isWhole ? await idleValues(source, recipe, files, parsed) : [];
    const ways = recipe.tool === 'helm' ? [recipe, ...withTestValues(recipe)] : [recipe];
    let refusal: Refusal | null = null;
    for (const way of ways) {
      const asked = way === recipe ? source : { ...source, recipe: way };
      const rendering = await queue.render(asked, way, { ...render, files }, signal);
      withoutSandbox.push(...rendering.withoutSandbox);
      if (rendering.ok) {
        const made = await readings.of(source, way, rendering, context);
        const notes =
          way === recipe ? rendering.notes : [...rendering.notes, testValuesNote(source, way as HelmRecipe)];
        const idle = recipe.tool === 'kustomize' && isWhole ? await this.#idleIn(recipe, made) : [];
        return { source, parent, made, refusal: null, notes, withoutSandbox, idle: [...idle, ...idleInValues] };
      }
      refusal ??= rendering.refusal.why === 'tool-error' ? (source.leftOut ?? rendering.refusal) : rendering.refusal;
      if (rendering.refusal.why !== 'tool-error') break;
    }
    return { ...refused(refusal!), idle: idleInValues };
  }

  async #idleIn({ folder, files }: KustomizeRecipe, made: AppliedSource['made']): Promise<readonly IdleEntry[]> {
    const reach = await this.#discovery.graph.reach(folder, ...(files ?? []));
    return idleInKustomizations(reach, made, this.#workspace.files);
  }
}

/** The objects of Flux and Argo CD among those that a source made. */
function deliveredBy({ made }: AppliedSource): readonly DeliveryObject[] {
  return made.flatMap(({ object, file, index }) => {
    if (!isDelivery(object)) return [];
    const { line } = placedPosition(file.documents[index]!, object.locateNearest(['kind'], 'key').start);
    const { apiVersion, kind, namespace, name, value } = object;
    return [{ apiVersion, kind, namespace, name, value, place: { file: pathOf(file.uri) ?? file.uri, line } }];
  });
}

/** What a source made, and those that it was found in, from the inside out. */
function madeAbove(one: AppliedSource | null): AppliedSource['made'][] {
  return one === null ? [] : [one.made, ...madeAbove(one.parent)];
}

function isWrittenIn({ place: { file, line } }: Source, { place }: DeliveryObject): boolean {
  return place.file === file && place.line === line;
}

/** A chart that needs values is rendered with those that its tests install it with. */
function withTestValues(recipe: HelmRecipe): HelmRecipe[] {
  return (recipe.testValues ?? []).map((file) => ({ ...recipe, valueFiles: [file] }));
}

function testValuesNote({ name }: Source, { chart, valueFiles }: HelmRecipe): string {
  return say`${name} does not render with its default values: ${valueFiles.map((file) => shownPath(file, chart)).join(', ')} is used`;
}

function chartOf({ source: { recipe } }: AppliedSource): string | null {
  return recipe?.tool === 'helm' ? recipe.chart : null;
}

/** Whether a chart without values for a place makes it, as an app of apps does. */
function isOfBareChart(one: AppliedSource | null): boolean {
  if (one === null) return false;
  const { kind, recipe, inputs } = one.source;
  const isBare = kind === 'chart' && recipe?.tool === 'helm' && recipe.valueFiles.length === 0;
  // Without any values it makes the same everywhere.
  return (isBare && [...inputs].some((path) => basename(path) === 'values.yaml')) || isOfBareChart(one.parent);
}

/** Whether a source is another one, or was found in what that one makes. */
function isMadeBy(maker: AppliedSource, one: AppliedSource): boolean {
  return one === maker || (one.parent !== null && isMadeBy(maker, one.parent));
}

/** What has no value here may have one. */
function withUnknown(recipe: Recipe | null): Recipe | null {
  if (recipe?.tool !== 'kustomize') return recipe;
  return { ...recipe, substitute: recipe.substitute ?? new Map<string, string>(), hasUnknown: true };
}
