import type { Session } from './session.ts';

/** How long changes are gathered before an answer is called out of date, in milliseconds. */
const pause = 200;

/** Tells once of an answer that what it rests on has changed. */
export class Outdated {
  readonly #session: Session;
  /** The version of the model that the last answer was made from; undefined before the first, and once it was told. */
  #version: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Session, report: () => void) {
    this.#session = session;
    session.onChanged(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        if (session.openFiles.isHalfTyped) return;
        if (this.#version === undefined || this.#version === session.modelVersion) return;
        this.#version = undefined;
        report();
      }, pause);
    });
  }

  /** An answer was made, or is being made. */
  restsOn(version = this.#session.modelVersion): void {
    this.#version = version;
  }
}
