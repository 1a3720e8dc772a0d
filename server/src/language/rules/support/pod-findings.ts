import type { FieldError } from '../../../kubernetes/field-error.ts';
import { podTemplatePath } from '../../../kubernetes/pod-template.ts';
import type { Path } from '../../../kubernetes/json.ts';
import type { Finding, ObjectSubject } from './rule.ts';
import { objectRefusals, refusalFinding } from './object-refusals.ts';

/** The rules about single parts of a pod's spec, by the way to the part; the first that fits counts. */
const rulesByPart: readonly (readonly [way: Path, rule: string])[] = [
  [['schedulingGates'], 'invalid-scheduling-gates'],
  [['nodeSelector'], 'invalid-node-selector'],
  [['affinity', 'nodeAffinity'], 'invalid-node-affinity'],
  [['affinity'], 'invalid-pod-affinity'],
  [['topologySpreadConstraints'], 'invalid-topology-spread'],
  [['tolerations'], 'invalid-toleration'],
  [['overhead'], 'invalid-resources'],
  [['resources'], 'invalid-resources'],
  [['containers', '*', 'resources'], 'invalid-resources'],
  [['initContainers', '*', 'resources'], 'invalid-resources'],
];

function ruleOf({ at: { path }, cause }: FieldError, template: Path): string {
  if (cause === 'gates-and-node') return 'invalid-scheduling-gates';
  const [spec, ...part] = path.slice(template.length);
  if (spec !== 'spec') return 'invalid-pod';
  const leadsInto = (way: Path): boolean => way.every((step, index) => step === '*' || step === part[index]);
  return rulesByPart.find(([way]) => leadsInto(way))?.[1] ?? 'invalid-pod';
}

/** What the API server says of the fields of a pod, or of a workload's template, as far as it belongs to one rule. */
export function* podFindings(subject: ObjectSubject, rule: string): Iterable<Finding> {
  const { fact, release } = subject;
  const template = podTemplatePath(fact.kind);
  if (template === undefined) return;
  for (const refusal of objectRefusals(fact, release)) {
    const { error } = refusal;
    if ((fact.kind === 'Pod' || error.ofTemplate === true) && ruleOf(error, template) === rule) {
      yield* refusalFinding(subject, refusal);
    }
  }
}
