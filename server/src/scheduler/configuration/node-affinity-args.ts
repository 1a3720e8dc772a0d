import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Path } from '../../kubernetes/json.ts';
import { compileNodeSelectorTerm } from '../../kubernetes/node-selector.ts';
import type { NodeAffinity } from '../../kubernetes/objects.ts';
import { invalid } from './problems.ts';

/** Terms that the plugin could not read. Source: ValidateNodeAffinityArgs */
export function validateNodeAffinity(affinity: NodeAffinity, path: Path, problems: FieldError[]): void {
  const requiredPath = [...path, 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];
  const terms = affinity.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const [index, term] of terms.entries()) {
    const problem = compileNodeSelectorTerm(term).invalid;
    if (problem !== undefined) problems.push(invalid([...requiredPath, index], term, problem));
  }
  const preferredPath = [...path, 'preferredDuringSchedulingIgnoredDuringExecution'];
  for (const [index, { preference }] of (affinity.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    const problem = compileNodeSelectorTerm(preference).invalid;
    if (problem !== undefined) problems.push(invalid([...preferredPath, index, 'preference'], preference, problem));
  }
}
