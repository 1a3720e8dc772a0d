import { nearestNames } from '../../kit/nearest-names.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import type { Scene } from '../scene/scene.ts';
import { UnknownObjectError } from './apply-operation.ts';
import { parseTarget } from './parse-operation.ts';

/** Index of the workload that `KIND/NAMESPACE/NAME` or `NAMESPACE/NAME` names. Throws `UnknownObjectError`. */
export function findWorkload({ workloads }: Scene, name: string): number {
  const target = parseTarget(name);
  const isNamed =
    target !== null && isWorkloadKind(target.kind)
      ? ({ kind, namespace, name: own }: (typeof workloads)[number]) =>
          kind === target.kind && namespace === target.namespace && own === target.name
      : ({ namespace, name: own }: (typeof workloads)[number]) => name === `${namespace}/${own}`;
  const found = workloads.findIndex(isNamed);
  if (found >= 0) return found;
  const known = workloads.map((each) => workloadKey(each.kind, each.namespace, each.name));
  throw new UnknownObjectError(`workload ${name}`, nearestNames(name, known).slice(0, 3));
}
