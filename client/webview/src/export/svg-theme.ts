import type { SvgTheme } from './map-svg.ts';

/** The colours of the page as the browser resolves them. */
export function currentSvgTheme(): SvgTheme {
  const probe = document.createElement('span');
  probe.className = 'spoken';
  document.body.append(probe);
  const resolve = (property: string): string => {
    probe.style.color = `var(${property})`;
    return getComputedStyle(probe).color;
  };
  const tile = (role: string): SvgTheme['calm'] => ({
    fill: resolve(`--${role}-fill`),
    text: resolve(`--${role}-text`),
    edge: resolve(`--${role}-edge`),
  });
  const theme: SvgTheme = {
    background: resolve('--vscode-editor-background'),
    ink: resolve('--ink'),
    muted: resolve('--muted'),
    line: resolve('--line'),
    bad: resolve('--bad'),
    victim: tile('victim'),
    arrival: tile('arrival'),
    calm: tile('calm'),
    font: getComputedStyle(document.body).fontFamily,
  };
  probe.remove();
  return theme;
}
