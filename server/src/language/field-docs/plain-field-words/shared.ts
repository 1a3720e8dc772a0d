import { say } from '../../../util/say.ts';

/** Sentences of fields that stand in several structs. */
export const files = say`Which keys become files, and where; without it all do, each under its own name.`;
export const mode = say`Permission bits of the files, as 0644.`;
