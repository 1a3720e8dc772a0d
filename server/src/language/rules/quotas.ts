import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { limitedSystemClasses } from '../../admission/quota/quota.ts';
import { hasErrors } from '../../admission/format/field-errors.ts';
import { matchingClaimResources } from '../../admission/quota/claims.ts';
import { countedKinds } from '../../admission/quota/usage.ts';
import { judgeQuota } from '../../admission/quota/validation.ts';
import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { count, titleOf } from '../../util/words.ts';
import type { ResourceQuota } from '../../kubernetes/objects.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { livingWith, ofOneCluster } from '../index/living-apart.ts';
import { byName } from '../index/selection.ts';
import { classesFor, classLadder } from '../index/priority-classes.ts';
import type { Finding, ObjectRule } from './support/rule.ts';
import { fixAt, removeEntry, replaceScalar } from './support/edits.ts';
import { wantedByQuota } from './support/wanted-by-quota.ts';
import { findingAt } from './support/narrow.ts';
import { lateClaim, limitedIn, quotaDemand, quotaReview, quotasIn, uncomparedQuotas } from './support/quotas.ts';
import { refusalText } from './support/refused-pod.ts';

export const quotaRefusesPods: ObjectRule = {
  code: 'quota-refuses-pods',
  title:
    'A ResourceQuota, or the lack of one that the API server is configured to want, refuses a claim or every pod of a workload',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.template === undefined && fact.kind !== 'PersistentVolumeClaim') return;
    const limited = limitedIn(facts);
    const review = quotaReview(fact, facts, limited);
    if (review?.refusal === undefined) return;
    const lacksQuota = limited.length > 0 && quotaReview(fact, facts)?.refusal === undefined;
    const quotas = quotasIn(facts, fact.namespace);
    const message = review.refusal.startsWith(lateClaim)
      ? say`The pods of this ${fact.kind} stay pending: ${review.refusal}.`
      : refusalText(fact, review.refusal);
    yield findingAt(fact, placeOfRefusal(fact, review.refusal, lacksQuota), message, {
      related: () => quotas.map((quota) => ({ fact: quota, message: say`ResourceQuota ${quota.name}` })),
      value: review.refusal,
    });
  },
  fix: fixAt((fact, _path, _subject, refusal = '') => wantedByQuota(fact, refusal)),
};

function placeOfRefusal({ template }: Fact, refusal: string, lacksQuota: boolean): readonly (string | number)[] {
  if (template === undefined) return ['spec', 'resources', 'requests', 'storage'];
  if (refusal.startsWith('failed to create PVC ')) return ['spec', 'volumeClaimTemplates'];
  if (refusal.startsWith(lateClaim)) return [...template.path, 'spec', 'volumes'];
  const part = lacksQuota && template.spec.priorityClassName !== undefined ? 'priorityClassName' : 'containers';
  return [...template.path, 'spec', part];
}

export const quotaExceeded: ObjectRule = {
  code: 'quota-exceeded',
  title: 'The workloads of a namespace together ask for more than a ResourceQuota allows',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'ResourceQuota' || hasErrors(judgeQuota(fact.object))) return;
    if (!quotasIn(facts, fact.namespace).includes(fact)) return;
    const uncompared = uncomparedQuotas(facts, fact.namespace);
    if (uncompared?.first === fact) {
      const { count: quotas } = uncompared;
      const others = quotas === 1 ? '' : say` and ${count(quotas - 1, 'other')} of this namespace`;
      const message = say`Podium compares pods with the first 100 quotas of a namespace: this one${others} ${quotas === 1 ? 'is' : 'are'} not compared.`;
      yield findingAt(fact, ['metadata', 'name'], message, { severity: 'information' });
    }
    yield* tooManyObjects(fact, facts);
    for (const { resource, asked, hard, isExceeded, shares } of quotaDemand(fact, facts).limits) {
      if (!isExceeded) continue;
      const path = ['spec', 'hard', resource];
      const message =
        matchingClaimResources([resource]).length > 0
          ? say`The claims declared here, and those made for StatefulSets and ephemeral volumes, ask for ${asked} of ${resource}; this quota allows ${hard}. Claims beyond that are refused, and their pods do not start.`
          : say`Running together, the workloads declared here ask for ${asked} of ${resource}; this quota allows ${hard}. Pods beyond that are refused when they are created.`;
      yield findingAt(fact, path, message, {
        related: () =>
          shares.map(({ workload, asked: share }) => ({
            fact: workload,
            message: say`${titleOf(workload)}: ${share}`,
          })),
      });
    }
  },
};

function* tooManyObjects(quota: Fact, facts: FactsReader): Generator<Finding> {
  const { hard: limits } = (quota.object as ResourceQuota).spec ?? {};
  for (const [resource, kind] of Object.entries(countedKinds)) {
    const hard = own(limits, resource);
    if (hard === undefined) continue;
    const there = facts.ofKind(kind).filter(({ namespace }) => namespace === quota.namespace);
    const names = [...byName(ofOneCluster(livingWith(there, quota, facts), facts)).values()];
    if (!(names.length > Number(hard))) continue;
    const message = say`${names.length} objects of kind ${kind} are declared here; this quota allows ${hard}. Those beyond that are refused when they are created.`;
    yield findingAt(quota, ['spec', 'hard', resource], message, {
      related: () => names.map(([fact]) => fact),
    });
  }
}

export const systemClassOutsideKubeSystem: ObjectRule = {
  code: 'system-class-outside-kube-system',
  title: 'A pod outside kube-system uses a system PriorityClass, which managed clusters allow only by quota',
  // Whether the API server is configured so, manifests do not tell.
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const className = fact.template?.spec.priorityClassName ?? '';
    if (fact.template === undefined || fact.namespace === 'kube-system' || !systemPriorityClasses.has(className)) {
      return;
    }
    // Where a chart is installed that nothing here installs, nobody knows.
    if (fact.manifest.rendering?.hasOnlyOwnValues === true) return;
    // What is configured is known where the configuration is declared.
    if (limitedIn(facts).length > 0) return;
    const refusal = quotaReview(fact, facts, limitedSystemClasses)?.refusal;
    if (refusal?.includes('insufficient quota') !== true) return;
    const path = [...fact.template.path, 'spec', 'priorityClassName'];
    const message = say`Managed clusters keep ${className} to namespaces whose ResourceQuota names it, and would answer: ${refusal}.`;
    yield findingAt(fact, path, message);
  },
  fix: fixAt((fact, path, { facts, uri }) => {
    const [highest] = classesFor(classLadder(facts), uri).filter(({ name }) => !systemPriorityClasses.has(name));
    const removal = { title: say`Remove \`priorityClassName\``, edits: [removeEntry(fact, path)] };
    if (highest === undefined) return [removal];
    const { name, value } = highest;
    const title = say`Use PriorityClass ${name} (${value}), the highest of your own`;
    return [{ title, preferred: true, edits: [replaceScalar(fact, path, name)] }, removal];
  }),
};
