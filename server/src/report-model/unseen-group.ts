/** Things that answers do not see, for one reason. */
export interface UnseenGroup {
  /** `30 HelmReleases`, or the name of the only one. */
  readonly what: string;
  /** In few words, for a row. */
  readonly why: string;
  /** Sentences: how many, their names, and why. */
  readonly text: string;
}
