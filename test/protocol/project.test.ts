import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
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
      files: {
        'podium.yaml': project,
        'budget.yaml': budget,
        'web.yaml': pod,
        'apps/podium.yaml': "rules: { budget-selects-nothing: warning }\nkubernetes: '1.34'\n",
        'apps/budget.yaml': budget,
      },
      initializationOptions: { workspaceTrusted },
      settings,
    });
    clients.push(client);
    return client;
  }
  const severities = async (client: TestClient, path = 'budget.yaml'): Promise<unknown[]> => {
    const uri = await client.open(path, budget);
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

  it('counts for what lies below its folder, and says what it cannot set there', async () => {
    const client = await start(true);
    assert.deepEqual(await severities(client, 'apps/budget.yaml'), [['budget-selects-nothing', 2]]);
    await client.until(
      () => client.log.some((line) => line.includes('apps/podium.yaml:2: kubernetes is not used: ')),
      () => client.log.join('\n'),
    );
    const uri = client.uri('apps/podium.yaml');
    const tell = (type: number) =>
      client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type }] });
    await client.write('apps/podium.yaml', "exclude: ['budget.yaml']\n");
    await tell(2);
    await client.diagnostics(client.uri('apps/budget.yaml'), (all) => all.length === 0);
    await rm(join(client.folder, 'apps/podium.yaml'));
    await tell(3);
    await client.diagnostics(client.uri('apps/budget.yaml'), ([first]) => first?.severity === 1);
  });

  it('counts less than what the user has set, and than nothing where the workspace is not trusted', async () => {
    const own = await start(true, { rules: { 'budget-selects-nothing': 'hint' }, exclude: [] });
    const untrusted = await start(false);
    for (const path of ['budget.yaml', 'apps/budget.yaml']) {
      assert.deepEqual(await severities(own, path), [['budget-selects-nothing', 4]]);
      assert.deepEqual(await severities(untrusted, path), [['budget-selects-nothing', 3]]);
    }
  });
});
