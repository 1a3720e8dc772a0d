import { useMemo } from 'preact/hooks';

/** The user's font size relative to VS Code's default of 13 px; heights that are computed grow with it. */
export function useFontScale(): number {
  return useMemo(() => {
    const size = Number.parseFloat(getComputedStyle(document.body).fontSize);
    return Number.isFinite(size) && size > 0 ? size / 13 : 1;
  }, []);
}
