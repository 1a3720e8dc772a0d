/** When whom a test waits for counts as hanging, in milliseconds: long, since a busy machine is no failure. */
export const patience = 180_000;
