/**
 * The report as Markdown, for a comment on a pull request: the answer on the first screen, the rest folded. The same
 * text from the page and from the command line.
 */
import { isUnchanged } from './unchanged.ts';
import { count } from '../kit/words.ts';
import { assumedText } from './assumed.ts';
import { changeWord, effectWord, markWord } from './words.ts';
import { say } from '../kit/say.ts';
import { answerLineLimit, type AnswerGroup, type AnswerLine } from './answer.ts';
import { causeText, linkClock, planRows, type PlanRow } from './plan-rows.ts';
import type { Report } from './report.ts';
import { stepWords } from './step-words.ts';

/** A comment on GitHub holds 65,536 characters; other hosts count bytes. */
export const markdownLimit = 60_000;

/** Lines of a group, where there are very many. */
const longGroup = 50;

interface Part {
  readonly name: string;
  readonly text: string;
}

/** At most `markdownLimit` bytes: what does not fit is left out, the least important first, and counted at the end. */
export function reportMarkdown(report: Report): string {
  if (isUnchanged(report)) return `${heading(report)}\n`;
  const answer = [
    heading(report),
    answerTable(report, longGroup),
    remedyList(report),
    balance(report),
    questionList(report),
    comparison(report),
  ].filter(Boolean);
  const folded: Part[] = [done(report), nodes(report), steps(report), pods(report), rests(report, true)].filter(
    ({ text }) => text !== '',
  );
  const dropped: string[] = [];
  const partNames = { pods: say`pods`, steps: say`steps`, nodes: say`nodes`, 'what is done': say`events` };
  const size = (parts: readonly Part[]) => byteLength([...answer, ...parts.map(({ text }) => text)].join('\n\n')) + 200;
  let kept: readonly Part[] = folded;
  if (size(kept) > markdownLimit) {
    kept = kept.map((part) => (part.name === 'what it rests on' ? rests(report, false) : part));
    dropped.push(say`the details of what it rests on`);
  }
  for (const name of ['pods', 'steps', 'nodes', 'what is done'] as const) {
    if (size(kept) <= markdownLimit) break;
    const rest = kept.filter((part) => part.name !== name);
    if (rest.length < kept.length) dropped.push(partNames[name]);
    kept = rest;
  }
  if (size(kept) > markdownLimit) {
    answer[1] = answerTable(report, answerLineLimit);
    dropped.push(say`lines past ${answerLineLimit} of a group`);
  }
  const last = dropped.length === 0 ? [] : [say`Left out for length: ${dropped.join(', ')}.`];
  const text = [...answer, ...kept.map((part) => part.text), ...last].join('\n\n');
  return `${byteLength(text) < markdownLimit ? text : cut(text)}\n`;
}

/** Names that are very long may still be too much: then whole lines go, from the end. */
function cut(text: string): string {
  const lines = text.split('\n');
  const note = `\n\n${say`Left out for length: everything below.`}`;
  let bytes = byteLength(note);
  const kept: string[] = [];
  for (const line of lines) {
    bytes += byteLength(line) + 1;
    if (bytes >= markdownLimit) break;
    kept.push(line);
  }
  return kept.join('\n') + note;
}

function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

function heading(report: Report): string {
  const { answer, assumptions } = report;
  const title = `### ${escape(answer.headline.replace(/[.。]$/, ''))}`;
  const missing = assumptions.flatMap(({ mark, text }) => (mark === '!' ? [`**${escape(text)}**`] : []));
  const told = [answer.cause, assumedText(report)].filter((text) => text !== '').map(escape);
  return [title, ...told, ...missing].join('\n');
}

function answerTable({ answer }: Report, limit: number): string {
  const rows = answer.groups.flatMap((group) => [
    ...group.lines.slice(0, limit).map((line) => rowOf(group, line)),
    ...(group.lines.length > limit ? [['', '', '', escape(count(group.lines.length - limit, 'more line')), '']] : []),
  ]);
  return rows.length === 0 ? '' : table(['', say`Workload`, say`Pods`, say`What happens`, say`Then`], rows);
}

function rowOf({ kind }: AnswerGroup, line: AnswerLine): string[] {
  const marks = line.marks.map((mark) => `**${markWord(mark)}**`);
  const details = line.details.filter((text) => text !== '').map(escape);
  const name = kind === 'pending' ? escape(line.name) : code(line.name);
  return [escape(line.sign), name, escape(line.count), [...marks, ...details].join(', '), escape(line.then)];
}

function groupName(kind: AnswerGroup['kind']): string {
  switch (kind) {
    case 'evicted':
      return say`against evictions`;
    case 'blocked':
      return say`against what blocks a drain`;
    case 'races':
      return say`for pods that compete`;
    case 'moved':
      return say`for pods that move`;
    case 'failed':
      return say`for evictions that fail`;
    case 'pending':
      return say`for pods that wait`;
    case 'gated':
      return say`for gated pods`;
    case 'refused':
      return say`for refused pods`;
    case 'scheduled':
      return say`for scheduled pods`;
  }
}

/** What would help, as `podium simulate` takes it. */
function remedyList({ answer, remedies }: Report): string {
  const items = (remedies ?? []).map(({ group, line, whatIf, effect }) => {
    const lines = answer.groups.find(({ kind }) => kind === group)?.lines ?? [];
    const about = line === null ? groupName(group) : (lines[line]?.name ?? '');
    const command = whatIf.map((text) => code(`--what-if '${text}'`)).join(' ');
    return `- ${escape(about)}: ${command === '' ? '' : `${command}: `}${escape(effect)}`;
  });
  return items.length === 0 ? '' : `${say`Would help:`}\n\n${items.join('\n')}`;
}

function balance({ answer }: Report): string {
  return answer.balanceText.map((text) => `${escape(text)}.`).join(' ');
}

/** More of what a question is answered with is counted. */
const longDetails = 10;

/** What a scenario asks of the end. */
function questionList({ questions }: Report): string {
  const items = questions.flatMap(({ text, answer, isMet, details }) => [
    `- ${isMet === null ? '' : isMet ? '✓ ' : '✗ '}${code(text)}: ${escape(answer)}`,
    ...details.slice(0, longDetails).map((detail) => `  - ${escape(detail)}`),
    ...(details.length > longDetails ? [`  - ${say`and ${details.length - longDetails} more`}`] : []),
  ]);
  return items.length === 0 ? '' : `#### ${say`Questions · ${questions.length}`}\n\n${items.join('\n')}`;
}

/** What the events of a scenario came to. */
function done({ events }: Report): Part {
  const rows = events.map(({ clock, text, told }) => [`${clock} s`, code(text), told.map(escape).join('<br>')]);
  return folded(
    'what is done',
    say`What is done · ${rows.length}`,
    rows.length === 0 ? '' : table([say`Clock`, say`What happens`, say`Note`], rows),
  );
}

function comparison({ comparison: compared, workloads }: Report): string {
  if (compared === null) return '';
  const changed = compared.priorities.map(({ workload, before, after }) => {
    const found = workloads[workload];
    const name = found === undefined ? '' : `${found.kind} ${qualified(found)}`;
    return [code(name), say`priority`, String(before), String(after)];
  });
  const links = planRows(compared).slice(0, longGroup).map(planLine);
  const { stages, effects } = compared.plan;
  const fares = effects
    .slice(0, longGroup)
    .map(({ name, change, at }) => [code(name), effectWord(change), ...at.map(({ text }) => escape(text))]);
  const chain = compared.plan.chain.length === 0 ? '' : `\n\n${links.join('\n')}`;
  const fared =
    fares.length === 0
      ? ''
      : `\n\n${table([say`Workload`, say`Change`, ...stages.map(({ label }) => escape(label))], fares)}`;
  const causes = compared.causes.map(({ object, field, old, new: now }) => [
    code(object.replace('/', ' ')),
    // Of a whole object the fixed words of the JSON say no more than on which side it is.
    ...(field === ''
      ? [say`object`, old === null ? say`not there` : say`there`, now === null ? say`not there any more` : say`there`]
      : [
          escape(field),
          escape(old === null ? say`not there` : String(old)),
          escape(now === null ? say`not there any more` : String(now)),
        ]),
  ]);
  const rows = [
    ...causes,
    ...changed,
    ...compared.pods.map(({ kind, before, after, ...pod }) => [
      code(qualified(pod)),
      changeWord(kind),
      escape(before === '' ? say`not there` : before),
      escape(after === '' ? say`not there any more` : after),
    ]),
  ];
  const more = rows.length > longGroup ? `\n\n${say`${rows.length - longGroup} more.`}` : '';
  const list =
    rows.length === 0
      ? ''
      : `\n\n${table([say`Pod or workload`, say`Change`, say`Before`, say`After`], rows.slice(0, longGroup))}`;
  const story = compared.plan.story === null ? '' : `\n\n${escape(compared.plan.story.text)}`;
  const sentence = escape(compared.sentence.map(({ text }) => text).join(''));
  return `#### ${say`Compared with ${escape(compared.since)}`}\n\n${sentence}${story}${chain}${fared}${list}${more}`;
}

/** A line of a list in a list. */
function planLine(row: PlanRow): string {
  const indent = '  '.repeat(row.depth);
  if (row.kind === 'cause') return `- ${code(row.cause.object.replace('/', ' '))} ${escape(causeText(row.cause))}`;
  const clock = linkClock(row.link);
  return `${indent}- ${clock === '' ? '' : `${clock}: `}${escape(row.link.text)}`;
}

function nodes({ nodes: all, pods: every, victims, steps: told }: Report): Part {
  const touched = new Set([
    ...victims.map(({ node }) => node),
    ...told.flatMap(({ kind, node }) => (kind === 'scheduled' && node !== null ? [node] : [])),
  ]);
  const inState = (node: number, state: string) =>
    every.filter(({ after }) => after.node === node && after.state === state).length;
  const rows = [...touched]
    .sort((a, b) => a - b)
    .map((node) => [
      code(all[node]?.name ?? ''),
      String(victims.filter((victim) => victim.node === node).length),
      String(told.filter((step) => step.kind === 'scheduled' && step.node === node).length),
      String(inState(node, 'running')),
    ]);
  return folded(
    'nodes',
    say`Nodes (${touched.size} of ${all.length} change)`,
    rows.length === 0 ? '' : table([say`Node`, say`Evicted`, say`Scheduled`, say`Running at the end`], rows),
  );
}

function steps(report: Report): Part {
  const rows = report.steps.map((step) => [
    say`${step.clock} s`,
    `${code(podName(report, step.pod))} ${escape(stepWords(report, step))}`,
    escape(step.note),
  ]);
  return folded(
    'steps',
    say`Steps (${rows.length})`,
    rows.length === 0 ? '' : table([say`Clock`, say`What happens`, say`Note`], rows),
  );
}

function pods(report: Report): Part {
  const items = report.pending.map(({ pod, decision }) => {
    const found = report.decisions[decision];
    const help = (found?.wouldHelp ?? []).map((line) => `\n- ${say`Would help: ${escape(line)}`}`).join('');
    const message = found === undefined || found.message === '' ? '' : `\n\n${fenced(found.message)}`;
    return `${code(podName(report, pod))}${message}${help === '' ? '' : `\n${help}`}`;
  });
  return folded('pods', say`Why pods stay pending (${items.length})`, items.join('\n\n'));
}

function rests({ assumptions, kubernetes }: Report, detailed: boolean): Part {
  const marked = (...marks: readonly string[]) => assumptions.filter(({ mark }) => marks.includes(mark)).length;
  const items = assumptions.map(({ mark, text, detail }) => {
    const more = detail === '' || !detailed ? '' : `: ${escape(detail)}`;
    return `- \`${mark}\` ${escape(text)}${more}`;
  });
  const title = say`Kubernetes ${kubernetes}. Rests on ${marked('=')} known, ${count(marked('≥', '≤'), 'bound')}, ${marked('?')} assumed`;
  return folded('what it rests on', title, items.join('\n'));
}

function folded(name: string, title: string, body: string): Part {
  if (body === '') return { name, text: '' };
  return { name, text: `<details><summary>${escape(title)}</summary>\n\n${body}\n\n</details>` };
}

function podName(report: Report, pod: number): string {
  const found = report.pods[pod];
  return found === undefined ? '' : qualified(found);
}

function qualified({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Cells are Markdown already. */
function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '-').join('|')}|`, ...rows.map(line)].join('\n');
}

/** A name as code. A back-tick or a bar in it would end the code or the cell. */
function code(name: string): string {
  return name === '' ? '' : /[`|\r\n]/.test(name) ? escape(name) : `\`${name}\``;
}

/** Names and messages are text: whatever Markdown or HTML would read as markup is escaped, line ends become blanks. */
function escape(text: string): string {
  return text
    .replace(/[\r\n]+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_{}[\]#|~>@]/g, '\\$&');
}

/** A code block whose fence is longer than any run of back-ticks in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
