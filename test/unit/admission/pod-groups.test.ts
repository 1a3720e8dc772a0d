import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { validateCreation } from '../../../server/src/admission/request/validate.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import { withGates } from '../../../server/src/kubernetes/feature-gates.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import type { Minor } from '../../../server/src/util/minors.ts';

const on = new Map([['GenericWorkload', true]]);

/** Texts: pkg/apis/scheduling/validation/validation.go of 1.35 and of 1.36 */
function refusals(minor: Minor, apiVersion: string, kind: string, spec: JsonObject, gates = on): readonly string[] {
  const { object } = decodeObject({ apiVersion, kind, metadata: { name: 'a', namespace: 'b' }, spec });
  return validateCreation(object, withGates(releaseOf(minor), gates)).map(fieldErrorText);
}

const group = (schedulingPolicy: JsonObject): readonly string[] =>
  refusals('1.36', 'scheduling.k8s.io/v1alpha2', 'PodGroup', { schedulingPolicy });

describe('[#41] groups of pods in the words of the API server', () => {
  it('have one policy, and of a gang a number', () => {
    assert.deepEqual(group({ gang: { minCount: 2 } }), []);
    assert.deepEqual(group({ basic: {} }), []);
    const at = 'spec.schedulingPolicy';
    assert.deepEqual(group({}), [`${at}: Invalid value: "": must specify one of: \`basic\`, \`gang\``]);
    assert.deepEqual(group({ basic: {}, gang: { minCount: 2 } }), [
      `${at}: Invalid value: "{\`basic\`, \`gang\`}": exactly one of \`basic\`, \`gang\` is required, but multiple fields are set`,
    ]);
    assert.deepEqual(group({ gang: {} }), [`${at}.gang.minCount: Required value`]);
    assert.deepEqual(group({ gang: { minCount: -1 } }), [
      `${at}.gang.minCount: Invalid value: -1: must be greater than zero`,
    ]);
  });

  it('are judged where the gate is on, and of Kubernetes alone', () => {
    const spec = { schedulingPolicy: {} };
    assert.deepEqual(refusals('1.36', 'scheduling.k8s.io/v1alpha2', 'PodGroup', spec, new Map()), []);
    assert.deepEqual(refusals('1.36', 'scheduling.volcano.sh/v1beta1', 'PodGroup', {}), []);
    assert.deepEqual(refusals('1.36', 'kueue.x-k8s.io/v1beta2', 'Workload', {}), []);
  });

  it('come of the templates of a Workload, as each minor calls them', () => {
    const newer = (spec: JsonObject): readonly string[] =>
      refusals('1.36', 'scheduling.k8s.io/v1alpha2', 'Workload', spec);
    const older = (spec: JsonObject): readonly string[] =>
      refusals('1.35', 'scheduling.k8s.io/v1alpha1', 'Workload', spec);
    assert.deepEqual(newer({}), ['spec.podGroupTemplates: Required value: must have at least one item']);
    assert.deepEqual(older({}), ['spec.podGroups: Required value: must have at least one item']);
    const gang = { gang: { minCount: 1 } };
    const many = Array.from({ length: 9 }, (_, at) => ({ name: `g${at}`, schedulingPolicy: gang }));
    assert.deepEqual(newer({ podGroupTemplates: many }), [
      'spec.podGroupTemplates: Too many: 9: must have at most 8 items',
    ]);
    const twice = [
      { name: 'a', schedulingPolicy: gang },
      { name: 'a', schedulingPolicy: {} },
      { schedulingPolicy: gang },
    ];
    assert.deepEqual(newer({ controllerRef: { kind: 'Job' }, podGroupTemplates: twice }), [
      'spec.controllerRef.name: Required value',
      'spec.podGroupTemplates[1]: Duplicate value: "a"',
      'spec.podGroupTemplates[1].schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`',
      'spec.podGroupTemplates[2].name: Required value',
    ]);
    assert.deepEqual(
      older({
        podGroups: [
          { name: 'a', policy: gang },
          { name: 'a', policy: { gang: {} } },
        ],
      }),
      [
        'spec.podGroups[1].name: Duplicate value: "a"',
        'spec.podGroups[1].policy.gang.minCount: Invalid value: 0: must be greater than zero',
      ],
    );
  });
});
