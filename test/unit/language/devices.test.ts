import assert from 'node:assert/strict';
import type { CompletionList, TextEdit } from 'vscode-languageserver';
import { newestMinor } from '../../../server/src/util/minors.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { completion } from '../../../server/src/language/completion/completion.ts';
import { inlayHints } from '../../../server/src/language/inlay/hints.ts';
import { definition, prepareRename, references, rename } from '../../../server/src/language/navigation/index.ts';
import { defaultSettings } from '../../../server/src/language/settings/settings.ts';
import { loadDevices } from '../../../server/src/scheduler/load-devices.ts';
import { checkHover } from './hover-case.ts';
import { applyEdits, TestWorkspace } from './test-workspace.ts';

const slice = `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: { name: n1-gpus }
spec:
  driver: gpu.example.com
  nodeName: n1
  pool: { name: n1, generation: 1, resourceSliceCount: 1 }
  devices:
    - name: gpu-0
      attributes: { model: { string: A100 }, 'numa.example.com/node': { int: 0 } }
      capacity: { memory: { value: 40Gi } }
    - name: gpu-1
      attributes: { model: { string: H100 } }
      capacity: { memory: { value: 80Gi } }
`;

const deviceClass = `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: { name: ‹gpu› }
spec: { selectors: [{ cel: { expression: device.driver == 'gpu.example.com' } }] }
`;

const held = `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: { name: held, namespace: default }
spec: { devices: { requests: [{ name: r, exactly: { deviceClassName: gpu } }] } }
status:
  allocation: { devices: { results: [{ request: r, driver: gpu.example.com, pool: n1, device: gpu-0 }] } }
`;

const claimOf = (className: string, expression: string): string => `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: { name: big, namespace: default }
spec:
  spec:
    devices:
      requests:
        - name: r
          exactly:
            deviceClassName: ${className}
            selectors:
              - cel:
                  expression: ${expression}
`;

const pod = `apiVersion: v1
kind: Pod
metadata: { name: p, namespace: default }
spec:
  resourceClaims: [{ name: gpu, resourceClaimTemplateName: ‹big› }]
  containers: [{ name: c, image: x }]
`;

const others = { 'slice.yaml': slice, 'class.yaml': deviceClass.replace(/[‹›]/g, ''), 'held.yaml': held };
const memory = "device.capacity['gpu.example.com'].memory.compareTo(quantity('80Gi')) >= 0";

describe('devices in the editor', () => {
  before(loadDevices);

  it('[PLA-21] say on a selector what it is for each device of the class', () =>
    checkHover({
      others,
      manifest: claimOf('gpu', `‹${memory}›`),
      says: ['**1 of 2 devices pass**', '`gpu-0` on `n1`: false, `memory 40Gi < 80Gi`', '`gpu-1` on `n1`: true'],
    }));

  it('[#40] say in the line what a selector is for each device while it is typed', async () => {
    await loadDevices();
    const hints = async (expression: string): Promise<unknown[]> => {
      const file = `${claimOf('gpu', expression)}---\n${deviceClass.replaceAll(/[‹›]/g, '')}`;
      const workspace = await TestWorkspace.of({ 'slice.yaml': slice, 'claim.yaml': file });
      const all = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };
      return inlayHints(workspace.file('claim.yaml'), all, workspace.facts, defaultSettings).map(({ label }) => label);
    };
    const memory = 'device.capacity["gpu.example.com"].memory.compareTo(quantity("80Gi")) >= 0';
    assert.deepEqual(await hints(memory), [
      '1 of 2 devices pass; gpu-0 on n1: memory 40Gi < 80Gi',
      '2 of 2 devices pass',
    ]);
    assert.deepEqual(await hints('device.attributes["gpu.example.com"].cores > 1'), [
      '0 of 2 devices pass; gpu-0 on n1, gpu-1 on n1: CEL runtime error: no such key: cores',
      '2 of 2 devices pass',
    ]);
    // What does not compile is marked as a mistake.
    assert.deepEqual(await hints('device.'), ['2 of 2 devices pass']);
  });

  it('[PLA-21] say of a class which devices are of it, and which claims have them', () =>
    checkHover({
      others,
      manifest: claimOf('‹gpu›', memory),
      says: [
        /DeviceClass .*gpu.*: 2 devices, 1 not allocated/,
        '`gpu-0` on `n1`, allocated to claim `default/held`: `model A100`',
        'Priority never preempts for devices',
      ],
    }));

  it('[#40] say of a claim or template what it asks for by request, and which pods use it', async () => {
    const asks = `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: { name: ‹big›, namespace: default }
spec:
  spec:
    devices:
      requests:
        - { name: one, exactly: { deviceClassName: gpu, count: 2, capacity: { requests: { memory: 8Gi } } } }
        - name: other
          firstAvailable:
            - { name: large, deviceClassName: gpu, selectors: [{ cel: { expression: 'true' } }] }
            - { name: any, deviceClassName: gpu, allocationMode: All }
`;
    const says = [
      '`one`: 2 devices of class `gpu` with `memory 8Gi`, `other`: the first that can be had of `large` (1 device of class `gpu`, chosen by 1 selector), `any` (all devices of class `gpu`), one for each pod',
    ];
    await checkHover({
      others: { ...others, 'pod.yaml': pod.replace(/[‹›]/g, '') },
      manifest: asks,
      says: ['**ResourceClaimTemplate', ...says, 'Used by', 'default/p'],
    });
    await checkHover({ others: { ...others, 'big.yaml': asks.replace(/[‹›]/g, '') }, manifest: pod, says });
    await checkHover({ others, manifest: asks, says: ['No pod that is declared here uses it'] });
  });

  it('[#40] are left out of what a hover says of the room on nodes, and said to be', async () => {
    const nodes = `apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { allocatable: { cpu: "8", memory: 8Gi, pods: "110" } }
`;
    const lines = [
      '**This pod requests nothing**',
      /It needs devices besides, for 1 claim: what is said of nodes below/,
      'room for 110',
    ];
    const claiming = pod.replaceAll(/[‹›]/g, '').replace('containers: [', '‹containers›: [');
    await checkHover({ others: { ...others, 'node.yaml': nodes }, manifest: claiming, says: lines });
    const asking = claiming
      .replace(/ {2}resourceClaims.*\n/, '')
      .replace('image: x', 'image: x, resources: { limits: { deviceclass.resource.kubernetes.io/gpu: 1, cpu: 1 } }');
    await checkHover({
      others: { ...others, 'node.yaml': nodes },
      manifest: asking,
      says: ['for `deviceclass.resource.kubernetes.io/gpu`: what is said', '12.5 % of cpu, room for 8'],
    });
  });

  it('[PLA-21] are told of in the words of the API server where a selector does not compile', async () => {
    const problems = async (text: string): Promise<readonly string[]> => {
      const workspace = await TestWorkspace.of({ ...others, 'a.yaml': text });
      return workspace
        .diagnostics('a.yaml')
        .map(({ message }) => (typeof message === 'string' ? message : message.value));
    };
    assert.deepEqual(await problems(claimOf('gpu', memory)), []);
    const [sentence, ...rest] = await problems(claimOf('gpu', 'device.model == 1'));
    assert.match(
      sentence!,
      /^spec\.spec\.devices\.requests\[0\]\.exactly\.selectors\[0\]\.cel\.expression: Invalid value: "device\.model == 1": compilation failed: ERROR: <input>:1:7: undefined field 'model'/,
    );
    assert.deepEqual(rest, []);
    assert.deepEqual(
      await problems(claimOf('gpu', memory).replace('exactly:', 'exactly:\n            allocationMode: Some')),
      [
        'spec.spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
      ],
    );
  });

  it('[PLA-21] offer in a selector what the devices have', async () => {
    const offered = async (expression: string, label: string): Promise<readonly [readonly string[], string]> => {
      const workspace = await TestWorkspace.of({ ...others, 'a.yaml': claimOf('gpu', `‹${expression}›`) });
      const { items }: CompletionList = completion(workspace.file('a.yaml'), workspace.ranges('a.yaml')[0]!.end, {
        facts: workspace.facts,
        release: releaseOf(newestMinor),
        isBesideSchema: false,
        snippets: true,
      });
      const item = items.find((each) => each.label === label);
      const text = item === undefined ? '' : applyEdits(workspace.text('a.yaml'), [item.textEdit as TextEdit]);
      return [items.map((each) => each.label), text.split('expression: ')[1]?.trim() ?? ''];
    };
    const rows: readonly (readonly [string, readonly string[], string])[] = [
      ['device.at', ['attributes', 'capacity', 'driver', 'allowMultipleAllocations'], 'device.attributes'],
      ["device.attributes['", ['gpu.example.com', 'numa.example.com'], "device.attributes['gpu.example.com"],
      ['device.attributes[', ["'gpu.example.com'", "'numa.example.com'"], "device.attributes['gpu.example.com'"],
      ["true && device.capacity['gpu.example.com'].m", ['memory'], "true && device.capacity['gpu.example.com'].memory"],
      [
        "device.attributes['gpu.example.com'].model == 'H",
        ['A100', 'H100'],
        "device.attributes['gpu.example.com'].model == 'A100",
      ],
      [
        "device.attributes['gpu.example.com'].model != ",
        ["'A100'", "'H100'"],
        "device.attributes['gpu.example.com'].model != 'A100'",
      ],
      ["device.attributes['numa.example.com'].node == ", ['0'], "device.attributes['numa.example.com'].node == 0"],
      ['device.driver == "', ['gpu.example.com'], 'device.driver == "gpu.example.com'],
      [
        "device.capacity['gpu.example.com'].memory.isG",
        [
          'add',
          'asApproximateFloat',
          'asInteger',
          'compareTo',
          'isGreaterThan',
          'isInteger',
          'isLessThan',
          'sign',
          'sub',
        ],
        "device.capacity['gpu.example.com'].memory.add",
      ],
      [
        "device.capacity['gpu.example.com'].memory.compareTo(",
        ["quantity('40Gi')", "quantity('80Gi')"],
        "device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')",
      ],
      [
        "device.capacity['gpu.example.com'].memory.compareTo(quantity('8",
        ['40Gi', '80Gi'],
        "device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi",
      ],
      [
        "cel.bind(dra, device.attributes['gpu.example.com'], dra.",
        ['model'],
        "cel.bind(dra, device.attributes['gpu.example.com'], dra.model",
      ],
      ["device.attributes[?'numa.example.com'].?n", ['node'], "device.attributes[?'numa.example.com'].?node"],
      ['de', ['device', 'has', 'quantity', 'semver'], 'device'],
      ["device.driver == 'x' && ", ['device', 'has', 'quantity', 'semver'], "device.driver == 'x' && device"],
      [
        "device.attributes['numa.example.com'].node == 0 && device.dr",
        ['attributes', 'capacity', 'driver', 'allowMultipleAllocations'],
        "device.attributes['numa.example.com'].node == 0 && device.attributes",
      ],
      ["device.attributes['other'].", [], ''],
      ['|\n    true &&\n    device.cap', ['attributes', 'capacity', 'driver', 'allowMultipleAllocations'], ''],
      ['>-\n    device.attributes["gpu.example.com"].', ['model'], ''],
    ];
    for (const [typed, labels, chosen] of rows) {
      const [offers, text] = await offered(typed.replaceAll('\n', `\n${' '.repeat(16)}`), labels[0] ?? '');
      assert.deepEqual(offers, labels, typed);
      if (chosen !== '') assert.equal(text, chosen);
    }
  });

  it('[#40] offer in claims and containers what is there: attributes, requests, drivers, taints, capacities, classes', async () => {
    const offered = async (text: string): Promise<readonly string[]> => {
      const shared = slice.replace(
        'name: gpu-0',
        'name: gpu-0\n      allowMultipleAllocations: true\n      taints: [{ key: broken, value: fan, effect: NoExecute }]',
      );
      const big = claimOf('gpu', memory).replaceAll(/[‹›]/g, '');
      const workspace = await TestWorkspace.of({ ...others, 'slice.yaml': shared, 'big.yaml': big, 'a.yaml': text });
      const { items }: CompletionList = completion(workspace.file('a.yaml'), workspace.ranges('a.yaml')[0]!.end, {
        facts: workspace.facts,
        release: releaseOf(newestMinor),
        isBesideSchema: false,
        snippets: true,
      });
      return items.map(({ label }) => label);
    };
    const claiming = (exactly: string, more = ''): string => `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: { name: c, namespace: default }
spec:
  devices:
    requests:
      - name: r
        exactly:
          deviceClassName: gpu
          ${exactly}
      - name: s
        firstAvailable: [{ name: t, deviceClassName: gpu }]
${more}`;
    const inPod = (resources: string): string => `apiVersion: v1
kind: Pod
metadata: { name: p, namespace: default }
spec:
  resourceClaims: [{ name: g, resourceClaimTemplateName: big }]
  containers:
    - name: c
      image: x
      resources:
        ${resources}
`;
    const rows: readonly (readonly [string, readonly string[]])[] = [
      [claiming('allocationMode: ‹›'), ['ExactCount', 'All']],
      [claiming('capacity: { requests: { ‹› } }'), ['memory']],
      [claiming('tolerations: [{ key: ‹› }]'), ['broken']],
      [claiming('tolerations: [{ key: broken, value: ‹› }]'), ['fan']],
      [claiming('', '    constraints: [{ matchAttribute: ‹› }]'), ['gpu.example.com/model', 'numa.example.com/node']],
      [claiming('', '    constraints: [{ requests: [‹›] }]'), ['r', 's', 's/t']],
      [claiming('', '    config: [{ requests: [r, ‹›] }]'), ['r', 's', 's/t']],
      [claiming('', '    config: [{ opaque: { driver: ‹› } }]'), ['gpu.example.com']],
      [inPod('claims: [{ name: ‹› }]'), ['g']],
      [inPod('claims: [{ name: g, request: ‹› }]'), ['r']],
    ];
    for (const [text, labels] of rows) assert.deepEqual(await offered(text), labels, text);
    assert.ok((await offered(inPod('limits: { ‹› }'))).includes('deviceclass.resource.kubernetes.io/gpu'));
  });

  it('[#40] lead from the claims of a container to those of its pod, and are renamed there together', async () => {
    const two = pod.replaceAll(/[‹›]/g, '').replace('image: x', 'image: x, resources: { claims: [{ name: ‹gpu› }] }');
    const workspace = await TestWorkspace.of({ ...others, 'b.yaml': pod.replaceAll(/[‹›]/g, ''), 'a.yaml': two });
    const [at] = [workspace.ranges('a.yaml')[0]!.start];
    const lines = (found: readonly { uri: string; range: { start: { line: number } } }[]): readonly string[] =>
      found.map(({ uri, range }) => `${uri.split('/').at(-1)!}:${range.start.line}`);
    assert.deepEqual(lines(definition(workspace.file('a.yaml'), at, workspace.facts)), ['a.yaml:4']);
    assert.deepEqual(lines(references(workspace.file('a.yaml'), at, workspace.facts, true)), ['a.yaml:4', 'a.yaml:5']);
    assert.ok(prepareRename(workspace.file('a.yaml'), at, workspace.facts));
  });

  it('[PLA-21] lead from pods to templates and from requests to classes, and are renamed everywhere', async () => {
    const workspace = await TestWorkspace.of({
      'slice.yaml': slice,
      'class.yaml': deviceClass,
      'pod.yaml': pod,
      'claim.yaml': claimOf('‹gpu›', memory),
    });
    const [toTemplate] = definition(workspace.file('pod.yaml'), workspace.cursor('pod.yaml'), workspace.facts);
    assert.equal(toTemplate?.uri, 'file:///claim.yaml');
    const at = [workspace.file('class.yaml'), workspace.cursor('class.yaml')] as const;
    assert.deepEqual(
      references(...at, workspace.facts, false).map(({ uri }) => uri),
      ['file:///claim.yaml'],
    );
    assert.ok('placeholder' in prepareRename(...at, workspace.facts));
    const edit = rename(...at, 'accelerator', workspace.facts);
    assert.ok('documentChanges' in edit);
    assert.equal(edit.documentChanges.length, 2);
  });
});
