import { validateQuota } from '../../admission/quota/validation.ts';
import { fieldErrorFinding } from './support/narrow.ts';
import type { ObjectRule } from './rule.ts';

export const invalidQuota: ObjectRule = {
  code: 'invalid-quota',
  title: 'A ResourceQuota that the API server refuses',
  severity: 'error',
  scope: 'object',
  *check({ fact }) {
    if (fact.kind !== 'ResourceQuota') return;
    for (const error of validateQuota(fact.object)) yield fieldErrorFinding(fact, error);
  },
};
