import { groupBy } from '../../util/maps.ts';
import { clockText, count } from '../../util/words.ts';
import type { Report, ReportVictim } from '../../report-model/report.ts';
import type { Span } from '../terminal/text.ts';
import { podName, rankOf } from './names.ts';
import type { Canvas } from './canvas.ts';

/** Who is evicted, grouped by the pod they make room for. */
export function victimSection(report: Report, canvas: Canvas): void {
  if (report.victims.length === 0) return;
  const violated = report.totals.budgetsViolated;
  canvas.heading(
    'Who is evicted',
    `${count(report.victims.length, 'pod')}, ${violated === 0 ? 'no budget violated' : `${count(violated, 'budget')} violated`}`,
  );
  const groups = groupBy(report.victims, (victim) => victim.preemptor);
  for (const [preemptor, victims] of groups) {
    canvas.text(
      [
        { text: 'for ' },
        { text: podName(report, preemptor), paint: canvas.style.strong },
        { text: ` (${rankOf(report, preemptor)})`, paint: canvas.style.faint },
      ],
      '  ',
      '    ',
    );
    for (const victim of victims) drawVictim(report, victim, canvas);
  }
}

function drawVictim(report: Report, victim: ReportVictim, canvas: Canvas): void {
  const { style } = canvas;
  canvas.text(
    [
      { text: `− ${podName(report, victim.pod)}`, paint: style.bad },
      { text: ` (${rankOf(report, victim.pod)})`, paint: style.faint },
    ],
    '    ',
    '      ',
  );
  const facts: Span[] = [
    { text: `on ${report.nodes[victim.node]?.name ?? '?'}; ` },
    budgetSpan(victim, style),
    { text: `; ${clockText(victim.gracePeriodSeconds)} to end; ` },
    { text: remainingText(victim) },
    fateSpan(report, victim, style),
  ];
  canvas.text(facts, '      ');
}

function budgetSpan(victim: ReportVictim, style: Canvas['style']): Span {
  const names = victim.budget.names.join(', ');
  switch (victim.budget.state) {
    case 'none':
      return { text: 'no budget' };
    case 'kept':
      return { text: `budget ${names} kept`, paint: style.good };
    case 'violated':
      return { text: `budget ${names} violated`, paint: style.bad };
  }
}

function remainingText(victim: ReportVictim): string {
  const { running, before } = victim.remaining;
  return victim.workload === null ? '' : `${running} of ${count(before, 'replica')} left; `;
}

function fateSpan(report: Report, victim: ReportVictim, style: Canvas['style']): Span {
  switch (victim.fate) {
    case 'moves':
      return {
        text: `replaced on ${victim.newNode === null ? 'another node' : (report.nodes[victim.newNode]?.name ?? '?')}`,
        paint: style.good,
      };
    case 'pending':
      return { text: 'its replacement stays pending', paint: style.warning };
    case 'gone':
      return { text: 'nothing recreates it', paint: style.bad };
  }
}
