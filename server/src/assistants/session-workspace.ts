import { loadPoolTypes } from '../language/index/pool-types.ts';
import type { CancellationToken } from 'vscode-languageserver';
import { type CheckResult, problemsOf } from '../cli/check/check-result.ts';
import { splitKnown } from '../cli/check/split-known.ts';
import { type OpenWorkspace, UsageError } from '../cli/command.ts';
import type { Unseen } from '../kubernetes/unseen.ts';
import { ofObjects, PlacedFindings, quietRules } from '../language/diagnostics/applied-findings.ts';
import type { AppliedTarget } from '../language/applied/applied-target.ts';
import { Checker } from '../language/checks/rule-runner.ts';
import { judge } from '../language/diagnostics/judge.ts';
import { KnownEarlierVersions } from '../language/history/earlier-versions.ts';
import { pathIn } from '../language/known/mark-known.ts';
import { identityOf } from '../language/known/problem-identity.ts';
import { filesBefore, textsBefore } from '../language/simulate/files-before.ts';
import { kubernetesFor } from '../language/index/kubernetes-version.ts';
import { below, isAt, narrowed } from '../language/simulate/narrowed-input.ts';
import type { Session } from '../language/session/session.ts';
import type { EarlierTexts, FilesBefore } from '../language/session/simulations.ts';
import { hasObjects, hasRendered } from '../manifests/manifest-objects.ts';
import { canonicalUri } from '../manifests/workspace-index.ts';
import { GitError } from '../processes/git-error.ts';
import type { Scenario } from '../simulation/cluster/input.ts';

/** The workspace that an editor has open, as commands ask about it: what is typed counts, saved or not. */
export class SessionWorkspace implements OpenWorkspace {
  readonly #session: Session;
  readonly #token: CancellationToken;

  constructor(session: Session, token: CancellationToken) {
    this.#session = session;
    this.#token = token;
  }

  async input(paths: readonly string[], since: string | undefined): ReturnType<OpenWorkspace['input']> {
    await this.#session.whenApplied(this.#token);
    const places = this.#places(paths);
    const [uri = ''] = places ?? [];
    const isFile = this.#session.index.file(uri) !== undefined;
    const isAsked = isFile ? () => true : below(places);
    const { input, inputOf } = await this.#session.simulationsOf().input(this.#token);
    const scenario: Scenario = isFile && since === undefined ? { kind: 'file', uri } : { kind: 'workspace' };
    if (since === undefined) return { input: narrowed(input, isAsked), earlier: null, scenario };
    const { files, now, missing: notCompared, pruned, edits } = await this.#whatWas(since);
    const missing = [...(input.missing ?? []), ...notCompared];
    return {
      input: { ...narrowed(now === null ? input : inputOf(now), isAsked), missing, edits },
      earlier: narrowed(inputOf(files), isAsked),
      pruned,
      scenario,
    };
  }

  async check(paths: readonly string[]): Promise<CheckResult> {
    const session = this.#session;
    await session.whenApplied(this.#token);
    const isAsked = below(this.#places(paths));
    const { facts, settings, folders } = session;
    const committed = await this.#committed();
    const earlier = new KnownEarlierVersions(facts, () => Promise.resolve({ ...committed, unknown: [] }));
    await earlier.load([...committed.texts.keys()].filter(isAsked));
    const found = new PlacedFindings();
    const unseen: Unseen[] = [];
    const judged = new Set<string>();
    let holdsObjects = false;
    const targets: readonly (AppliedTarget | undefined)[] =
      session.rendering.targets.length === 0 ? [undefined] : session.rendering.targets;
    for (const [position, target] of targets.entries()) {
      const own = target?.facts ?? facts;
      await loadPoolTypes(own);
      // What is not of one target alone was judged with the first.
      const files = (target?.files() ?? session.index.files()).filter(
        (file) => isAsked(file.uri) && !session.isSnapshot(file.uri) && (position === 0 || hasRendered(file)),
      );
      const checker = new Checker(own, earlier, { knowsPatches: () => target !== undefined });
      const quiet =
        target === undefined
          ? (uri: string, code: string) => ofObjects(code) && session.folders.looksOwned(uri)
          : quietRules(target.renderedTarget, target.unseen, target.unlisted);
      const judging = { rendered: target?.renderedTarget, facts: own, checker, quiet, settings, docs: '' };
      await session.simulationsOf().work(judge(files, judging, found), this.#token, true);
      for (const { uri } of files) judged.add(uri);
      holdsObjects ||= files.some(hasObjects);
      unseen.push(...(target?.unseen ?? []).filter(({ origin }) => isAsked(origin?.uri)));
    }
    const result: CheckResult = {
      problems: problemsOf(found, folders.paths[0] ?? '/').filter(({ uri }) => isAsked(uri)),
      files: judged.size,
      hasObjects: holdsObjects,
      uncommitted: committed.unknown,
      unseen,
      unsaid: found.unsaid(),
      tools: [],
      withoutSandbox: session.rendering.targets[0]?.withoutSandbox ?? [],
      kubernetes: kubernetesFor(facts, settings),
      tests: 0,
      targets: session.rendering.targets.map(({ name }) => name).filter((name) => name !== ''),
    };
    if (session.known === null) return result;
    const { folder, baseline } = session.known;
    const identities = result.problems.map((problem) =>
      identityOf({ ...problem, path: pathIn(folder, problem.uri) ?? problem.path }, session.index.file(problem.uri)),
    );
    return splitKnown(result, identities, baseline, baseline.name);
  }

  work<Result>(steps: Generator<void, Result>): Promise<Result> {
    return this.#session.simulationsOf().work(steps, this.#token, false);
  }

  /** URIs of paths; null for everything. Throws `UsageError` for a path at which there is nothing. */
  #places(paths: readonly string[]): readonly string[] | null {
    if (paths.includes('.')) return null;
    const places = paths.map((path) => {
      const place = this.#session.placeOf(path);
      if (place.fault !== undefined) throw new UsageError(`${path} ${place.fault}`);
      return canonicalUri(place.uri).replace(/\/$/, '');
    });
    for (const [position, place] of places.entries()) {
      if (this.#session.index.files().some(({ uri }) => isAt(place, uri))) continue;
      throw new UsageError(`there is no manifest at ${paths[position]!} in the workspace`);
    }
    return places;
  }

  async #whatWas(commit: string): Promise<FilesBefore> {
    if (!/^[\w@][\w./@{}~^+-]*$/.test(commit)) throw new UsageError(`'${commit}' names no commit`);
    try {
      return await filesBefore(this.#session, commit, this.#token);
    } catch (error) {
      if (error instanceof GitError) throw new UsageError(`cannot compare with ${commit}: ${error.message}`);
      throw error;
    }
  }

  /** What files were in the last commit, as far as they have changed since; or why that is not known. */
  async #committed(): Promise<Pick<EarlierTexts, 'texts'> & { readonly unknown: readonly string[] }> {
    try {
      const { texts, notCompared } = await textsBefore(this.#session, 'HEAD');
      return { texts, unknown: notCompared };
    } catch (error) {
      if (error instanceof GitError) return { texts: new Map(), unknown: [error.message] };
      throw error;
    }
  }
}
