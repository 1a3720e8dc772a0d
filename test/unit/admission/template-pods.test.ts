import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { validatePodsOfTemplate } from '../../../server/src/admission/pods/template-pods.ts';
import type { PodSpec } from '../../../server/src/kubernetes/objects.ts';

const basePath = ['spec', 'template'];

function spec(more: Partial<PodSpec>): PodSpec {
  return { containers: [{ name: 'main', image: 'nginx' }], ...more };
}

describe('validatePodsOfTemplate', () => {
  it('says nothing that is wrong with the template already', () => {
    const wrong = spec({ tolerations: [{ operator: 'Sometimes', key: 'a' }] });
    assert.deepEqual(validatePodsOfTemplate({ spec: wrong }, basePath), []);
    assert.deepEqual(validatePodsOfTemplate({ spec: spec({}) }, basePath), []);
  });

  it('[GATE-1][PLA-11] finds gates on pods that are bound by hand', () => {
    const errors = validatePodsOfTemplate(
      { spec: spec({ nodeName: 'n1', schedulingGates: [{ name: 'a/b' }] }) },
      basePath,
    );
    assert.deepEqual(errors.map(fieldErrorText), [
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ]);
    assert.deepEqual(errors[0]?.path, ['spec', 'template', 'spec', 'nodeName']);
  });

  it('[PLA-10] finds a label key that the merge makes a duplicate', () => {
    const term = { topologyKey: 'zone', matchLabelKeys: ['app'], labelSelector: { matchLabels: { app: 'web' } } };
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const [error] = validatePodsOfTemplate(
      { metadata: { labels: { app: 'web' } }, spec: spec({ affinity }) },
      basePath,
    );
    assert.equal(error?.detail, 'exists in both matchLabelKeys and labelSelector');
    assert.deepEqual(error.path.slice(0, 3), ['spec', 'template', 'spec']);
    assert.deepEqual(error.path.slice(-2), ['matchLabelKeys', 0]);
  });
});
