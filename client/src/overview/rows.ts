import { own } from '../../../server/src/util/own.ts';
import * as vscode from 'vscode';
import type {
  Listed,
  Overview,
  OverviewBudget,
  OverviewClass,
  OverviewNode,
  OverviewPending,
  OverviewQuota,
  OverviewWorkload,
} from '../../../server/src/report-model/overview.ts';
import type { AppliedStatus } from '../../../server/src/protocol.ts';
import { formatAmount, formatUsage } from '../../../server/src/util/amounts.ts';
import { compareText, grouped, withCauseOnly } from '../../../server/src/util/words.ts';
import type { OverviewRow } from '../overview-row.ts';
import { count } from '../texts.ts';
import { asText } from './as-text.ts';

const { t } = vscode.l10n;

/** Longer sections are closed at first. */
const openRows = 25;

type RowItem = Pick<OverviewNode, 'name' | 'from' | 'origin'>;

/** What differs between rows; the rest is the same for all. */
interface Texts {
  /** Tells the row apart from the others beside it, and stays the same while what it is about does. */
  readonly id: string;
  readonly label: string;
  /** Parts; empty ones are left out. */
  readonly description: readonly string[];
  /** Lines; empty ones are left out. */
  readonly tooltip: readonly string[];
  readonly icon: vscode.ThemeIcon;
  /** For menus. */
  readonly context: string;
  readonly children?: () => readonly OverviewRow[];
}

/** The sections of the view; none where nothing is declared. */
export function rowsOf(
  overview: Overview,
  scenarios: readonly vscode.Uri[],
  applied: AppliedStatus | null,
  question: string,
): readonly OverviewRow[] {
  const unseen = applied === null || applied.unseen.length === 0 ? [] : [unseenSection(applied, question)];
  if (overview.isEmpty) return unseen;
  const { classes, nodes, budgets, quotas } = overview;
  const areAssumed = nodes.rows.some(({ from }) => from === 'assumed');
  const none = unseen.length === 0 ? t('none') : t('none seen');
  return [
    ...unseen,
    section('classes', t('Priority classes'), 'layers', classes, classRow),
    areAssumed ? assumedNodes(nodes) : section('nodes', t('Nodes'), 'server', nodes, nodeRow, t('free room')),
    section('budgets', t('Budgets'), 'shield', budgets, budgetRow),
    ...(quotas.rows.length === 0 ? [] : [section('quotas', t('Quotas'), 'dashboard', quotas, quotaRow)]),
    pendingSection(overview, none),
    ...(scenarios.length === 0 ? [] : [scenarioSection(scenarios)]),
  ];
}

/** As many pods as the badge and the status item have, which may be more than there are rows. */
function pendingSection({ pending, waiting }: Overview, none: string): OverviewRow {
  const row = section('pending', t('Pending'), 'clock', pending, pendingRow, none);
  if (waiting.text === '') return row;
  row.item.description = asText(waiting.text);
  row.item.tooltip = joined([waiting.text, t('with all deployed')]);
  return row;
}

function scenarioSection(scenarios: readonly vscode.Uri[]): OverviewRow {
  const rows = scenarios.map((uri) => ({ uri, path: vscode.workspace.asRelativePath(uri) }));
  rows.sort((a, b) => compareText(a.path, b.path));
  const list = { rows: rows.slice(0, mostScenarios), more: Math.max(0, rows.length - mostScenarios) };
  return section('scenarios', t('Scenarios'), 'beaker', list, scenarioRow);
}

const mostScenarios = 1_000;

function scenarioRow({ uri, path }: { readonly uri: vscode.Uri; readonly path: string }, parent: string): OverviewRow {
  const start = { line: 0, character: 0 };
  const range = { start, end: start };
  return rowOf(
    { name: path, from: 'workspace', origin: { uri: uri.toString(), range } },
    {
      id: `${parent}/${uri.toString()}`,
      label: path.slice(path.lastIndexOf('/') + 1),
      description: [path.slice(0, Math.max(0, path.lastIndexOf('/')))],
      tooltip: [path],
      icon: new vscode.ThemeIcon('beaker'),
      context: 'scenario',
    },
  );
}

/** Nodes that nobody names, and how to have those of the cluster. */
function assumedNodes(nodes: Overview['nodes']): OverviewRow {
  const { item, children } = section('nodes', t('Nodes'), 'server', nodes, nodeRow, t('assumed'));
  return {
    item,
    children: () => [
      linkRow('nodes', t('Capture a cluster snapshot…'), 'cloud-download', 'podium.captureSnapshot'),
      ...children!(),
    ],
  };
}

/** What no answer rests on, and what can be done about it. */
function unseenSection(status: AppliedStatus, question: string): OverviewRow {
  const { unseen, unseenCount } = status;
  const item = new vscode.TreeItem(t('Not seen'), vscode.TreeItemCollapsibleState.Expanded);
  item.id = 'unseen';
  item.iconPath = new vscode.ThemeIcon('eye-closed', new vscode.ThemeColor('list.warningForeground'));
  item.description = grouped(unseenCount);
  item.contextValue = 'podium.unseen';
  return { item, children: () => [...waysOut(status, question), ...unseen.map(unseenRow)] };
}

function unseenRow({ what, why, text }: AppliedStatus['unseen'][number], index: number): OverviewRow {
  const item = new vscode.TreeItem(shortened(asText(what), asText(why)));
  item.id = `unseen/${index}`;
  item.description = asText(why);
  item.tooltip = asText(text, longestLine);
  item.iconPath = new vscode.ThemeIcon('circle-outline');
  return { item };
}

/** What is seen of a row at the default width of the side bar, in letters; below another row it is less. */
const rowWidth = 32;
const indent = 2;

/** Names are told by no fewer letters. */
const shortestName = 15;

/** Letters of East Asian scripts are twice as wide. */
function widthOf(text: string): number {
  return text.length + (text.match(/[\u1100-\uffdc]/g)?.length ?? 0);
}

/** What stands beside a name is in smaller letters. */
function besideWidth(text: string): number {
  return widthOf(text) * 0.9;
}

/** A name by its beginning and its end, beside what has to be seen of its row; the tooltip has the whole. */
function shortened(name: string, beside: string, width = rowWidth): string {
  const most = Math.max(shortestName, Math.floor(width - besideWidth(beside) - 1));
  if (widthOf(name) <= most) return name;
  // The dots are as wide as three letters.
  const kept = Math.max(shortestName, most - 2);
  const end = Math.floor(kept * 0.4);
  return `${name.slice(0, kept - end - 1)}…${name.slice(-end)}`;
}

/** As many parts as are seen whole, the first in any case; the tooltip has them all. */
function inView(label: string, [first = '', ...others]: readonly string[], width: number): readonly string[] {
  let left = width - widthOf(label) - 1 - besideWidth(first);
  const fitting = others.filter((part) => {
    const wide = besideWidth(separator + part);
    if (wide > left) return false;
    left -= wide;
    return true;
  });
  return [first, ...fitting];
}

const separator = ' · ';

/** A row that does something; with an empty command it only says something. */
function linkRow(parent: string, label: string, icon: string, command: string, tooltip = label): OverviewRow {
  const item = new vscode.TreeItem(label);
  item.id = `${parent}/${command}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = tooltip;
  if (command !== '') item.command = { command, title: label };
  return { item };
}

function waysOut({ rendering, installed, missing, isRemote }: AppliedStatus, question: string): readonly OverviewRow[] {
  const row = (label: string, icon: string, command: string, tooltip?: string): OverviewRow =>
    linkRow('unseen', label, icon, command, tooltip);
  const lacking = missing.map((program) =>
    linkRow(`unseen/${program}`, t('{0} is not installed', program), 'warning', ''),
  );
  switch (rendering) {
    case 'not-trusted':
      return [row(t('Trust this workspace…'), 'shield', 'workbench.trust.manage')];
    case 'not-allowed':
      return [
        row(
          t('Allow {0} to render it', installed.join(t(' and '))),
          'unlock',
          'podium.allowRendering',
          question || undefined,
        ),
        ...lacking,
      ];
    case 'no-tool':
    case 'on':
      return isRemote
        ? [...lacking, row(t('Fetch remote charts and bases…'), 'cloud-download', 'podium.fetchRemotes')]
        : lacking;
  }
}

function section<Row>(
  id: string,
  label: string,
  icon: string,
  list: Listed<Row>,
  rowOf: (row: Row, id: string) => OverviewRow,
  note = '',
): OverviewRow {
  const all = list.rows.length + list.more;
  const isOpen = all <= openRows ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
  const item = new vscode.TreeItem(label, all === 0 ? vscode.TreeItemCollapsibleState.None : isOpen);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = joined([all === 0 && note !== '' ? '' : grouped(all), note]);
  item.contextValue = `podium.${id}`;
  return { item, children: () => listRows(id, list, rowOf) };
}

/** The rows of a list, and one for what is past its end. */
function listRows<Row>(
  id: string,
  { rows, more }: Listed<Row>,
  rowOf: (row: Row, id: string) => OverviewRow,
): readonly OverviewRow[] {
  const seen = new Map<string, number>();
  const shown = rows.map((row) => {
    const made = rowOf(row, id);
    // What is declared twice is told twice, and VS Code shows nothing where two rows have one id.
    const nth = seen.get(made.item.id ?? '') ?? 0;
    seen.set(made.item.id ?? '', nth + 1);
    if (nth > 0) made.item.id = `${made.item.id ?? ''}#${nth}`;
    return made;
  });
  if (more === 0) return shown;
  const item = new vscode.TreeItem(t('and {0} more', grouped(more)));
  item.id = `${id}/more`;
  return [...shown, { item }];
}

function rowOf(
  entry: RowItem,
  { id, label, description, tooltip, icon, context, children }: Texts,
  width = rowWidth,
): OverviewRow {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const parts = [...description, entry.from === 'snapshot' ? t('snapshot') : ''].flatMap((part) =>
    part === '' ? [] : [asText(part)],
  );
  const name = shortened(asText(label), parts[0] ?? '', width);
  const item = new vscode.TreeItem(name, children === undefined ? None : Collapsed);
  item.id = id;
  item.iconPath = icon;
  item.contextValue = `podium.${context}${entry.origin === null ? '' : '.declared'}`;
  item.description = inView(name, parts, width).join(separator);
  item.tooltip = [...tooltip, whereFrom(entry)]
    .filter((line) => line !== '')
    .map((line) => asText(line, longestLine))
    .join('\n');
  const common = { item, entry, ...(children === undefined ? {} : { children }) };
  if (entry.origin === null) return common;
  const { uri, range } = entry.origin;
  const { start, end } = range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  item.command = {
    command: 'vscode.open',
    title: t('Open'),
    arguments: [vscode.Uri.parse(uri, true), { selection, preview: true } satisfies vscode.TextDocumentShowOptions],
  };
  return common;
}

/** A message of the scheduler about thousands of nodes is longer than a screen. */
const longestLine = 1000;

function joined(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => asText(part))
    .join(separator);
}

function whereFrom({ from }: RowItem): string {
  switch (from) {
    case 'snapshot':
      return t('From the cluster snapshot.');
    case 'assumed':
      return t('Assumed, as no Node is in the workspace or a snapshot.');
    case 'built-in':
      return t('Every cluster has it.');
    default:
      return '';
  }
}

function classRow(item: OverviewClass, parent: string): OverviewRow {
  const { name, value, isGlobalDefault, preempts, isRefused, pods, workloads, uses } = item;
  const id = `${parent}/${name}`;
  const figure = value === null ? t('several priorities') : grouped(value);
  const used = workloads === 0 ? t('not used') : count.workloads(workloads);
  const marks = [isGlobalDefault ? t('default') : '', preempts ? '' : t('never preempts')];
  return rowOf(item, {
    id,
    label: name === '' ? t('no class') : name,
    description: [isRefused ? t('refused') : '', figure, ...marks, pods === 0 ? used : count.pods(pods)],
    tooltip: [
      name === '' ? t('Pods without a class') : name,
      t('Priority: {0}', figure),
      pods === 0 ? used : `${used}${separator}${count.pods(pods)}`,
      isRefused ? t('The API server refuses this class, so that no pod can have it.') : '',
      isGlobalDefault ? t('Pods that name no class get it.') : '',
      preempts ? '' : t('Its pods evict no other pods.'),
    ],
    icon: new vscode.ThemeIcon(name === '' ? 'circle-outline' : 'symbol-enum-member'),
    context: 'class',
    ...(workloads === 0 ? {} : { children: () => listRows(id, uses, workloadRow) }),
  });
}

function workloadRow(item: OverviewWorkload, parent: string): OverviewRow {
  const { kind, namespace, name, pods, waiting } = item;
  const waits = waiting === 0 ? '' : t('{0} pending', grouped(waiting));
  return rowOf(
    item,
    {
      id: `${parent}/${kind}/${namespace}/${name}`,
      label: name,
      description: [waits, kind, count.pods(pods), namespace],
      tooltip: [`${kind} ${namespace}/${name}`, count.pods(pods), waits],
      icon: new vscode.ThemeIcon('symbol-class'),
      context: 'workload',
    },
    rowWidth - indent,
  );
}

/** Room for more pods than this is rarely what runs out first. */
const scarcePods = 10;

function nodeRow(item: OverviewNode, parent: string): OverviewRow {
  const { name, zone, allocatable, requested, taints, unschedulable } = item;
  const free = (resource: string): number => (own(allocatable, resource) ?? 0) - (own(requested, resource) ?? 0);
  const usage = Object.keys(allocatable).map((resource) => {
    const amounts = formatUsage(resource, free(resource), allocatable[resource] ?? 0, ' / ');
    return t('{0}: {1} free', resource, amounts);
  });
  return rowOf(item, {
    id: `${parent}/${name}`,
    label: name,
    description: [
      unschedulable ? t('unschedulable') : '',
      t('{0} cpu', formatAmount('cpu', free('cpu'))),
      formatAmount('memory', free('memory')),
      free('pods') < scarcePods ? count.pods(free('pods')) : '',
      taints.length === 0 ? '' : t('tainted'),
    ],
    tooltip: [
      zone === '' ? name : `${name} (${zone})`,
      t('After everything is deployed:'),
      ...usage,
      ...(taints.length === 0 ? [] : [t('Taints: {0}', taints.join(', '))]),
    ],
    icon: new vscode.ThemeIcon(unschedulable ? 'circle-slash' : 'server'),
    context: 'node',
  });
}

function budgetRow(item: OverviewBudget, parent: string): OverviewRow {
  const { namespace, name, allowed, pods, healthy, desired, blocks } = item;
  const blocked = blocks.rows.length + blocks.more;
  const isBlocking = blocked > 0;
  const others = blocks.more === 0 ? '' : ` ${t('and {0} more', grouped(blocks.more))}`;
  const nodes = `${blocks.rows.join(', ')}${others}`;
  const namesNode = t('blocks {0}', nodes);
  const isNodeNamed = blocked === 1 && widthOf(name) + 1 + besideWidth(namesNode) <= rowWidth;
  const needs =
    desired === null
      ? t('The disruption controller cannot tell how many pods it needs.')
      : t('{0} of {1} pods are healthy, {2} must be.', grouped(healthy), grouped(pods), grouped(desired));
  const colour = isBlocking ? new vscode.ThemeColor('list.warningForeground') : undefined;
  return rowOf(item, {
    id: `${parent}/${namespace}/${name}`,
    label: name,
    description: [
      isBlocking
        ? isNodeNamed
          ? namesNode
          : t('blocks {0}', count.nodes(blocked))
        : pods === 0
          ? t('selects no pods')
          : t('allows {0}', grouped(allowed)),
      namespace,
    ],
    tooltip: [
      `PodDisruptionBudget ${namespace}/${name}`,
      pods === 0 ? t('It selects no pods.') : `${t('allows {0}', grouped(allowed))}${separator}${needs}`,
      isBlocking ? t('Cannot be drained because of it: {0}', nodes) : '',
    ],
    icon: new vscode.ThemeIcon('shield', colour),
    context: 'budget',
  });
}

function quotaRow(item: OverviewQuota, parent: string): OverviewRow {
  const { namespace, name, limits } = item;
  const amounts = limits.map(({ usage }) => usage);
  const colour = limits.some(({ isFull }) => isFull) ? new vscode.ThemeColor('list.warningForeground') : undefined;
  return rowOf(item, {
    id: `${parent}/${namespace}/${name}`,
    label: name,
    description: [...amounts, namespace],
    tooltip: [`ResourceQuota ${namespace}/${name}`, t('After everything is deployed:'), ...amounts],
    icon: new vscode.ThemeIcon('dashboard', colour),
    context: 'quota',
  });
}

const pendingIcons = {
  pending: new vscode.ThemeIcon('clock'),
  gated: new vscode.ThemeIcon('lock'),
  rejected: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
} as const;

function pendingRow(item: OverviewPending, parent: string): OverviewRow {
  const { kind, namespace, name, state, pods, of, reason, lacks } = item;
  const states = { pending: t('pending'), gated: t('gated'), rejected: t('refused') };
  const share = pods === of ? count.pods(pods) : t('{0} of {1} pods', grouped(pods), grouped(of));
  return rowOf(item, {
    id: `${parent}/${kind}/${namespace}/${name}/${state}`,
    label: name,
    description: [
      state === 'pending' ? lacks : states[state],
      lacks === '' && state !== 'gated' ? withCauseOnly(reason) : '',
      share,
      namespace,
    ],
    tooltip: [
      `${kind} ${namespace}/${name}`,
      `${states[state]}: ${share}`,
      reason,
      t('When everything is deployed. The lens above the workload is about deploying it last.'),
    ],
    icon: pendingIcons[state],
    // Nothing arrives of a workload that only its pods tell of.
    context: item.from === 'pods' ? 'waiting' : 'pending',
  });
}
