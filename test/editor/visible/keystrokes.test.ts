import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

interface Scene {
  readonly kind: string;
  /** What is typed until the list has the kind first. */
  readonly begin: string;
  /** What is typed at the stops, one after the other; empty where the proposal stays. */
  readonly stops: readonly string[];
  /** What stands above it when it is judged. */
  readonly lens: RegExp;
  /** Keys from the empty file to the whole text: with Podium, and where all of it is typed. */
  readonly keys: readonly [withPodium: number, alone: number];
}

const scenes: readonly Scene[] = [
  {
    kind: 'Deployment',
    begin: 'Dep',
    stops: ['reviews', '', 'reviews:1', '', ''],
    lens: /^priority \d+/,
    keys: [24, 257],
  },
  { kind: 'Job', begin: 'Job', stops: ['once', 'once:1', '', ''], lens: /^priority \d+/, keys: [17, 210] },
  {
    kind: 'CronJob',
    begin: 'Cron',
    stops: ['nightly', '', 'nightly:1', '', ''],
    lens: /^priority \d+/,
    keys: [25, 293],
  },
  { kind: 'PodDisruptionBudget', begin: 'PodD', stops: ['extra', '', ''], lens: /allows|selects/, keys: [12, 162] },
  { kind: 'ResourceQuota', begin: 'Res', stops: ['all', '', ''], lens: /of|about/, keys: [9, 92] },
];

/** Keys to type a text where Enter keeps the column, and goes in behind a key. */
function keysAlone(text: string): number {
  let keys = 0;
  let column = 0;
  for (const line of text.trimEnd().split('\n')) {
    const content = line.trimStart();
    const indent = line.length - content.length;
    keys += Math.abs(indent - column) / 2 + content.length + 1;
    column = indent + (content.endsWith(':') ? 2 : 0);
  }
  return keys - 1;
}

describe('keystrokes from an empty file to a manifest that is judged', () => {
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;

  before(async () => {
    workspace = makeWorkspace('kubernetes-workspace');
    for (const { kind } of [...scenes, { kind: 'items' }]) {
      writeFileSync(join(workspace.folder, `keys-${kind}.yaml`), '');
    }
    window = await openWindow({ folder: workspace.folder, open: join(workspace.folder, 'apps', 'checkout.yaml') });
    workbench = new Workbench(window.page);
    await workbench.ready();
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  for (const { kind, begin, stops, lens, keys } of scenes) {
    it(`[ED-7] are ${keys[0]} instead of ${keys[1]} for a ${kind}, and none is Ctrl+Space`, async () => {
      const { keyboard } = window.page;
      let pressed = 0;
      const type = async (text: string): Promise<void> => {
        pressed += text.length;
        await keyboard.type(text, { delay: 110 });
      };
      const press = async (key: string): Promise<void> => {
        pressed += 1;
        await keyboard.press(key, { delay: 110 });
      };
      await workbench.open(`keys-${kind}.yaml`);
      await type(begin);
      await window.page.locator('.suggest-widget.visible .monaco-list-row.focused').filter({ hasText: kind }).waitFor();
      await press('Enter');
      for (const [index, stop] of stops.entries()) {
        if (index > 0) await press('Tab');
        await type(stop);
      }
      await keyboard.press('Escape');
      await keyboard.press('ControlOrMeta+S');
      const text = await eventually('the saved file', () => {
        const saved = readFileSync(join(workspace.folder, `keys-${kind}.yaml`), 'utf8');
        return saved === '' ? undefined : saved;
      });
      assert.ok(text.includes(`kind: ${kind}\nmetadata:\n  name: ${stops[0]!}\n`), text);
      await workbench.lensAtTop(lens);
      assert.deepEqual([pressed, keysAlone(text)], keys, text);
    });
  }

  it('[ED-7] need no blanks behind keys that go on below, and in the items of a list', async () => {
    const { keyboard } = window.page;
    await workbench.open('keys-items.yaml');
    const lines = ['apiVersion: v1', 'kind: Pod', 'metadata:', 'name: items'];
    const spec = ['spec:', 'containers:', '- name: main', 'image: nginx', 'args:', '- "a: b"', '- c'];
    await keyboard.type(lines.join('\n'), { delay: 110 });
    await keyboard.press('Enter');
    await keyboard.press('Backspace');
    await keyboard.type(spec.join('\n'), { delay: 110 });
    await keyboard.press('Escape');
    await keyboard.press('ControlOrMeta+S');
    const path = join(workspace.folder, 'keys-items.yaml');
    const text = await eventually('the saved file', () => readFileSync(path, 'utf8') || undefined);
    assert.equal(
      text.trimEnd(),
      `apiVersion: v1
kind: Pod
metadata:
  name: items
spec:
  containers:
    - name: main
      image: nginx
      args:
        - "a: b"
        - c`,
    );
  });
});
