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

const edgePart = 0.3;

export interface RungColour {
  /** CSS colours. */
  readonly fill: string;
  /** Black or white, whichever is easier to read on `fill`. */
  readonly text: string;
  /** A line around `fill` that stands out from the background. */
  readonly edge: string;
}

/** `position` from 0, the lowest rung, to 1, the highest. */
export function rungColour(position: number, theme: 'dark' | 'light'): RungColour {
  const [from, to] = ranges[theme];
  const scaled = (from + Math.min(1, Math.max(0, position)) * (to - from)) * (viridis.length - 1);
  const low = viridis[Math.floor(scaled)] ?? viridis[0]!;
  const high = viridis[Math.ceil(scaled)] ?? low;
  const part = scaled - Math.floor(scaled);
  const rgb = low.map((value, channel) => Math.round(value + (high[channel]! - value) * part));
  const luminance = luminanceOf(rgb);
  // Contrast against white and black as WCAG 2 defines it: (lighter + 0.05) / (darker + 0.05).
  const onWhite = 1.05 / (luminance + 0.05);
  const onBlack = (luminance + 0.05) / 0.05;
  const contrast = theme === 'dark' ? 255 : 0;
  const edge = rgb.map((value) => Math.round(value + (contrast - value) * edgePart));
  return {
    fill: `rgb(${rgb.join(', ')})`,
    text: onWhite > onBlack ? '#ffffff' : '#000000',
    edge: `rgb(${edge.join(', ')})`,
  };
}

/** Relative luminance as WCAG 2 defines it. */
function luminanceOf(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
