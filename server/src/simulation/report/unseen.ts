import { addTo } from '../../util/maps.ts';
import { inEnglish, say } from '../../util/say.ts';
import { count, list, upperFirst, withStop } from '../../util/words.ts';
import type { Assumption } from '../../report-model/report.ts';
import type { UnseenGroup } from '../../report-model/unseen-group.ts';
import type { Unseen, UnseenKind } from '../../kubernetes/unseen.ts';

/** So many things of a kind were not seen. */
function notSeen(kind: UnseenKind, amount: number): string {
  switch (kind) {
    case 'source':
      return count(amount, 'source is not rendered', 'sources are not rendered');
    case 'values':
      return count(
        amount,
        'source is rendered without all of its values',
        'sources are rendered without all of their values',
      );
    case 'partial':
      return count(amount, 'source is rendered in part', 'sources are rendered in part');
    case 'operator':
      return count(amount, 'object of operators makes pods', 'objects of operators make pods');
    case 'part':
      return count(amount, 'part of a manifest is not applied', 'parts of manifests are not applied');
    case 'placeholder':
      return count(amount, 'object has a placeholder without a value', 'objects have placeholders without a value');
    case 'template':
      return count(amount, 'template is not read', 'templates are not read');
    case 'document':
      return count(amount, 'document cannot be read whole', 'documents cannot be read whole');
    case 'encrypted':
      return count(amount, 'file is encrypted', 'files are encrypted');
    case 'file':
      return count(amount, 'file is not read whole', 'files are not read whole');
    case 'version':
      return count(amount, 'object is of a version that is not served', 'objects are of versions that are not served');
  }
}

/** So many things of a kind. */
function things(kind: UnseenKind, amount: number): string {
  switch (kind) {
    case 'source':
    case 'values':
    case 'partial':
      return count(amount, 'source');
    case 'operator':
      return count(amount, 'object of operators', 'objects of operators');
    case 'part':
      return count(amount, 'part of a manifest', 'parts of manifests');
    case 'placeholder':
    case 'version':
      return count(amount, 'object');
    case 'template':
      return count(amount, 'template');
    case 'document':
      return count(amount, 'document');
    case 'encrypted':
    case 'file':
      return count(amount, 'file');
  }
}

/** More names than this are counted. */
const mostNames = 5;

/** More reasons than this are one line: a repository may have one for each of its thousands of charts. */
const mostReasons = 12;

/** What the answer does not see, as a clause of the headline; empty where it sees everything. */
export function unseenClause(unseen: readonly Unseen[]): string {
  const counted = countedSources(unseen);
  const others = unseen.filter(({ kind }) => kind === 'operator' || kind === 'template' || kind === 'document');
  const rest = others.reduce((sum, { count: of }) => sum + of, 0);
  const files = unseen.filter(({ kind }) => kind === 'file').length;
  const partly = amountOf(unseen.filter(({ kind }) => kind === 'partial'));
  const parts = [
    ...counted,
    ...(partly === 0 ? [] : [say`parts of ${count(partly, 'source')}`]),
    ...(files === 0 ? [] : [count(files, 'file')]),
    ...(rest === 0 ? [] : [say`${count(rest, 'other object')} that may make pods`]),
  ];
  if (parts.length === 0) return '';
  const one = amountOf(unseen.filter(({ kind }) => kind === 'source')) === 1;
  return rest + files + partly === 0
    ? say`${list(parts)} ${one ? 'is' : 'are'} not rendered`
    : say`not seen: ${list(parts)}`;
}

/** `80 HelmReleases`, `2 charts`: sources by what their names begin with. */
function countedSources(unseen: readonly Unseen[]): string[] {
  const counts = new Map<string, number>();
  for (const { kind, name, count: of } of unseen) {
    if (kind !== 'source') continue;
    const word = /^(HelmRelease|Kustomization|Application|ApplicationSet|helmfile release) /.exec(name)?.[1] ?? '';
    counts.set(word, (counts.get(word) ?? 0) + of);
  }
  return [...counts].map(([word, amount]) => sourcesOf(word, amount));
}

function sourcesOf(kind: string, amount: number): string {
  switch (kind) {
    case 'HelmRelease':
      return count(amount, 'HelmRelease');
    case 'Kustomization':
      return count(amount, 'Kustomization');
    case 'helmfile release':
      return count(amount, 'helmfile release');
    case 'Application':
      return count(amount, 'Application');
    case 'ApplicationSet':
      return count(amount, 'ApplicationSet');
    default:
      return count(amount, 'source');
  }
}

/** What the answer does not see for one reason, or of one kind. */
interface UnseenTogether {
  readonly amount: number;
  readonly kind: UnseenKind;
  /** `2 HelmReleases`, `3 sources`. */
  readonly what: string;
  readonly names: string;
  /** A sentence. */
  readonly why: string;
  /** It, or what it comes to, in few words. */
  readonly brief: string;
}

/** Every kind of thing that the answer does not see, with the reasons. */
export function unseenAssumptions(unseen: readonly Unseen[]): Assumption[] {
  return together(unseen).map((all) => ({ mark: '!', text: textOf(all), detail: all.why }));
}

/** The same for views that have little room. */
export function unseenGroups(unseen: readonly Unseen[]): UnseenGroup[] {
  return together(unseen).map((all) => {
    const what = all.amount === 1 ? all.names : all.what;
    return {
      what: all.kind === 'partial' ? say`parts of ${what}` : what,
      why: all.brief,
      text: say`${textOf(all)}. ${all.why}`,
    };
  });
}

function textOf({ kind, amount, names }: UnseenTogether): string {
  return say`${notSeen(kind, amount)}: ${names}`;
}

function together(unseen: readonly Unseen[]): UnseenTogether[] {
  const byReason = new Map<string, Unseen[]>();
  for (const one of unseen) {
    // Of sources each reason is a line, and of others what they are; anything else is told by its kind.
    const isByReason = one.kind === 'source' || one.kind === 'partial' || one.ofSeveral !== undefined;
    const key = isByReason ? `${one.kind} ${one.ofSeveral ?? one.why}` : one.kind;
    addTo(byReason, key, one);
  }
  const groups = [...byReason.values()].sort((left, right) => amountOf(right) - amountOf(left));
  return withFewReasons(groups).map((all) => {
    const { kind } = all[0]!;
    const amount = amountOf(all);
    const named = all.map(({ name, count: of }) => (of === 1 ? name : `${of} ${name}`));
    const names = list(named, mostNames);
    const why = kind === 'operator' ? say`Which pods those are, only the operators know` : sharedReason(all);
    const what = kind === 'source' ? list(countedSources(all)) : things(kind, amount);
    return { amount, kind, what, names, why: withStop(upperFirst(why)), brief: brief(all[0]!, why) };
  });
}

/** A reason of no more letters is seen whole in a row. */
const mostBrief = 16;

function brief({ kind, hasFailed, lacksTool, absence }: Unseen, why: string): string {
  if (lacksTool !== undefined) return say`${lacksTool} is missing`;
  if (inEnglish(why).length <= mostBrief) return why;
  if (absence !== undefined) return absence === 'not-fetched' ? say`not fetched` : say`not there`;
  if (hasFailed === true) return say`failed`;
  switch (kind) {
    case 'source':
      return say`not rendered`;
    case 'values':
    case 'placeholder':
      return say`lacks values`;
    case 'partial':
      return say`not seen`;
    case 'operator':
      return say`pods not known`;
    case 'part':
      return say`not applied`;
    case 'template':
      return say`not filled in`;
    case 'document':
    case 'file':
      return say`not read whole`;
    case 'encrypted':
      return say`encrypted`;
    case 'version':
      return say`not served`;
  }
}

function amountOf(all: readonly Unseen[]): number {
  return all.reduce((sum, one) => sum + one.count, 0);
}

/** The reasons that most share, the first, and what has one of the many others together. */
function withFewReasons(groups: readonly (readonly Unseen[])[]): readonly (readonly Unseen[])[] {
  const sources = groups.filter(([one]) => one!.kind === 'source');
  if (sources.length <= mostReasons) return groups;
  const rest = new Set(sources.slice(mostReasons - 1));
  return [...groups.filter((group) => !rest.has(group)), [...rest].flat()];
}

/** One reason as it was given, or what several have in common. */
function sharedReason(all: readonly Unseen[]): string {
  const [{ why, ofSeveral }] = all as readonly [Unseen, ...Unseen[]];
  const whys = new Set(all.map((each) => each.why));
  if (whys.size === 1) return why;
  if (ofSeveral !== undefined && all.every((each) => each.ofSeveral === ofSeveral)) return ofSeveral;
  return say`${why}, and ${count(whys.size - 1, 'other reason')}`;
}

/** The same as lines of a summary: `3 sources are not rendered: a, b and c (the reason)`. */
export function unseenSummary(unseen: readonly Unseen[]): string[] {
  return unseenAssumptions(unseen).map(({ text, detail }) => say`${text}. ${detail}`);
}
