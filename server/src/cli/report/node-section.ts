import { own } from '../../util/own.ts';
import { formatUsage } from '../../util/amounts.ts';
import { momentText } from '../../util/words.ts';
import { isGone, type Amounts, type Report, type ReportNode } from '../../report-model/report.ts';
import { deviceText, devicesOf, freeDevicesText, holderText, isFree } from '../../report-model/devices.ts';
import { shortNames } from '../../report-model/short-names.ts';
import { bar, columnsOf, printable } from '../terminal/text.ts';
import { rankOf } from './names.ts';
import type { Canvas } from './canvas.ts';

/** With more nodes than this, those on which nothing changes are only counted. */
const nodesInFull = 12;

interface NodeView {
  readonly index: number;
  readonly node: ReportNode;
  readonly requested: Amounts;
  readonly stays: readonly number[];
  readonly leaves: readonly number[];
  readonly arrives: readonly number[];
}

/** Every node with its bars after the run, who came, who had to go, and who else is there. */
export function nodeSection(report: Report, canvas: Canvas): void {
  const views = nodeViews(report);
  const changed = views.filter((view) => view.leaves.length > 0 || view.arrives.length > 0);
  const shown = views.length <= nodesInFull ? views : changed.slice(0, nodesInFull);
  canvas.heading('Nodes', 'requested of allocatable, at the end');
  for (const view of shown) drawNode(report, view, canvas);
  drawDevices(report, null, canvas);
  const hidden = views.length - shown.length;
  if (hidden > 0) canvas.line(`  ${canvas.style.faint(`… and ${hidden} more`)}`);
}

function nodeViews(report: Report): NodeView[] {
  const requested = report.nodes.map((node) => node.requested);
  for (const step of report.steps) {
    for (const change of step.requested) requested[change.node] = change.amounts;
  }
  const lists = report.nodes.map(() => ({ stays: [] as number[], leaves: [] as number[], arrives: [] as number[] }));
  for (const [index, pod] of report.pods.entries()) {
    const before = pod.before.node;
    const after = isGone(pod.after.state) ? null : pod.after.node;
    const arrivesAt = pod.after.state === 'running' || pod.after.state === 'nominated' ? after : null;
    if (before !== null && before === arrivesAt) {
      lists[before]?.stays.push(index);
    } else {
      if (before !== null) lists[before]?.leaves.push(index);
      if (arrivesAt !== null) lists[arrivesAt]?.arrives.push(index);
    }
  }
  return report.nodes.map((node, index) => ({
    index,
    node,
    requested: requested[index] ?? node.requested,
    ...lists[index]!,
  }));
}

function drawNode(report: Report, view: NodeView, canvas: Canvas): void {
  const { node, index } = view;
  const { style } = canvas;
  const marks = [
    node.zone,
    ...node.taints.map((taint) => `taint ${taint}`),
    ...(node.unschedulable ? ['unschedulable'] : []),
    ...(node.assumed ? ['assumed'] : []),
    ...(node.comes === undefined ? [] : [`comes at ${momentText(report, node.comes)}`]),
  ];
  const notes = marks.filter((mark) => mark !== '').join(', ');
  canvas.text(
    [{ text: node.name, paint: style.strong }, ...(notes === '' ? [] : [{ text: ` (${notes})`, paint: style.faint }])],
    '  ',
    '    ',
  );

  const cell = Math.floor((canvas.columns - 4) / 2);
  const cpu = usage('cpu', 'cpu', view, canvas, cell - 2);
  const memory = usage('memory', 'mem', view, canvas, cell - 2);
  canvas.line(`    ${cpu.text}${' '.repeat(Math.max(2, cell - cpu.columns))}${memory.text}`);
  const others = Object.keys(node.allocatable).filter(
    (name) => !['cpu', 'memory', 'pods', 'ephemeral-storage'].includes(name),
  );
  for (const name of others.sort()) {
    canvas.text(
      [
        {
          text: `${name} ${formatUsage(name, own(view.requested, name) ?? 0, own(node.allocatable, name) ?? 0)}`,
          paint: style.faint,
        },
      ],
      '    ',
    );
  }

  drawDevices(report, index, canvas);
  for (const index of view.leaves) drawMove(report, index, '−', style.bad, canvas);
  for (const index of view.arrives) drawMove(report, index, '+', style.good, canvas);
  if (view.stays.length > 0) {
    canvas.text([{ text: `  ${workloadNames(report, view.stays)}`, paint: style.faint }], '    ', '      ');
  }
}

/** Devices of a node that are told one by one; of more those that are taken. */
const devicesInFull = 8;

/** The devices of a node, or those that several nodes can use: who has them, what is free. */
function drawDevices(report: Report, node: number | null, canvas: Canvas): void {
  const devices = devicesOf(report, node);
  if (devices.length === 0) return;
  const { style } = canvas;
  const names = shortNames(report);
  const title = node === null ? 'Devices of several nodes: ' : '';
  canvas.text([{ text: `${title}${freeDevicesText(devices)}` }], node === null ? '  ' : '    ');
  const taken = devices.filter((device) => !isFree(device));
  const shown = devices.length <= devicesInFull ? devices : taken.slice(0, devicesInFull);
  for (const device of shown) {
    const about = deviceText(device);
    canvas.text(
      [
        { text: `${device.name}: ${holderText(device, names)}`, paint: isFree(device) ? style.good : style.faint },
        { text: about === '' ? '' : ` · ${about}`, paint: style.faint },
      ],
      '      ',
      '        ',
    );
  }
  const hidden = devices.length - shown.length;
  if (hidden > 0) canvas.line(`      ${style.faint(`… and ${hidden} more`)}`);
}

function usage(
  resource: string,
  label: string,
  view: NodeView,
  canvas: Canvas,
  columns: number,
): { text: string; columns: number } {
  const used = own(view.requested, resource) ?? 0;
  const available = own(view.node.allocatable, resource) ?? 0;
  const figures = formatUsage(resource, used, available);
  const width = Math.max(6, Math.min(20, columns - label.length - columnsOf(figures) - 3));
  const share = available > 0 ? used / available : 0;
  const { filled, empty } = bar(share, width);
  const paint = share > 0.9 ? canvas.style.warning : canvas.style.good;
  return {
    text: `${canvas.style.faint(label)} ${paint(filled)}${canvas.style.faint(empty)} ${figures}`,
    columns: label.length + 1 + width + 1 + columnsOf(figures),
  };
}

function drawMove(
  report: Report,
  index: number,
  sign: '+' | '−',
  paint: (text: string) => string,
  canvas: Canvas,
): void {
  const pod = report.pods[index];
  if (pod === undefined) return;
  const state = pod.after.state === 'nominated' ? 'nominated, ' : '';
  canvas.text(
    [
      { text: `${sign} ${pod.name}`, paint },
      { text: ` (${state}${rankOf(report, index)})`, paint: canvas.style.faint },
    ],
    '    ',
    '      ',
  );
}

/** `catalog, nightly-report ×2`: pods by the workload they belong to, in order of priority. */
function workloadNames(report: Report, pods: readonly number[]): string {
  const sorted = [...pods].sort((a, b) => (report.pods[b]?.priority ?? 0) - (report.pods[a]?.priority ?? 0));
  const counts = new Map<string, number>();
  for (const index of sorted) {
    const pod = report.pods[index];
    if (pod === undefined) continue;
    const workload = pod.workload === null ? undefined : report.workloads[pod.workload];
    const name = workload?.name ?? pod.name;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, amount]) => printable(amount === 1 ? name : `${name} ×${amount}`)).join(', ');
}
