import { createContext } from 'preact';

/** Scroll positions by the name of the area. Outside the rendered state: remembering one renders nothing. */
export interface Scrolls {
  recall(name: string): number;
  remember(name: string, top: number): void;
}

export const ScrollMemory = createContext<Scrolls>({
  recall: () => 0,
  remember: () => undefined,
});
