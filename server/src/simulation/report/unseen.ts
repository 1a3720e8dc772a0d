import { count as amountOf, list, upperFirst } from '../../kit/words.ts';
import type { Assumption } from '../../contract/report.ts';
import type { Unseen, UnseenKind } from '../../kubernetes/unseen.ts';

/** What stands for a kind of things that were not seen, one and many. */
const nouns: Readonly<Record<UnseenKind, readonly [one: string, many: string]>> = {
  source: ['source is not rendered', 'sources are not rendered'],
  operator: ['object of operators makes pods', 'objects of operators make pods'],
  part: ['part of a manifest is not applied', 'parts of manifests are not applied'],
  placeholder: ['object has a placeholder without a value', 'objects have placeholders without a value'],
  template: ['template is not read', 'templates are not read'],
  document: ['document cannot be read whole', 'documents cannot be read whole'],
  file: ['file is not read whole', 'files are not read whole'],
  version: ['object is of a version that is not served', 'objects are of versions that are not served'],
};

/** More names than this are counted. */
const names = 5;

/** What the answer does not see, as a clause of the headline; empty where it sees everything. */
export function unseenClause(unseen: readonly Unseen[]): string {
  const counted = countedSources(unseen);
  const others = unseen.filter(({ kind }) => kind === 'operator' || kind === 'template' || kind === 'document');
  const rest = others.reduce((sum, { count }) => sum + count, 0);
  const files = unseen.filter(({ kind }) => kind === 'file').length;
  const parts = [
    ...counted,
    ...(files === 0 ? [] : [amountOf(files, 'file')]),
    ...(rest === 0 ? [] : [`${amountOf(rest, 'other object')} that may make pods`]),
  ];
  if (parts.length === 0) return '';
  const verb = counted.length === 1 && counted[0]!.startsWith('1 ') ? 'is' : 'are';
  return rest + files === 0 ? `${list(parts)} ${verb} not rendered` : `not seen: ${list(parts)}`;
}

/** `80 HelmReleases`, `2 charts`: sources by what their names begin with. */
function countedSources(unseen: readonly Unseen[]): string[] {
  const counts = new Map<string, number>();
  for (const { kind, name, count } of unseen) {
    if (kind !== 'source') continue;
    const word = /^(HelmRelease|Kustomization|Application|ApplicationSet) /.exec(name)?.[1] ?? 'source';
    counts.set(word, (counts.get(word) ?? 0) + count);
  }
  return [...counts].map(([word, count]) => amountOf(count, word));
}

/** Every kind of thing that the answer does not see, with the reasons. */
export function unseenAssumptions(unseen: readonly Unseen[]): Assumption[] {
  const byReason = new Map<string, Unseen[]>();
  for (const one of unseen) {
    // Of sources each reason is a line; anything else is told by its kind.
    const key = one.kind === 'source' ? `${one.kind} ${reasonOf(one)}` : one.kind;
    const known = byReason.get(key);
    if (known === undefined) byReason.set(key, [one]);
    else known.push(one);
  }
  return [...byReason.values()].map((all) => {
    const count = all.reduce((sum, one) => sum + one.count, 0);
    const [one, many] = nouns[all[0]!.kind];
    const named = list(
      all.map(({ name, count: of }) => (of === 1 ? name : `${of} ${name}`)),
      names,
    );
    const whys = new Set(all.map((each) => each.why));
    const why = all[0]!.kind === 'operator' ? 'Which pods those are, only the operators know' : sharedReason(whys);
    return { mark: '!', text: `${count} ${count === 1 ? one : many}: ${named}`, detail: `${upperFirst(why)}.` };
  });
}

/** What is not there has a name, and is one reason all the same. */
function reasonOf({ why }: Unseen): string {
  const absent = absentIn(why);
  return absent === null ? why : `its ${absent.what} is not ${absent.where}`;
}

/** One reason as it was given, or what several have in common. */
function sharedReason(whys: ReadonlySet<string>): string {
  const [first = ''] = whys;
  if (whys.size === 1) return first;
  const absent = absentIn(first);
  return absent === null
    ? `${first}, and ${amountOf(whys.size - 1, 'other reason')}`
    : `their ${absent.what === 'entry' ? 'entries' : `${absent.what}s`} are not ${absent.where}`;
}

/** What a reason says to be missing, of what it names. */
function absentIn(why: string): { readonly what: string; readonly where: string } | null {
  const what = /^(?:the|its) (chart|folder|entry) /.exec(why)?.[1];
  const verb = ' is not ';
  const at = why.lastIndexOf(verb);
  return what === undefined || at < 0 ? null : { what, where: why.slice(at + verb.length) };
}

/** The same as lines of a summary: `3 sources are not rendered: a, b and c (the reason)`. */
export function unseenSummary(unseen: readonly Unseen[]): string[] {
  return unseenAssumptions(unseen).map(({ text, detail }) => `${text}. ${detail}`);
}
