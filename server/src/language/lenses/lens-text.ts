import type { CancellationToken, CodeLens, Command } from 'vscode-languageserver';
import { joined, said, say } from '../../util/say.ts';
import { type ArrivalPreview, nodesAssumed } from '../../simulation/preview/preview.ts';
import { withCauseOnly } from '../../util/words.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { EarlierVersion } from '../rules/support/rule.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { podPriority } from '../index/priority-classes.ts';
import type { Session } from '../session/session.ts';
import { lensesBesides, type LensTarget } from './lens-target.ts';

/** The client command behind the lens of a workload; its argument is a `LensTarget`. */
const simulateWorkload = 'podium.simulateWorkload';
/** The client command behind the lens of a node; its argument is the name. */
const drainNode = 'podium.drainNode';

/** What a lens says, and in fewer words what is said where that is too long. */
export interface LensText {
  readonly whole: string;
  readonly brief?: string;
  /** Which question it answers: the side bar answers another one, and both may be right. */
  readonly question?: string;
}

/** What a lens says: of what several targets make, what each gets. */
export async function titleOf(
  { label, ...of }: LensTarget,
  session: Session,
  token: CancellationToken,
): Promise<LensText> {
  const text = await textOf(of, session, token);
  if (label === undefined) return text;
  const { whole, brief } = text;
  return {
    ...text,
    whole: say`${label}: ${whole}`,
    ...(brief === undefined ? {} : { brief: say`${label}: ${brief}` }),
  };
}

async function textOf(
  { others: alsoOf = [], target = '', ...first }: LensTarget,
  session: Session,
  token: CancellationToken,
): Promise<LensText> {
  const cases = [{ ...first, target }, ...alsoOf.map((other) => ({ ...first, ...other }))];
  const answers: { readonly target: string; readonly priority: string; readonly text: string }[] = [];
  const kinds = new Set<ArrivalPreview['kind']>();
  let brief: string | undefined;
  for (const one of cases) {
    const facts = session.rendering.targets.find(({ name }) => name === one.target)?.facts ?? session.facts;
    const { kind: workloadKind, namespace, name, uri } = one;
    if (lensesBesides.has(workloadKind)) {
      const { objectText } = await import('./object-lens.ts');
      answers.push({ target: one.target, priority: '', text: objectText(workloadKind, namespace, name, uri, facts) });
      continue;
    }
    const scenario = { kind: 'workload', workloadKind, namespace, name, uri } as const;
    const simulations = session.simulationsOf(one.target, one.uri);
    const earlier = committedBefore(one, facts, session);
    const rollOut = earlier === undefined ? null : await simulations.rollOut(scenario, earlier, token);
    const preview = rollOut ?? (await simulations.preview(scenario, token));
    const isAnew = earlier !== undefined && rollOut === null && preview !== null;
    const told = preview === null ? '' : previewText(preview);
    const text = isAnew ? say`deployed anew: ${told}` : told;
    if (preview !== null) kinds.add(preview.kind);
    brief = preview?.brief;
    answers.push({ target: one.target, priority: priorityText(one, facts), text });
  }
  const shared = answers.every(({ priority }) => priority === answers[0]?.priority) ? answers[0]?.priority : undefined;
  const isSame = answers.every(({ text }) => text === answers[0]?.text);
  if (isSame && answers[0]?.priority === '') return { whole: answers[0].text };
  const lines = answers.map(({ target: of, priority, text }) => {
    const words = joined(
      [...(shared === undefined ? [priority] : []), text].filter((part) => part !== ''),
      ', ',
    );
    return of === '' || words === '' ? words : say`${of}: ${words}`;
  });
  const whole = joined(
    [shared ?? '', ...lines].filter((part) => part !== ''),
    ' · ',
  );
  const question =
    kinds.size === 1 && kinds.has('rolls-out')
      ? say`If the change is applied now:`
      : say`If it is deployed last (the side bar shows what is pending when all are):`;
  const [only] = answers;
  if (answers.length === 1 && only !== undefined) {
    if (brief === undefined) return { whole, question };
    const ofTarget = only.target === '' ? brief : say`${only.target}: ${brief}`;
    return { whole, question, brief: joined([only.priority, ofTarget], ' · ') };
  }
  // Where and why is told by the whole.
  const outcomes = joined(
    answers.map(({ target: of, text }) => say`${of}: ${said(text).split(/ on |: |, | \(/, 1)[0]!}`),
    ' · ',
  );
  return {
    whole,
    brief: said(whole).endsWith(said(assumedMark)) ? say`${outcomes}${assumedMark}` : outcomes,
    question,
  };
}

/** What a workload was in the last commit, where it is another one now and no snapshot says what runs. */
function committedBefore(target: LensTarget, facts: Facts, session: Session): EarlierVersion | undefined {
  const fact = factOf(target, facts);
  const versions = fact === undefined ? [] : session.earlier.of(fact);
  if (fact === undefined || versions.some(({ source }) => source === 'snapshot')) return undefined;
  return versions.find(({ object }) => specText(object) !== specText(fact.object));
}

function specText(object: KubeObject): string {
  return JSON.stringify((object as { readonly spec?: unknown }).spec);
}

function factOf({ kind, namespace, name, uri }: LensTarget, facts: Facts): Fact | undefined {
  return facts
    .ofKind(kind as Parameters<Facts['ofKind']>[0])
    .find((fact) => fact.uri === uri && fact.namespace === namespace && fact.name === name);
}

/** A lens with its text, cut where it is too long for a line. */
export function withTitle(lens: CodeLens, text: LensText, target: LensTarget): CodeLens {
  const [whole, brief] = [said(text.whole), said(text.brief ?? text.whole)];
  const title = whole.length <= longestLens ? whole : shortened(brief);
  const isObject = target.kind === 'Node' || lensesBesides.has(target.kind);
  const asked = text.question === undefined ? [] : [said(text.question)];
  const tooltip = [...asked, ...(title === whole && asked.length === 0 ? [] : [whole])].join('\n');
  const command: Command = {
    title,
    ...(tooltip === '' ? {} : { tooltip }),
    ...(target.kind === 'Node'
      ? { command: drainNode, arguments: [target.name] }
      : isObject
        ? { command: '' }
        : { command: simulateWorkload, arguments: [target] }),
  };
  return { range: lens.range, data: lens.data as unknown, command };
}

/** Characters of a lens: what is longer is cut, and the whole of it is shown by those editors that show more. */
export const longestLens = 60;

/**
 * What is too long loses first that nodes are assumed, then what the API server says before the cause, then the name of
 * a class behind its number, or that the number is not known, and last the reason.
 */
export function shortened(whole: string): string {
  if (whole.length <= longestLens) return whole;
  const assumed = said(assumedMark);
  const full = withCauseOnly(whole.endsWith(assumed) ? whole.slice(0, -assumed.length) : whole);
  const unknown = said(unknownPriority);
  const text =
    full.length <= longestLens
      ? full
      : full.startsWith(`${unknown} · `)
        ? full.slice(unknown.length + 3)
        : full.replace(/^([^(·]*\d) \([^()]*\)/, '$1');
  if (text.length <= longestLens) return text;
  const cut = text
    .slice(0, longestLens - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
  return `${cut}…`;
}

const assumedMark = say` (nodes assumed)`;
const unknownPriority = say`priority unknown`;

/** `priority 100000 (checkout-high)`; empty while the priority is not known. */
export function priorityText(target: LensTarget, facts: Facts): string {
  const workload = factOf(target, facts);
  const resolution = workload === undefined ? undefined : podPriority(facts, workload);
  const resolved = resolution?.admitted === false ? resolution.computed : resolution;
  if (resolved === undefined) return unknownPriority;
  return say`priority ${resolved.priority}${resolved.className === '' ? '' : ` (${resolved.className})`}`;
}

/** The preview on one line; an answer that rests on assumed nodes says so. */
function previewText({ text, assumed }: ArrivalPreview): string {
  const oneLine = said(text).replace(/\s+/g, ' ');
  const short = oneLine.length > longestPreview ? `${oneLine.slice(0, longestPreview - 1)}…` : oneLine;
  return assumed && text !== nodesAssumed ? say`${short}${assumedMark}` : short;
}

/** Characters of the whole text of a lens; the report has all of a longer message. */
const longestPreview = 500;
