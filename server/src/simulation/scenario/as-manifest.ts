import { namespaceOf, nameOf } from '../../kubernetes/names.ts';
import type { Declared, KubeObject, Pod } from '../../kubernetes/objects.ts';
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

/** Whether an operation is an edit of a workload whose controllers follow it. */
export function isRolledEdit(operation: Operation): operation is Edit {
  return isEdit(operation) && isRolled(operation.target.kind);
}

/** Whether an operation is an edit of a workload that the cluster has. */
function isEditOfRunning({ snapshot }: SimulationInput, operation: Operation): operation is Edit {
  return isRolledEdit(operation) && snapshot.some(({ object }) => isTarget(object, operation.target));
}

/**
 * An operation on a workload that runs in the snapshot, as the edit of its manifest that means the same: what is stored
 * stays, and the difference is rolled out. Null for another operation.
 */
export function asManifest(input: SimulationInput, operation: Operation): SimulationInput | null {
  return isEditOfRunning(input, operation) ? withEdited(input, operation) : null;
}

/** The manifests with that of a workload edited; null where it stays as it is. Throws `UnknownObjectError`. */
export function withEdited(input: SimulationInput, operation: Edit): SimulationInput | null {
  const { target } = operation;
  const is = ({ object }: Declared): boolean => isTarget(object, target);
  const { input: changed, changes } = applyOperation(input, operation);
  const next = changed.workspace.find(is) ?? changed.snapshot.find(is);
  if (!changes || next === undefined) return null;
  const edited = (declared: Declared): Declared => ({ ...declared, object: editedAs(declared.object, next.object) });
  const own = input.workspace.some(is) ? [] : input.snapshot.filter(is).slice(0, 1);
  const workspace = [
    ...input.workspace.map((declared) => (is(declared) ? edited(declared) : declared)),
    ...own.map(edited),
  ];
  return { ...input, workspace, basis: input.basis ?? input };
}

/** A pod stays where it is, whatever an operation would make of one that comes anew. */
function editedAs(object: KubeObject, next: KubeObject): KubeObject {
  if (object.kind !== 'Pod') return next;
  const { nodeName } = (object as Pod).spec ?? {};
  const spec = { ...(next as Pod).spec, ...(nodeName === undefined ? {} : { nodeName }) };
  return { ...object, spec } as KubeObject;
}

/** The manifest of a workload. */
export function manifestOf({ workspace }: SimulationInput, target: Target): KubeObject | undefined {
  return workspace.find(({ object }) => isTarget(object, target))?.object;
}

function isTarget(object: KubeObject, { kind, namespace, name }: Target): boolean {
  return object.kind === kind && nameOf(object) === name && namespaceOf(object) === namespace;
}
