import { describe, it } from 'mocha';
import { checkAgreement } from './check-agreement.ts';

describe('agreement with the recorded disruption controller, eviction API and kubelet', () => {
  it('[EVI-6] on what the controller writes into budgets', () => {
    checkAgreement('budget-status');
  });

  it('[EVI-2][EVI-3] on evictions', () => {
    checkAgreement('evict');
  });

  it('[EVI-1] on the order of eviction under memory pressure', () => {
    checkAgreement('pressure');
  });
});
