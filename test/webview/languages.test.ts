import assert from 'node:assert/strict';
import { listOf, retold } from '../../server/src/contract/check.ts';
import { effect } from '../../server/src/contract/effect.ts';
import { remedy } from '../../server/src/contract/remedy.ts';
import { isReport, type Report } from '../../server/src/contract/report.ts';
import { type SoFar, soFar as partOfAnswer } from '../../server/src/contract/so-far.ts';
import { listenToTexts, say } from '../../server/src/kit/say.ts';
import { runToEnd } from '../../server/src/kit/steps.ts';
import { LateTranslation, Translation } from '../../server/src/kit/translation.ts';
import { ArrivalPreviews, WorkspaceRuns } from '../../server/src/simulation/index.ts';
import { sizeText } from '../../server/src/simulation/run/run-size.ts';
import type { Progress } from '../../server/src/simulation/scene/input.ts';
import type { HostMessage } from '../../client/src/report/host-messages.ts';
import { loadSample } from '../unit/simulation/load-sample.ts';
import { englishIn, givenIn, type Language, languages, readTexts, textsOf } from './english-left.ts';
import { pages } from './pages.ts';
import { namedInFailures, toldByServer } from './told-by-server.ts';

function translationOf(language: Language): LateTranslation {
  return new LateTranslation(
    new Translation(language, { ...readTexts('shared', language), ...readTexts('server', language) }),
  );
}

/** What the server would send of the sample, in a language: the report, what helps, and what an operation does. */
function told(language: Language) {
  const late = translationOf(language);
  listenToTexts(late);
  try {
    const input = loadSample();
    const runs = new WorkspaceRuns(input, new ArrivalPreviews(input));
    const operations = ['drain node/general-c --ignore-daemonsets', 'drain node/nowhere'];
    const tell = (text: string): string => late.said(text);
    const report = runToEnd(runs.report({ kind: 'workspace' }, []));
    const whole = { ...report, decisions: report.decisions.map((decision) => ({ ...decision })) };
    const remedies = retold(listOf(remedy), runToEnd(runs.remedies({ kind: 'workspace' }, [])), tell);
    const effects = retold(listOf(effect), runToEnd(runs.effects({ kind: 'workspace' }, operations)), tell);
    const after = runToEnd(runs.report({ kind: 'workspace' }, operations.slice(0, 1)));
    const compared = { ...after, decisions: after.decisions.map((decision) => ({ ...decision })) };
    return {
      report: { ...retold<Report, Report>(isReport, whole, tell), remedies },
      compared: { ...retold<Report, Report>(isReport, compared, tell), remedies: [] },
      operations,
      effects,
    };
  } finally {
    listenToTexts(undefined);
  }
}

/** What a run says that a CronJob has missed the times before. */
const missedTime =
  'the last time that it missed since {0}: one run makes all good, as if its controller looked now' as const;

/** What is told while a first run goes on: what is done, and what is decided, at its beginning and at its end. */
function toldMeanwhile(language: Language): readonly { readonly text: string; readonly soFar: SoFar | undefined }[] {
  const late = translationOf(language);
  listenToTexts(late);
  try {
    const told: { text: string; soFar: SoFar | undefined }[] = [];
    const progress: Progress = (text, soFar) => {
      const part = soFar?.();
      told.push({ text: late.said(text()), soFar: part && retold(partOfAnswer, part, (each) => late.said(each)) });
    };
    const input = loadSample();
    runToEnd(new WorkspaceRuns(input, new ArrivalPreviews(input)).report({ kind: 'workspace' }, [], { progress }));
    const large = sizeText({ nodes: 6_000, arriving: 60_000, seconds: 180 });
    return [...told, { text: late.said(say`${large}.`), soFar: undefined }];
  } finally {
    listenToTexts(undefined);
  }
}

describe('the report page in other languages', function () {
  const browser = pages();

  /** Opens the page in a language, and looks at all that it shows, again and again. */
  async function opened(
    language: Language,
  ): Promise<{ readonly seen: Set<string>; readonly look: () => Promise<void> }> {
    const texts = { ...readTexts('shared', language), ...readTexts('page', language) };
    await browser.open({ texts: { language, texts } });
    const { page } = browser.current;
    const seen = new Set<string>();
    return {
      seen,
      look: async () => {
        await browser.current.settled();
        for (const text of await textsOf(page)) seen.add(text);
      },
    };
  }

  for (const language of languages) {
    it(`has no English but that of Kubernetes in ${language}: views, drawer, menu, exports, empty states`, async () => {
      const { report, compared, operations, effects } = told(language);
      const { seen, look } = await opened(language);
      const { page } = browser.current;
      await look();
      await browser.current.show(report);
      assert.equal(await page.evaluate(() => document.documentElement.lang), language === 'zh-cn' ? 'zh-CN' : language);
      await look();
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        await look();
      }
      await page.getByRole('tab').first().click();
      const openers = page.locator('.answer-subject');
      for (const at of [0, 1, (await openers.count()) - 1]) {
        await openers.nth(at).click();
        await look();
      }
      await page.keyboard.press('Escape');
      for (const toggle of await page.locator('.rests [aria-expanded], .keys [aria-expanded]').all()) {
        await toggle.click();
      }
      await look();
      await page.locator('.card-title').first().click({ button: 'right' });
      await page.getByRole('menu').waitFor();
      await look();
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await page.keyboard.type('no such thing');
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        await look();
      }
      await browser.current.send({ type: 'whatIf', operations: [...operations], effects });
      await browser.current.show(compared);
      for (const details of await page.locator('details > summary').all()) await details.click();
      await look();
      await browser.current.send({ type: 'status', running: false, outdated: true, failure: '' });
      await look();
      await browser.current.show({
        ...report,
        pods: [],
        workloads: [],
        steps: [],
        victims: [],
        pending: [],
        timeline: [],
        drains: [],
        pressures: [],
      });
      await look();
      assert.ok(seen.size > 300, `${seen.size} texts`);
      assert.deepEqual(englishIn([...seen], [...givenIn(report), ...givenIn(compared), 'general-c', 'nowhere']), []);
    });

    it(`has none in ${language} while a first run goes on, and in what is said above a report`, async () => {
      const meanwhile = toldMeanwhile(language);
      const { report } = told(language);
      const { doubts, failures, progress } = await toldByServer(language);
      assert.deepEqual([doubts.length, failures.length > 10, progress.length > 0], [1, true, true]);
      const { seen, look } = await opened(language);
      const status = { type: 'status', running: false, outdated: false, failure: '' } as const;
      const send = async (more: Partial<Extract<HostMessage, { readonly type: 'status' }>>): Promise<void> => {
        await browser.current.send({ ...status, ...more });
        await look();
      };
      const last = meanwhile.findLast(({ soFar }) => soFar !== undefined)!;
      const above = async (): Promise<void> => {
        await send({ outdated: true });
        await send({ failure: failures[0]! });
        await send({ stopped: true });
        await send({ stopped: true, soFar: last.soFar });
        await send({ running: true, soFar: last.soFar, progress: last.text });
        await send({ doubt: { about: 'large', text: meanwhile.at(-1)!.text, origin: null } });
        for (const { about, doubt: text, origin } of doubts) await send({ doubt: { about, text, origin } });
      };
      await look();
      await send({ running: true, progress: progress[0]! });
      await above();
      await browser.current.show(report);
      await above();
      for (const against of ['previous', 'kept'] as const) {
        await send({ previous: true, against: { with: against, name: 'general-c', against: { kind: 'previous' } } });
      }
      assert.ok(seen.size > 150, `${seen.size} texts`);
      for (const text of [...failures, ...progress, ...meanwhile.map(({ text }) => text)]) seen.add(text);
      assert.deepEqual(englishIn([...seen], [...givenIn(report), ...namedInFailures]), []);
    });

    it(`has none in ${language} in what scenarios do over time`, async () => {
      const { reports } = await toldByServer(language);
      const { seen, look } = await opened(language);
      const { page } = browser.current;
      for (const report of reports) {
        await browser.current.show(report);
        await browser.current.send({ type: 'capacity', workloads: [], rows: [...report.capacity], failure: '' });
        await page.evaluate(() => {
          for (const details of document.querySelectorAll('details')) details.open = true;
        });
        await look();
        for (const tab of await page.getByRole('tab').all()) {
          await tab.click();
          await look();
          await page.keyboard.press('l');
          await look();
        }
        const slider = page.getByRole('slider');
        await page.getByRole('tab').nth(1).click();
        for (const at of [0, report.steps.length]) {
          await slider.fill(String(at));
          await look();
        }
      }
      const written = reports.flatMap(({ events, questions, capacity }) => [
        ...events.map(({ text }) => text).filter((text) => /^(?:add|drain|uncordon|pressure) /.test(text)),
        ...questions.map(({ text }) => text),
        ...capacity.map(({ message }) => message),
      ]);
      const given = [...reports.flatMap(givenIn), ...written].sort((a, b) => b.length - a.length);
      assert.deepEqual(englishIn([...seen], [...given, ...namedInFailures]), []);
      const missed = String(readTexts('server', language)[missedTime]).split('{0}').at(-1)!;
      assert.ok([...seen].some((text) => text.endsWith(missed)));
    });
  }
});
