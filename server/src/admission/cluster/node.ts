import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Node, Taint } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import {
  allOf,
  type Batches,
  duplicate,
  forbidden,
  inBatches,
  internal,
  invalid,
  notSupported,
  required,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goQuote } from '../format/go-quote.ts';
import { goList, goString } from '../format/go-zero.ts';
import { cidrProblem } from '../format/ip-addresses.ts';
import { validateLabelName } from '../format/label-selector.ts';
import { byteLength, labelValueProblems } from '../format/names.ts';
import { validateAmount } from '../format/resource-quantities.ts';

/** Source for this file: ValidateNode in pkg/apis/core/validation/validation.go */

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function* judgeNodeFields(node: Node, { featureGates }: Release): Batches {
  yield* judgeTaints(goList(node.spec?.taints));
  yield validateNodeResources(node);
  yield validateSwap(node);
  if (featureGates.has('NodeDeclaredFeatures')) yield* judgeFeatures(node);
  yield validateCidrs(node, featureGates.has('StrictIPCIDRValidation'));
}

/** validateNodeTaints. Upstream prints the taints under the metadata, where an annotation once held them. */
function judgeTaints(taints: readonly Taint[]): Batches {
  const written = FieldPath.to('spec', 'taints');
  const printed = FieldPath.to('metadata', 'taints');
  const seen = new Set<string>();
  return inBatches(taints, (taint, index) => {
    const errors: FieldError[] = [];
    const place = (field: string): FieldPath =>
      written.index(index).child(field).printedAs(printed.index(index).child(field));
    const [key, value, effect] = [goString(taint.key), goString(taint.value), goString(taint.effect)];
    append(errors, validateLabelName(key, place('key')));
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.push(invalid(place('value'), value, problems.join(';')));
    if (effect === '') errors.push(required(place('effect')));
    else if (!effects.includes(effect)) errors.push(notSupported(place('effect'), effect, effects));
    const identity = JSON.stringify([key, effect]);
    if (seen.has(identity)) {
      const error = duplicate(written.index(index).printedAs(printed.index(index)), taint);
      errors.push({ ...error, detail: 'taints must be unique by key and effect pair' });
    }
    seen.add(identity);
    return errors;
  });
}

function validateNodeResources({ status }: Node): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((list) => {
    const amounts = [...readResourceList(status?.[list])];
    return amounts.flatMap(([name, amount]) => validateAmount(name, amount, FieldPath.to('status', list, name)));
  });
}

/** validateNodeSwapStatus, which upstream says of the metadata. */
function validateSwap({ status }: Node): FieldError[] {
  const capacity = status?.nodeInfo?.swap?.capacity;
  if (capacity === undefined || capacity > 0) return [];
  const printed = FieldPath.to('metadata', 'nodeSwapStatus', 'capacity');
  const at = FieldPath.to('status', 'nodeInfo', 'swap', 'capacity').printedAs(printed);
  return [invalid(at, capacity, 'must be greater than zero')];
}

const longestFeature = 253;
const featureName = /^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/;

/** validateNodeDeclaredFeatures, whose field is dropped while its gate is off */
function judgeFeatures({ status }: Node): Batches {
  const at = FieldPath.to('status', 'declaredFeatures');
  const features = goList(status?.declaredFeatures);
  return inBatches(features, (feature, index) => {
    const errors: FieldError[] = [];
    const problem =
      byteLength(feature) > longestFeature
        ? `must be no more than ${longestFeature} characters`
        : "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";
    if (byteLength(feature) > longestFeature || !featureName.test(feature)) {
      errors.push(invalid(at.index(index), feature, `invalid feature name ${goQuote(feature)}: ${problem}`));
    }
    const next = features[index + 1];
    if (next === feature) {
      errors.push(duplicate(at.index(index + 1), next));
    } else if (next !== undefined && feature > next) {
      errors.push(invalid(at.index(index + 1), next, 'list must be sorted alphabetically'));
    }
    return errors;
  });
}

function validateCidrs(node: Node, strict: boolean): FieldError[] {
  const all = podRanges(node);
  if (all.length === 0) return [];
  const at = FieldPath.to('spec', 'podCIDRs');
  const errors = all.flatMap((range, index) => {
    const problem = cidrProblem(range, strict);
    return problem === undefined ? [] : [invalid(at.index(index), range, problem)];
  });
  if (all.length > 1) {
    const families = new Set(all.map((range) => range.includes(':')));
    const bad = all.findIndex((range) => cidrProblem(range, false) !== undefined);
    if (bad >= 0) {
      // Source: ParseCIDRs in k8s.io/utils/net, which prints that it has read nothing
      const why = `invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${all[bad]})`;
      errors.push(internal(at, `invalid PodCIDRs. failed to check with dual stack with error:${why}`));
    }
    if (all.length > 2 || families.size !== 2 || bad >= 0) {
      errors.push(invalid(at, all, 'may specify no more than one CIDR for each IP family'));
    }
  }
  return errors;
}

/** ValidateNodeUpdate, without the metadata. */
export function validateNodeUpdate(next: Node, old: Node, { featureGates }: Release): FieldError[] {
  const errors: FieldError[] = [...validateNodeResources(next)];
  if (featureGates.has('NodeDeclaredFeatures')) append(errors, allOf(judgeFeatures(next)));
  const addresses = new Set<string>();
  goList(next.status?.addresses).forEach((address, index) => {
    const identity = JSON.stringify([address.type, address.address]);
    if (addresses.has(identity)) errors.push(duplicate(FieldPath.to('status', 'addresses').index(index), address));
    addresses.add(identity);
  });
  const spec = FieldPath.to('spec');
  const [now, before] = [podRanges(next), podRanges(old)];
  // Each range that is another is told; of another number of them only that.
  const changed =
    now.length === before.length ? before.filter((range, index) => range !== now[index]) : before.slice(0, 1);
  for (const _range of changed) {
    errors.push(forbidden(spec.child('podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  }
  const provider = goString(old.spec?.providerID);
  if (provider !== '' && provider !== goString(next.spec?.providerID)) {
    errors.push(forbidden(spec.child('providerID'), 'node updates may not change providerID except from "" to valid'));
  }
  append(errors, allOf(judgeTaints(goList(next.spec?.taints))));
  if (goString(next.spec?.externalID) !== goString(old.spec?.externalID)) {
    errors.push(forbidden(spec.child('externalID'), 'may not be updated'));
  }
  return errors;
}

/** The older field counts where the two differ. Source: Convert_v1_NodeSpec_To_core_NodeSpec */
export function podRanges({ spec }: Node): readonly string[] {
  const ranges = goList(spec?.podCIDRs);
  const first = goString(spec?.podCIDR);
  return first === '' || first === ranges[0] ? ranges : [first];
}
