import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../scripts/lib/paths.mjs';
import { listOf, retold } from '../../server/src/contract/check.ts';
import { effect } from '../../server/src/contract/effect.ts';
import { remedy } from '../../server/src/contract/remedy.ts';
import { isReport, type Report } from '../../server/src/contract/report.ts';
import { listenToTexts } from '../../server/src/kit/say.ts';
import { runToEnd } from '../../server/src/kit/steps.ts';
import { LateTranslation, Translation, type Translations } from '../../server/src/kit/translation.ts';
import { ArrivalPreviews, WorkspaceRuns } from '../../server/src/simulation/index.ts';
import { loadSample } from '../unit/simulation/load-sample.ts';
import { pages } from './pages.ts';

const languages = ['zh-cn', 'ja', 'ru'] as const;

const read = (part: string, language: string): Translations =>
  JSON.parse(readFileSync(join(root, `l10n/${part}.${language}.json`), 'utf8')) as Translations;

/** What stays English on the page, and is no name of the sample: words of Kubernetes, of keys and of commands. */
const allowed = new Set(
  [
    'Kubernetes API kube scheduler kubectl kubelet Pod Pods Pending taint Taint drain cordon uncordon Toleration',
    'toleration affinity Affinity CronJob CronJobs Job Deployment Deployments StatefulSet DaemonSet ReplicaSet Service',
    'PodDisruptionBudget PriorityClass ResourceQuota StorageClass KubeSchedulerConfiguration HorizontalPodAutoscaler',
    'cpu memory pods devices HTML JSON Markdown PNG SVG Escape Esc Enter Tab Space Delete Alt Ctrl Shift',
    'PreFilter PreScore Filter Score Insufficient active backoff unschedulable gated priority class value requests',
    'nodeName what add node nodes like scale delete remove ignore daemonsets podium simulate lasts start',
    'Node spec true status git HEAD yaml TooManyRequests cordoned Warning ignoring managed disruption',
    'whenUnsatisfiable ScheduleAnyway min max Guaranteed Burstable BestEffort init Podium minAvailable maxUnavailable',
  ]
    .join(' ')
    .split(' '),
);

/** Every text that is seen, shown over something, or spoken; not the verbatim messages of Kubernetes. */
function textsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate((given) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement?.closest(given) == null) found.push(node.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[title], [aria-label], [placeholder], [aria-valuetext]')) {
      if (element.closest(given) !== null) continue;
      for (const name of ['title', 'aria-label', 'placeholder', 'aria-valuetext']) {
        found.push(element.getAttribute(name) ?? '');
      }
    }
    return [...new Set(found)].filter((text) => text.trim() !== '');
  }, 'script, style, datalist, .verbatim, .verbatim-inline, kbd');
}

/** Names and messages that the report has of its manifests and of Kubernetes, the longest first. */
function givenIn(report: Report): readonly string[] {
  const given = new Set<string>();
  const take = (...texts: readonly (string | null | undefined)[]): void => {
    for (const text of texts) if (text != null && text !== '') given.add(text);
  };
  for (const { name, namespace, className, budgets, requests } of report.pods) {
    take(name, namespace, className, ...budgets, ...Object.keys(requests));
  }
  for (const node of report.nodes) take(node.name, node.zone, ...node.taints, ...Object.keys(node.allocatable));
  for (const workload of report.workloads) take(workload.name, workload.namespace, workload.className);
  for (const rung of report.ladder) take(...rung.classes);
  for (const { event } of report.victims) take(event);
  for (const decision of report.decisions) {
    take(decision.message);
    if (!('refusals' in decision)) continue;
    for (const { reasons, plugin } of [...decision.refusals, ...decision.afterPreemption]) take(plugin, ...reasons);
    take(decision.ineligible, ...(decision.scores?.plugins ?? []));
  }
  return [...given].sort((a, b) => b.length - a.length);
}

/** Words in Latin letters that are neither given nor of Kubernetes. */
function englishIn(texts: readonly string[], given: readonly string[]): readonly string[] {
  // A name may be cut at its end, where the style sheet draws the rest.
  const parts = [...new Set(given.flatMap((text) => text.split(/[^\p{L}\d]+/u)))];
  return texts.flatMap((text) => {
    const own = text.replaceAll(/--what-if '[^']*'|[\w-]+\.yaml:\d+/g, ' ');
    const rest = given.reduce((left, name) => left.replaceAll(name, ' '), own);
    const words = (rest.match(/[A-Za-z\d]{3,}/g) ?? []).filter((word) => /[A-Za-z]{3}/.test(word));
    const isGiven = (word: string): boolean => parts.some((part) => part.startsWith(word));
    const english = words.filter((word) => !allowed.has(word) && !isGiven(word));
    return english.length === 0 ? [] : [`${english.join(' ')} in "${text}"`];
  });
}

/** What the server would send of the sample, in a language: the report, what helps, and what an operation does. */
function told(language: (typeof languages)[number]) {
  const late = new LateTranslation(
    new Translation(language, { ...read('shared', language), ...read('server', language) }),
  );
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

describe('the report page in other languages', function () {
  const browser = pages();

  for (const language of languages) {
    it(`has no English but that of Kubernetes in ${language}: views, drawer, menu, exports, empty states`, async () => {
      const { report, compared, operations, effects } = told(language);
      const texts = { ...read('shared', language), ...read('page', language) };
      await browser.open({ texts: { language, texts } });
      const { page } = browser.current;
      const seen = new Set<string>();
      const look = async (): Promise<void> => {
        await browser.current.settled();
        for (const text of await textsOf(page)) seen.add(text);
      };
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
  }
});
