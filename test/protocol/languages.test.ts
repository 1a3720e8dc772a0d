import assert from 'node:assert/strict';
import type { CodeAction, CodeLens, Hover } from 'vscode-languageserver/node';
import type { Effect } from '../../server/src/report-model/effect.ts';
import type { Overview } from '../../server/src/report-model/overview.ts';
import type { Remedy } from '../../server/src/report-model/remedy.ts';
import type { Report, ReportDecision } from '../../server/src/report-model/report.ts';
import type { Confirmation } from '../../server/src/protocol.ts';
import { uselessSnapshots } from '../support/useless-snapshots.ts';
import { TestClient } from './test-client.ts';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: checkout
  namespace: shop
spec:
  selector:
    matchLabels: { app: checkout }
  template:
    metadata:
      labels: { app: checkout }
    spec:
      priorityClassName: checkout-high
      restartPolicy: Never
      terminationGracePeriodSeconds: 30
      containers:
        - name: app
          image: shop/checkout
`;

const checkoutClass = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: checkout-high }
value: 1000
`;

interface Expected {
  /** The language as an editor names it. */
  readonly locale: string;
  readonly unknownClass: RegExp;
  readonly turnOff: string;
  /** In the hover of the grace period. */
  readonly drains: string;
  readonly lens: string;
}

const english: Omit<Expected, 'locale'> = {
  unknownClass: /^No PriorityClass named "checkout-high" is declared in the workspace/,
  turnOff: 'Turn off unknown-priority-class for this line',
  drains: 'Drains and taints of `NoExecute` leave the same time.',
  lens: 'rejected: restartPolicy: Unsupported value: "Never": suppor…',
};

const languages: readonly Expected[] = [
  {
    locale: 'ru',
    unknownClass: /^PriorityClass с именем "checkout-high" не объявлен ни в рабочей области/,
    turnOff: 'Отключить unknown-priority-class для этой строки',
    drains: "Осушение и taint'ы `NoExecute` оставляют столько же времени.",
    lens: 'отклонён: restartPolicy: Unsupported value: "Never": suppor…',
  },
  {
    locale: 'ja',
    unknownClass: /^"checkout-high" という名前の PriorityClass は/,
    turnOff: 'この行で unknown-priority-class をオフにする',
    drains: 'drain と `NoExecute` の Taint も同じ時間を残します。',
    lens: '拒否: restartPolicy: Unsupported value: "Never": supported va…',
  },
  {
    locale: 'zh-cn',
    unknownClass: /^工作区和集群快照中都没有声明名为 "checkout-high" 的 PriorityClass。$/,
    turnOff: '对此行关闭 unknown-priority-class',
    drains: '腾空和 `NoExecute` 污点留出同样的时间。',
    lens: '被拒绝：restartPolicy: Unsupported value: "Never": supported va…',
  },
  {
    locale: 'zh-Hans-CN',
    unknownClass: /^工作区和集群快照中都没有/,
    turnOff: '对此行关闭 unknown-priority-class',
    drains: '腾空和 `NoExecute` 污点留出同样的时间。',
    lens: '被拒绝：restartPolicy: Unsupported value: "Never": supported va…',
  },
  { locale: 'zh-tw', ...english },
  { locale: 'de', ...english },
  { locale: '__proto__', ...english },
];

const node = `apiVersion: v1
kind: Node
metadata: { name: node-a }
status: { allocatable: { cpu: '1', memory: 1Gi, pods: '10' } }
`;

const waiting = deployment
  .replace('spec:\n', 'spec:\n  replicas: 2\n')
  .replace('      priorityClassName: checkout-high\n      restartPolicy: Never\n', '')
  .replace(
    '          image: shop/checkout\n',
    `          image: shop/checkout
          resources: { requests: { cpu: '2' } }
`,
  );

/** What a report says of the one deployment, for which no node is large enough. */
const reports = {
  ru: {
    headline: 'checkout остаётся в Pending: он просит 2 cpu; у самого большого доступного узла 1 cpu.',
    assumed: 'из манифестов',
  },
  ja: {
    headline: 'checkout は Pending のまま: 2 cpuを要求。使える最大のノードは 1 cpu。',
    assumed: 'マニフェストから',
  },
  'zh-cn': { headline: 'checkout 停留在 Pending：它请求 2 cpu；它可用的最大节点有 1 cpu。', assumed: '来自清单' },
  en: {
    headline: 'checkout stays pending: it asks for 2 cpu; the largest node it may use has 1 cpu.',
    assumed: 'from the manifests',
  },
};

describe('languages of the server', () => {
  for (const locale of ['ru', 'ja', 'zh-cn']) {
    it(`shows what a user wrote as it is in ${locale}, also where a text of its own reads the same`, async () => {
      const client = await TestClient.start({ locale });
      const text = `${checkoutClass}description: evicts no pod\n---\n${deployment}`;
      const uri = await client.open('checkout.yaml', text);
      const behind = (word: string) => {
        const lines = text.slice(0, text.indexOf(word) + word.length).split('\n');
        const position = { line: lines.length - 1, character: lines.at(-1)!.length };
        return { textDocument: { uri }, position };
      };
      for (const word of ['name: check', 'priorityClassName: check']) {
        const { contents } = await client.request<Hover>('textDocument/hover', behind(word));
        assert.match((contents as { readonly value: string }).value, /^> evicts no pod$/m, word);
      }
    });
  }

  for (const [locale, { headline, assumed }] of Object.entries(reports)) {
    it(`puts its texts into the report for the page in ${locale}, and neither names nor messages`, async () => {
      const client = await TestClient.start({ locale, files: { 'node.yaml': node } });
      await client.open('checkout.yaml', waiting);
      const params = { scenario: { kind: 'workspace' }, run: 1 };
      const report = await client.request<Report>('podium/simulate', params);
      // Of a sentence a part may not be translated yet.
      assert.equal(report.answer.headline.slice(0, 8), headline.slice(0, 8));
      assert.ok(report.assumptions.some(({ text }) => text.includes(assumed)));
      const [decision] = await client.request<readonly ReportDecision[]>('podium/decisions', { run: 1, indexes: [0] });
      assert.match(decision!.message, /^0\/1 nodes are available: 1 Insufficient cpu/);
      assert.deepEqual(decision!.refusals[0]?.reasons, ['Insufficient cpu']);
      assert.deepEqual([report.workloads[0]?.name, report.nodes[0]?.name], ['checkout', 'node-a']);
      const effects = await client.request<readonly Effect[]>('podium/effects', {
        ...params,
        whatIf: ['cordon node/node-a', 'drain node/no-such'],
      });
      const remedies = await client.request<readonly Remedy[]>('podium/remedies', params);
      assert.deepEqual(
        effects.map(({ whatIf }) => whatIf),
        ['cordon node/node-a', 'drain node/no-such'],
      );
      const texts = [
        report.answer.headline,
        report.answer.cause,
        ...report.answer.balanceText,
        ...report.answer.groups.flatMap(({ lines }) => lines.flatMap((line) => [line.count, ...line.details])),
        ...report.assumptions.flatMap(({ text, detail }) => [text, detail]),
        ...decision!.wouldHelp,
        ...effects.flatMap(({ label, effect, problem }) => [label, effect, problem]),
        ...remedies.flatMap(({ label, effect }) => [label, effect]),
      ];
      // A text that a language lacks is shown in English.
      assert.ok(texts.every((text) => typeof text === 'string') && texts.length > 5);
      await client.stop();
    });
  }

  for (const locale of ['ru', 'ja', 'zh-cn']) {
    it(`are those of what is not seen where nothing may be run, but for names and addresses: ${locale}`, async () => {
      const chart = (name: string): string =>
        `apiVersion: v2\nname: ${name}\nversion: 1.0.0\ndependencies: [{ name: x, version: 1.0.0, repository: 'https://host.example' }]\n`;
      const files = {
        'plain/kustomization.yaml': 'resources: [pod.yaml]\n',
        'plain/pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: a, image: a }] }\n',
        'remote/kustomization.yaml': "resources: ['https://host.example/x?ref=1']\n",
        'absent/kustomization.yaml': 'resources: [gone.yaml]\n',
        'one/Chart.yaml': chart('one'),
        'two/Chart.yaml': chart('two'),
      };
      const client = await TestClient.start({ locale, files, initializationOptions: { workspaceTrusted: false } });
      const { assumptions } = await client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' } });
      const unseen = assumptions.filter(({ mark }) => mark === '!');
      assert.ok(unseen.length > 3, JSON.stringify(assumptions));
      const names = /https:\S*|helm dependency build|gone\.yaml|\b(?:plain|remote|absent|one|two|charts?)\b|chart'/g;
      for (const sentence of unseen.flatMap(({ text, detail }) => [text, detail])) {
        assert.doesNotMatch(sentence.replaceAll(names, ''), /[A-Za-z]{2}/, sentence);
      }
      await client.stop();
    });
  }

  const useless = {
    nothing: uselessSnapshots['nothing']!.text,
    'what kubectl says of an error': uselessSnapshots['a refusal of the API server']!.text,
    'what the API server says of an error': uselessSnapshots['a failure as JSON']!.text,
    'broken YAML': 'apiVersion: v1\nkind: Node\nmetadata: { name: a\n  : [\n',
    'broken JSON': uselessSnapshots['half of an answer']!.text,
  };
  for (const [name, text] of Object.entries(useless)) {
    it(`are those of why a snapshot is none, but for what stands in it: ${name}`, async () => {
      const settings = { cluster: { snapshot: 'cluster.yaml' } };
      const client = await TestClient.start({ locale: 'ru', files: { 'cluster.yaml': text }, settings });
      const params = { scenario: { kind: 'workspace' } };
      const { doubt } = await client.request<Confirmation>('podium/simulate', { ...params, asks: ['snapshot'] });
      const { assumptions } = await client.request<Report>('podium/simulate', params);
      const { text: line, detail } = assumptions.find(({ mark }) => mark === '!')!;
      const [problem] = await client.diagnostics(client.uri('cluster.yaml'), (found) => found.length > 0);
      for (const sentence of [doubt, line, detail, JSON.stringify(problem!.message)]) {
        const own = sentence.replaceAll(/“[^”]*”|cluster\.yaml|kubectl get -o yaml|json|Kubernetes|API/g, '');
        assert.doesNotMatch(own, /[A-Za-z]{3}|\.\./, sentence);
      }
      await client.stop();
    });
  }

  it('are not the fixed words of what the side bar shows', async () => {
    const gated = waiting.replace(
      '      containers:\n',
      '      schedulingGates: [{ name: shop.example/gate }]\n      containers:\n',
    );
    const [told, english] = await Promise.all(
      ['ru', 'en'].map(async (locale) => {
        const client = await TestClient.start({ locale, files: { 'gated.yaml': gated } });
        const overview = await client.request<Overview>('podium/overview', {});
        await client.stop();
        return [...overview.pending.rows.map(({ state }) => state), ...overview.nodes.rows.map(({ from }) => from)];
      }),
    );
    assert.deepEqual(told, english);
    assert.deepEqual([told!.includes('gated'), told!.includes('assumed')], [true, true]);
  });

  it('are not those of what assistants are told', async () => {
    const answers = await Promise.all(
      ['ru', 'en'].map(async (locale) => {
        const client = await TestClient.start({ locale, files: { 'node.yaml': node } });
        const uri = await client.open('checkout.yaml', waiting);
        const hover = await client.request<Hover>('textDocument/hover', {
          textDocument: { uri },
          position: { line: 6, character: 4 },
        });
        const told = [
          await client.request('podium/ask', { tool: 'simulate', input: {} }),
          await client.request('podium/ask', { tool: 'check', input: {} }),
        ];
        const text = JSON.stringify(told).replaceAll(client.folder, '');
        await client.stop();
        return { text, hover: JSON.stringify(hover) };
      }),
    );
    const [russian, english] = answers;
    assert.notEqual(russian!.hover, english!.hover);
    assert.match(english!.text, /checkout/);
    assert.doesNotMatch(russian!.text, /\p{Script=Cyrillic}/u);
  });

  for (const { locale, unknownClass, turnOff, drains, lens } of languages) {
    it(`speaks to an editor in ${locale}, and leaves what Kubernetes says`, async () => {
      const client = await TestClient.start({ locale });
      const uri = await client.open('checkout.yaml', deployment);
      const diagnostics = await client.diagnostics(uri, (found) => found.length > 1);
      const of = (code: string): unknown => diagnostics.find((each) => each.code === code)?.message;
      assert.match(String(of('unknown-priority-class')), unknownClass);
      assert.equal(
        of('invalid-pod') ?? of('invalid-workload'),
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      );
      const [diagnostic] = diagnostics.filter(({ code }) => code === 'unknown-priority-class');
      const actions = await client.request<readonly CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri },
        range: diagnostic!.range,
        context: { diagnostics: [diagnostic] },
      });
      const action = actions.find(({ title }) => title === turnOff);
      assert.ok(action !== undefined, actions.map(({ title }) => title).join('\n'));
      assert.match(JSON.stringify(action.edit), /# podium-disable-next-line unknown-priority-class/);
      const hover = await client.request<Hover>('textDocument/hover', {
        textDocument: { uri },
        position: { line: 14, character: 10 },
      });
      const { value } = hover.contents as { readonly value: string };
      assert.ok(value.includes(`- ${drains}`), value);
      const lenses = await client.request<readonly CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
      const resolved = await client.request<CodeLens>('codeLens/resolve', lenses[0]);
      assert.equal(resolved.command?.title, lens);
      await client.stop();
    });
  }
});
