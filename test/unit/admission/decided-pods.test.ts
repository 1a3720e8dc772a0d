import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decideValidate } from '../../../server/src/cli/decide/admission.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { creationTexts } from './judged.ts';

function caseOf(spec: JsonObject, labels: JsonObject = {}): JsonObject {
  return { metadata: { name: 'web', labels }, spec: { containers: [{ name: 'main', image: 'x' }], ...spec } };
}

describe('recorded cases: validation of pods', () => {
  it('judges a pod before the ServiceAccount plugin gave it an account', () => {
    const spec = { volumes: [{ name: 'a', projected: { sources: [{ serviceAccountToken: { path: 'x' } }] } }] };
    assert.deepEqual(decideValidate({ new: caseOf(spec) }), {
      create: [
        {
          type: 'FieldValueForbidden',
          field: 'spec.volumes[0].projected.sources[0].serviceAccountToken',
          detail: 'must not be specified when serviceAccountName is not set',
        },
      ],
    });
    assert.deepEqual(creationTexts(spec), [], 'a usual server fills in the account');
  });

  it('[PLA-10] never merges label keys into selectors: what was recorded is the validation alone', () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      matchLabelKeys: ['hash'],
      labelSelector: { matchLabels: { app: 'a' } },
    };
    const spec = { topologySpreadConstraints: [constraint] };
    const old = caseOf(spec, { app: 'a', hash: '1' });
    assert.deepEqual(decideValidate({ old, new: caseOf(spec, { app: 'a', hash: '2' }) }), {});
    const doubled = { topologySpreadConstraints: [{ ...constraint, labelSelector: { matchLabels: { hash: '1' } } }] };
    const answer = decideValidate({ old: caseOf(doubled, { hash: '1' }), new: caseOf(doubled, { hash: '1' }) });
    assert.deepEqual(answer, {});
  });
});
