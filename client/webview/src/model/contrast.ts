/** Colours that can be read on whatever ground a theme has. */

/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Relative luminance as WCAG 2 defines it. */
function luminanceOf(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1, not to be told apart, to 21. */
export function contrastOf(left: Rgb, right: Rgb): number {
  const [low = 0, high = 0] = [luminanceOf(left), luminanceOf(right)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

export function mix(from: Rgb, to: Rgb, part: number): Rgb {
  const channel = (index: 0 | 1 | 2): number => Math.round(from[index] + (to[index] - from[index]) * part);
  return [channel(0), channel(1), channel(2)];
}

/** The colour, mixed towards `ink` in tenths until it has the contrast on every ground. */
export function guarded(colour: Rgb, ink: Rgb, grounds: readonly Rgb[], least: number): Rgb {
  for (let tenth = 0; tenth < 10; tenth++) {
    const mixed = mix(colour, ink, tenth / 10);
    if (grounds.every((ground) => contrastOf(mixed, ground) >= least)) return mixed;
  }
  return ink;
}

/** Black or white, whichever is easier to read on `ground`. */
export function inkOn(ground: Rgb): Rgb {
  const white: Rgb = [255, 255, 255];
  const black: Rgb = [0, 0, 0];
  return contrastOf(white, ground) >= contrastOf(black, ground) ? white : black;
}

/** `rgb(31, 31, 31)`, `rgba(255, 255, 255, 0.7)` and `color(srgb 1 1 1 / 0.5)` as a browser computes them. */
export function parseColour(css: string, ground: Rgb): Rgb {
  const numbers = (css.match(/[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
  const unit = css.startsWith('color(') ? 255 : 1;
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
  return mix(ground, [red * unit, green * unit, blue * unit], alpha);
}

export function cssOf([red, green, blue]: Rgb): string {
  return `rgb(${red}, ${green}, ${blue})`;
}
