import type { Cause, CausePart } from '../../../report-model/cause.ts';
import { isMeantInMillicores, namedAmount } from '../../../util/amounts.ts';
import { nearestNames } from '../../../util/nearest-names.ts';
import { own } from '../../../util/own.ts';
import { say } from '../../../util/say.ts';
import { list } from '../../../util/words.ts';
import { nameOf, namespaceOf } from '../../../kubernetes/names.ts';
import type { PodSpec } from '../../../kubernetes/objects.ts';
import { readResourceList } from '../../../kubernetes/pod-resources.ts';
import { decidingInitContainer } from '../../causes/where-from.ts';
import { classNamed, isHugePages } from '../../causes/cause-text.ts';
import { isOffered } from '../../causes/shortages-of.ts';
import type { Inventory } from '../../cluster/inventory.ts';
import { leastOfRequest } from '../../operations/smaller-amount.ts';
import { namedOrCreated } from './missing-claims.ts';

/**
 * What to do where a node has too little of a resource, besides another node or a smaller request.
 * @param grows whether nodes come of pools, and are not added by hand
 */
export function amountAdvice(
  part: CausePart & { readonly kind: 'amount' },
  node: string,
  namespace: string,
  spec: PodSpec | undefined,
  inventory: Inventory,
  grows: boolean,
): readonly string[] {
  if (!isOffered(part)) return [offering(part.resource, inventory, grows)];
  if (isMeantInMillicores(part.resource, part.need, part.capacity)) {
    return [say`write ${part.need / 1000}m where millicores are meant: cpu without a unit is in cores`];
  }
  if (part.resource === 'pods') {
    return [
      say`raise maxPods of the kubelet of ${node}, where its network has addresses for more (on EKS: prefix delegation)`,
    ];
  }
  const initial = spec === undefined ? undefined : decidingInitContainer(part.resource, spec);
  const most = part.need > part.capacity ? part.capacity : part.free;
  return [
    ...unwritten(part.resource, namespace, spec, inventory),
    ...(initial === undefined || most <= 0
      ? []
      : [say`ask for at most ${namedAmount(part.resource, most)} in init container ${initial.name}`]),
    ...(!grows && part.need > part.capacity && part.resource !== 'cpu' && part.resource !== 'memory'
      ? [say`add a node that has ${namedAmount(part.resource, part.need)}`]
      : []),
  ];
}

/** The pods of a DaemonSet have one node each, and none that is larger. */
export function daemonAmountAdvice({ parts }: Cause, spec: PodSpec | undefined): readonly string[] {
  return parts.flatMap((part) =>
    part.kind === 'amount' &&
    isOffered(part) &&
    // What is proposed instead is no less than that, and for one container.
    (part.capacity < part.need * leastOfRequest ||
      (part.need > part.capacity && (parts.length > 1 || spec?.containers.length !== 1)))
      ? [say`ask for at most ${namedAmount(part.resource, part.capacity)}, or select nodes that are larger`]
      : [],
  );
}

/** A resource that no node offers: a name that is nearly one that some do, or a device plugin that does not run. */
function offering(resource: string, inventory: Inventory, grows: boolean): string {
  const offered = inventory
    .objects('Node')
    .flatMap(({ status }) =>
      [...readResourceList(status?.allocatable)].flatMap(([name, { nanos }]) => (nanos > 0n ? name : [])),
    );
  if (isHugePages(resource)) {
    return say`set ${resource} aside on a node (vm.nr_hugepages, or the kernel's command line) and restart its kubelet`;
  }
  const className = classNamed(resource);
  if (className !== undefined) {
    return inventory.objects('DeviceClass').some(({ metadata }) => metadata?.name === className)
      ? say`claim devices of class ${className}: this Kubernetes gives none to extended resources`
      : namedOrCreated('DeviceClass', className, [], '', inventory);
  }
  const [near] = nearestNames(resource, new Set(offered), 2);
  const domain = `${resource.split('/', 1)[0]!}/`;
  const others = [...new Set(offered.filter((each) => resource.includes('/') && each.startsWith(domain)))];
  if (near === undefined && others.length > 0) {
    return say`ask for ${list(others, namesLimit)}, which nodes offer instead`;
  }
  if (near !== undefined) return say`ask for ${near}, which nodes offer`;
  return grows
    ? say`let a pool make nodes that offer ${resource}, or run its device plugin on a node that has the devices`
    : say`run the device plugin of ${resource} on a node that has the devices`;
}

const namesLimit = 3;

/** An amount that containers do not ask for themselves: it is that of their limit, or what a LimitRange gives. */
function unwritten(
  resource: string,
  namespace: string,
  spec: PodSpec | undefined,
  inventory: Inventory,
): readonly string[] {
  const silent = (spec?.containers ?? []).filter(({ resources }) => own(resources?.requests, resource) === undefined);
  const limited = silent.filter(({ resources }) => own(resources?.limits, resource) !== undefined);
  const isShared = resource === 'cpu' || resource === 'memory';
  return [
    ...(limited.length > 0 && isShared
      ? [
          say`write a request of ${resource} in container ${list(limited.map(({ name }) => name))}: without one it is the limit`,
        ]
      : []),
    ...(limited.length === silent.length ? [] : ofLimitRange(resource, namespace, inventory)),
  ];
}

function ofLimitRange(resource: string, namespace: string, inventory: Inventory): readonly string[] {
  return inventory.objects('LimitRange').flatMap((object) => {
    const [given] = (object.spec?.limits ?? []).flatMap((item) =>
      item.type === 'Container' ? (own(item.defaultRequest, resource) ?? own(item.default, resource) ?? []) : [],
    );
    return namespaceOf(object) === namespace && given !== undefined
      ? [
          say`write in each container how much ${resource} it needs: LimitRange ${nameOf(object)} gives ${given} to one that says nothing`,
        ]
      : [];
  });
}
