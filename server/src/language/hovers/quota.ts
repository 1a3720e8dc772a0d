import { joined, say } from '../../util/say.ts';
import { quotaScopes } from '../../admission/quota/scopes.ts';
import type { ResourceQuota } from '../../kubernetes/objects.ts';
import type { Fact } from '../index/fact.ts';
import { block, code } from '../connection/markdown.ts';
import { isCompared, quotaDemand } from '../rules/support/quotas.ts';
import { factLink, factLinks, some } from './links.ts';
import { type HoverPlace, isHeading, paragraphs } from './place.ts';

/** Resources that are told of. */
const shownResources = 12;

/** Whom a quota is about, what is used of it, and what the declared workloads would use of it together. */
export function quotaHover(place: HoverPlace): string | undefined {
  const { fact, path, facts } = place;
  if (!isHeading(path) && path[0] !== 'spec' && path[0] !== 'status') return undefined;
  const quota = fact.object as ResourceQuota;
  const { limits, workloads } = quotaDemand(fact, facts);
  const scopes = quotaScopes(quota).map(({ scopeName, operator, values }) =>
    values.length === 0 ? say`${scopeName} ${operator}` : say`${scopeName} ${operator} ${joined(values, ', ')}`,
  );
  const [, field, resource] = path;
  const limit = field === 'hard' ? limits.find((each) => each.resource === resource) : undefined;
  const shown = limits.slice(0, shownResources);
  const width = Math.max(0, ...shown.map((each) => each.resource.length));
  const used = quota.status?.used ?? {};
  const rows = shown.map(({ resource: name, asked, hard, isExceeded }) => {
    const now = Object.hasOwn(used, name) ? `  (in the cluster: ${String(used[name])})` : '';
    return say`${name.padEnd(width)}  ${asked} of ${hard}${isExceeded ? '  exceeded' : ''}${now}`;
  });
  if (limits.length > shown.length) rows.push(say`${limits.length - shown.length} more`);
  return paragraphs(
    say`**ResourceQuota ${code(fact.name)}**${scopes.length === 0 ? '' : say`, for pods in the scope ${some(scopes, code)}`}`,
    !isCompared(fact, facts)
      ? say`Podium compares pods with the first 100 quotas of a namespace, of which this is none.`
      : workloads.length === 0
        ? say`It is about none of the workloads that are declared here.`
        : say`It is about ${factLinks(workloads, facts)}. Running together they ask for`,
    rows.length === 0 ? '' : block(joined(rows, '\n')),
    limit === undefined || limit.shares.length === 0
      ? ''
      : say`Of ${code(limit.resource)} ${some(limit.shares, ({ workload, asked }) => say`${factLink(workload, facts)} asks for ${asked}`)}.`,
    say`Quotas are enforced when pods are created; the scheduler does not know them, and running pods are left alone.`,
  );
}

/** What workloads ask of a quota, resource by resource, on one line. */
export function quotaLine(quota: Fact, facts: HoverPlace['facts']): string {
  const { limits } = quotaDemand(quota, facts);
  const text = some(limits, ({ resource, asked, hard }) => say`${code(resource)} ${asked} of ${hard}`);
  return say`${factLink(quota, facts)}${text === '' ? '' : say`: ${text}`}`;
}
