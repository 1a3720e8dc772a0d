import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Rung } from '../../../server/src/simulation/report.ts';
import { rungColour } from './model/ladder.ts';

export type Theme = 'dark' | 'light';

/** VS Code says which kind of theme is on with a class of the body, and changes it when the user does. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState<Theme>(currentTheme);
  useEffect(() => {
    const observer = new MutationObserver(() => {
      setTheme(currentTheme());
    });
    observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    return () => {
      observer.disconnect();
    };
  }, []);
  return theme;
}

function currentTheme(): Theme {
  const { classList } = document.body;
  return classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light') ? 'light' : 'dark';
}

/** Gives every rung its colours, as `--rung-N` and `--on-rung-N`. */
export function useLadderColours(ladder: readonly Rung[], theme: Theme): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    ladder.forEach(({ position }, index) => {
      const { fill, text } = rungColour(position, theme);
      style.setProperty(`--rung-${index}`, fill);
      style.setProperty(`--on-rung-${index}`, text);
    });
  }, [ladder, theme]);
}
