import assert from 'node:assert/strict';
import type { CodeAction, CodeLens, Hover } from 'vscode-languageserver/node';
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
  lens: 'priority unknown · rejected: Deployment.app… (nodes assumed)',
};

const languages: readonly Expected[] = [
  {
    locale: 'ru',
    unknownClass: /^PriorityClass с именем "checkout-high" не объявлен ни в рабочей области/,
    turnOff: 'Отключить unknown-priority-class для этой строки',
    drains: "Осушение и taint'ы `NoExecute` оставляют столько же времени.",
    lens: 'приоритет неизвестен · отклонён: Deploy… (узлы предположены)',
  },
  {
    locale: 'ja',
    unknownClass: /^"checkout-high" という名前の PriorityClass は/,
    turnOff: 'この行で unknown-priority-class をオフにする',
    drains: 'drain と `NoExecute` の Taint も同じ時間を残します。',
    lens: '優先度不明 · 拒否: Deployment.apps "checkout" is invalid:… (ノードは仮定)',
  },
  {
    locale: 'zh-cn',
    unknownClass: /^工作区和集群快照中都没有声明名为 "checkout-high" 的 PriorityClass。$/,
    turnOff: '对此行关闭 unknown-priority-class',
    drains: '腾空和 `NoExecute` 污点留出同样的时间。',
    lens: '优先级未知 · 被拒绝：Deployment.apps "checkout" is invalid: sp…（假定节点）',
  },
  {
    locale: 'zh-Hans-CN',
    unknownClass: /^工作区和集群快照中都没有/,
    turnOff: '对此行关闭 unknown-priority-class',
    drains: '腾空和 `NoExecute` 污点留出同样的时间。',
    lens: '优先级未知 · 被拒绝：Deployment.apps "checkout" is invalid: sp…（假定节点）',
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

describe('languages of the server', () => {
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
