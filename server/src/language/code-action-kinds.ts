/** The kinds of code action that are offered. */
export const quickFix = 'quickfix';
export const fixAll = 'source.fixAll.podium';
