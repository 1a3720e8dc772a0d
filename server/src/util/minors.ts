/** The minor versions of Kubernetes that are imitated, oldest first. What each of them does is in `kubernetes/releases`. */
export const minors = ['1.34', '1.35', '1.36', '1.37'] as const;

export type Minor = (typeof minors)[number];

export const oldestMinor: Minor = minors[0];

export const newestMinor: Minor = minors[minors.length - 1]!;

/**
 * The newest whose answers were compared with running components, and what answers where nothing names a version. A newer
 * one is answered as its sources and release notes say.
 */
export const comparedMinor: Minor = '1.36';

/** Whether the answers of a minor were compared with running components of it. */
export function isCompared(minor: string): boolean {
  return minors.findIndex((each) => each === minor) <= minors.indexOf(comparedMinor);
}
