import { say } from '../../util/say.ts';
import { isList, isObject, valueAt } from '../../util/values.ts';
import type { Path } from '../../kubernetes/json.ts';
import { podTemplatePath, workloadKinds } from '../../kubernetes/pod-template.ts';
import type { Asked, Choice } from './context.ts';
import { labelsAt } from './known.ts';

/** Ports of the pods that a Service selects; without a selector of all of its namespace. */
export function* portsOfSelected({ object, context: { facts } }: Asked): Generator<Choice> {
  const wanted = labelsAt(object.value, ['spec', 'selector']);
  for (const kind of workloadKinds) {
    for (const fact of facts.ofKind(kind)) {
      if (fact.namespace !== object.namespace) continue;
      const pod = podTemplatePath(kind) ?? [];
      const labels = new Map(labelsAt(fact.manifest.value, [...pod, 'metadata', 'labels']));
      if (!wanted.every(([key, value]) => labels.get(key) === value)) continue;
      for (const list of ['containers', 'initContainers']) {
        const containers = valueAt(fact.manifest.value, [...pod, 'spec', list]);
        for (const container of isList(containers) ? containers : []) yield* portsOf(container, fact.name);
      }
    }
  }
}

/** Ports of the container that a probe or a hook is in. */
export function portsOfContainer({ object, path }: Asked): Iterable<Choice> {
  const at = path.findLastIndex((step, index) => typeof step === 'number' && isContainers(path[index - 1]));
  return at === -1 ? [] : portsOf(valueAt(object.value, path.slice(0, at + 1)), '');
}

function isContainers(step: Path[number] | undefined): boolean {
  return step === 'containers' || step === 'initContainers';
}

function* portsOf(container: unknown, owner: string): Generator<Choice> {
  const ports = valueAt(container, ['ports']);
  for (const port of isList(ports) ? ports : []) {
    if (!isObject(port)) continue;
    const { name, containerPort } = port;
    const where = owner === '' ? '' : say`, of ${owner}`;
    if (typeof name === 'string') yield { label: name, detail: say`port ${String(containerPort)}${where}` };
    if (typeof containerPort !== 'number') continue;
    yield { label: String(containerPort), detail: say`port${where}`, isWord: true };
  }
}

/** Volumes of the pod that a container is in. */
export function* volumesOfPod({ object, path }: Asked): Generator<Choice> {
  const spec = path.findIndex((step) => isContainers(step));
  const volumes = spec === -1 ? undefined : valueAt(object.value, [...path.slice(0, spec), 'volumes']);
  for (const volume of isList(volumes) ? volumes : []) {
    const name = valueAt(volume, ['name']);
    if (typeof name !== 'string') continue;
    const source = Object.keys(isObject(volume) ? volume : {}).find((key) => key !== 'name');
    yield { label: name, detail: source ?? '' };
  }
  // A StatefulSet mounts its claims by their names.
  const claims = valueAt(object.value, ['spec', 'volumeClaimTemplates']);
  for (const claim of isList(claims) ? claims : []) {
    const name = valueAt(claim, ['metadata', 'name']);
    if (typeof name === 'string') yield { label: name, detail: 'volumeClaimTemplates' };
  }
}
