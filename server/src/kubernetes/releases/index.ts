import { comparedMinor, type Minor, newestMinor } from '../../util/minors.ts';
import type { Release } from '../release.ts';
import { v134 } from './v1-34.ts';
import { v135 } from './v1-35.ts';
import { v136 } from './v1-36.ts';
import { v137 } from './v1-37.ts';

const releases: Readonly<Record<Minor, Release>> = { '1.34': v134, '1.35': v135, '1.36': v136, '1.37': v137 };

/** Answers where nothing names a version. */
export const latestRelease: Release = releases[comparedMinor];

/** Knows all kinds and fields that any minor has. */
export const newestRelease: Release = releases[newestMinor];

export function releaseOf(minor: Minor): Release {
  return releases[minor];
}
