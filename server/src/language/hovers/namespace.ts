import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { code } from '../connection/markdown.ts';
import { limitRangesIn } from '../rules/support/made-pods.ts';
import { quotasIn } from '../rules/support/quotas.ts';
import { podsSelectedIn, workloadsIn } from '../index/selection.ts';
import { compileRequirements } from '../../kubernetes/labels.ts';
import { isRunning } from '../index/running-pods.ts';
import { factLinks, podsText, some } from './links.ts';
import { type HoverPlace, paragraphs, points } from './place.ts';
import { quotaLine } from './quota.ts';

/** Namespaces that the API server makes. Source: pkg/controlplane/controller/systemnamespaces, pkg/controlplane/instance.go */
const always: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** What is in a namespace: workloads, quotas, ranges of limits, budgets. */
export function namespaceHover(name: string, { facts }: HoverPlace): string {
  const workloads = workloadsIn(facts, name);
  const running = podsSelectedIn(facts, name, compileRequirements([])).filter(isRunning).length;
  const quotas = quotasIn(facts, name);
  const ranges = limitRangesIn(facts, name);
  const budgets = facts.ofKind('PodDisruptionBudget').filter(({ namespace }) => namespace === name);
  const isThere = always.has(name) || facts.ofKind('Namespace').some((fact) => fact.name === name);
  return paragraphs(
    say`**Namespace ${code(name)}**${isThere ? '' : say` is not declared here`}`,
    points([
      workloads.length === 0
        ? say`No workloads that are declared here`
        : say`${count(workloads.length, 'workload')}: ${factLinks(workloads, facts, (each) => say` (${podsText(each, facts)})`)}`,
      ...(running === 0 ? [] : [say`${count(running, 'pod')} ${running === 1 ? 'runs' : 'run'} now`]),
      quotas.length === 0
        ? say`No quota`
        : say`${count(quotas.length, 'quota')}: ${some(quotas, (quota) => quotaLine(quota, facts), 3)}`,
      ranges.length === 0
        ? say`No range of limits`
        : say`${count(ranges.length, 'range')} of limits: ${factLinks(ranges, facts)}`,
      budgets.length === 0 ? say`No budget` : say`${count(budgets.length, 'budget')}: ${factLinks(budgets, facts)}`,
    ]),
  );
}
