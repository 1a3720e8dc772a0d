import { joined, said, say } from '../kit/say.ts';
import { type CancellationToken, type CodeLens, CodeLensRefreshRequest, type Command } from 'vscode-languageserver';
import * as z from 'zod/mini';
import type { ManifestFile, PlacedDocument } from '../manifests/manifest.ts';
import type { ArrivalPreview } from '../simulation/run/preview.ts';
import type { Fact } from './fact.ts';
import type { Facts } from './facts.ts';
import type { Feature } from './feature.ts';
import { podTemplatePath } from '../kubernetes/pod-template.ts';
import { placedPosition } from '../manifests/text-positions.ts';
import { podPriority } from './priority-classes.ts';
import type { Session } from './session.ts';
import { AbandonedError } from './simulations.ts';

/** The client command behind the lens of a workload; its argument is a `LensTarget`. */
const simulateWorkload = 'podium.simulateWorkload';
/** The client command behind the lens of a node; its argument is the name. */
const drainNode = 'podium.drainNode';

/** What has a lens besides workloads. */
const others: ReadonlySet<string> = new Set(['PriorityClass', 'PodDisruptionBudget', 'Node']);

const lensTargetSchema = z.object({
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  uri: z.string(),
  /** Of what a source made: the target that it is of. */
  target: z.optional(z.string()),
  /** What other targets make of the same text. */
  others: z.optional(z.array(z.object({ namespace: z.string(), name: z.string(), target: z.string() }))),
});
/** The object that a lens stands above. */
export type LensTarget = z.infer<typeof lensTargetSchema>;

/** How long typing must pause before lenses are worked out again, in milliseconds. */
const pause = 300;

/**
 * A lens above each workload: its priority, and what its arrival would do; and above classes, budgets and nodes: what
 * they mean for others. Positions come from the text alone; the text of a lens is worked out when the editor shows it,
 * and while somebody types the last one stays.
 */
export const codeLensFeature: Feature = {
  capabilities: { codeLensProvider: { resolveProvider: true } },
  register(connection, session) {
    const shown = new Map<string, ShownLens>();
    let isTyping = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wereEnabled = session.settings.codeLens.enabled;

    connection.onCodeLens(({ textDocument }, token) => {
      if (!session.settings.codeLens.enabled) return [];
      return session.answer('code lens', textDocument.uri, token, (file) =>
        codeLenses(file, session.targets.length === 0 ? [{ name: '', facts: session.facts }] : session.targets),
      );
    });

    connection.onCodeLensResolve(async (lens, token): Promise<CodeLens> => {
      const parsed = z.safeParse(lensTargetSchema, lens.data);
      if (!parsed.success) return lens;
      const target = parsed.data;
      const key = JSON.stringify(target);
      const last = shown.get(key);
      const lastTitle = last?.title;
      if (lastTitle !== undefined && (isTyping || last?.version === session.modelVersion)) {
        return withTitle(lens, lastTitle, target);
      }
      // No version yet: the next change of the model then asks the editor for its lenses again.
      shown.set(key, { uri: target.uri, version: -1, title: lastTitle });
      // An answer now would lack what other files say, and what sources make of them; the editor is asked to come again.
      if (!session.workspaceRead) return withTitle(lens, lastTitle ?? { whole: readingText }, target);
      for (;;) {
        await session.whenApplied(token);
        const version = session.modelVersion;
        try {
          const title = await titleOf(target, session, token);
          shown.set(key, { uri: target.uri, version, title });
          return withTitle(lens, title, target);
        } catch (error) {
          const isOutdated = error instanceof AbandonedError && error.reason === 'outdated';
          // There is no earlier text to show meanwhile, so it is worked out once more.
          if (isOutdated && lastTitle === undefined && !token.isCancellationRequested) continue;
          if (!(error instanceof AbandonedError)) session.logError('code lens', error);
          const fallback = others.has(target.kind) ? '' : priorityText(target, session.facts);
          return withTitle(lens, lastTitle ?? { whole: fallback }, target);
        }
      }
    });

    session.onClosed((uri) => {
      for (const [key, lens] of shown) if (lens.uri === uri) shown.delete(key);
    });

    session.onChanged((what) => {
      // What an edit led to is no further edit.
      if (what === 'applied' && isTyping) return;
      isTyping = what === 'text';
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          isTyping = false;
          if (session.client.workspace?.codeLens?.refreshSupport !== true) return;
          const isCurrent = [...shown.values()].every(({ version }) => version === session.modelVersion);
          const { enabled } = session.settings.codeLens;
          if (isCurrent && enabled === wereEnabled) return;
          wereEnabled = enabled;
          connection.sendRequest(CodeLensRefreshRequest.type).catch((error: unknown) => {
            session.logError('code lens', error);
          });
        },
        isTyping ? pause : 0,
      );
    });
  },
};

/** What a lens says: of what several targets make, what each gets. */
async function titleOf(
  { others: alsoOf = [], target = '', ...first }: LensTarget,
  session: Session,
  token: CancellationToken,
): Promise<LensText> {
  const cases = [{ ...first, target }, ...alsoOf.map((other) => ({ ...first, ...other }))];
  const answers: { readonly target: string; readonly priority: string; readonly text: string }[] = [];
  for (const one of cases) {
    const facts = session.targets.find(({ name }) => name === one.target)?.facts ?? session.facts;
    const { kind: workloadKind, namespace, name, uri } = one;
    if (others.has(workloadKind)) {
      const { objectText } = await import('./lenses/object-lens.ts');
      answers.push({ target: one.target, priority: '', text: objectText(workloadKind, namespace, name, uri, facts) });
      continue;
    }
    const scenario = { kind: 'workload', workloadKind, namespace, name, uri } as const;
    const preview = await session.simulationsOf(one.target).preview(scenario, token);
    const text = preview === null ? '' : previewText(preview);
    answers.push({ target: one.target, priority: priorityText(one, facts), text });
  }
  const shared = answers.every(({ priority }) => priority === answers[0]?.priority) ? answers[0]?.priority : undefined;
  const isSame = answers.every(({ text }) => text === answers[0]?.text);
  if (isSame && answers[0]?.priority === '') return { whole: answers[0].text };
  const told = answers.map(({ target: of, priority, text }) => {
    const words = joined(
      [...(shared === undefined ? [priority] : []), text].filter((part) => part !== ''),
      ', ',
    );
    return of === '' || words === '' ? words : say`${of}: ${words}`;
  });
  const whole = joined(
    [shared ?? '', ...told].filter((part) => part !== ''),
    ' · ',
  );
  if (answers.length === 1) return { whole };
  // Where and why is told by the whole.
  const outcomes = joined(
    answers.map(({ target: of, text }) => say`${of}: ${text.split(/ on |: |, | \(/, 1)[0]!}`),
    ' · ',
  );
  return { whole, brief: whole.endsWith(assumedMark) ? say`${outcomes}${assumedMark}` : outcomes };
}

/** What a lens says, and in fewer words what is said where that is too long. */
interface LensText {
  readonly whole: string;
  readonly brief?: string;
}

/** What a lens showed last. */
interface ShownLens {
  readonly uri: string;
  /** Of the model that the text was worked out from; -1 while it is to be worked out anew. */
  readonly version: number;
  /** The last text that was worked out, which stays while the next one is. */
  readonly title: LensText | undefined;
}

/** Facts of a target; of the workspace, without a name, where nothing is there in more than one version. */
interface NamedFacts {
  readonly name: string;
  readonly facts: Facts;
}

/** Where lenses stand: at the first key of each workload, once for all that targets make of it. */
export function codeLenses(file: ManifestFile, targets: readonly NamedFacts[]): CodeLens[] {
  return file.documents.flatMap((placed) => {
    const known = lensesOf.get(placed);
    const objects = targets.map(({ facts }) => facts.inDocument(file.uri, placed.index));
    if (known?.objects.length === objects.length && known.objects.every((each, at) => each === objects[at])) {
      return known.lenses;
    }
    const lenses = lensesIn(placed, objects, targets);
    lensesOf.set(placed, { objects, lenses });
    return lenses;
  });
}

/** Kept, because an edit mostly leaves all documents but one at their places. */
const lensesOf = new WeakMap<
  PlacedDocument,
  { readonly objects: readonly (readonly Fact[])[]; readonly lenses: readonly CodeLens[] }
>();

function lensesIn(
  placed: PlacedDocument,
  objects: readonly (readonly Fact[])[],
  targets: readonly NamedFacts[],
): readonly CodeLens[] {
  const byPlace = new Map<string, { readonly fact: Fact; readonly target: string }[]>();
  for (const [at, facts] of objects.entries()) {
    const seen = new Map<string, number>();
    for (const fact of facts) {
      if ((podTemplatePath(fact.kind) === undefined && !others.has(fact.kind)) || fact.name === '') continue;
      const place = `${fact.kind}/${fact.manifest.path.join('/')}`;
      const nth = seen.get(place) ?? 0;
      seen.set(place, nth + 1);
      const key = `${place}#${nth}`;
      const target = fact.manifest.rendering === undefined ? '' : (targets[at]?.name ?? '');
      const known = byPlace.get(key);
      if (known === undefined) byPlace.set(key, [{ fact, target }]);
      // What is applied as it is written is the same in all targets.
      else if (target !== '') known.push({ fact, target });
    }
  }
  return [...byPlace.values()].map(([first, ...rest]) => {
    const { fact, target } = first!;
    const { start: offset } = fact.manifest.locate([]) ?? fact.manifest.locateNearest(['kind'], 'key');
    const start = placedPosition(placed, offset);
    const alsoOf = rest.map((other) => ({
      namespace: other.fact.namespace,
      name: other.fact.name,
      target: other.target,
    }));
    const data: LensTarget = {
      kind: fact.kind,
      namespace: fact.namespace,
      name: fact.name,
      uri: fact.uri,
      ...(target === '' ? {} : { target }),
      ...(alsoOf.length === 0 ? {} : { others: alsoOf }),
    };
    return { range: { start, end: start }, data };
  });
}

function withTitle(lens: CodeLens, text: LensText, target: LensTarget): CodeLens {
  const [whole, brief] = [said(text.whole), said(text.brief ?? text.whole)];
  const title = whole.length <= longestLens ? whole : shortened(brief);
  const command: Command = {
    title,
    ...(title === whole ? {} : { tooltip: whole }),
    ...(target.kind === 'Node'
      ? { command: drainNode, arguments: [target.name] }
      : others.has(target.kind)
        ? { command: '' }
        : { command: simulateWorkload, arguments: [target] }),
  };
  return { range: lens.range, data: lens.data as unknown, command };
}

/** Characters of a lens: what is longer is cut, and the whole of it is shown by those editors that show more. */
export const longestLens = 60;

/** That an answer rests on assumed nodes is said whatever is cut, and the number of a priority before its name. */
export function shortened(whole: string): string {
  if (whole.length <= longestLens) return whole;
  const assumed = said(assumedMark);
  const mark = whole.endsWith(assumed) ? assumed : '';
  const room = longestLens - mark.length;
  const full = whole.slice(0, whole.length - mark.length);
  const named = /^([^(·]*\d) \([^()]*\)/.exec(full);
  const hasRoom = named === null || room - named[0].length >= leastOutcome;
  const text = hasRoom ? full : `${named[1]!}${full.slice(named[0].length)}`;
  if (text.length <= room) return `${text}${mark}`;
  const cut = text
    .slice(0, room - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
  return `${cut}…${mark}`;
}

/** Characters that what comes of an arrival is given at least before the name of the class is left out. */
const leastOutcome = 24;

const assumedMark = say` (nodes assumed)`;

/** `priority 100000 (checkout-high)`; empty while the priority is not known. */
export function priorityText({ kind, namespace, name, uri }: LensTarget, facts: Facts): string {
  const workload = facts
    .ofKind(kind as Parameters<Facts['ofKind']>[0])
    .find((fact) => fact.uri === uri && fact.namespace === namespace && fact.name === name);
  const resolution = workload === undefined ? undefined : podPriority(facts, workload);
  const resolved = resolution?.admitted === false ? resolution.computed : resolution;
  if (resolved === undefined) return say`priority unknown`;
  return say`priority ${resolved.priority}${resolved.className === '' ? '' : ` (${resolved.className})`}`;
}

/** The preview on one line; an answer that rests on assumed nodes says so. */
function previewText({ text, assumed }: ArrivalPreview): string {
  const oneLine = text.replace(/\s+/g, ' ');
  const short = oneLine.length > longestPreview ? `${oneLine.slice(0, longestPreview - 1)}…` : oneLine;
  return assumed ? say`${short}${assumedMark}` : short;
}

const readingText = say`reading the workspace…`;

/** Characters of the whole text of a lens; the report has all of a longer message. */
const longestPreview = 500;
