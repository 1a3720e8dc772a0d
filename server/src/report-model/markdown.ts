/**
 * The report as Markdown, for a comment on a pull request: the answer on the first screen, the rest folded. The same
 * text from the page and from the command line.
 */
import { addTo } from '../util/maps.ts';
import { escapeMarkdown as escape, fenced } from '../util/markup.ts';
import { isUnchanged } from './unchanged.ts';
import { count, grouped, list, upperFirst, momentText, type TimeOfDay } from '../util/words.ts';
import type { Losses } from './loss.ts';
import { lossKind, lossFigures, lossTotal, sharedByVictims, usualLosses } from './losses-by.ts';
import { assumedText, dependsOn, mostMissing } from './assumed.ts';
import { changeWord, markWord } from './words.ts';
import { say } from '../util/say.ts';
import { answerLineLimit, type AnswerGroup, type AnswerLine } from './answer.ts';
import type { Origin } from './origin.ts';
import {
  causeText,
  effectSigns,
  firstRows,
  linkClock,
  planRows,
  type PlanRow,
  refusedObjects,
  wholeTitle,
} from './plan-rows.ts';
import { remedyLine } from './remedy.ts';
import type { Report, ReportComparison } from './report.ts';
import { withWhatIfs } from './command-text.ts';
import { stepWords } from './step-words.ts';

/** A comment on GitHub holds 65,536 characters; other hosts count bytes. */
export const markdownLimit = 60_000;

/** Lines of a group, where there are very many. */
const longGroup = 50;

interface Part {
  readonly name: string;
  readonly text: string;
}

/** Where something is written: a name, and an address where there is one. */
export type PlacedAt = (origin: Origin) => { readonly text: string; readonly url?: string | undefined };

/** At most `markdownLimit` bytes: what does not fit is left out, the least important first, and counted at the end. */
export function reportMarkdown(report: Report, placedAt: PlacedAt = placeOnly): string {
  if (isUnchanged(report)) return `${title(report)}\n`;
  const compared = report.comparison;
  // Where all that is evicted and waits is of the change, the answer is about the change, too.
  const isFolded = compared !== null && compared.before.evicted + compared.before.pending > 0;
  const remedies = remedyList(report);
  const whole = (limit: number): string => {
    const sentence = [...causeLines(report), lossTable(report), answerTable(report, limit), balance(report)]
      .filter(Boolean)
      .join('\n\n');
    return isFolded ? folded('', wholeTitle(compared, report.answer), sentence).text : sentence;
  };
  // A comparison is about the change: the answer that has no other run beside it is folded.
  const answer =
    compared === null
      ? [[heading(report), ...missing(report)].join('\n'), whole(longGroup), remedies]
      : [
          heading(report),
          ...comparison(report, compared, placedAt),
          remedies,
          missing(report).join('\n'),
          whole(isFolded ? longGroup : answerLineLimit),
        ];
  answer.push(questionList(report));
  const wholeAt = compared === null ? 1 : answer.length - 2;
  const parts: Part[] = [
    ...(compared === null ? [] : [changedPods(compared)]),
    evictedLines(report),
    done(report),
    nodes(report),
    steps(report),
    pods(report),
    rests(report, true),
  ].filter(({ text }) => text !== '');
  const dropped: string[] = [];
  const partNames = {
    pods: say`pods`,
    steps: say`steps`,
    nodes: say`nodes`,
    'pods that change': say`pods that change`,
    [evictedPart]: say`lines of those that are evicted`,
    'what is done': say`events`,
  };
  const size = (some: readonly Part[]) => byteLength([...answer, ...some.map(({ text }) => text)].join('\n\n')) + 200;
  let kept: readonly Part[] = parts;
  if (size(kept) > markdownLimit) {
    kept = kept.map((part) => (part.name === 'what it depends on' ? rests(report, false) : part));
    dropped.push(say`the details of what it depends on`);
  }
  for (const name of ['pods', 'steps', 'nodes', 'pods that change', evictedPart, 'what is done'] as const) {
    if (size(kept) <= markdownLimit) break;
    const rest = kept.filter((part) => part.name !== name);
    if (rest.length < kept.length) dropped.push(partNames[name]);
    kept = rest;
  }
  if (size(kept) > markdownLimit) {
    answer[wholeAt] = whole(answerLineLimit);
    dropped.push(say`lines past ${answerLineLimit} of a group`);
  }
  const last = dropped.length === 0 ? [] : [say`Left out for length: ${dropped.join(', ')}.`];
  const text = [...answer.filter(Boolean), ...kept.map((part) => part.text), ...last].join('\n\n');
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

function title({ answer }: Report): string {
  return `### ${escape(answer.headline.replace(/[.。]$/, ''))}`;
}

function heading(report: Report): string {
  const { comparison: compared } = report;
  const outcome = compared === null || compared.outcome === '' ? [] : [`**${escape(compared.outcome)}**`];
  const assumed = assumedText(report);
  return [title(report), ...outcome, ...(assumed === '' ? [] : [escape(assumed)])].join('\n');
}

/** What is not seen; that there is something is in the headline. */
function missing({ assumptions }: Report): readonly string[] {
  const all = assumptions.flatMap(({ mark, text }) => (mark === '!' ? [`**${escape(text)}**`] : []));
  const more = all.length - mostMissing;
  return more > 0 ? [...all.slice(0, mostMissing), `**${say`and ${more} more`}**`] : all;
}

function causeLines({ answer }: Report): readonly string[] {
  return answer.cause === '' ? [] : [escape(answer.cause)];
}

/** Without an address: by the name of its file. */
const placeOnly: PlacedAt = ({ uri, range }) => ({
  text: `${uri.slice(uri.lastIndexOf('/') + 1)}:${range.start.line + 1}`,
});

/** Who loses pods, a row for each team: by what was asked for, or where lines would be too many. */
function lossTable(report: Report): string {
  const losses = lossesOf(report);
  if (losses === null) return '';
  const { by, rows } = losses;
  const shared = sharedByVictims(report, rows, 3);
  const total = lossTotal(rows);
  const broken = total.broken.length === 0 ? [] : [say`budgets broken`];
  const others = rows.length - longGroup;
  return [
    shared === '' ? '' : `${escape(upperFirst(shared))}.\n\n`,
    table(
      [lossKind(by), say`ran`, say`lost`, say`evicted`, say`again`, say`pending`, ...broken, say`down`].map(escape),
      [
        ...rows
          .slice(0, longGroup)
          .map((row) => [
            code(row.name),
            ...lossFigures(row, total),
            row.down.length === 0 ? '' : `**${escape(list(row.down))}**`,
          ]),
        [`**${grouped(rows.length)}**`, ...lossFigures(total, total), grouped(total.down.length)],
      ],
    ),
    others > 0 ? `\n\n${say`${others} more.`}` : '',
  ].join('');
}

function lossesOf(report: Report): Losses | null {
  return report.losses ?? usualLosses(report);
}

/** Where a table tells of those that are evicted, their lines are folded. */
function evictedLines(report: Report): Part {
  const rows = lossesOf(report) === null ? [] : answerRows(report, longGroup, (kind) => kind === 'evicted');
  return folded(evictedPart, say`Evicted, workload by workload`, rows.length === 0 ? '' : table(answerHeads(), rows));
}

const evictedPart = 'those that are evicted';

function answerTable(report: Report, limit: number): string {
  const hasTable = lossesOf(report) !== null;
  const rows = answerRows(report, limit, (kind) => !hasTable || kind !== 'evicted');
  return rows.length === 0 ? '' : table(answerHeads(), rows);
}

function answerHeads(): readonly string[] {
  return ['', say`Workload`, say`Pods`, say`What happens`, say`Then`];
}

function answerRows(
  { answer }: Report,
  limit: number,
  isShown: (kind: AnswerGroup['kind']) => boolean,
): readonly (readonly string[])[] {
  const groups = answer.groups.filter(({ kind }) => isShown(kind));
  return groups.flatMap((group) => {
    const { kind, lines } = group;
    // Where all goes well, readers miss least.
    const most = kind === 'scheduled' ? answerLineLimit : limit;
    return [
      ...lines.slice(0, most).map((line) => rowOf(group, line)),
      ...(lines.length > most ? [['', '', '', escape(count(lines.length - most, 'more line')), '']] : []),
    ];
  });
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
      return say`for pending pods`;
    case 'gated':
      return say`for gated pods`;
    case 'refused':
      return say`for refused pods`;
    case 'scheduled':
      return say`for scheduled pods`;
    case 'idle':
      return say`for workloads without pods`;
  }
}

/** What would help, as `podium simulate` takes it. */
function remedyList({ answer, command, remedies }: Report): string {
  // What helps against several things is told once.
  const items = new Map<string, string[]>();
  for (const { group, line, whatIf, effect } of remedies ?? []) {
    const lines = answer.groups.find(({ kind }) => kind === group)?.lines ?? [];
    const about = line === null ? groupName(group) : remedyLine(lines, line);
    const typed = whatIf.length === 0 ? '' : `${code(withWhatIfs(command, whatIf))}: `;
    const item = `${typed}${escape(effect)}`;
    addTo(items, item, escape(about));
  }
  const texts = [...items].map(([item, about]) => `- ${about.join(', ')}: ${item}`);
  return texts.length === 0 ? '' : `${say`Would help:`}\n\n${texts.join('\n')}`;
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
function done(report: Report): Part {
  const rows = report.events.map(({ clock, text, told }) => [
    momentText(report, clock),
    code(text),
    told.map(escape).join('<br>'),
  ]);
  return folded(
    'what is done',
    say`What is done · ${rows.length}`,
    rows.length === 0 ? '' : table([say`Clock`, say`What happens`, say`Note`], rows),
  );
}

/** Of what follows from a change so much stands above the table of those who fare differently. */
const planLimit = 12;

/** What was changed, each where it is written, and what follows from it; then who fares differently. */
function comparison(report: Report, compared: ReportComparison, placedAt: PlacedAt): readonly string[] {
  const { events, workloads } = report;
  const { causes, moreCauses, plan, priorities } = compared;
  const refused = refusedObjects(causes, events);
  const rows = planRows(compared);
  const links = firstRows(rows, planLimit).map((row) => planLine(row, refused, placedAt, report));
  const more = rows.length - links.length + moreCauses + plan.moreLinks;
  if (more > 0) links.push(`- ${say`${more} more.`}`);
  const ranked = priorities.slice(0, longGroup).map(({ workload, before, after }) => {
    const found = workloads[workload];
    const name = found === undefined ? '' : `${found.kind} ${qualified(found)}`;
    return `- ${code(name)}: ${say`priority`} ${before} → ${after}`;
  });
  const worse = plan.effects.filter(({ change }) => change === 'worse').length;
  const fares = plan.effects
    .slice(0, Math.max(planLimit, Math.min(worse, longGroup)))
    .map(({ name, change, at }) => [effectSigns[change], code(name), ...at.map(({ text }) => escape(text))]);
  const heads = ['', say`Workload`, ...plan.stages.map(({ label }) => escape(label))];
  const others = plan.effects.length - fares.length;
  return [
    [...links, ...ranked].join('\n'),
    fares.length === 0 ? '' : table(heads, fares),
    others > 0 ? say`${others} more.` : '',
  ];
}

/** Who fares differently, pod by pod. */
function changedPods({ pods: changed }: ReportComparison): Part {
  const rows = changed
    .slice(0, longGroup)
    .map(({ kind, before, after, ...pod }) => [
      code(qualified(pod)),
      changeWord(kind),
      escape(before === '' ? say`not there` : before),
      escape(after === '' ? say`not there any more` : after),
    ]);
  const more = changed.length > longGroup ? `\n\n${say`${changed.length - longGroup} more.`}` : '';
  const body = rows.length === 0 ? '' : `${table([say`Pod`, say`Change`, say`Before`, say`After`], rows)}${more}`;
  return folded('pods that change', say`Pod by pod · ${changed.length}`, body);
}

/** A line of a list in a list. */
function planLine(row: PlanRow, refused: ReadonlySet<string>, placedAt: PlacedAt, day: TimeOfDay): string {
  const indent = '  '.repeat(row.depth);
  if (row.kind === 'cause') {
    const { object, origin } = row.cause;
    const isRefused = refused.has(object) ? ` **${say`refused`}**` : '';
    const place = origin === null ? '' : ` · ${linkTo(placedAt(origin))}`;
    return `- ${code(object.replace('/', ' '))} ${escape(causeText(row.cause))}${isRefused}${place}`;
  }
  const clock = linkClock(row.link, day);
  return `${indent}- ${clock === '' ? '' : `${clock}: `}${escape(row.link.text)}`;
}

function linkTo({ text, url }: ReturnType<PlacedAt>): string {
  return url === undefined ? code(text) : `[${escape(text)}](${url.replace(/[()<>\s]/g, encodeURIComponent)})`;
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
    momentText(report, step.clock),
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
  const items = assumptions.map(({ mark, text, detail }) => {
    const more = detail === '' || !detailed ? '' : `: ${escape(detail)}`;
    return `- \`${mark}\` ${escape(text)}${more}`;
  });
  const title = say`Kubernetes ${kubernetes}. ${dependsOn(assumptions)}`;
  return folded('what it depends on', title, items.join('\n'));
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
