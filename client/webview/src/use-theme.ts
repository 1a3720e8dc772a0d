import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Rung } from '../../../server/src/report-model/report.ts';
import { contrastOf, cssOf, guarded, inkOn, mix, parseColour, type Rgb } from './model/contrast.ts';
import { rungColour } from './model/ladder.ts';

export type Theme = 'dark' | 'light';

/** VS Code says which kind of theme is on with a class of the body, and changes its variables with it. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState<Theme>(currentTheme);
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
    const guard = (): void => {
      sheet.replaceSync(guardedRoles());
    };
    guard();
    const observer = new MutationObserver(() => {
      guard();
      setTheme(currentTheme());
    });
    observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
    return () => {
      observer.disconnect();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, []);
  return theme;
}

function currentTheme(): Theme {
  const { classList } = document.body;
  return classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light') ? 'light' : 'dark';
}

/** WCAG AA: text, and the edges of what has to be seen. */
const textContrast = 4.5;
const edgeContrast = 3;

/**
 * The colours of the roles, from the variables of the theme, each mixed towards the foreground until it can be read.
 * Measured, because the themes are anybody's.
 */
function guardedRoles(): string {
  const probe = document.createElement('span');
  probe.className = 'spoken';
  document.body.append(probe);
  const resolve = (name: string, fallback: string, ground: Rgb): Rgb => {
    probe.style.color = `var(${name}, ${fallback})`;
    return parseColour(getComputedStyle(probe).color, ground);
  };
  const isDark = currentTheme() === 'dark';
  const none: Rgb = isDark ? [0, 0, 0] : [255, 255, 255];
  const page = resolve('--vscode-editor-background', isDark ? '#1f1f1f' : '#ffffff', none);
  const card = resolve('--vscode-editorWidget-background', cssOf(page), page);
  const grounds = [page, card, resolve('--vscode-list-inactiveSelectionBackground', cssOf(page), page)];
  const ink = guarded(
    resolve('--vscode-foreground', isDark ? '#cccccc' : '#3b3b3b', page),
    inkOn(page),
    grounds,
    textContrast,
  );
  const role = (name: string, fallback: string): Rgb =>
    guarded(resolve(name, fallback, page), ink, grounds, textContrast);
  const bad = role('--vscode-errorForeground', '#f14c4c');
  const gain = role('--vscode-textLink-foreground', '#3794ff');
  const warning = role('--vscode-editorWarning-foreground', '#cca700');
  const tile = (colour: Rgb, part: number): readonly [Rgb, Rgb, Rgb] => {
    const fill = mix(page, colour, part);
    return [
      fill,
      guarded(ink, inkOn(fill), [fill], textContrast),
      guarded(colour, ink, [...grounds, fill], edgeContrast),
    ];
  };
  const calm = mix(page, ink, 0.12);
  const tiles = { victim: tile(bad, isDark ? 0.42 : 0.26), arrival: tile(gain, isDark ? 0.34 : 0.2) };
  const variables: Readonly<Record<string, Rgb>> = {
    '--ink': ink,
    '--muted': role('--vscode-descriptionForeground', cssOf(ink)),
    '--tab': role('--vscode-panelTitle-inactiveForeground', cssOf(ink)),
    '--tab-chosen': role('--vscode-panelTitle-activeForeground', cssOf(ink)),
    '--bad': bad,
    '--warning': warning,
    '--good': role('--vscode-testing-iconPassed', `var(--vscode-charts-green, ${isDark ? '#89d185' : '#1b6e3a'})`),
    '--gain': gain,
    '--victim-fill': tiles.victim[0],
    '--victim-text': tiles.victim[1],
    '--victim-edge': tiles.victim[2],
    '--arrival-fill': tiles.arrival[0],
    '--arrival-text': tiles.arrival[1],
    '--arrival-edge': tiles.arrival[2],
    '--calm-fill': calm,
    '--calm-text': guarded(mix(calm, ink, 0.8), inkOn(calm), [calm], textContrast),
    '--calm-edge': mix(page, ink, contrastOf(page, ink) > 12 ? 0.32 : 0.26),
  };
  probe.remove();
  const body = Object.entries(variables)
    .map(([name, colour]) => `${name}: ${cssOf(colour)};`)
    .join(' ');
  return `:root { ${body} }`;
}

/** Gives every rung its colour, as a class: thousands of tiles share a few rules. */
export function useLadderColours(ladder: readonly Rung[], theme: Theme): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    ladder.forEach(({ position }, index) => {
      sheet.insertRule(`.rung-edge-${index} { --rung: ${rungColour(position, theme).fill}; }`);
    });
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [ladder, theme]);
}
