import { useEffect, useState } from 'preact/hooks';

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const changed = (): void => {
      setMatches(list.matches);
    };
    // Between the first drawing and now the page may have been resized.
    changed();
    list.addEventListener('change', changed);
    return () => {
      list.removeEventListener('change', changed);
    };
  }, [query]);
  return matches;
}
