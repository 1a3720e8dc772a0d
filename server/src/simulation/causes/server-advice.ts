import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { say } from '../../util/say.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { list } from '../../util/words.ts';
import { own } from '../../util/own.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import type { LimitRange } from '../../kubernetes/objects.ts';
import type { Inventory } from '../cluster/inventory.ts';

/** The class that a pod names, where the API server refuses it as nobody declares that. */
export function unknownClassIn(text: string): string | undefined {
  return /no PriorityClass with name (\S+) was found$/.exec(text)?.[1];
}

/** What to do about pods that the API server refuses, by what it answers. */
export function serverAdvice(namespace: string, text: string, inventory: Inventory): readonly string[] {
  const ranges = inventory.objects('LimitRange').filter((range) => namespaceOf(range) === namespace);
  if (text.includes('exceeded quota: ') && text.includes('persistentvolumeclaims "')) {
    return [say`raise the quota, ask for less, or remove claims that it counts`];
  }
  if (text.includes('exceeded quota: ')) return [say`raise the quota, ask for less, or remove pods that it counts`];
  if (text.includes('failed quota: ')) {
    return [say`write what the quota wants in the container, or a LimitRange with defaults for the namespace`];
  }
  if (text.includes('insufficient quota to match these scopes')) {
    return [
      say`add a ResourceQuota to namespace ${namespace} whose scopeSelector names the class, install into kube-system, or use a class of your own`,
    ];
  }
  if (text.includes('Limit must be set for non overcommitable resources')) {
    return [say`write the same amount as limit and as request: devices and huge pages are never overcommitted`];
  }
  const className = unknownClassIn(text);
  if (className?.startsWith('system-') === true) {
    const [near] = nearestNames(className, systemPriorityClasses.keys(), Math.ceil(className.length / 4));
    return [
      near === undefined
        ? say`use a class of your own: nobody can declare ${className}, as names that begin with system- are reserved`
        : say`name PriorityClass ${near}: names that begin with system- are reserved`,
    ];
  }
  if (className !== undefined && isPlaceholder(className)) return [];
  if (className !== undefined && inventory.classes.refused.includes(className)) {
    return [say`correct PriorityClass ${className}: the API server refuses it as it is declared`];
  }
  if (className !== undefined) return [toCreate('PriorityClass', className, classNames(inventory))];
  const [, runtime] = /RuntimeClass "([^"]+)" not found$/.exec(text) ?? [];
  if (runtime !== undefined) {
    const known = inventory.objects('RuntimeClass').flatMap(({ metadata }) => metadata?.name ?? []);
    return [toCreate('RuntimeClass', runtime, known)];
  }
  const [before = '', ratio] = text.split(' max limit to request ratio per Container is ');
  if (ratio !== undefined) {
    return [
      say`write a request of ${before.split(' ').at(-1)!} that is at least 1/${ratio.split(',', 1)[0]!} of its limit, or a lower limit: LimitRange ${namesOf(ranges)} asks for it`,
    ];
  }
  if (/ (usage|request ratio) per (Container|Pod) is /.test(text)) {
    return [say`write requests and limits that LimitRange ${namesOf(ranges)} allows, or change it`];
  }
  const [, resource] = /must be less than or equal to (\S+) limit of /.exec(text) ?? [];
  const defaulting = ranges.filter(({ spec }) =>
    spec?.limits.some((item) => own({ ...item.max, ...item.default }, resource ?? '') !== undefined),
  );
  if (resource !== undefined && defaulting.length > 0) {
    return [
      say`write a limit of ${resource} that is not below the request: LimitRange ${namesOf(defaulting)} gives one where none is written`,
    ];
  }
  if (text.startsWith('the integer value of priority ') || text.includes(': the integer value of priority ')) {
    return [say`leave priority out of the pod: its class gives it`];
  }
  const [, field] = /unknown field "spec\.(\w+)"/.exec(text) ?? [];
  return field !== undefined && podFields.has(field)
    ? [say`move ${field} into spec.template.spec`]
    : [say`the API server refuses them: what they are made from must change`];
}

function namesOf(ranges: readonly LimitRange[]): string {
  return list(ranges.flatMap(({ metadata }) => metadata?.name ?? []));
}

/** Those of a pod that are often written one level too high. */
const podFields: ReadonlySet<string> = new Set([
  'priorityClassName',
  'nodeSelector',
  'affinity',
  'tolerations',
  'topologySpreadConstraints',
  'schedulerName',
  'runtimeClassName',
  'containers',
  'volumes',
]);

/** Those that every cluster has are for what every node needs. */
function classNames(inventory: Inventory): readonly string[] {
  return inventory
    .objects('PriorityClass')
    .flatMap(({ metadata }) => metadata?.name ?? [])
    .filter((name) => !systemPriorityClasses.has(name));
}

/** More names than these are not told. */
const namesTold = 3;

function toCreate(kind: string, name: string, known: readonly string[]): string {
  const [near] = nearestNames(name, known, Math.ceil(name.length / 4));
  if (near !== undefined) return say`name ${kind} ${near}, or create ${name}`;
  return known.length === 0
    ? say`create ${kind} ${name}`
    : say`create ${kind} ${name}, or name one that is there: ${list(known, namesTold)}`;
}
