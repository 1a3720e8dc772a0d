import { addTo } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { own } from '../../util/own.ts';
import { list, titleOf } from '../../util/words.ts';
import type { DeviceClass, KubeObject, Node, PodSpec, ResourceClaim, ResourceQuota } from '../../kubernetes/objects.ts';
import { pluginResources } from '../../kubernetes/pod-resources.ts';
import { podTemplateOf, workloadKinds } from '../../kubernetes/pod-template.ts';
import type { Release } from '../../kubernetes/release.ts';
import { derived } from '../index/derived.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import type { Kind } from '../index/kinds.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import type { ObjectRule } from './support/rule.ts';
import { findingAt } from './support/narrow.ts';

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
  *check({ fact, facts, earlier, kubernetes: { release } }) {
    const { template } = fact;
    const claims = template?.spec.resourceClaims ?? [];
    if (template === undefined || claims.length === 0 || isStoredPod(fact)) return;
    const path = [...template.path, 'spec', 'resourceClaims'];
    const now = pluginResources(template.spec);
    const before = earlier
      .flatMap(({ object }) => pluginResources(podTemplateOf(object)?.spec))
      .filter((name) => !now.includes(name));
    const classes = classesOf(claims, fact.namespace, facts);
    const moved = before.find(
      (name) =>
        isOfPlugin(name, facts, release) &&
        (classes.length === 0 || classes.some((each) => isBehind(each, name, facts))),
    );
    if (moved !== undefined) {
      const text = say`This moves from ${moved} to a claim of devices`;
      yield findingAt(fact, path, said(text, moved, classes, { fact, facts, release }));
      return;
    }
    for (const [name, users] of requesters(facts)) {
      const own = classes.find((each) => isBehind(each, name, facts));
      if (own === undefined || !isOfPlugin(name, facts, release)) continue;
      const who = [...new Set(users.filter((user) => user !== fact).map(titleOf))];
      const elsewhere = who.length === 0 ? say`also here` : say`by ${list(who, 3)}`;
      const text = say`Devices of class ${own} are claimed here, and requested as ${name} ${elsewhere}`;
      yield findingAt(fact, path, said(text, name, classes, { fact, facts, release }));
      return;
    }
  },
};

function said(
  text: string,
  resource: string,
  classes: readonly string[],
  {
    fact: { namespace },
    facts,
    release,
  }: { readonly fact: Fact; readonly facts: FactsReader; readonly release: Release },
): string {
  const loss = say`Before Kubernetes 1.38 priority never preempts for a claim, as it does for ${resource} of a device plugin`;
  const isCounted =
    release.featureGates.has('DRAExtendedResource') &&
    classesBehind(resource, facts).some((each) => classes.includes(each));
  const quotas = (isCounted ? [] : facts.ofKind('ResourceQuota'))
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

/** Whether devices of a class are what a device plugin offers: the class says so, or both are of one kind and vendor. */
function isBehind(className: string, resource: string, facts: FactsReader): boolean {
  const declared = classesBehind(resource, facts);
  if (declared.length > 0) return declared.includes(className);
  const slash = resource.indexOf('/');
  const [vendor, devices] = [resource.slice(0, slash), resource.slice(slash + 1)];
  if (className === vendor) return true;
  // `gpu.nvidia.com` and `nvidia.com/gpu`, `mig.nvidia.com` and `nvidia.com/mig-1g.10gb`
  return className.endsWith(`.${vendor}`) && devices.split('-')[0] === className.slice(0, -vendor.length - 1);
}

/** Classes that say that they are behind an extended resource. */
function classesBehind(resource: string, facts: FactsReader): readonly string[] {
  return facts
    .ofKind('DeviceClass')
    .filter(({ object }) => (object as DeviceClass).spec.extendedResourceName === resource)
    .map(({ name }) => name);
}

/** Whether a device plugin offers a resource, and not a class where no node has any of it. */
function isOfPlugin(resource: string, facts: FactsReader, { featureGates }: Release): boolean {
  if (!featureGates.has('DRAExtendedResource') || classesBehind(resource, facts).length === 0) return true;
  return facts.ofKind('Node').some(({ object }) => {
    const amount = own((object as Node).status?.allocatable, resource);
    return amount !== undefined && amount !== '0';
  });
}

/** Who requests which extended resource. */
const requesters = derived([...workloadKinds], (...lists): ReadonlyMap<string, readonly Fact[]> => {
  const found = new Map<string, Fact[]>();
  for (const fact of lists.flat()) {
    for (const name of pluginResources(fact.template?.spec)) {
      addTo(found, name, fact);
    }
  }
  return found;
});
