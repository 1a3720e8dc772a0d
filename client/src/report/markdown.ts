/** The report as a Markdown document, for a pull request or an issue. */
import type { Report, ReportStep } from '../../../server/src/contract/report.ts';
import {
  formatClock,
  formatCount,
  formatNumberOf,
  priorityText,
  qualifiedName,
  scenarioText,
  workloadName,
} from './format.ts';
import { stepTitle } from './step-title.ts';
import { budgetText, fateText } from './victim-text.ts';

export function reportMarkdown(report: Report): string {
  const sections = [
    heading(report),
    changeSection(report),
    victimsSection(report),
    stepsSection(report),
    pendingSection(report),
    assumptionsSection(report),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function heading(report: Report): string {
  return `# Simulation: ${escape(scenarioText(report.scenario))}\n\n${sentenceText(report.sentence)}`;
}

function sentenceText(parts: Report['sentence']): string {
  return parts.map((part) => (part.tone === 'plain' ? escape(part.text) : emphasize(part.text))).join('');
}

function changeSection({ comparison, workloads }: Report): string {
  if (comparison === null) {
    return '';
  }
  const { since, sentence, priorities, pods } = comparison;
  const changed = priorities.map(({ workload, before, after }) => {
    const found = workloads[workload];
    const name = found === undefined ? '–' : workloadName(found);
    return [name, 'priority', formatCount(before), formatCount(after)];
  });
  const rows = [
    ...changed,
    ...pods.map(({ kind, before, after, ...pod }) => [qualifiedName(pod), kind, before || '–', after || '–']),
  ];
  const list = rows.length === 0 ? '' : `\n\n${table(['Pod or workload', 'Change', 'Before', 'After'], rows)}`;
  return `## Compared with ${escape(since)}\n\n${sentenceText(sentence)}${list}`;
}

/** Bold needs its marks next to a letter, so blanks stay outside. */
function emphasize(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' ? text : text.replace(trimmed, () => `**${escape(trimmed)}**`);
}

function victimsSection(report: Report): string {
  if (report.victims.length === 0) {
    return '';
  }
  const columns = [
    'Victim',
    'Workload',
    'Priority',
    'Node',
    'Makes room for',
    'Budget',
    'Grace',
    'Left running',
    'Then',
  ];
  const rows = report.victims.map((victim) => {
    const pod = report.pods[victim.pod];
    const workload = victim.workload === null ? undefined : report.workloads[victim.workload];
    return [
      podName(report, victim.pod),
      workload === undefined ? '–' : workloadName(workload),
      pod === undefined ? '–' : priorityText(pod),
      nodeName(report, victim.node),
      podName(report, victim.preemptor),
      budgetText(victim),
      formatClock(victim.gracePeriodSeconds),
      `${formatCount(victim.remaining.running)} of ${formatCount(victim.remaining.before)}`,
      fateText(report, victim),
    ];
  });
  return `## Victims\n\n${table(columns, rows)}`;
}

function stepsSection(report: Report): string {
  if (report.steps.length === 0) {
    return '';
  }
  const rows = report.steps.map((step: ReportStep, index) => [
    String(index + 1),
    formatClock(step.clock),
    `${stepTitle(report, step).subject} ${stepTitle(report, step).predicate}`,
    step.note,
  ]);
  return `## Steps\n\n${table(['Step', 'Clock', 'What happens', 'Note'], rows)}`;
}

function pendingSection(report: Report): string {
  if (report.pending.length === 0) {
    return '';
  }
  const items = report.pending.map(({ pod, decision }) => {
    const found = report.decisions[decision];
    const help = (found?.wouldHelp ?? []).map((line) => `\n- Would help: ${escape(line)}`).join('');
    const message = found === undefined || found.message === '' ? '' : `\n\n${fenced(found.message)}`;
    return `### ${escape(podName(report, pod))}${message}${help === '' ? '' : `\n${help}`}`;
  });
  return `## Still pending\n\n${formatNumberOf(report.pending.length, 'pod')}.\n\n${items.join('\n\n')}`;
}

function assumptionsSection(report: Report): string {
  const items = report.assumptions.map(({ mark, text, detail }) => {
    const more = detail === '' ? '' : `: ${escape(detail)}`;
    return `- \`${mark}\` ${escape(text)}${more}`;
  });
  return items.length === 0 ? '' : `## What is assumed\n\n${items.join('\n')}`;
}

function podName(report: Report, pod: number): string {
  const found = report.pods[pod];
  return found === undefined ? '–' : qualifiedName(found);
}

function nodeName(report: Report, node: number): string {
  return report.nodes[node]?.name ?? '–';
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escape).join(' | ')} |`;
  return [line(columns), `| ${columns.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** Names and messages are text: whatever Markdown or HTML would read as markup is escaped, line ends become blanks. */
function escape(text: string): string {
  return text
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_{}[\]()#+!|~>]/g, '\\$&');
}

/** A code block whose fence is longer than any run of back-ticks in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
