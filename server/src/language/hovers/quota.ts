import { quotaScopes } from '../../admission/quota/scopes.ts';
import type { ResourceQuota } from '../../kubernetes/objects.ts';
import type { Fact, Facts } from '../facts.ts';
import { block, code } from '../markdown.ts';
import { quotaDemand } from '../rules/support/quotas.ts';
import { factLinks } from './links.ts';

/** Whom a quota is about, and what the declared workloads would use of it together. */
export function quotaHover(fact: Fact, facts: Facts): string {
  const { limits, workloads } = quotaDemand(fact, facts);
  const scopes = quotaScopes(fact.object as ResourceQuota).map(({ scopeName, operator, values }) =>
    values.length === 0 ? `${scopeName} ${operator}` : `${scopeName} ${operator} ${values.join(', ')}`,
  );
  const width = Math.max(0, ...limits.map(({ resource }) => resource.length));
  const rows = limits.map(
    ({ resource, asked, hard, isExceeded }) =>
      `${resource.padEnd(width)}  ${asked} of ${hard}${isExceeded ? '  exceeded' : ''}`,
  );
  return [
    `**ResourceQuota ${code(fact.name)}**${scopes.length === 0 ? '' : `, for pods in the scope ${scopes.map(code).join(' and ')}`}`,
    workloads.length === 0
      ? 'It is about none of the workloads that are declared here.'
      : `It is about ${factLinks(workloads, facts)}. Running together they ask for`,
    workloads.length === 0 || rows.length === 0 ? '' : block(rows.join('\n')),
    'Quotas are enforced when pods are created; the scheduler does not know them, and running pods are left alone.',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
