/** What the worker and who started it say to each other before and besides the language server protocol. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  /** A part is wanted. */
  | { readonly kind: 'part'; readonly name: string };

/** Where a part is, or why there is none. */
export type ToWorker = { readonly name: string } & ({ readonly url: string } | { readonly error: string });
