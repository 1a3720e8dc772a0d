/** What stands at amounts that rest on assumed nodes, in every face of the report. */
import { namedAmount } from '../kit/amounts.ts';
import { say } from '../kit/say.ts';
import { count, grouped } from '../kit/words.ts';
import type { AnswerGroup } from './answer.ts';
import type { Report, ReportNode } from './report.ts';

/** Stands before each amount that rests on nodes: `?` where those are assumed, else empty. */
export function markOf(nodes: readonly Pick<ReportNode, 'assumed'>[]): string {
  return nodes.some(({ assumed }) => assumed) ? '?' : '';
}

/** An amount with what `markOf` says of the nodes that it rests on. */
export function marked(mark: string, amount: string): string {
  return mark === '' ? amount : say`${mark}${amount}`;
}

/** How many pods a group tells of. Who is gated or refused is so on any nodes. */
export function totalOf({ kind, pods }: AnswerGroup, nodes: readonly ReportNode[]): string {
  return `${kind === 'gated' || kind === 'refused' ? '' : markOf(nodes)}${grouped(pods)}`;
}

/** `? 3 nodes of 4 cpu and 16 Gi assumed.`; empty where nodes are known, or nothing rests on them. */
export function assumedText({ nodes, pods }: Pick<Report, 'nodes' | 'pods'>): string {
  if (pods.length === 0) return '';
  const assumed = nodes.filter((node) => node.assumed);
  if (assumed.length === 0) return '';
  const { cpu = 0, memory = 0 } = assumed[0]!.allocatable;
  const size = say`${namedAmount('cpu', cpu)} and ${namedAmount('memory', memory)}`;
  return say`? ${count(assumed.length, 'node')} of ${size} assumed.`;
}
