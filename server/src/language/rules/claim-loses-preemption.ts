import { say } from '../../util/say.ts';
import { list, titleOf } from '../../util/words.ts';
import type { DeviceClass, KubeObject, PodSpec, ResourceClaim, ResourceQuota } from '../../kubernetes/objects.ts';
import { podTemplateOf, workloadKinds } from '../../kubernetes/pod-template.ts';
import { derived } from '../index/derived.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import type { Kind } from '../index/kinds.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import type { ObjectRule } from './support/rule.ts';
import { findingAt } from './support/narrow.ts';

/** Resources of device plugins that are looked at. */
const isOfPlugin = (name: string): boolean => name.includes('/') && !name.includes('kubernetes.io/');

/**
 * Preemption frees extended resources, and quotas count them; of claims neither is so. Whoever moves from one to the other
 * loses both. Source: pkg/scheduler/framework/plugins/dynamicresources (UnschedulableAndUnresolvable),
 * pkg/quota/v1/evaluator/core/resource_claims.go
 */
export const claimLosesPreemption: ObjectRule = {
  code: 'claim-loses-preemption',
  title: 'A pod claims devices that others request from a device plugin, or that it did before',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts, earlier }) {
    const { template } = fact;
    const claims = template?.spec.resourceClaims ?? [];
    if (template === undefined || claims.length === 0 || isStoredPod(fact)) return;
    const path = [...template.path, 'spec', 'resourceClaims'];
    const now = requestedOf(template.spec);
    const before = earlier
      .flatMap(({ object }) => requestedOf(podTemplateOf(object)?.spec))
      .filter((name) => !now.includes(name));
    const classes = classesOf(claims, fact.namespace, facts);
    const moved = before.find((name) => classes.length === 0 || classes.some((each) => isBehind(each, name, facts)));
    if (moved !== undefined) {
      const text = say`This moves from ${moved} to a claim of devices`;
      yield findingAt(fact, path, said(text, moved, classes, fact, facts));
      return;
    }
    for (const [name, users] of requesters(facts)) {
      const own = classes.find((each) => isBehind(each, name, facts));
      if (own === undefined) continue;
      const who = users.filter((user) => user !== fact).map(titleOf);
      const elsewhere = who.length === 0 ? say`also here` : say`by ${list(who, 3)}`;
      const text = say`Devices of class ${own} are claimed here, and requested as ${name} ${elsewhere}`;
      yield findingAt(fact, path, said(text, name, classes, fact, facts));
      return;
    }
  },
};

function said(
  text: string,
  resource: string,
  classes: readonly string[],
  { namespace }: Fact,
  facts: FactsReader,
): string {
  const loss = say`Before Kubernetes 1.38 priority never preempts for a claim, as it does for ${resource}`;
  const quotas = facts
    .ofKind('ResourceQuota')
    .filter((quota) => quota.namespace === namespace)
    .filter(({ object }) => {
      const { hard = {} } = (object as ResourceQuota).spec ?? {};
      return Object.hasOwn(hard, `requests.${resource}`) || Object.hasOwn(hard, resource);
    });
  const [className = 'CLASS'] = classes;
  return quotas.length === 0
    ? say`${text}. ${loss}.`
    : say`${text}. ${loss}, and ResourceQuota ${list(quotas.map(({ name }) => name))} does not count claims: that needs ${className}.deviceclass.resource.k8s.io/devices.`;
}

/** Extended resources that the containers request. */
function requestedOf(spec: PodSpec | undefined): readonly string[] {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const names = containers.flatMap(({ resources = {} }) =>
    Object.keys({ ...resources.limits, ...resources.requests }).filter(isOfPlugin),
  );
  return [...new Set(names)];
}

/** The classes that the claims of a pod name, as far as these are declared. */
function classesOf(
  claims: NonNullable<PodSpec['resourceClaims']>,
  namespace: string,
  facts: FactsReader,
): readonly string[] {
  const names = claims.flatMap(({ resourceClaimName, resourceClaimTemplateName }) => {
    const kind: Kind = resourceClaimName === undefined ? 'ResourceClaimTemplate' : 'ResourceClaim';
    const name = resourceClaimName ?? resourceClaimTemplateName;
    const declared = facts.ofKind(kind).find((each) => each.name === name && each.namespace === namespace);
    const requests = declared === undefined ? [] : requestsOf(declared.object);
    return requests.flatMap(({ exactly, firstAvailable = [] }) =>
      (exactly === undefined ? firstAvailable : [exactly]).map(({ deviceClassName }) => deviceClassName),
    );
  });
  return [...new Set(names)];
}

type Requests = NonNullable<NonNullable<ResourceClaim['spec']['devices']>['requests']>;

function requestsOf(object: KubeObject): Requests {
  const { spec } = object as ResourceClaim;
  const claim = object.kind === 'ResourceClaim' ? spec : (spec as unknown as Pick<ResourceClaim, 'spec'>).spec;
  return claim.devices?.requests ?? [];
}

/** Whether devices of a class are what a device plugin offers: the class says so, or both are of one vendor. */
function isBehind(className: string, resource: string, facts: FactsReader): boolean {
  const declared = facts.ofKind('DeviceClass').find(({ name }) => name === className);
  if ((declared?.object as DeviceClass | undefined)?.spec.extendedResourceName === resource) return true;
  const vendor = resource.slice(0, resource.indexOf('/'));
  return className === vendor || className.endsWith(`.${vendor}`);
}

/** Who requests which extended resource. */
const requesters = derived([...workloadKinds], (...lists): ReadonlyMap<string, readonly Fact[]> => {
  const found = new Map<string, Fact[]>();
  for (const fact of lists.flat()) {
    for (const name of requestedOf(fact.template?.spec)) {
      const users = found.get(name);
      if (users === undefined) found.set(name, [fact]);
      else users.push(fact);
    }
  }
  return found;
});
