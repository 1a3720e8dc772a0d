import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  Position,
} from 'vscode-languageserver';
import * as z from 'zod/mini';
import { say } from '../../util/say.ts';
import { grouped } from '../../util/words.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { podPriority } from '../index/priority-classes.ts';
import { priorityRanking } from '../index/priority-ranking.ts';
import { cursorAt } from '../index/mentions.ts';
import { symbolKindOf } from './symbols.ts';

/** Workloads that are listed on either side, those of the highest priority first. */
const mostListed = 500;

const dataSchema = z.object({ kind: z.string(), namespace: z.string(), name: z.string(), uri: z.string() });

/**
 * The workload at the cursor, for the hierarchy of preemption: *incoming* are those that may evict its pods, *outgoing*
 * those whose pods it may evict. Empty where the cursor is on none, or its priority is not known.
 */
export function preparePreemptionHierarchy(file: ManifestFile, position: Position, facts: Facts): CallHierarchyItem[] {
  const fact = cursorAt(file, position, facts)?.fact;
  const item = fact === undefined ? undefined : itemOf(fact, facts);
  return item === undefined ? [] : [item];
}

/** Who may evict pods of a workload. */
export function mayEvict(item: CallHierarchyItem, facts: Facts): CallHierarchyIncomingCall[] {
  return sideOf(item, facts, 'above').map((from) => ({ from, fromRanges: [from.selectionRange] }));
}

/** Whose pods a workload may evict. */
export function mayBeEvicted(item: CallHierarchyItem, facts: Facts): CallHierarchyOutgoingCall[] {
  return sideOf(item, facts, 'below').map((to) => ({ to, fromRanges: [item.selectionRange] }));
}

function sideOf({ data }: CallHierarchyItem, facts: Facts, side: 'above' | 'below'): CallHierarchyItem[] {
  const wanted = dataSchema.safeParse(data).data;
  if (wanted === undefined) return [];
  const fact = facts
    .ofKind(wanted.kind as Fact['kind'])
    .find(({ uri, namespace, name }) => uri === wanted.uri && namespace === wanted.namespace && name === wanted.name);
  const resolved = fact === undefined ? undefined : podPriority(facts, fact);
  if (fact === undefined || resolved?.admitted !== true) return [];
  const { priority, preemptionPolicy } = resolved;
  const { [side]: ranked } = priorityRanking(facts, priority, preemptionPolicy !== 'Never', fact);
  return ranked.slice(0, mostListed).flatMap((each) => itemOf(each.fact, facts) ?? []);
}

function itemOf(fact: Fact, facts: Facts): CallHierarchyItem | undefined {
  const resolved = fact.template === undefined ? undefined : podPriority(facts, fact);
  const origin = facts.originOf(fact);
  if (resolved?.admitted !== true || origin === undefined) return undefined;
  const { kind, namespace, name, uri } = fact;
  const { priority, className } = resolved;
  return {
    name,
    kind: symbolKindOf(kind),
    // Side bars are narrow: what decides comes first.
    detail: say`priority ${grouped(priority)}${className === '' ? '' : ` (${className})`} · ${kind} · ${namespace}`,
    uri: origin.uri,
    range: origin.range,
    selectionRange: origin.range,
    data: { kind, namespace, name, uri },
  };
}
