/** The kinds of code action that are offered. */
export const quickFix = 'quickfix';
export const rewrite = 'refactor.rewrite';
export const fixAll = 'source.fixAll.podium';
