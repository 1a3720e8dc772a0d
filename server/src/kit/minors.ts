/** The minor versions of Kubernetes that are imitated, oldest first. What each of them does is in `kubernetes/releases`. */
export const minors = ['1.34', '1.35', '1.36'] as const;

export type Minor = (typeof minors)[number];

export const oldestMinor: Minor = minors[0];

export const newestMinor: Minor = minors[minors.length - 1]!;
