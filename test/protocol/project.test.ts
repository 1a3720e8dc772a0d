import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { TestClient } from './test-client.ts';

const budget =
  'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: a }\nspec: { minAvailable: 1, selector: { matchLabels: { app: nobody } } }\n';
const pod =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: main, image: app, resources: { requests: { cpu: 1 } } }] }\n';
const project = 'rules: { budget-selects-nothing: error }\n';

describe('podium.yaml in an editor', () => {
  const clients: TestClient[] = [];
  async function start(workspaceTrusted: boolean, settings: unknown = null): Promise<TestClient> {
    const client = await TestClient.start({
      files: { 'podium.yaml': project, 'budget.yaml': budget, 'web.yaml': pod },
      initializationOptions: { workspaceTrusted },
      settings,
    });
    clients.push(client);
    return client;
  }
  const severities = async (client: TestClient): Promise<unknown[]> => {
    const uri = await client.open('budget.yaml', budget);
    return (await client.diagnostics(uri)).map(({ code, severity }) => [code, severity]);
  };

  after(async () => {
    for (const client of clients) await client.stop();
  });

  it('says how grave a rule is, as on the command line, and follows what is written', async () => {
    const client = await start(true);
    assert.deepEqual(await severities(client), [['budget-selects-nothing', 1]]);
    await client.write('podium.yaml', 'rules: { budget-selects-nothing: warning }\n');
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: client.uri('podium.yaml'), type: 2 }],
    });
    await client.diagnostics(client.uri('budget.yaml'), ([first]) => first?.severity === 2);
  });

  it('counts less than what the user has set, and than nothing where the workspace is not trusted', async () => {
    const own = await start(true, { rules: { 'budget-selects-nothing': 'hint' }, exclude: [] });
    assert.deepEqual(await severities(own), [['budget-selects-nothing', 4]]);
    const untrusted = await start(false);
    assert.deepEqual(await severities(untrusted), [['budget-selects-nothing', 3]]);
  });
});
