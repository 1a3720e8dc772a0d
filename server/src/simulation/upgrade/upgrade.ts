import { isNamed } from '../../report-model/assumed.ts';
import type { Minor } from '../../util/minors.ts';
import { noGates, withGates } from '../../kubernetes/feature-gates.ts';
import { releaseOf } from '../../kubernetes/releases/index.ts';
import { simulate } from '../scenario/simulate.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { causesOf, podChanges } from './decision-changes.ts';
import { comingChanges, fieldChanges, kindChanges, type Move, refusalChanges } from './object-changes.ts';
import type { FieldChange, RefusalChange, UpgradeReport } from './upgrade-report.ts';

/** What moving a cluster to another minor of Kubernetes changes. Costs two simulations. Yields now and then. */
export function* upgradeOf(input: SimulationInput, from: Minor, to: Minor): Generator<void, UpgradeReport> {
  const gates = input.featureGates ?? noGates;
  const move: Move = { from, to, releaseOf: (minor) => withGates(releaseOf(minor), gates) };
  const written = input.workspace.filter(({ value, misread }) => value !== undefined && misread === undefined);
  const fields: FieldChange[] = [];
  const refusals: RefusalChange[] = [];
  for (const declared of written) {
    fields.push(...fieldChanges(declared, move));
    refusals.push(...refusalChanges(declared, move));
    yield;
  }
  const { chosen: _chosen, ...free } = input;
  const run = function* (kubernetes: Minor) {
    return yield* simulate({ ...free, kubernetes }, { kind: 'workspace' }, { threatLimit: 0 });
  };
  const before = yield* run(from);
  const after = yield* run(to);
  const objects = [...input.workspace, ...input.snapshot].map(({ object }) => object);
  const changed = podChanges(before, after);
  // Of nodes that nobody named one is as good as the other.
  const isAssumed = after.nodes.length > 0 && !after.nodes.some(isNamed);
  const pods = isAssumed ? changed.filter(({ change }) => change !== 'moved') : changed;
  const tells = (minor: Minor): boolean => releaseOf(minor).behaviours.tellsOfPreemption;
  return {
    from,
    to,
    objects: written.length,
    kinds: kindChanges([...written.map(({ value }) => value!), ...(input.others ?? [])], move),
    fields,
    refusals,
    pods,
    onOtherAssumedNodes: changed.length - pods.length,
    causes: pods.length === 0 ? [] : causesOf(before, after, move, objects),
    tellsOfPreemption: tells(from) !== tells(to) && after.decisions.some(({ kind }) => kind === 'preempts'),
    coming: comingChanges([...input.workspace, ...input.snapshot]),
  };
}
