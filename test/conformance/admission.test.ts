import { describe, it } from 'mocha';
import { checkAgreement } from './check-agreement.ts';

describe('agreement with the recorded API server', () => {
  it('[GATE-2][GATE-4][GATE-5][GATE-6][GATE-7][PLA-9] on pods that are created and updated', () => {
    checkAgreement('validate-pods');
  });

  it('[PRI-4][PRI-5][PRI-6][PRI-7] on the priority of new pods', () => {
    checkAgreement('admit');
  });

  it('[PRI-2][PRI-3][PRI-6][PRI-10] on PriorityClasses', () => {
    checkAgreement('validate-class');
  });

  it('[EVI-6] on PodDisruptionBudgets', () => {
    checkAgreement('validate-budget');
  });

  it('[PRI-12][PRI-13] on quotas by PriorityClass', () => {
    checkAgreement('quota');
  });
});
