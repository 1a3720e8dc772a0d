import type { PodChangeKind, Report } from '../../contract/report.ts';
import type { Canvas } from './canvas.ts';

const marks: Readonly<Record<PodChangeKind, string>> = {
  evicted: '−',
  pending: '−',
  removed: '−',
  moved: '~',
  added: '+',
  placed: '+',
  spared: '+',
};

/** What a change of the manifests does: who fares differently than before. */
export function changeSection(report: Report, canvas: Canvas): void {
  const { comparison } = report;
  if (comparison === null) return;
  const { style } = canvas;
  canvas.heading('What the change does', `compared with ${comparison.since}`);
  canvas.text(
    comparison.sentence.map(({ tone, text }) => ({ text, paint: (painted: string) => style.tone(tone, painted) })),
    '  ',
  );
  for (const { workload, before, after } of comparison.priorities) {
    const found = report.workloads[workload];
    if (found === undefined) continue;
    canvas.text(
      [
        { text: `~ ${found.kind} ${found.namespace}/${found.name}`, paint: style.strong },
        { text: ` priority ${before} → ${after}` },
      ],
      '  ',
      '    ',
    );
  }
  for (const { kind, namespace, name, before, after } of comparison.pods) {
    const paint = marks[kind] === '−' ? style.bad : marks[kind] === '+' ? style.good : style.strong;
    const earlier = before === '' ? 'not there' : before;
    const now = after === '' ? 'not there any more' : after;
    canvas.text([{ text: `${marks[kind]} ${namespace}/${name}`, paint }], '  ', '    ');
    canvas.text([{ text: `${earlier} → ${now}` }], '    ', '    ');
  }
}
