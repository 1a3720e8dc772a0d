/** Begins what a suite prints, to tell it from what else VS Code says. */
export const mark = 'test: ';
