/**
 * The colour scale of the priority ladder: viridis, which grows evenly in lightness and can be told apart with every
 * common colour blindness. Source: matplotlib, lib/matplotlib/_cm_listed.py (every tenth of _viridis_data).
 */
const viridis: readonly (readonly [number, number, number])[] = [
  [68, 1, 84],
  [72, 36, 117],
  [65, 68, 135],
  [53, 95, 141],
  [42, 120, 142],
  [33, 145, 140],
  [34, 168, 132],
  [68, 191, 112],
  [122, 209, 81],
  [189, 223, 38],
  [253, 231, 37],
];

/** The part of the scale that stands out from the background of a theme. */
const ranges = { dark: [0.24, 1], light: [0.06, 0.9] } as const;

export interface RungColour {
  /** A CSS colour. */
  readonly fill: string;
}

/** `position` from 0, the lowest rung, to 1, the highest. */
export function rungColour(position: number, theme: 'dark' | 'light'): RungColour {
  const [from, to] = ranges[theme];
  const scaled = (from + Math.min(1, Math.max(0, position)) * (to - from)) * (viridis.length - 1);
  const low = viridis[Math.floor(scaled)] ?? viridis[0]!;
  const high = viridis[Math.ceil(scaled)] ?? low;
  const part = scaled - Math.floor(scaled);
  const rgb = low.map((value, channel) => Math.round(value + (high[channel]! - value) * part));
  return { fill: `rgb(${rgb.join(', ')})` };
}
