import type { Minor } from '../../kubernetes/api/index.ts';
import { minors } from '../../kubernetes/release.ts';
import type { Node } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { latestRelease, releaseOf } from '../../kubernetes/releases/index.ts';

/** `auto` takes what the nodes say, else the newest that is known. */
export type WantedKubernetes = 'auto' | Minor;

/** Which Kubernetes answers, and why. */
export interface KubernetesChoice {
  readonly release: Release;
  /** A sentence. */
  readonly why: string;
  /** Whether it is no more than a guess. */
  readonly isAssumed: boolean;
}

/** The newest kubelet among the nodes decides: those of a snapshot where it has any, else those of the workspace. */
export function chooseRelease(
  wanted: WantedKubernetes,
  snapshot: readonly Node[],
  workspace: readonly Node[],
): KubernetesChoice {
  if (wanted !== 'auto') {
    return { release: releaseOf(wanted), why: `Kubernetes ${wanted} was asked for.`, isAssumed: false };
  }
  const newest = newestKubelet(snapshot) ?? newestKubelet(workspace);
  if (newest === undefined) {
    const why = `No node says which version it runs: ${latestRelease.minor} is the newest that is known.`;
    return { release: latestRelease, why, isAssumed: true };
  }
  const oldest = minors[0]!;
  const named = `1.${newest}`;
  const known = minors.find((minor) => minor === named);
  if (known !== undefined) {
    return { release: releaseOf(known), why: `The newest kubelet of the nodes is of ${named}.`, isAssumed: false };
  }
  const isOlder = newest < Number(oldest.slice(2));
  const release = isOlder ? releaseOf(oldest) : latestRelease;
  const why = `The nodes run ${named}, ${isOlder ? 'older' : 'newer'} than what is known: answered as ${release.minor}.`;
  return { release, why, isAssumed: true };
}

/** The second number of the newest version; undefined where none is named. */
function newestKubelet(nodes: readonly Node[]): number | undefined {
  let newest: number | undefined;
  for (const { status } of nodes) {
    const found = /^v1\.(\d{1,3})\b/.exec(status?.nodeInfo?.kubeletVersion ?? '')?.[1];
    if (found !== undefined) newest = Math.max(newest ?? 0, Number(found));
  }
  return newest;
}
