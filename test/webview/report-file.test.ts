import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shipped } from '../../scripts/lib/shipped.mjs';
import { reportFile } from '../../server/src/report-model/report-file.ts';
import type { Report } from '../../server/src/report-model/report.ts';
import { podium } from '../unit/cli/run-podium.ts';
import { violations } from './axe.ts';
import { type Harness, type OpenFile, startHarness } from './harness.ts';
import { hostileReport, sampleReport } from './sample-report.ts';

describe('[ED-5] the report as a file of its own', function () {
  let harness: Harness;
  let folder: string;
  let open: OpenFile;

  before(async () => {
    harness = await startHarness();
    folder = await mkdtemp(join(tmpdir(), 'podium-report-'));
  });
  after(async () => {
    await harness.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    const { complaints, loaded } = open;
    await open.close();
    assert.deepEqual({ complaints, loaded }, { complaints: [], loaded: [] });
  });

  async function written(report: Report): Promise<string> {
    const { extension } = await shipped();
    const [script = '', style = ''] = await Promise.all(
      ['main.js', 'main.css'].map((name) => readFile(join(extension, 'dist', 'webview', name), 'utf8')),
    );
    const path = join(folder, 'report.html');
    await writeFile(path, await reportFile(report, { script, style }));
    return path;
  }

  it('is written by the command line, and shows the answer, the map and what each decision rests on', async () => {
    const { stdout, code } = await podium(['simulate', 'samples/online-shop', '--format', 'html']);
    assert.equal(code, 0);
    const path = join(folder, 'command-line.html');
    await writeFile(path, stdout);
    open = await harness.openFile(path);
    const { page } = open;
    await page.getByRole('heading', { level: 1, name: /^checkout evicts thumbnailer/ }).waitFor();
    assert.match(await page.title(), /^checkout evicts thumbnailer/);
    const remedy = page.locator('.remedies li', { hasText: 'no pod is evicted, 2 pending' });
    const typed = "podium simulate samples/online-shop --what-if 'add 1 node like general-a'";
    assert.equal(await remedy.locator('[title]').getAttribute('title'), typed);
    await remedy.getByRole('button', { name: 'Copy as command' }).waitFor();
    const broken = await page
      .locator('.answer-then, .answer-text')
      .evaluateAll((texts) =>
        texts.flatMap((text) =>
          [...text.querySelectorAll('.unbroken')].filter((name) => name.getClientRects().length > 1),
        ),
      );
    assert.equal(broken.length, 0);
    assert.ok((await page.locator('.answer-then .unbroken', { hasText: 'general-c' }).count()) > 0);
    await page.locator('.card').first().waitFor();
    await page.getByRole('button', { name: /checkout.*2 of 2/ }).click();
    await page.locator('.drawer').getByText('general-c').first().waitFor();
    assert.ok(!stdout.includes(process.cwd()), 'names a folder of this machine');
  });

  it('offers nothing that needs an editor or the engine', async () => {
    open = await harness.openFile(await written(sampleReport()));
    const { page } = open;
    await page.locator('.headline').waitFor();
    for (const name of ['Run again', 'Kept…', 'drain its node']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    }
    assert.equal(await page.getByLabel('Export').count(), 0);
    await page.keyboard.press('?');
    assert.equal(await page.getByText('what if', { exact: true }).count(), 0);
  });

  it('opens at the tab and the filter of its address, which follows both', async () => {
    open = await harness.openFile(await written(sampleReport()));
    const { page } = open;
    await page.locator('.headline').waitFor();
    const [address] = page.url().split('#');
    assert.equal(page.url(), address);
    await page.goto(`${address}#victims?ns=shop-batch`);
    await page.getByRole('tab', { name: /Victims/, selected: true }).waitFor();
    assert.equal(await page.getByRole('textbox').inputValue(), 'shop-batch/');
    await page.getByRole('tab', { name: /Pods/ }).click();
    await page.waitForURL(`${address}#pods?q=shop-batch%2F`);
    await page.reload();
    await page.getByRole('tab', { name: /Pods/, selected: true }).waitFor();
    await page.goto(`${address}#nonsense?ns=%`);
    await page.getByRole('tab', { name: /Map/, selected: true }).waitFor();
  });

  it('takes names for text, whatever they end or begin', async () => {
    const markup = '</script><script>document.title="owned"</script><!--<img src=https://example.com/x>\u2028';
    const path = await written(hostileReport(markup));
    open = await harness.openFile(path);
    const { page } = open;
    await page.locator('.headline').waitFor();
    assert.equal(await page.locator('.headline').textContent(), markup);
    assert.equal(await page.title(), markup.replace('\u2028', '\ufffd'));
    assert.equal(await page.locator('script').count(), 2);
    assert.equal(await page.locator('img').count(), 0);
  });

  it('holds as many decisions as a file may, and says of the others that it has them not', async () => {
    const report = sampleReport();
    const [first, ...others] = report.decisions;
    const decisions = [{ ...first!, why: 'x'.repeat(17_000_000) }, ...others];
    open = await harness.openFile(await written({ ...report, decisions }));
    const { page } = open;
    await page
      .getByRole('button', { name: /checkout/ })
      .first()
      .click();
    await page.getByText('The whole of this decision is not in the file').first().waitFor();
  });

  it('says that there is no report in a file that was damaged', async () => {
    const path = await written(sampleReport());
    const damaged = (await readFile(path, 'utf8')).replace(/(id="podium-report">.{200})./, '$1-');
    await writeFile(path, damaged);
    open = await harness.openFile(path);
    await open.page.getByText('this file has no report that can be read.').waitFor();
  });

  for (const colorScheme of ['dark', 'light'] as const) {
    for (const contrast of ['no-preference', 'more'] as const) {
      it(`can be read in the colours that the system prefers: ${colorScheme}, contrast ${contrast}`, async () => {
        open = await harness.openFile(await written(sampleReport()), { colorScheme, contrast });
        const { page } = open;
        await page.locator('vscode-textfield:defined').waitFor();
        assert.deepEqual(await violations(page), []);
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const dark = contrast === 'more' ? 'rgb(0, 0, 0)' : 'rgb(31, 31, 31)';
        assert.equal(ground, colorScheme === 'dark' ? dark : 'rgb(255, 255, 255)');
      });
    }
  }
});
