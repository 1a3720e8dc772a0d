import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { validateUpdate } from '../../../server/src/admission/request/validate-update.ts';
import { validateCreation } from '../../../server/src/admission/request/validate.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import { withGates } from '../../../server/src/kubernetes/feature-gates.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import type { Minor } from '../../../server/src/util/minors.ts';

const on = new Map([['GenericWorkload', true]]);

/** Texts: validation.go in pkg/apis/scheduling/validation of 1.35; since 1.36 apimachinery/pkg/api/validate */
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
      `${at}: Invalid value: "{basic, gang}": must specify exactly one of: \`basic\`, \`gang\``,
    ]);
    assert.deepEqual(group({ gang: {} }), [`${at}.gang.minCount: Required value`]);
    assert.deepEqual(group({ gang: { minCount: -1 } }), [
      `${at}.gang.minCount: Invalid value: -1: must be greater than or equal to 1`,
    ]);
  });

  it('are judged where the gate is on, and of Kubernetes alone', () => {
    const spec = { schedulingPolicy: {} };
    assert.deepEqual(refusals('1.36', 'scheduling.k8s.io/v1alpha2', 'PodGroup', spec, new Map()), []);
    assert.deepEqual(refusals('1.36', 'scheduling.volcano.sh/v1beta1', 'PodGroup', {}), []);
    assert.deepEqual(refusals('1.36', 'kueue.x-k8s.io/v1beta2', 'Workload', {}), []);
    assert.deepEqual(refusals('1.35', 'scheduling.k8s.io/v1alpha2', 'PodGroup', spec), [], 'a version not served');
  });

  it('come of the templates of a Workload, as each minor calls them', () => {
    const newer = (spec: JsonObject): readonly string[] =>
      refusals('1.36', 'scheduling.k8s.io/v1alpha2', 'Workload', spec);
    const older = (spec: JsonObject): readonly string[] =>
      refusals('1.35', 'scheduling.k8s.io/v1alpha1', 'Workload', spec);
    assert.deepEqual(newer({}), ['spec.podGroupTemplates: Required value']);
    assert.deepEqual(older({}), ['spec.podGroups: Required value: must have at least one item']);
    assert.deepEqual(refusals('1.37', 'scheduling.k8s.io/v1beta1', 'Workload', {}), [
      'spec: Invalid value: "": must specify one of: `podGroupTemplates`, `compositePodGroupTemplates`',
    ]);
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
      'spec.podGroupTemplates[1]: Duplicate value: {"name":"a","schedulingPolicy":{},"schedulingConstraints":null}',
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

  it('[#41] name a template of a Workload, and say how they are disrupted', () => {
    const basic = { schedulingPolicy: { basic: {} } };
    const of = (spec: JsonObject, gates = on): readonly string[] =>
      refusals('1.36', 'scheduling.k8s.io/v1alpha2', 'PodGroup', { ...basic, ...spec }, gates);
    const at = 'spec.podGroupTemplateRef';
    assert.deepEqual(of({ podGroupTemplateRef: {} }), [`${at}: Invalid value: "": must specify one of: \`workload\``]);
    assert.deepEqual(of({ podGroupTemplateRef: { workload: {} } }), [
      `${at}.workload.workloadName: Required value`,
      `${at}.workload.podGroupTemplateName: Required value`,
    ]);
    assert.deepEqual(of({ podGroupTemplateRef: { workload: { workloadName: 'a.b', podGroupTemplateName: 'c' } } }), []);
    const [dotted = ''] = of({ podGroupTemplateRef: { workload: { workloadName: 'a', podGroupTemplateName: 'c.d' } } });
    assert.match(
      dotted,
      /^spec\.podGroupTemplateRef\.workload\.podGroupTemplateName: Invalid value: "c\.d": must not contain dots$/,
    );
    const disrupted = { disruptionMode: 'All', priorityClassName: 'A', priority: 1_000_000_001 };
    assert.deepEqual(of(disrupted), []);
    const [mode, name, priority] = of(disrupted, new Map([...on, ['WorkloadAwarePreemption', true]]));
    assert.equal(mode, 'spec.disruptionMode: Unsupported value: "All": supported values: "Pod", "PodGroup"');
    assert.match(name!, /^spec\.priorityClassName: Invalid value: "A": a lowercase RFC 1123 subdomain /);
    assert.equal(priority, 'spec.priority: Invalid value: 1000000001: must be less than or equal to 1000000000');
    const since137 = (disruptionMode: JsonObject): readonly string[] =>
      refusals('1.37', 'scheduling.k8s.io/v1beta1', 'PodGroup', { ...basic, disruptionMode });
    assert.deepEqual(since137({ all: {} }), []);
    assert.deepEqual(since137({}), ['spec.disruptionMode: Invalid value: "": must specify one of: `single`, `all`']);
    assert.deepEqual(since137({ all: {}, single: {} }), [
      'spec.disruptionMode: Invalid value: "{single, all}": must specify exactly one of: `single`, `all`',
    ]);
  });

  it('[#41] never change, nor do the templates of a Workload', () => {
    const updated = (minor: Minor, version: string, kind: string, from: JsonObject, to: JsonObject, gates = on) => {
      const [old, next] = [from, to].map((spec) => {
        const metadata = { name: 'a', namespace: 'b', resourceVersion: '1' };
        return decodeObject({ apiVersion: `scheduling.k8s.io/${version}`, kind, metadata, spec }).object;
      });
      return validateUpdate(next!, old!, withGates(releaseOf(minor), gates)).map(fieldErrorText);
    };
    const gang = (minCount: number): JsonObject => ({ schedulingPolicy: { gang: { minCount } } });
    const group = (from: JsonObject, to: JsonObject, gates = on) =>
      updated('1.36', 'v1alpha2', 'PodGroup', from, to, gates);
    assert.deepEqual(group(gang(2), gang(2)), []);
    assert.deepEqual(group(gang(2), gang(-1)), ['spec.schedulingPolicy: Invalid value: null: field is immutable']);
    const ref = { podGroupTemplateRef: { workload: { workloadName: 'a', podGroupTemplateName: 'b' } } };
    const swapped = { podGroupTemplateRef: { workload: { podGroupTemplateName: 'b', workloadName: 'a' } } };
    assert.deepEqual(group({ ...gang(2), ...ref }, { ...swapped, ...gang(2) }), []);
    assert.deepEqual(group(gang(2), { ...gang(2), ...ref }), [
      'spec.podGroupTemplateRef: Invalid value: null: field is immutable',
    ]);
    const whole = { ...gang(2), disruptionMode: 'PodGroup' };
    assert.deepEqual(group(gang(2), whole), []);
    assert.deepEqual(
      group(gang(2), { ...gang(2), disruptionMode: 'Pod' }, new Map([...on, ['WorkloadAwarePreemption', true]])),
      [],
    );
    assert.deepEqual(group(gang(2), whole, new Map([...on, ['WorkloadAwarePreemption', true]])), [
      'spec.disruptionMode: Invalid value: null: field is immutable',
    ]);
    assert.deepEqual(group(gang(2), gang(3), new Map()), []);
    const templates = (...names: readonly string[]): JsonObject => ({
      podGroupTemplates: names.map((name) => ({ name, ...gang(1) })),
    });
    const workload = (from: JsonObject, to: JsonObject) => updated('1.36', 'v1alpha2', 'Workload', from, to);
    assert.deepEqual(workload(templates('a'), templates('a')), []);
    assert.deepEqual(workload(templates('a'), { ...templates('a', 'b'), controllerRef: { kind: 'Job', name: 'a' } }), [
      'spec.controllerRef: Invalid value: null: field is immutable',
      'spec.podGroupTemplates: Invalid value: null: field is immutable',
    ]);
    const first = (minCount: number): JsonObject => ({ podGroups: [{ name: 'a', policy: { gang: { minCount } } }] });
    assert.deepEqual(updated('1.35', 'v1alpha1', 'Workload', first(1), first(2)), [
      'spec.podGroups: Invalid value: [{"name":"a","policy":{"gang":{"minCount":2}}}]: field is immutable',
    ]);
    assert.deepEqual(
      updated('1.35', 'v1alpha1', 'Workload', first(1), { ...first(1), controllerRef: { kind: 'Job' } }),
      ['spec.controllerRef.name: Required value'],
    );
  });
});
