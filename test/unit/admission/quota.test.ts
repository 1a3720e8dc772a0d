import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { limitedSystemClasses, reviewQuotas } from '../../../server/src/admission/quota/quota.ts';
import { validateQuota } from '../../../server/src/admission/quota/validation.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { ResourceQuota } from '../../../server/src/kubernetes/objects.ts';
import { formatQuantity } from '../../../server/src/kubernetes/quantity.ts';
import { podOf } from './judged.ts';

function quota(hard: JsonObject, spec: JsonObject = {}, used?: JsonObject, name = 'team'): ResourceQuota {
  const zeros = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
  return decodeObject({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name },
    spec: { hard, ...spec },
    status: { hard, used: used ?? zeros },
  }).object;
}

const forClasses = (operator: string, ...values: string[]): JsonObject => ({
  scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] },
});

const small = { containers: [{ name: 'main', image: 'x', resources: { requests: { cpu: '500m' } } }] };

describe('reviewQuotas', () => {
  it('[PRI-13] limits who may use a class', () => {
    const high = quota({ pods: '1' }, forClasses('In', 'high'), { pods: '1' });
    const refused = reviewQuotas(podOf({ priorityClassName: 'high' }), [high]);
    assert.equal(
      refused.refusal,
      'pods "web" is forbidden: exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1',
    );
    assert.equal(reviewQuotas(podOf({ priorityClassName: 'low' }), [high]).refusal, undefined);
  });

  it('[PRI-13] lets NotIn and DoesNotExist match pods without a class, Exists not', () => {
    const matches = (spec: JsonObject, ...selector: [string, ...string[]]): boolean | undefined =>
      reviewQuotas(podOf(spec), [quota({ pods: '9' }, forClasses(...selector))]).verdicts[0]?.matches;
    assert.equal(matches({}, 'NotIn', 'high'), true);
    assert.equal(matches({}, 'DoesNotExist'), true);
    assert.equal(matches({}, 'Exists'), false);
    assert.equal(matches({ priorityClassName: 'high' }, 'Exists'), true);
    assert.equal(matches({ priorityClassName: 'high' }, 'NotIn', 'high'), false);
  });

  it('[PRI-12] keeps system classes out of namespaces without a quota for them', () => {
    const pod = podOf({ priorityClassName: 'system-cluster-critical' });
    assert.equal(
      reviewQuotas(pod, [], limitedSystemClasses).refusal,
      'insufficient quota to match these scopes: [{PriorityClass In [system-node-critical system-cluster-critical]}]',
    );
    const allowing = quota({ pods: '9' }, forClasses('In', 'system-cluster-critical'));
    assert.equal(reviewQuotas(pod, [allowing], limitedSystemClasses).refusal, undefined);
    assert.equal(reviewQuotas(podOf({ priorityClassName: 'high' }), [], limitedSystemClasses).refusal, undefined);
  });

  it('charges what the quota counts, and adds it to what is used', () => {
    const counted = quota(
      { 'requests.cpu': '2', pods: '5', secrets: '3' },
      {},
      { 'requests.cpu': '1', pods: '2', secrets: '1' },
    );
    const review = reviewQuotas(podOf(small), [counted]);
    const print = (amounts: ReadonlyMap<string, Parameters<typeof formatQuantity>[0]> | undefined): object =>
      Object.fromEntries([...(amounts ?? [])].map(([name, amount]) => [name, formatQuantity(amount)]));
    assert.deepEqual(print(review.verdicts[0]?.charged), { 'requests.cpu': '500m', pods: '1' });
    assert.deepEqual(print(review.used.get(counted)), { 'requests.cpu': '1500m', pods: '3', secrets: '1' });
  });

  it('wants every container to state cpu and memory that a quota limits', () => {
    const review = reviewQuotas(podOf(small), [quota({ 'limits.cpu': '9', memory: '1Gi' })]);
    assert.equal(
      review.refusal,
      'pods "web" is forbidden: failed quota: team: must specify limits.cpu for: main; memory for: main',
    );
    const podLevel = { ...small, resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } };
    assert.equal(reviewQuotas(podOf(podLevel), [quota({ 'limits.cpu': '9' })]).refusal, undefined);
  });

  it('applies nothing without a status, and refuses while usage is unknown', () => {
    const fresh: ResourceQuota = { metadata: { name: 'team' }, spec: { hard: { pods: '0' } } };
    assert.equal(reviewQuotas(podOf({}), [fresh]).refusal, undefined);
    assert.equal(
      reviewQuotas(podOf({}), [quota({ pods: '1' }, {}, {})]).refusal,
      'pods "web" is forbidden: status unknown for quota: team, resources: pods',
    );
  });

  it('looks at the quotas of the namespace only, the first refusal first', () => {
    const elsewhere = { ...quota({ pods: '0' }), metadata: { name: 'other', namespace: 'shop' } };
    const first = quota({ pods: '0' }, {}, undefined, 'first');
    const second = quota({ 'count/pods': '0' }, {}, undefined, 'second');
    assert.match(reviewQuotas(podOf({}), [elsewhere, first, second]).refusal ?? '', /exceeded quota: first/);
    assert.equal(reviewQuotas(podOf({}), [elsewhere]).refusal, undefined);
  });
});

describe('validateQuota', () => {
  it('ties scopes to resources of pods', () => {
    const texts = validateQuota(quota({ pods: '1', secrets: '1' }, { scopes: ['BestEffort', 'NotBestEffort', 'Nice'] }))
      .map(fieldErrorText)
      .map((text) => text.replace(/Invalid value: \[.*\]/, '…'));
    assert.deepEqual(texts, [
      'spec.scopes: …: unsupported scope applied to resource',
      'spec.scopes: …: unsupported scope applied to resource',
      'spec.scopes: …: unsupported scope',
      'spec.scopes: …: conflicting scopes',
    ]);
  });

  it('points at the entry where upstream names the list', () => {
    const [error] = validateQuota(quota({ pods: '1' }, forClasses('In')));
    assert.equal(error?.at.text, 'spec.scopeSelector.matchExpressions.values');
    assert.deepEqual(error.at.path, ['spec', 'scopeSelector', 'matchExpressions', 0, 'values']);
  });
});
