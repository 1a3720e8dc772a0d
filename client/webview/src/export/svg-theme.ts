import type { Theme } from '../use-theme.ts';
import type { SvgTheme } from './map-svg.ts';

/** The colours that the style sheet gives to an element of each kind, as the browser resolves them. */
export function currentSvgTheme(kind: Theme): SvgTheme {
  const probe = document.createElement('span');
  probe.className = 'spoken';
  document.body.append(probe);
  const resolve = (property: string, fallback: string): string => {
    probe.style.color = fallback;
    probe.style.color = `var(${property}, ${fallback})`;
    return getComputedStyle(probe).color;
  };
  const dark = kind === 'dark';
  const theme: SvgTheme = {
    kind,
    background: resolve('--vscode-editor-background', dark ? '#1f1f1f' : '#ffffff'),
    foreground: resolve('--vscode-foreground', dark ? '#cccccc' : '#3b3b3b'),
    muted: resolve('--vscode-descriptionForeground', dark ? '#9d9d9d' : '#3b3b3b'),
    border: resolve('--line', '#808080'),
    bar: resolve('--bar', '#3794ff'),
    font: getComputedStyle(document.body).fontFamily,
  };
  probe.remove();
  return theme;
}
