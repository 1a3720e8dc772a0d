import { count, grouped, list, titleOf } from '../../kit/words.ts';
import type { FitReport, FitRoom } from '../../simulation/scenario/fit.ts';
import type { NodesNeeded } from '../../simulation/scenario/nodes-needed.ts';
import { jsonText } from '../terminal/json.ts';
import { terminalStyle } from '../terminal/style.ts';
import { printable, wrap } from '../terminal/text.ts';

/** Lists longer than this are told in numbers. */
const longest = 6;

export function renderFit(
  { workload, running, waiting, gates, free, withinBudgets, evicting, quotas, nodesAreAssumed }: FitReport,
  needed: NodesNeeded | null,
  { colour, columns }: { colour: boolean; columns: number },
): string {
  const style = terminalStyle(colour);
  const lines: string[] = [];
  const add = (text: string, indent = '', paint?: (text: string) => string): void => {
    lines.push(...wrap([{ text: printable(text), ...(paint === undefined ? {} : { paint }) }], columns, indent));
  };
  const tell = (room: FitRoom, how: string): void => {
    add(`${amountOf(room)} more ${room.count === 1 && room.isExact ? 'fits' : 'fit'} ${how}`, '', style.strong);
    if (room.nodes.length > 0) add(nodesText(room), '  ');
    if (room.why !== '') add(`The next one: ${room.why}`, '  ');
    if (room.evicts !== null) {
      const { node, victims, brokenBudgets } = room.evicts;
      const broken = brokenBudgets.length === 0 ? '' : `, and breaks ${list(brokenBudgets)}`;
      add(`It would evict ${list(victims, longest)} on ${node}${broken}.`, '  ');
    }
    if (!room.isExact) add('Whether there is room for more was not looked for.', '  ', style.warning);
  };
  add(
    `${titleOf(workload)}: ${count(running, 'pod runs', 'pods run')}${waiting === 0 ? '' : `, ${grouped(waiting)} ${waiting === 1 ? 'waits' : 'wait'}`}`,
  );
  if (gates.length > 0) add(`Its pods wait for ${list(gates)}; the answer is what would be without.`, '  ');
  tell(free, 'without evicting anybody.');
  if (free.evicts !== null) {
    tell(withinBudgets, 'if lower priorities are evicted and no budget is broken.');
    if (evicting.count !== withinBudgets.count) tell(evicting, 'if budgets are broken too.');
  } else if (free.isExact) {
    add('No eviction makes room for one more.', '  ');
  }
  for (const { quota, more, resource, message } of quotas) {
    const isShort = more < free.count || !free.isExact;
    add(
      message === ''
        ? `ResourceQuota ${quota} lets in ${grouped(more)} more: ${resource}.`
        : `ResourceQuota ${quota} lets in none: ${message}`,
      '',
      isShort ? style.warning : undefined,
    );
  }
  if (needed !== null) {
    const like =
      'node' in needed.like ? `like ${needed.like.node}` : `of ${needed.like.cpu} cpu, ${needed.like.memory}`;
    const left = needed.left.reduce((sum, each) => sum + each.count, 0);
    const helped = needed.waiting - left;
    if (needed.waiting === 0) {
      add('Nothing is pending.');
    } else if (helped === 0) {
      add(`No number of nodes ${like} helps: ${grouped(needed.tried)} were tried.`);
    } else {
      const all = left === 0 ? 'all' : `of ${grouped(needed.waiting)}`;
      add(`${count(needed.nodes, 'more node')} ${like}: ${all} ${grouped(helped)} run`, '', style.strong);
    }
    for (const { workload: each, count: pods, message } of needed.left.slice(0, longest)) {
      add(`${titleOf(each)}, ${count(pods, 'pod')}: ${message}`, '  ');
    }
    if (needed.left.length > longest) add(`and ${needed.left.length - longest} more workloads`, '  ');
  }
  if (nodesAreAssumed) add('The nodes are assumed: nothing names any.', '', style.warning);
  return `${lines.join('\n')}\n`;
}

function amountOf({ count: amount, isExact }: FitRoom): string {
  return `${isExact ? '' : 'At least '}${grouped(amount)}`;
}

function nodesText({ nodes }: FitRoom): string {
  const named = nodes.slice(0, longest).map(({ node, count: here }) => `${node} ${grouped(here)}`);
  return `${named.join(', ')}${nodes.length > longest ? ` and ${count(nodes.length - longest, 'more node')}` : ''}`;
}

export function renderFitJson(report: FitReport, needed: NodesNeeded | null): string {
  return `${jsonText({ ...report, nodesNeeded: needed })}\n`;
}
