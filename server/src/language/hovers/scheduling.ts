import { joined, say } from '../../util/say.ts';
import type { NodeSelector, NodeSelectorRequirement, PodSpec } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { Profile } from '../../scheduler/framework/profile.ts';
import type { FactsReader } from '../index/fact.ts';
import { code } from '../connection/markdown.ts';
import { profileFor } from '../rules/support/scheduler-configuration.ts';

/** What the scheduler that pods name does with them. */
export interface SchedulerOfPods {
  /** Null where nobody declares it, and it is not the default scheduler. */
  readonly preempts: boolean | null;
  /** Sentences for a hover. */
  readonly notes: readonly string[];
}

export function schedulerOf(facts: FactsReader, spec: PodSpec, release: Release): SchedulerOfPods {
  const name = spec.schedulerName ?? '';
  const profile = profileFor(facts, name, release);
  if (profile === undefined) {
    const note = say`Scheduler ${code(name)} is not declared here: whether and how it preempts is not known.`;
    return { preempts: null, notes: [note, ...claimNotes(spec)] };
  }
  const preempts = profile.enabled.postFilter.includes('DefaultPreemption');
  const notes = preempts
    ? []
    : [
        say`The profile of ${code(profile.schedulerName)} has no preemption: its pods evict no others and stay pending until there is room.`,
      ];
  return { preempts, notes: [...notes, ...addedAffinityNotes(profile), ...claimNotes(spec)] };
}

function addedAffinityNotes(profile: Profile): string[] {
  const added = profile.args.NodeAffinity.addedAffinity;
  if (added === undefined || !profile.enabled.filter.includes('NodeAffinity')) return [];
  const required = added.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = added.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const asked = required === undefined ? [] : [say`requires ${selectorText(required)} of every node`];
  if (preferred.length > 0) asked.push(say`prefers some nodes`);
  if (asked.length === 0) return [];
  return [
    say`The profile of ${code(profile.schedulerName)} adds node affinity to its pods: it ${joined(asked, ' and ')}.`,
  ];
}

/** Expressions of a term all hold; terms are alternatives. */
function selectorText({ nodeSelectorTerms }: NodeSelector): string {
  return joined(
    nodeSelectorTerms.map(({ matchExpressions = [], matchFields = [] }) =>
      code(joined([...matchExpressions, ...matchFields].map(requirementText), ', ')),
    ),
    ' or ',
  );
}

function requirementText({ key, operator, values = [] }: NodeSelectorRequirement): string {
  return values.length === 0 ? say`${key} ${operator}` : say`${key} ${operator} (${joined(values, ', ')})`;
}

/** Source: pkg/scheduler/framework/plugins/dynamicresources: no free device is UnschedulableAndUnresolvable */
function claimNotes({ resourceClaims = [] }: PodSpec): string[] {
  if (resourceClaims.length === 0) return [];
  return [say`Priority never preempts for devices: where none is free for its claims, evicting pods would not help.`];
}
