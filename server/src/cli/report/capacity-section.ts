import { markOf } from '../../report-model/assumed.ts';
import type { Capacity } from '../../report-model/capacity.ts';
import type { WholeReport } from '../../report-model/report.ts';
import { freeByClass } from '../../report-model/devices.ts';
import { shortNames } from '../../report-model/short-names.ts';
import { count, grouped, list, titleOf } from '../../util/words.ts';
import type { Canvas } from './canvas.ts';

/** How many more replicas of each workload fit, and what becomes of the next one. */
export function capacitySection(report: WholeReport, canvas: Canvas): void {
  if (report.capacity === null || report.capacity.length === 0) return;
  const { style } = canvas;
  const names = shortNames(report);
  const mark = markOf(report.nodes);
  canvas.heading('Room for more', 'replicas that fit at the end');
  for (const row of report.capacity) {
    const title = { text: titleOf(report.workloads[row.workload]!), paint: style.strong };
    if (row.refusal !== '') {
      canvas.text([title, { text: `: ${row.refusal}`, paint: style.faint }], '  ', '      ');
      continue;
    }
    const { free, withinBudgets, evicting, runsOut } = row;
    const sizes = `${mark}${size(free)} evicting nobody · ${mark}${size(withinBudgets)} within budgets · ${mark}${size(evicting)} breaking them`;
    const paint = free.count === 0 ? style.warning : style.good;
    canvas.text(
      [title, { text: `: ${sizes}`, paint }, ...(runsOut === '' ? [] : [{ text: ` · ${runsOut} runs out first` }])],
      '  ',
      '      ',
    );
    const details = detailsOf(row, (node) => names.node(node));
    for (const text of details) canvas.text([{ text, paint: style.faint }], '      ');
  }
  for (const { className, free, all, most, node } of freeByClass(report.devices ?? [])) {
    const where = node === null || most === free ? '' : `, at most ${most} on ${names.node(node)}`;
    const text = `: ${free} of ${count(all, 'device')} free${where}`;
    canvas.text([{ text: `DeviceClass ${className}`, paint: style.strong }, { text }], '  ', '      ');
  }
  const others = report.workloads.length - report.capacity.length;
  if (others > 0) canvas.line(`  ${style.faint(`… and ${count(others, 'more workload')}: podium fit tells of each`)}`);
}

function detailsOf(row: Capacity, nodeName: (index: number) => string): readonly string[] {
  const { nodes, moreNodes, evicts, message, gates, sharesClaims } = row;
  const placed = nodes.map(({ node, count: here }) => `${grouped(here)} on ${nodeName(node)}`);
  if (moreNodes > 0) placed.push(`the others on ${moreNodes} more nodes`);
  const next =
    evicts === null
      ? message
      : `it evicts ${list(evicts.victims)}${evicts.moreVictims === 0 ? '' : ` and ${evicts.moreVictims} more`} on ${nodeName(evicts.node)}${evicts.brokenBudgets.length === 0 ? '' : `, and breaks ${list(evicts.brokenBudgets)}`}`;
  return [
    ...(placed.length === 0 ? [] : [placed.join(', ')]),
    ...(next === '' ? [] : [`the next one: ${next}`]),
    ...(gates.length === 0 ? [] : [`without its gates ${list(gates)}`]),
    ...(sharesClaims ? ['if its replicas shared the claims of the first'] : []),
  ];
}

function size({ count: amount, isExact }: Capacity['free']): string {
  return isExact ? grouped(amount) : `≥ ${grouped(amount)}`;
}
