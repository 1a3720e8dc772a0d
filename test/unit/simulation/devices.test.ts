import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { before, describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { devicesOf, freeByClass, freeDevicesText, holderText } from '../../../server/src/report-model/devices.ts';
import { causeText } from '../../../server/src/report-model/plan-rows.ts';
import { loadDevices } from '../../../server/src/scheduler/index.ts';
import { ArrivalPreviews, compareRuns, findRemedies, simulate } from '../../../server/src/simulation/index.ts';
import { causesOf } from '../../../server/src/simulation/compare/causes-of.ts';
import { fit } from '../../../server/src/simulation/capacity/fit.ts';
import {
  headlineOf,
  input,
  node,
  placeOf,
  pod,
  podSpec,
  priorityClass,
  running,
  simulated,
  workload,
} from './cluster-builder.ts';
import { claim, deviceClass, driver, gpu, request, slice, template, uses, usesTemplate } from './device-objects.ts';

const workspace = { kind: 'workspace' } as const;
const memory = `device.capacity['${driver}'].memory`;
const model = `device.attributes['${driver}'].model`;
const cluster = [
  node('n1', 8),
  deviceClass('gpu'),
  slice('n1', [gpu('gpu-0', 'A100', '40Gi'), gpu('gpu-1', 'H100', '80Gi')]),
];

/** Why the pods that are pending are, in a word for each of their lines. */
function whyPending(objects: readonly JsonObject[]): string {
  const { answer } = simulated([...cluster, ...objects]);
  return (answer.groups.find(({ kind }) => kind === 'pending')?.lines ?? [])
    .map(({ then }) => then.replace('; priority never preempts for devices', ''))
    .join('\n');
}

function remediesOf(objects: readonly JsonObject[]): readonly string[] {
  const from = input([...cluster, ...objects]);
  const report = runToEnd(simulate(from, workspace));
  return runToEnd(findRemedies(report, from, workspace)).map(({ whatIf, effect }) => whatIf.join('; ') || effect);
}

const needs = 'request r of c needs 1 device of class gpu, and n1 has none that fits';

describe('a pod that finds no devices', () => {
  before(loadDevices);

  it('[PLA-21] is told which part of which selector each device fails, with what the device has', () => {
    const textOf = (expression: string): string =>
      whyPending([claim('c', [request({}, expression)]), pod('p', 1, uses('c'))]);
    const rows: readonly (readonly [string, string])[] = [
      [`${memory}.compareTo(quantity('120Gi')) >= 0`, 'gpu-0: memory 40Gi < 120Gi; gpu-1: memory 80Gi < 120Gi'],
      [`${memory}.isGreaterThan(quantity('80Gi'))`, 'gpu-0: memory 40Gi ≤ 80Gi; gpu-1: memory 80Gi ≤ 80Gi'],
      [`${model} == 'B200'`, 'gpu-0: model A100 ≠ B200; gpu-1: model H100 ≠ B200'],
      [
        `(${model} != 'A100' && true) && ${memory} == quantity('1Gi')`,
        'gpu-0: model A100 = A100; gpu-1: memory 80Gi ≠ 1Gi',
      ],
      [`${model} in ['B200', 'L4']`, 'gpu-0: model A100 not in [B200, L4]; gpu-1: model H100 not in [B200, L4]'],
      [
        `${model} == 'B200' || (${model} == 'L4' || ${model} == 'L40')`,
        'gpu-0: model A100 not in [B200, L4, L40]; gpu-1: model H100 not in [B200, L4, L40]',
      ],
      [
        `${model} == 'B200' || ${memory}.isGreaterThan(quantity('80Gi'))`,
        'gpu-0: model A100 ≠ B200 and memory 40Gi ≤ 80Gi; gpu-1: model H100 ≠ B200 and memory 80Gi ≤ 80Gi',
      ],
      [`has(device.attributes['${driver}'].numa)`, 'gpu-0 and gpu-1: no numa'],
      [
        `${model}.startsWith('B')`,
        `gpu-0: ${model}.startsWith('B') (model A100); gpu-1: ${model}.startsWith('B') (model H100)`,
      ],
    ];
    for (const [expression, why] of rows) assert.equal(textOf(expression), `${needs}: ${why}`);
  });

  it('[PLA-21] is told which claim has a device that would do, and what would help: never priority', () => {
    const objects = [
      priorityClass('high', 1000),
      template('big', [request({}, `${memory}.compareTo(quantity('80Gi')) >= 0`)]),
      workload('Deployment', 'serve', 2, podSpec(1, usesTemplate('big'))),
    ];
    assert.match(
      whyPending(objects),
      /^request r of big needs 1 device of class gpu, and n1 has none that fits: gpu-0: memory 40Gi < 80Gi; gpu-1: allocated to claim default\/serve-\w+-0-gpu$/,
    );
    assert.match(headlineOf(simulated([...cluster, ...objects])), /1 pod stays pending/);
    const [first, second, ...others] = remediesOf(objects);
    assert.equal(first, 'add 1 node like n1');
    // What the Deployment itself makes anew would take the device again.
    assert.deepEqual([second, others], [undefined, []]);
  });

  it('[#40] is told to scale down only what has a device with no higher priority', () => {
    const low = workload('Deployment', 'low', 1, podSpec(1, usesTemplate('any')));
    const of = (name: string, className: JsonObject) =>
      workload('Deployment', name, 2, { ...podSpec(1, usesTemplate('any')), ...className });
    const advised = (...others: JsonObject[]): string =>
      remediesOf([priorityClass('high', 1000), template('any', [request()]), ...others, low]).join('; ');
    assert.match(
      advised(of('aside', {})),
      /scale down what uses claim default\/aside-\w+-0-gpu and default\/aside-\w+-1-gpu: a claim without pods gives its devices back/,
    );
    assert.doesNotMatch(advised(of('vital', { priorityClassName: 'high' })), /scale down/);
  });

  it('[#40] is told what devices have under another name or domain, where a selector names none', () => {
    const rows: readonly (readonly [string, string])[] = [
      ["device.attributes['gpu.nvidia.com'].model == 'A100'", `device.attributes["${driver}"].model`],
      [`device.attributes['${driver}'].modle == 'A100'`, `device.attributes["${driver}"].model`],
      [`device.capacity['${driver}'].memo == quantity('40Gi')`, `device.capacity["${driver}"].memory`],
    ];
    for (const [expression, meant] of rows) {
      const advice = remediesOf([claim('c', [request({}, expression)]), pod('p', 1, uses('c'))]);
      assert.deepEqual(advice, [`select by ${meant}, which devices have`]);
    }
  });

  it('[#40] is told where the devices of its claim are, and what else keeps it from there', () => {
    const results = [{ request: 'r', driver, pool: 'n1', device: 'gpu-0' }];
    const nodeSelector = {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
    };
    const reservedFor = [{ resource: 'pods', name: 'other', uid: 'o' }];
    const status = { allocation: { devices: { results }, nodeSelector }, reservedFor };
    const held = { ...claim('c', [request()]), status };
    const objects = [node('n2', 8), held, running('full', 7, 'n1', 0), pod('p', 2, uses('c'))];
    assert.match(whyPending(objects), /; the devices of claim c cannot be used on n2$/);
    assert.match(remediesOf(objects).join(), /make room on n1, where the devices of claim c are: /);
  });

  it('[#40] has no claim with admin access where its namespace is declared without the label for it', () => {
    const namespace = (labels: JsonObject): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'default', labels },
    });
    const label = 'resource.kubernetes.io/admin-access';
    const asks = (labels: JsonObject): readonly string[] =>
      remediesOf([namespace(labels), template('t', [request({ adminAccess: true })]), pod('p', 1, usesTemplate('t'))]);
    assert.match(asks({}).join(), new RegExp(`^label namespace default ${label}=true, without which`));
    assert.deepEqual(asks({ [label]: 'true' }), []);
  });

  it('[#40] gets all devices only where each that matches is free', () => {
    const all = claim('c', [request({ allocationMode: 'All' })]);
    const results = [{ request: 'r', driver, pool: 'n1', device: 'gpu-0' }];
    const taken = { ...claim('d', [request()]), status: { allocation: { devices: { results } } } };
    assert.match(
      whyPending([taken, all, pod('p', 1, uses('c'))]),
      /^request r of c needs all devices of class gpu, and 1 on n1 would do: gpu-0: allocated to claim default\/d$/,
    );
  });

  it('[#40] is told who sees to a pool that is not whole, and to a taint of a device', () => {
    const wants = [claim('c', [request()]), pod('p', 1, uses('c'))];
    const others = (device: JsonObject, more: JsonObject = {}): string => {
      const from = input([node('n1', 8), deviceClass('gpu'), slice('n1', [device], more), ...wants]);
      const report = runToEnd(simulate(from, workspace));
      return runToEnd(findRemedies(report, from, workspace))
        .map(({ effect }) => effect)
        .join();
    };
    assert.match(
      others(gpu('g', 'A', '1Gi'), { resourceSliceCount: 2 }),
      /^see to the driver of class gpu: of pool n1 no device/,
    );
    const sick = gpu('g', 'A', '1Gi', { taints: [{ key: 'sick', effect: 'NoSchedule' }] });
    assert.match(
      others(sick),
      /^find out why its driver or a DeviceTaintRule has put sick:NoSchedule on g; tolerate it in/,
    );
  });

  it('[PLA-21] is told of classes, constraints, counts and taints', () => {
    const b200 = `${model} == 'B200'`;
    const rows: readonly (readonly [readonly JsonObject[], string, string])[] = [
      [
        [deviceClass('b200', `${model} == 'B200'`), claim('c', [request({ deviceClassName: 'b200' })])],
        'request r of c needs 1 device of class b200, and n1 has none that fits: gpu-0: not of the class, model A100 ≠ B200; gpu-1: not of the class, model H100 ≠ B200',
        'use class gpu in request r of c: n1 has enough of it',
      ],
      [
        [claim('c', [request({ count: 2 })], { constraints: [{ matchAttribute: `${driver}/model` }] })],
        `n1 has devices for each request of its claims, but none that have the same ${driver}/model`,
        `add a node with devices that have the same ${driver}/model, or take the constraint out of the claim`,
      ],
      [
        [claim('c', [request({ count: 2 }), { ...request(), name: 's' }])],
        'request r of c and request s of c need 3 devices of class gpu together, and 2 on n1 would do',
        'claim at most 2 of class gpu in a pod, or add a node with 3 such devices',
      ],
      [
        [claim('c', [request({}, b200), { ...request({}, b200), name: 's' }])],
        'request r of c and request s of c each need 1 device of class gpu, and n1 has none that fits: gpu-0: model A100 ≠ B200; gpu-1: model H100 ≠ B200',
        'select in request r of c what devices have, or add a node whose devices have it; select in request s of c what devices have, or add a node whose devices have it',
      ],
      [
        [claim('c', [request({ count: 3 })])],
        'request r of c needs 3 devices of class gpu, and 2 on n1 would do',
        'ask for at most 2 in request r of c, or add a node with 3 such devices',
      ],
      [
        [claim('c', [request({ deviceClassName: 'gqu' })])],
        'there is no DeviceClass gqu',
        'name DeviceClass gpu, or create gqu',
      ],
      [
        [deviceClass('gpu.example.com'), claim('c', [request({ deviceClassName: 'cpu.example.com' })])],
        'there is no DeviceClass cpu.example.com',
        'create DeviceClass cpu.example.com',
      ],
      [
        [claim('c', [request({}, "device.attributes['gpu.example.com'].nope == 'x'")])],
        'claim default/c: selector #0: CEL runtime error: no such key: nope',
        `select by what devices have, such as device.attributes["${driver}"].model and device.capacity["${driver}"].memory: none has nope`,
      ],
      [
        [claim('c', [request({}, `${memory} >= quantity('40Gi')`)])],
        "claim default/c: selector #0: CEL compile error: compilation failed: ERROR: <input>:1:43: found no matching overload for '_>=_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'",
        "compare quantities with compareTo(quantity(…)), as in memory.compareTo(quantity('40Gi')) >= 0",
      ],
      [
        [deviceClass('gpu.example.com'), claim('c', [request({ deviceClassName: 'example.gpu.com' })])],
        'there is no DeviceClass example.gpu.com',
        'name DeviceClass gpu.example.com, or create example.gpu.com',
      ],
      [
        [claim('c', [request({}, `${model} = 'x'`)])],
        "claim default/c: selector #0: CEL compile error: compilation failed: ERROR: <input>:1:44: Syntax error: token recognition error at: '='",
        'repair the selector: an error in it ends the attempt on every node',
      ],
    ];
    for (const [objects, why, help] of rows) {
      const all = [...objects, pod('p', 1, uses('c'))];
      assert.equal(whyPending(all), why);
      assert.deepEqual(remediesOf(all), [help]);
    }
  });

  it('[#40] is told how many devices its requests need together only where none serves two, and all would do', () => {
    const named = (name: string, exactly: JsonObject, expression?: string): JsonObject => ({
      ...request(exactly, expression),
      name,
    });
    const share = { capacity: { requests: { memory: '60Gi' } } };
    const takes = (amount: string): JsonObject => ({
      consumesCounters: [{ counterSet: 'gpu', counters: { memory: { value: amount } } }],
    });
    const pool = { pool: { name: 'n1', generation: 1, resourceSliceCount: 2 } };
    const counters = {
      driver,
      nodeName: 'n1',
      ...pool,
      sharedCounters: [{ name: 'gpu', counters: { memory: { value: '80Gi' } } }],
    };
    const rows: readonly (readonly JsonObject[])[] = [
      [
        slice(
          'n1',
          ['a', 'b'].map((name) => gpu(name, 'H100', '80Gi', { allowMultipleAllocations: true })),
        ),
        claim(
          'c',
          ['r', 's', 't'].map((name) => named(name, share)),
        ),
      ],
      [
        { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 'counters' }, spec: counters },
        {
          ...slice('n1', []),
          spec: {
            driver,
            nodeName: 'n1',
            ...pool,
            devices: [gpu('a', 'full', '80Gi', takes('80Gi')), gpu('b', 'half', '40Gi', takes('40Gi'))],
          },
        },
        claim('c', [named('r', {}, `${model} == 'full'`), named('s', {}, `${model} == 'half'`)]),
      ],
    ];
    for (const objects of rows) {
      const from = input([node('n1', 8), deviceClass('gpu'), ...objects, pod('p', 1, uses('c'))]);
      const report = runToEnd(simulate(from, workspace));
      assert.match(
        headlineOf(report),
        /n1 has devices for each request of its claims, but not for all of them together/,
      );
      assert.deepEqual(
        runToEnd(findRemedies(report, from, workspace)).map(({ whatIf, effect }) => whatIf.join('; ') || effect),
        ['nothing is known that would help'],
      );
    }
  });

  it('[PLA-21] (#40) is told which version is served of what is written under another', () => {
    const older = (object: JsonObject): JsonObject => ({ ...object, apiVersion: 'resource.k8s.io/v1alpha3' });
    const rows: readonly (readonly [string, JsonObject, JsonObject])[] = [
      ['ResourceClaim c', older(claim('c', [request()])), uses('c')],
      ['DeviceClass fpga', older({ kind: 'DeviceClass', metadata: { name: 'fpga' }, spec: {} }), uses('d')],
    ];
    for (const [named, object, spec] of rows) {
      const wanting = claim('d', [request({ deviceClassName: 'fpga' })]);
      assert.deepEqual(remediesOf([object, wanting, pod('p', 1, spec)]), [
        `change apiVersion of ${named} to resource.k8s.io/v1: the one that is written is not served`,
      ]);
    }
    const elsewhere = older({ ...claim('c', [request()]), metadata: { name: 'c', namespace: 'other' } });
    assert.deepEqual(remediesOf([elsewhere, pod('p', 1, uses('c'))]), ['create ResourceClaim c']);
  });

  it('[#40] is told of the class alone where a node has nothing else against it, and once where several wait for it', () => {
    const closed = node('n0', 8, {
      spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] },
    });
    const wanting = ['c', 'd'].map((name) => claim(name, [request({ deviceClassName: 'fpga' })]));
    const waiting = [closed, ...wanting, pod('p', 1, uses('c')), pod('q', 1, uses('d'))];
    assert.equal(whyPending(waiting), 'there is no DeviceClass fpga');
    assert.deepEqual(remediesOf(waiting), ['create DeviceClass fpga']);
    const gated = [pod('p', 1, usesTemplate('t')), pod('q', 1, usesTemplate('t'))];
    const older = { ...template('t', [request()]), apiVersion: 'resource.k8s.io/v1beta1' };
    assert.deepEqual(remediesOf([older, ...gated]), [
      'change apiVersion of ResourceClaimTemplate t to resource.k8s.io/v1: the one that is written is not served',
    ]);
  });

  it('[#40] is told of nodes that are like the nearest only where the same is said of their devices', () => {
    const textOf = (models: readonly string[]): string =>
      whyPending([
        node('n2', 8),
        slice(
          'n2',
          models.map((each, at) => gpu(`gpu-${at}`, each, '40Gi')),
        ),
        deviceClass('b200', `${model} == 'B200'`),
        claim('c', [request({ deviceClassName: 'b200' })]),
        pod('p', 1, uses('c')),
      ]);
    assert.match(textOf(['A100', 'H100']), /and n1 \(and others like it\) has none that fits/);
    assert.match(textOf(['L4']), /and n1 has none that fits.*; n2 has too few devices that fit/);
  });

  it('[#40] is told the same above its workload, whose pods have claims of their own', () => {
    const objects = [
      ...cluster,
      template('t', [request()]),
      workload('Deployment', 'serve', 3, podSpec(1, usesTemplate('t'))),
    ];
    const scenario = { kind: 'workload', workloadKind: 'Deployment', namespace: 'default', name: 'serve' } as const;
    const { text } = runToEnd(new ArrivalPreviews(input(objects)).arrivalOf(scenario))!;
    assert.match(
      text,
      /^1 of 3 pending: request r of t needs 1 device of class gpu, and n1 has none that fits: gpu-0 and/,
    );
  });

  it('[#40] is told which namespace the template is in that it does not find', () => {
    const elsewhere = { ...template('t', [request()]), metadata: { name: 't', namespace: 'ml' } };
    assert.deepEqual(remediesOf([elsewhere, pod('p', 1, usesTemplate('t'))]), [
      'create ResourceClaimTemplate t in namespace default: pods there do not see that of ml',
    ]);
  });

  it('[PLA-21] is told which class is missing behind the name of a resource', () => {
    const resource = 'deviceclass.resource.kubernetes.io/fpga';
    const amounts = { requests: { [resource]: '1' }, limits: { [resource]: '1' } };
    const asking = { ...pod('p', 1), spec: { containers: [{ name: 'c', image: 'a', resources: amounts }] } };
    assert.equal(
      whyPending([asking]),
      `it asks for 1 ${resource}; no node offers it, and there is no DeviceClass fpga behind it`,
    );
    assert.ok(remediesOf([asking]).includes('create DeviceClass fpga'), remediesOf([asking]).join('\n'));
  });

  it('[#40] is told of an amount that cannot be rounded, which ends its attempts since 1.37', () => {
    const requestPolicy = { default: '2', validRange: { min: '2', max: '4', step: '2' } };
    const shared = { allowMultipleAllocations: true, capacity: { memory: { value: '4', requestPolicy } } };
    const asks = request({ capacity: { requests: { memory: '9223372036854775807' } } });
    const objects = [node('n1', 8), deviceClass('gpu'), slice('n1', [gpu('gpu-0', 'A100', '4', shared)])];
    const from = { ...input([...objects, claim('c', [asks]), pod('p', 1, uses('c'))]), kubernetes: '1.37' as const };
    const report = runToEnd(simulate(from, workspace));
    assert.match(JSON.stringify(report.answer), /capacity request cannot be represented in the device's range/);
  });

  it('[PLA-21] (#41) is told of taints that DeviceTaintRules give, which Kubernetes reads since 1.37', () => {
    const rule = (deviceSelector: JsonObject | null): JsonObject => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceTaintRule',
      metadata: { name: 'repair' },
      spec: {
        ...(deviceSelector === null ? {} : { deviceSelector }),
        taint: { key: 'gpu.example.com/broken', effect: 'NoSchedule' },
      },
    });
    const tolerations = [{ key: 'gpu.example.com/broken', operator: 'Exists' }];
    const placed = (selector: JsonObject | null, kubernetes: '1.36' | '1.37', exactly: JsonObject = {}): boolean => {
      const objects = [...cluster, rule(selector), claim('c', [request({ count: 2, ...exactly })])];
      const from = { ...input([...objects, pod('p', 1, uses('c'))]), kubernetes };
      return placeOf(runToEnd(simulate(from, workspace)), 'p').endsWith('on n1');
    };
    assert.equal(placed({ device: 'gpu-0' }, '1.37'), false);
    assert.equal(placed({ driver, pool: 'n1' }, '1.37'), false);
    assert.equal(placed(null, '1.37'), false);
    assert.equal(placed({ device: 'gpu-0' }, '1.37', { tolerations }), true);
    assert.equal(placed({ pool: 'n2' }, '1.37'), true);
    assert.equal(placed({ device: 'gpu-0' }, '1.36'), true);
  });

  it('[PLA-21] (#41) is evicted by a NoExecute taint of its device, after the seconds that its request tolerates', () => {
    const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + 1000 * seconds).toISOString();
    const evicted = (
      tolerations: readonly JsonObject[],
      { kubernetes = '1.36', more = [] }: { kubernetes?: '1.35' | '1.36'; more?: readonly JsonObject[] } = {},
    ) => {
      const taints = [{ key: 'broken', effect: 'NoExecute', timeAdded: at(0) }, ...more];
      const result = { request: 'r', driver, pool: 'n1', device: 'gpu-0', tolerations };
      const held = {
        ...claim('c', [request()]),
        status: {
          allocation: { devices: { results: [result] } },
          reservedFor: [{ resource: 'pods', name: 'p', uid: 'default/p' }],
        },
      };
      const user = running('p', 1, 'n1', 0, { spec: uses('c') });
      const objects = [
        node('n1', 8),
        deviceClass('gpu'),
        slice('n1', [gpu('gpu-0', 'A100', '40Gi', { taints })]),
        held,
        user,
      ];
      const report = runToEnd(simulate({ ...input(objects), kubernetes }, workspace));
      return [headlineOf(report), report.taints?.map((each) => each.evicted.map(({ clock }) => clock))];
    };
    const evicts = 'The taint of a device on n1 evicts 1 pod; p goes down.';
    assert.deepEqual(evicted([]), [evicts, [[0]]]);
    const broken = { key: 'broken', operator: 'Exists' };
    assert.deepEqual(evicted([{ ...broken, effect: 'NoExecute', tolerationSeconds: 60 }]), [evicts, [[60]]]);
    // The scheduler reads a toleration without an effect as one of every effect, this controller does not.
    assert.deepEqual(evicted([{ ...broken, tolerationSeconds: 60 }]), [evicts, [[0]]]);
    const later = [{ key: 'hot', effect: 'NoExecute', timeAdded: at(20) }];
    const both = { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 };
    assert.deepEqual(evicted([both], { more: later }), [evicts, [[40]]]);
    assert.equal(evicted([{ operator: 'Exists', effect: 'NoExecute' }])[1], undefined);
    assert.equal(evicted([], { kubernetes: '1.35' })[1], undefined);
  });

  it('[PLA-21] is told what it loses where a comparison moves it from a device plugin to a claim', () => {
    const plugin = podSpec(1, {
      containers: [{ name: 'c', image: 'a', resources: { limits: { 'nvidia.com/gpu': '1' } } }],
    });
    const change = causesOf(
      input([...cluster, workload('Deployment', 'train', 1, plugin)]),
      input([
        ...cluster,
        template('one', [request()]),
        workload('Deployment', 'train', 1, podSpec(1, usesTemplate('one'))),
      ]),
    ).causes.filter(({ note }) => note !== undefined);
    assert.deepEqual(change.map(causeText), [
      'spec.template.spec.resourceClaims nothing → [{"name":"gpu","resourceClaimTemplateName":"one"}]: before Kubernetes 1.38 priority never preempts for a claim, as it does for nvidia.com/gpu',
    ]);
  });

  it('[#40] is deployed anew where only a class is other, whose allocations stay', () => {
    const objects = [template('one', [request()]), workload('Deployment', 'train', 1, podSpec(1, usesTemplate('one')))];
    const isClass = ({ kind }: { readonly kind?: unknown }): boolean => kind === 'DeviceClass';
    const other = cluster.filter((each) => !isClass(each));
    const [earlier, now] = [
      input([...cluster, ...objects]),
      input([...other, deviceClass('gpu', `device.driver == 'other'`), ...objects]),
    ];
    const { answer } = runToEnd(
      compareRuns({ input: earlier, events: [] }, { input: now, events: [] }, workspace, 'git HEAD'),
    );
    assert.match(answer.headline, /DeviceClass gpu .*leaves 1 more pod pending \(train\)/);
    assert.match(answer.groups.find(({ kind }) => kind === 'pending')?.lines[0]?.then ?? '', /not of the class/);
  });

  it('[PLA-21] is held back without its claim, and is told what to create', () => {
    const objects = [template('gpus', [request()]), pod('p', 1, usesTemplate('gpu'))];
    assert.equal(placeOf(simulated([...cluster, ...objects]), 'p'), 'gated');
    assert.deepEqual(remediesOf(objects), ['name ResourceClaimTemplate gpus, or create gpu']);
  });

  it('[PLA-21] that names one claim twice is given devices twice, and can never be bound', () => {
    const objects = [claim('c', [request()]), pod('p', 1, uses('c', 'c'))];
    assert.match(whyPending(objects), /got allocated elsewhere in the meantime/);
    assert.deepEqual(remediesOf(objects), ['name each claim once in the pod: its containers can share it']);
  });

  it('[PLA-21] adds up in `fit`, which makes claims of the template for each further replica', () => {
    const objects = [
      ...cluster,
      template('any', [request()]),
      workload('Deployment', 'serve', 1, podSpec(1, usesTemplate('any'))),
    ];
    const { free } = runToEnd(fit(input(objects), 'serve'));
    assert.equal(free.count, 1);
    assert.match(
      free.why,
      /^request r of any needs 1 device of class gpu, and n1 has none that fits: gpu-0 and gpu-1: allocated to claims/,
    );
  });
});

describe('the devices of a report', () => {
  before(loadDevices);

  it('[PLA-21] are rows of their node, with their classes and what has them before and at the end', () => {
    const held = {
      ...claim('held', [request()]),
      status: {
        allocation: { devices: { results: [{ request: 'r', driver, pool: 'n1', device: 'gpu-0' }] } },
        reservedFor: [{ resource: 'pods', name: 'old', uid: 'old' }],
      },
    };
    const old = running('old', 1, 'n1', 0, { spec: uses('held') });
    const objects = [...cluster, held, claim('c', [request()]), pod('p', 1, uses('c'))];
    const report = runToEnd(simulate(input(objects, [old]), workspace));
    const named = report.devices!.map(({ node: at, name, classes, has, before: first, after, pods }) => [
      report.nodes[at ?? -1]?.name,
      name,
      classes.join(),
      has.join(),
      first.join(),
      after.join(),
      pods.map((each) => report.pods[each]!.name).join(),
    ]);
    assert.deepEqual(named, [
      ['n1', 'gpu-0', 'gpu', 'model A100,memory 40Gi', 'default/held', 'default/held', 'old'],
      ['n1', 'gpu-1', 'gpu', 'model H100,memory 80Gi', '', 'default/c', 'p'],
    ]);
    assert.equal(freeDevicesText(devicesOf(report, 0)), '0 of 2 devices free at the end');
  });

  it('[#40] are free where shares leave something of them, and not where others have their counters', () => {
    const textsOf = (
      devices: readonly JsonObject[],
      objects: readonly JsonObject[],
      more: JsonObject = {},
    ): unknown => {
      const whole = slice('n1', devices);
      const sliced = { ...whole, spec: { ...(whole['spec'] as JsonObject), ...more } };
      const report = simulated([node('n1', 8), deviceClass('gpu'), sliced, ...objects]);
      const here = devicesOf(report, 0);
      const [{ free } = { free: -1 }] = freeByClass(here);
      const names = { pod: (index: number) => report.pods[index]!.name };
      return [free, freeDevicesText(here), ...here.map((each) => holderText(each, names))];
    };
    const share = { allowMultipleAllocations: true };
    const asks = (memory: string): JsonObject => request({ capacity: { requests: { memory } } });
    const two = [claim('c', [asks('8Gi')]), claim('d', [asks('24Gi')]), pod('p', 1, uses('c')), pod('q', 1, uses('d'))];
    assert.deepEqual(textsOf([gpu('gpu-0', 'A100', '40Gi', share)], two), [
      1,
      '1 of 1 devices free at the end',
      'p and q (claims default/c and default/d), memory 8Gi left',
    ]);
    assert.deepEqual(textsOf([gpu('gpu-0', 'A100', '32Gi', share)], two), [
      0,
      '0 of 1 devices free at the end',
      'p and q (claims default/c and default/d)',
    ]);
    const part = (name: string, memory: string): JsonObject =>
      gpu(name, 'A100', memory, {
        consumesCounters: [{ counterSet: 'gpu-0', counters: { memory: { value: memory } } }],
      });
    const counters = { sharedCounters: [{ name: 'gpu-0', counters: { memory: { value: '40Gi' } } }] };
    const countersSlice: JsonObject = { ...slice('n1', []), metadata: { name: 'n1-counters' } };
    const { devices: _devices, ...pool } = countersSlice['spec'] as JsonObject;
    const twoSlices = { pool: { name: 'n1', generation: 1, resourceSliceCount: 2 } };
    assert.deepEqual(
      textsOf(
        [part('half-0', '20Gi'), part('half-1', '20Gi'), part('full', '40Gi')],
        [
          { ...countersSlice, spec: { ...pool, ...counters, ...twoSlices } },
          claim('c', [request()]),
          pod('p', 1, uses('c')),
        ],
        twoSlices,
      ),
      [1, '1 of 3 devices free at the end', 'p (claim default/c)', 'free', "not free, its pool's counters are used up"],
    );
  });

  it('[PLA-21] need nothing to be loaded where no claim, class or slice is', async () => {
    const url = (path: string): string => JSON.stringify(new URL(`../../../server/src/${path}`, import.meta.url).href);
    const script = `
      const { loadDevicesFor } = await import(${url('simulation/cluster/load-devices-for.ts')});
      const { deviceEngine } = await import(${url('scheduler/framework/device-engine.ts')});
      const isLoaded = async (kind) => {
        await loadDevicesFor([{ object: { kind } }]);
        return deviceEngine() !== undefined;
      };
      process.stdout.write([await isLoaded('Pod'), await isLoaded('ResourceSlice')].join());`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    assert.equal(stdout, 'false,true');
  });

  it('[PLA-21] are given once each to the replicas of a workload, which ask for the same', () => {
    const devices = Array.from({ length: 6 }, (_, at) => gpu(`gpu-${at}`, 'A100', '40Gi'));
    const report = simulated([
      node('n1', 16),
      node('n2', 16),
      deviceClass('gpu'),
      slice('n1', devices),
      slice('n2', devices),
      template('two', [request({ count: 2 })]),
      workload('Deployment', 'serve', 7, podSpec(1, usesTemplate('two'))),
    ]);
    assert.equal(report.totals.pending, 1);
    assert.deepEqual(
      report.devices!.map(({ after }) => after.length),
      Array.from({ length: 12 }, () => 1),
    );
    assert.equal(new Set(report.devices!.flatMap(({ after }) => after)).size, 6);
  });

  it('[PLA-21] are not there without a ResourceSlice', () => {
    assert.equal(simulated([node('n1', 4), pod('p', 1)]).devices, undefined);
  });
});

// Source: PostFilter and isSchedulableAfterClaimChange in plugins/dynamicresources/dynamicresources.go;
// determineSchedulingHintForInFlightPod in backend/queue/scheduling_queue.go
describe('a claim whose devices are on a node that does not take its pod', () => {
  before(loadDevices);

  it('[#40] loses them, and the pod is tried again', () => {
    const hostname = { key: 'metadata.name', operator: 'In', values: ['gone'] };
    const elsewhere = {
      ...claim('c', [request()]),
      status: {
        allocation: {
          devices: { results: [{ request: 'r', driver, pool: 'gone', device: 'gpu-0' }] },
          nodeSelector: { nodeSelectorTerms: [{ matchFields: [hostname] }] },
        },
      },
    };
    const report = simulated([...cluster, elsewhere, pod('p', 1, uses('c'))]);
    assert.equal(placeOf(report, 'p'), 'running on n1');
  });
});
