import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Rung } from '../../../server/src/contract/report.ts';
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

/**
 * Gives every rung its colours, as a class `rung-N`. A style sheet rather than inline styles: thousands of tiles share
 * a few rules. Any other rule about these properties wins; it finds the colours in variables, which the many tiles that
 * simply run do without, because to resolve them takes as long as all the rest of a tile's style.
 */
export function useLadderColours(ladder: readonly Rung[], theme: Theme): void {
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet();
    ladder.forEach(({ position }, index) => {
      const { fill, text, edge } = rungColour(position, theme);
      sheet.insertRule(`:where(.rung-${index}) { background: ${fill}; color: ${text}; border-color: ${edge}; }`);
      sheet.insertRule(`.rung-${index}:not(.look-running) { --fill: ${fill}; --edge: ${edge}; }`);
    });
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [ladder, theme]);
}
