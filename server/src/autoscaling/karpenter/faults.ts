/** Why a pod was not placed. Texts are only made when they are shown: most faults are passed over. */
export interface Fault {
  readonly text: () => string;
  /** `reserved`: what it waits for may come free, so it is neither relaxed nor placed elsewhere. `claims`: it is for good. */
  readonly kind?: 'reserved' | 'claims';
}

export function fault(text: () => string, kind?: Fault['kind']): Fault {
  return kind === undefined ? { text } : { text, kind };
}
