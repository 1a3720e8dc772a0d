/** What is left in English on a page in another language. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../scripts/lib/paths.mjs';
import type { Report } from '../../server/src/contract/report.ts';
import type { Translations } from '../../server/src/kit/translation.ts';

export const languages = ['zh-cn', 'ja', 'ru'] as const;

export type Language = (typeof languages)[number];

export const readTexts = (part: 'page' | 'server' | 'shared', language: Language): Translations =>
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
    'cronjob concurrencyPolicy Forbid Replace drained Kubelet',
    'whenUnsatisfiable ScheduleAnyway min max Guaranteed Burstable BestEffort init Podium minAvailable maxUnavailable',
  ]
    .join(' ')
    .split(' '),
);

/** Every text that is seen, shown over something, or spoken; not the verbatim messages of Kubernetes. */
export function textsOf(page: Page): Promise<readonly string[]> {
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
export function givenIn(report: Report): readonly string[] {
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
export function englishIn(texts: readonly string[], given: readonly string[]): readonly string[] {
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
