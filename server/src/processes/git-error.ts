/** Git could not do it, is not there, or answered too much or too late; the message is git's own where it has one. */
export class GitError extends Error {
  override readonly name = 'GitError';
}
