import type { Selection } from './view-state.ts';

/** Where a menu was asked for, and of what. */
export interface MenuRequest {
  readonly selection: Selection;
  readonly x: number;
  readonly y: number;
  /** Gets the focus back. */
  readonly opener: HTMLElement | null;
}
