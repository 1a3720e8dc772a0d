/** What stands at amounts that rest on assumed nodes, in every face of the report. */
import { namedAmount } from '../util/amounts.ts';
import { groupBy } from '../util/maps.ts';
import { say } from '../util/say.ts';
import { count, grouped, list } from '../util/words.ts';
import type { AnswerGroup } from './answer.ts';
import type { Report, ReportNode } from './report.ts';

/** Stands before each amount that rests on nodes: `?` where those are assumed, else empty. */
export function markOf(nodes: readonly Pick<ReportNode, 'assumed'>[]): string {
  return nodes.some(({ assumed }) => assumed) ? '?' : '';
}

/** Whether somebody names the node: of such a one only the size may be assumed. */
export function isNamed({ pool }: Pick<ReportNode, 'pool'>): boolean {
  return pool === undefined;
}

/** An amount with what `markOf` says of the nodes that it rests on. */
export function marked(mark: string, amount: string): string {
  return mark === '' ? amount : say`${mark}${amount}`;
}

/** How many pods a group tells of. Who is gated or refused is so on any nodes. */
export function totalOf({ kind, pods, lines }: AnswerGroup, nodes: readonly ReportNode[]): string {
  if (kind === 'idle') return grouped(lines.length);
  return `${kind === 'gated' || kind === 'refused' ? '' : markOf(nodes)}${grouped(pods)}`;
}

/** `Depends on 2 known facts, 1 bound and 5 assumptions`: what there is none of is not counted. */
export function dependsOn(assumptions: Report['assumptions']): string {
  const of = (...marks: readonly string[]) => assumptions.filter(({ mark }) => marks.includes(mark)).length;
  const [known, bounds, assumed] = [of('='), of('≥', '≤'), of('?')];
  return say`Depends on ${list([
    ...(known === 0 ? [] : [count(known, 'known fact')]),
    ...(bounds === 0 ? [] : [count(bounds, 'bound')]),
    ...(assumed === 0 ? [] : [count(assumed, 'assumption')]),
  ])}`;
}

/** What to do about it, in a terminal. */
export const snapshotOffer = 'For your own nodes: podium snapshot -o cluster.podium.json';

/** The annotation in which an assumed node has what tells its pool from others. */
export const assumedPool = 'podium/assumed-pool';

/** Pools beyond this are counted. */
const poolsNamed = 4;

/** Of reasons why something is not seen, so many stand before the answer. */
export const mostMissing = 3;

/**
 * `? Assumed: 12 nodes in 2 pools: 10 × 8 cpu/32 Gi arm64 and 2 × 4 cpu/16 Gi gpu.`; empty where nodes are known, or
 * nothing rests on them.
 */
export function assumedText({ nodes, pods }: Pick<Report, 'nodes' | 'pods'>): string {
  if (pods.length === 0) return '';
  // Of nodes that come the pool says what they are like.
  const assumed = nodes.filter((node) => node.assumed && node.comes === undefined);
  if (assumed.length === 0) return '';
  const named = assumed.filter(isNamed);
  if (named.length > 0) return say`? The size of ${count(named.length, 'node')} is assumed: ${sizeOf(named[0]!)}.`;
  const pools = groupBy(assumed, (node) => [sizeOf(node), node.pool ?? ''].filter((part) => part !== '').join(' '));
  const all = count(assumed.length, 'node');
  const sentence = list(
    [...pools].map(([text, { length }]) => say`${grouped(length)} × ${text}`),
    poolsNamed,
  );
  return pools.size === 1
    ? say`? Assumed: ${sentence}.`
    : say`? Assumed: ${all} in ${count(pools.size, 'pool')}: ${sentence}.`;
}

function sizeOf({ allocatable: { cpu = 0, memory = 0 } }: ReportNode): string {
  return say`${namedAmount('cpu', cpu)}/${namedAmount('memory', memory)}`;
}
