/** Ends the whole attempt with its text. */
export class AttemptFailure extends Error {}
