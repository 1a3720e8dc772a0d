import { say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import { compareQuantities, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import type { ReportCause } from '../../report-model/report.ts';
import { closes } from './changed-outcomes.ts';

export function ownName(object: string): string {
  return object.slice(object.lastIndexOf('/') + 1);
}

/** A class, a ConfigMap or a Secret that comes with the workloads that are given it does nothing by itself. */
export function withoutGiven(causes: readonly ReportCause[]): readonly ReportCause[] {
  const given = new Set(causes.flatMap(({ field, new: now }) => (field === '' ? [] : [now])));
  return causes.filter(
    ({ object, field, new: now }) =>
      field !== '' ||
      now === null ||
      !/^(?:PriorityClass|ConfigMap|Secret)\//.test(object) ||
      !given.has(ownName(object)),
  );
}

/** @param amount of objects that are changed, where causes are the first of many; else 0 */
export function changeText(all: readonly ReportCause[], drained: readonly string[], amount = 0): string | undefined {
  const causes = withoutGiven(all);
  const objects = new Set(causes.map(({ object }) => object));
  const [first] = causes;
  if (first === undefined) {
    if (drained.length === 0) return undefined;
    return say`Draining ${drained.length === 1 ? drained[0]! : count(drained.length, 'node')}`;
  }
  const name = first.object.replace('/', ' ');
  const isAdded = causes.some(({ field }) => field === '');
  const parts = new Set(isAdded ? [''] : causes.map(partOf));
  const [part = ''] = parts.size === 1 ? parts : [];
  if (amount > objects.size) return say`Changing ${count(amount, 'object')} (${name} among them)`;
  if (objects.size > 1) {
    const own = new Set([...objects].map(ownName));
    const names = own.size <= namedTogether ? list([...own], namedTogether) : count(objects.size, 'workload');
    const classes = new Set(causes.map(({ field, new: now }) => (field.endsWith('.priorityClassName') ? now : null)));
    const [className = null] = classes;
    if (classes.size === 1 && className !== null) return say`Giving ${names} class ${String(className)}`;
    if (part !== '') return say`Changing ${part} of ${names}`;
    const what = own.size <= namedTogether ? names : say`${count(objects.size, 'object')} (${name} among them)`;
    if (causes.every(({ field, new: now }) => field === '' && now === null)) return say`Removing ${what}`;
    if (causes.every(({ field, old }) => field === '' && old === null)) return say`Adding ${what}`;
    return say`Changing ${what}`;
  }
  if (first.field === '') return first.new === null ? say`Removing ${name}` : say`Adding ${name}`;
  const raised = requestsText(causes);
  if (raised !== undefined) return raised;
  if (causes.length > 1) {
    return parts.has('') || parts.size > namedTogether
      ? say`Changing ${count(causes.length, 'field')} of ${name}`
      : say`Changing ${list([...parts], namedTogether)} of ${ownName(first.object)}`;
  }
  const { field, old, new: now } = first;
  const own = ownName(first.object);
  if (first.object.startsWith('PriorityClass/') && field === 'value') {
    return Number(now) > Number(old) ? say`Raising ${own} to ${String(now)}` : say`Lowering ${own} to ${String(now)}`;
  }
  if (/(?:^|\.)replicas$/.test(field) && now !== null) return say`Scaling ${own} to ${String(now)}`;
  const [resource = ''] = field.split('.').reverse();
  if (resource === 'template') return say`Changing the pod template of ${own}`;
  if (resource === 'priorityClassName') {
    return now === null ? say`Taking class ${String(old)} from ${own}` : say`Giving ${own} class ${String(now)}`;
  }
  if (field.endsWith('/restartedAt')) return say`Restarting ${own}`;
  if (part !== '') return say`Changing ${part} of ${own}`;
  if (closes(field)) {
    if (now !== true) return say`Uncordoning ${own}`;
    return drained.includes(own) ? say`Draining ${own}` : say`Cordoning ${own}`;
  }
  if (now === null) return say`Taking ${field} from ${name}`;
  const value = String(now);
  return value.length > longestValue ? say`Changing ${field} of ${name}` : say`Setting ${field} of ${name} to ${value}`;
}

/** `Raising web to 3 cpu and 12Gi memory`, where nothing else of one object changes, and all of it one way. */
function requestsText(causes: readonly ReportCause[]): string | undefined {
  const changes = causes.map(({ field, old, new: now }) => {
    const [resource = '', ofRequests, ofResources] = field.split('.').reverse();
    const amounts = [parseQuantity(String(old ?? '')), parseQuantity(String(now ?? ''))] as const;
    if (ofResources !== 'resources' || ofRequests !== 'requests') return undefined;
    if (isQuantityError(amounts[0]) || isQuantityError(amounts[1])) return undefined;
    return { resource, text: `${String(now)} ${resource}`, isRaised: compareQuantities(amounts[0], amounts[1]) < 0 };
  });
  const [first] = changes;
  const isOneWay = changes.every((each) => each !== undefined && each.isRaised === first?.isRaised);
  const resources = new Set(changes.map((each) => each?.resource));
  if (first === undefined || !isOneWay || resources.size < changes.length) return undefined;
  const own = ownName(causes[0]!.object);
  const amounts = list(changes.map((each) => each?.text ?? ''));
  return first.isRaised ? say`Raising ${own} to ${amounts}` : say`Lowering ${own} to ${amounts}`;
}

/** Characters of a value that stands in a sentence. */
const longestValue = 40;

/** More workloads than this are counted. */
const namedTogether = 3;

/** What a field of a container belongs to; that of a whole one are the containers. */
function partOfContainer(field: string): string {
  const [, part = ''] = /ontainers\[\d+\]\.(\w+)/.exec(field) ?? [];
  switch (part) {
    case '':
      return field.includes('initContainers') ? say`the init containers` : say`the containers`;
    case 'image':
      return say`the image`;
    case 'resources':
      return field.includes('.limits') ? say`the limits` : field.includes('.requests') ? say`the requests` : '';
    case 'env':
    case 'envFrom':
      return say`the environment`;
    case 'ports':
      return say`the ports`;
    case 'command':
    case 'args':
      return say`the command`;
    case 'volumeMounts':
      return say`the volume mounts`;
    default:
      return part.endsWith('Probe') ? say`the probes` : '';
  }
}

/** What a field of a template belongs to, as it is called; empty where that is the field itself. */
function partOf({ object, field }: ReportCause): string {
  const isOfNodes = /^(?:NodePool|Machine\w+)\//.test(object);
  if (/\bconfigMap\w*\.name$/.test(field)) return say`the ConfigMap`;
  if (/\bsecret(?:\w*\.name|Name)$/.test(field)) return say`the Secret`;
  if (field.endsWith('.priorityClassName')) return say`the class`;
  if (/(?:^|\.)replicas$/.test(field)) return say`the replicas`;
  if (field.startsWith('spec.strategy') || field.startsWith('spec.updateStrategy')) return say`the strategy`;
  if (field.includes('.template.metadata.labels')) return isOfNodes ? say`the node labels` : say`the pod labels`;
  if (field.includes('.template.metadata.annotations')) {
    return isOfNodes ? say`the node annotations` : say`the pod annotations`;
  }
  const ofPods = object.startsWith('Pod/') ? /^spec\.(?:affinity\.)?(\w+)/ : /\btemplate\.spec\.(?:affinity\.)?(\w+)/;
  const [, name = ''] = ofPods.exec(field) ?? [];
  switch (name) {
    case 'nodeAffinity':
      return say`the node affinity`;
    case 'podAffinity':
      return say`the pod affinity`;
    case 'podAntiAffinity':
      return say`the pod anti-affinity`;
    case 'nodeSelector':
      return say`the node selector`;
    case 'tolerations':
      return say`the tolerations`;
    case 'topologySpreadConstraints':
      return say`the topology spread constraints`;
    case 'volumes':
      return say`the volumes`;
    case 'containers':
    case 'initContainers':
      return partOfContainer(field);
    default:
      return '';
  }
}
