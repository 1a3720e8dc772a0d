import { strict as assert } from 'node:assert';
import { reviewUpdate } from '../../../server/src/admission/request/update.ts';
import { presetState } from '../../../server/src/cli/decide/preset-state.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { documentValue } from '../../../server/src/manifests/document-value.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { container, object, pod, job, volume, claim, autoscaler, refusals, judged } from './judged-documents.ts';

// Source: PrepareForCreate in pkg/registry/core/pod/strategy.go and others; ValidateObjectMetaAccessor
describe('a generation that somebody writes', () => {
  judged([
    ['counts for nothing where the server counts them', pod({}, { generation: -1 }), []],
    [
      'is judged where it does not',
      object('v1', 'LimitRange', { spec: { limits: [] } }, { generation: -1 }),
      ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    ],
  ]);
});

// Source: UnmarshalTypeError; Unmarshal in apimachinery/pkg/util/json/json.go, which keeps integers of 64 bits
describe('integers beyond 2^53', () => {
  const said = (text: string): string[] => {
    const read = documentValue(text);
    assert.ok('value' in read);
    return refusals(read.value, '1.34');
  };
  const manifest = (metadata: string, spec: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: x${metadata} }\nspec: { containers: [{ name: c, image: i${spec} }] }\n`;
  const mismatch = 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number';
  for (const [what, metadata, spec, refused] of [
    [
      'are no text',
      ', labels: { a: 9007199254740993 }',
      '',
      [`${mismatch} into Go struct field ObjectMeta.metadata.labels of type string`],
    ],
    [
      'do not fit 32 bits',
      '',
      ', ports: [{ containerPort: 9007199254740993 }]',
      [
        `${mismatch} 9007199254740993 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32`,
      ],
    ],
    [
      'do not fit 64 bits, though they are rounded to what would',
      '',
      ', securityContext: { runAsUser: -9223372036854775809 }',
      [
        `${mismatch} -9223372036854776000 into Go struct field SecurityContext.spec.containers.securityContext.runAsUser of type int64`,
      ],
    ],
    [
      'are told in all their digits',
      '',
      ', securityContext: { runAsUser: 9223372036854775807 }',
      [
        'spec.containers[0].securityContext.runAsUser: Invalid value: 9223372036854775807: must be between 0 and 4294967295, inclusive',
      ],
    ],
    [
      'are exact amounts',
      '',
      ', resources: { requests: { memory: 9007199254740995 }, limits: { memory: 9007199254740993 } }',
      [
        'spec.containers[0].resources.requests: Invalid value: "9007199254740995": must be less than or equal to memory limit of 9007199254740993',
      ],
    ],
  ] as const) {
    it(what, () => {
      assert.deepEqual(said(manifest(metadata, spec)), refused);
    });
  }
});

// Source: BeforeCreate in apiserver/pkg/registry/rest/create.go; ValidateObjectMetaAccessorUpdate, which is asked for
// all kinds and for each
describe('the end of an object', () => {
  const ended = { deletionTimestamp: '2026-01-02T03:04:05+01:00', deletionGracePeriodSeconds: 5 };
  it('is nothing that an update writes, as no creation does', () => {
    const [old, next] = [claim({}), { ...claim({}), metadata: { name: 'x', ...ended } }];
    const { causes = [] } = reviewUpdate(old, next, 'apply', presetState('update'), releaseOf('1.34'));
    const once = [
      'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable; may only be changed via deletion',
      'metadata.deletionTimestamp: Invalid value: "2026-01-02T02:04:05Z": field is immutable; may only be changed via deletion',
    ];
    assert.deepEqual([...new Set(causes.map(({ field, message }) => `${field}: ${message}`))], once);
    assert.equal(causes.length, 4);
    assert.deepEqual(refusals(next, '1.34'), []);
  });
});

// Source: SetDefaults_* in pkg/apis/{core,batch,autoscaling,storage,scheduling}/v*/defaults.go, copyHPAScalingRules
describe('empty texts and lists where Go has a pointer, which defaults do not replace', () => {
  const unsupported = (at: string, ...supported: string[]): string =>
    `${at}: Unsupported value: "": supported values: ${supported.map((each) => `"${each}"`).join(', ')}`;
  const volumeMode = unsupported('spec.volumeMode', 'Block', 'Filesystem');
  const scaleUp = (rules: JsonObject): JsonObject => autoscaler({ behavior: { scaleUp: rules } });
  const httpGet = { port: 80 };
  judged([
    ['of claims', claim({ volumeMode: '' }), [volumeMode]],
    ['of volumes', volume({ hostPath: { path: '/a' }, volumeMode: '' }), [volumeMode]],
    [
      'of jobs',
      job({ completionMode: '', podReplacementPolicy: '' }),
      [
        unsupported('spec.completionMode', 'NonIndexed', 'Indexed'),
        unsupported('spec.podReplacementPolicy', 'Failed', 'TerminatingOrFailed'),
      ],
    ],
    [
      'of autoscalers',
      scaleUp({ selectPolicy: '' }),
      [unsupported('spec.behavior.scaleUp.selectPolicy', 'Disabled', 'Max', 'Min')],
    ],
    [
      'of rules without policies',
      scaleUp({ policies: [] }),
      ['spec.behavior.scaleUp.policies: Required value: must specify at least one Policy'],
    ],
    [
      'of storage classes',
      object('storage.k8s.io/v1', 'StorageClass', { provisioner: 'a', volumeBindingMode: '' }),
      [unsupported('volumeBindingMode', 'Immediate', 'WaitForFirstConsumer')],
    ],
    [
      'of priority classes',
      object('scheduling.k8s.io/v1', 'PriorityClass', { value: 1, preemptionPolicy: '' }),
      ['preemptionPolicy: Required value'],
    ],
    [
      'of disks of Azure',
      pod({ volumes: [{ name: 'v', azureDisk: { diskName: 'a', diskURI: 'https://a', cachingMode: '' } }] }),
      [unsupported('spec.volumes[0].azureDisk.cachingMode', 'None', 'ReadOnly', 'ReadWrite')],
    ],
    [
      'and no seconds of a probe',
      pod({ containers: [{ ...container, livenessProbe: { httpGet, terminationGracePeriodSeconds: 0 } }] }),
      ['spec.containers[0].livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0'],
    ],
    [
      'but no numbers of a probe',
      pod({ containers: [{ ...container, livenessProbe: { httpGet, periodSeconds: 0 } }] }),
      [],
    ],
    ['and no text that is none', pod({ dnsPolicy: '', restartPolicy: '', schedulerName: '' }), []],
  ]);
});
