import { namespaceOf, nameOf } from '../../kubernetes/names.ts';
import type { Declared, KubeObject } from '../../kubernetes/objects.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { applyOperation } from '../operations/apply-operation.ts';
import { isRolled } from './changed-workloads.ts';
import type { Operation, Target } from '../operations/operation.ts';

const edits = ['request', 'priority', 'tolerate', 'scale', 'ungate'] as const;
type EditVerb = (typeof edits)[number];

/** Operations that are an edit of the manifest of a workload. */
type Edit = Extract<Operation, { readonly target: Target; readonly verb: EditVerb }>;

export function isEdit(operation: Operation): operation is Edit {
  return edits.some((verb) => verb === operation.verb);
}

/** Whether an operation is an edit of a workload that the cluster has. */
export function isEditOfRunning({ snapshot }: SimulationInput, operation: Operation): boolean {
  if (!isEdit(operation) || !isRolled(operation.target.kind)) return false;
  return snapshot.some(({ object }) => isTarget(object, operation.target));
}

/**
 * An operation on a workload that runs in the snapshot, as the edit of its manifest that means the same: what is stored
 * stays, and the difference is rolled out. Null for another operation.
 */
export function asManifest(input: SimulationInput, operation: Operation): SimulationInput | null {
  if (!isEdit(operation)) return null;
  const { target } = operation;
  const is = ({ object }: Declared): boolean => isTarget(object, target);
  const stored = input.snapshot.find(is);
  if (stored === undefined || !isRolled(target.kind)) return null;
  const { input: changed, changes } = applyOperation(input, operation);
  const next = changed.workspace.find(is) ?? changed.snapshot.find(is);
  if (!changes || next === undefined) return null;
  const workspace = input.workspace.some(is)
    ? input.workspace.map((declared) => (is(declared) ? { ...declared, object: next.object } : declared))
    : [...input.workspace, { ...stored, object: next.object }];
  return { ...input, workspace, basis: input.basis ?? input };
}

function isTarget(object: KubeObject, { kind, namespace, name }: Target): boolean {
  return object.kind === kind && nameOf(object) === name && namespaceOf(object) === namespace;
}
