import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { isCompared, type Minor, minors, oldestMinor } from '../../util/minors.ts';
import { type Gates, gatesUnknownTo, noGates, withGates } from '../../kubernetes/feature-gates.ts';
import type { Release } from '../../kubernetes/release.ts';
import { latestRelease, newestRelease, releaseOf } from '../../kubernetes/releases/index.ts';

/** `auto` takes what the nodes say, else the newest that was compared with a running one. */
export type WantedKubernetes = 'auto' | Minor;

/** Which Kubernetes answers, and why. */
export interface KubernetesChoice {
  readonly release: Release;
  /** A sentence. */
  readonly why: string;
  /** Whether it is no more than a guess. */
  readonly isAssumed: boolean;
}

/** The versions that are known, as they are written: `v1.35.2`. */
export interface KnownVersions {
  /** Of the API server, where a snapshot names it. */
  readonly server?: string | undefined;
  /** Of the kubelets of the nodes in the snapshot, and in the workspace. */
  readonly snapshot: readonly string[];
  readonly workspace: readonly string[];
}

/**
 * The API server decides, else the newest kubelet among the nodes: those of a snapshot where it has any, else those of the
 * workspace.
 */
export function chooseRelease(
  wanted: WantedKubernetes,
  versions: KnownVersions,
  gates: Gates = noGates,
): KubernetesChoice {
  const choice = withStanding(chosenRelease(wanted, versions));
  const { minor } = choice.release;
  const unknown = gatesUnknownTo(minor, gates);
  const release = withGates(choice.release, gates);
  if (unknown.length === 0) return release === choice.release ? choice : { ...choice, release };
  const left = unknown.length === 1 ? say`it is left out` : say`they are left out`;
  const why = say`${choice.why} Kubernetes ${minor} has no feature gate ${list(unknown)}: ${left}.`;
  return { ...choice, release, why };
}

/** Says of a minor that nobody has compared with a running one that it is so. */
function withStanding(choice: KubernetesChoice): KubernetesChoice {
  if (isCompared(choice.release.minor)) return choice;
  const why = say`${choice.why} Answered as published; not yet compared with a running scheduler.`;
  return { ...choice, why };
}

function chosenRelease(wanted: WantedKubernetes, { server, snapshot, workspace }: KnownVersions): KubernetesChoice {
  if (wanted !== 'auto') {
    return { release: releaseOf(wanted), why: say`Kubernetes ${wanted} was asked for.`, isAssumed: false };
  }
  const ofServer = server === undefined ? undefined : minorNumber(server);
  if (ofServer !== undefined) {
    return choiceOf(ofServer, say`The API server of the snapshot is of`, say`The API server runs`);
  }
  const newest = newestOf(snapshot) ?? newestOf(workspace);
  if (newest !== undefined) return choiceOf(newest, say`The newest kubelet of the nodes is of`, say`The nodes run`);
  const why = say`No node says which version it runs: ${latestRelease.minor} is assumed.`;
  return { release: latestRelease, why, isAssumed: true };
}

function choiceOf(number: number, known: string, unknown: string): KubernetesChoice {
  const named = `1.${number}`;
  const minor = minors.find((each) => each === named);
  if (minor !== undefined) return { release: releaseOf(minor), why: say`${known} ${named}.`, isAssumed: false };
  const isOlder = number < Number(oldestMinor.slice(2));
  const release = isOlder ? releaseOf(oldestMinor) : newestRelease;
  const why = say`${unknown} ${named}, ${isOlder ? say`older` : say`newer`} than what is known: answered as ${release.minor}.`;
  return { release, why, isAssumed: true };
}

/** The second number of the newest version; undefined where none is named. */
function newestOf(versions: readonly string[]): number | undefined {
  const numbers = versions.flatMap((version) => minorNumber(version) ?? []);
  return numbers.length === 0 ? undefined : numbers.reduce((a, b) => Math.max(a, b));
}

function minorNumber(version: string): number | undefined {
  const found = /^v1\.(\d{1,3})\b/.exec(version)?.[1];
  return found === undefined ? undefined : Number(found);
}
