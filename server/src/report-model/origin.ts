import { type Checked, number, shape, text } from './check.ts';

const position = shape({ line: number, character: number });

/** Where an object is written. */
export const isOrigin = shape({ uri: text, range: shape({ start: position, end: position }) });
export type Origin = Checked<typeof isOrigin>;
