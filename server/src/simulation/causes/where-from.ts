import { namedAmount } from '../../util/amounts.ts';
import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import type { CausePart } from '../../report-model/cause.ts';
import type { Container, Pod, PodSpec, LimitRange } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { list } from '../../util/words.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import { currentLabel } from '../../kubernetes/renamed-labels.ts';
import { taintOwner } from '../../kubernetes/taint-owner.ts';
import { groupBy } from '../../util/maps.ts';
import type { Inventory } from '../cluster/inventory.ts';

/** Where what keeps a pod from a node comes from, where its own manifest does not say it. */
export function notesOn(
  parts: readonly CausePart[],
  pod: Pod,
  template: PodSpec | undefined,
  inventory: Inventory,
): readonly string[] {
  const { spec } = pod;
  if (spec === undefined || template === undefined) return [];
  const ranges = inventory.objects('LimitRange').filter((range) => namespaceOf(range) === namespaceOf(pod));
  const amounts = parts.flatMap((part): readonly AmountNote[] => {
    if (part.kind !== 'amount') return [];
    return [
      ...overhead(part.resource, spec),
      ...(readResourceList(spec.resources?.requests).has(part.resource)
        ? [{ what: '', text: () => say`that is its request for the whole pod (spec.resources)` }]
        : [...ofInitContainer(part.resource, spec), ...request(part.resource, spec, template, ranges)]),
    ];
  });
  // What is said of several resources is said once.
  const alike = [...groupBy(amounts, ({ text }) => text('')).values()];
  const notes = parts.flatMap((part): readonly string[] => {
    if (part.kind === 'taint') return part.taints.flatMap((taint) => nearlyTolerated(taint, spec, template));
    return part.kind === 'labels' ? selected(part.wanted, spec, template) : [];
  });
  return [...alike.map((same) => same[0].text(list(same.map(({ what }) => what)))), ...new Set(notes)];
}

/** A note on an amount or a resource. */
interface AmountNote {
  readonly what: string;
  readonly text: (what: string) => string;
}

function overhead(resource: string, { overhead: fixed, runtimeClassName = '' }: PodSpec): readonly AmountNote[] {
  const amount = readResourceList(fixed).get(resource);
  if (amount === undefined || amount.nanos === 0n) return [];
  const what = amountText(resource, amount.nanos);
  return [{ what, text: (amounts) => say`${amounts} of it is the overhead of RuntimeClass ${runtimeClassName}` }];
}

/** Whether an init container decides how much is asked for, or which sidecars have a part in it. */
function ofInitContainer(resource: string, spec: PodSpec): readonly AmountNote[] {
  const largest = decidingInitContainer(resource, spec);
  if (largest !== undefined) {
    return [{ what: '', text: () => say`its init container ${largest.name} asks for that much` }];
  }
  return (spec.initContainers ?? []).filter(isSidecar).flatMap((sidecar) => {
    const amount = asked(resource, sidecar);
    const text = (what: string): string => say`its sidecar ${sidecar.name} asks for ${what} of it`;
    return amount === 0n ? [] : [{ what: amountText(resource, amount), text }];
  });
}

/** The init container that asks for more than all containers that run later. */
export function decidingInitContainer(
  resource: string,
  { initContainers = [], containers }: PodSpec,
): Container | undefined {
  const later = [...containers, ...initContainers.filter(isSidecar)];
  const sum = later.reduce((all, each) => all + asked(resource, each), 0n);
  const [largest] = initContainers
    .filter((each) => !isSidecar(each))
    .toSorted((a, b) => Number(asked(resource, b) - asked(resource, a)));
  return largest !== undefined && asked(resource, largest) > sum ? largest : undefined;
}

function asked(resource: string, { resources }: Container): bigint {
  return readResourceList(resources?.requests).get(resource)?.nanos ?? 0n;
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

/** A request that is not written is the limit, or the default of a LimitRange. */
function request(
  resource: string,
  spec: PodSpec,
  template: PodSpec,
  ranges: readonly LimitRange[],
): readonly AmountNote[] {
  const writtenOf = ({ name }: Container): Container | undefined =>
    template.containers.find((each) => each.name === name);
  const written = spec.containers.filter((container) => writtenOf(container) !== undefined);
  const given = written.filter(
    (container) => has(container, 'requests', resource) && !has(writtenOf(container), 'requests', resource),
  );
  const limitIs = given.some((container) => has(writtenOf(container), 'limits', resource));
  const rangeIs = given.some((container) => !has(writtenOf(container), 'limits', resource));
  const names = namesOf(ranges, resource);
  const added = spec.containers.flatMap((container) => {
    const amount = readResourceList(container.resources?.requests).get(resource)?.nanos ?? 0n;
    if (amount === 0n || written.includes(container)) return [];
    const text = (what: string): string =>
      say`its container ${container.name}, which its template has not, asks for ${what} of it`;
    return [{ what: amountText(resource, amount), text }];
  });
  return [
    ...added,
    ...(limitIs && (resource === 'cpu' || resource === 'memory' || resource === 'ephemeral-storage')
      ? [{ what: resource, text: (what: string) => say`its limit of ${what} is its request, as none is written` }]
      : []),
    ...(rangeIs
      ? [{ what: resource, text: (what: string) => say`LimitRange ${names} gives it the request of ${what}` }]
      : []),
  ];
}

/** Those that give containers an amount of a resource. */
function namesOf(ranges: readonly LimitRange[], resource: string): string {
  const gives = (item: NonNullable<LimitRange['spec']>['limits'][number]): boolean =>
    own({ ...item.min, ...item.max, ...item.default, ...item.defaultRequest }, resource) !== undefined;
  const giving = ranges.filter(({ spec }) => spec?.limits.some((item) => item.type === 'Container' && gives(item)));
  return list(giving.flatMap(({ metadata }) => metadata?.name ?? []));
}

function has(container: Container | undefined, list: 'requests' | 'limits', resource: string): boolean {
  const amounts = container?.resources?.[list];
  return amounts !== undefined && own(amounts, resource) !== undefined;
}

function selected(
  wanted: readonly string[],
  { nodeSelector, runtimeClassName = '' }: PodSpec,
  template: PodSpec,
): readonly string[] {
  const added = Object.entries(nodeSelector ?? {}).filter(
    ([key]) => own(template.nodeSelector ?? {}, key) === undefined,
  );
  const isAdded = added.some(([key, value]) => wanted.includes(`${key}=${value}`));
  return isAdded && runtimeClassName !== '' ? [say`RuntimeClass ${runtimeClassName} asks for it`] : [];
}

/** A toleration of the same key that does not reach the taint: for another value, or another effect. */
function nearlyTolerated(
  text: string,
  { tolerations = [], runtimeClassName = '' }: PodSpec,
  template: PodSpec,
): readonly string[] {
  const [, key = '', value = '', effect = ''] = /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(text) ?? [];
  const near = tolerations.find((each) => each.key === key);
  const old = tolerations.find((each) => each.key !== undefined && currentLabel(each.key) === key);
  if (near === undefined && old?.key !== undefined) return [say`it tolerates ${old.key}, as ${key} was called`];
  if (key === '' || near === undefined) return [];
  const isOwn = template.tolerations?.some((each) => each.key === key) === true;
  // Those of conditions are given to every pod.
  if (!isOwn && taintOwner(key) === 'condition') return [];
  const from = isOwn || runtimeClassName === '' ? '' : say`, from RuntimeClass ${runtimeClassName},`;
  const isOther = near.operator !== 'Exists' && (near.value ?? '') !== value;
  if (isOther) {
    return near.value === undefined || near.value === ''
      ? [say`its toleration of ${key}${from} names no value`]
      : [say`its toleration of ${key}${from} has the value ${near.value}`];
  }
  return near.effect === undefined || near.effect === effect
    ? []
    : [say`its toleration of ${key}${from} has the effect ${near.effect}`];
}

function amountText(resource: string, nanos: bigint): string {
  return namedAmount(resource, amountOf(resource, nanos));
}

/** Cpu in thousandths, all else in units. */
export function amountOf(resource: string, nanos: bigint): number {
  return Number(nanos / (resource === 'cpu' ? 1_000_000n : 1_000_000_000n));
}
