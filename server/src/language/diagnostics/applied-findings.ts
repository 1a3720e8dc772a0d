import { joined, say } from '../../util/say.ts';
import { count, withStop } from '../../util/words.ts';
import { rulesByCode } from '../rules/registry.ts';
import type { Absence } from '../rules/support/rule.ts';
import type { Diagnostic, Range } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { areTogether } from '../../kubernetes/nearest-declaration.ts';
import { documentAtLine } from '../../manifests/text-positions.ts';
import type { Refusal } from '../../sources/files/source.ts';
import { maxFindings, severityNumber } from '../checks/rule-runner.ts';
import { ruleSetting, type Settings } from '../settings/settings.ts';
import type { PlacedDiagnostic } from '../checks/file-diagnostics.ts';
import type { Unseen, UnseenKind } from '../../kubernetes/unseen.ts';
import type { RenderedTarget } from '../../sources/targets/rendered-target.ts';
import { filesOfUnseen } from '../../sources/targets/unseen.ts';

/** Whether a rule judges objects; the others judge text, whatever that is part of. */
export function ofObjects(code: string): boolean {
  return rulesByCode.get(code)?.scope === 'object';
}

/** Which findings say more than is known. */
export type IsQuiet = (uri: string, code: string, absence?: Absence) => boolean;

/**
 * Which findings say more than is known. What is not seen may provide what one misses; and where a kustomization
 * that changes its resources was not rendered, what they say is not what is applied, and only their text is judged.
 */
export function quietRules(rendered: RenderedTarget, unseen: Iterable<Unseen>): IsQuiet {
  const all = [...unseen];
  return (uri, code, absence) => {
    if (absence !== undefined && all.some((one) => mayProvide(one, absence, uri))) return true;
    const owner = rendered.unrendered.get(uri);
    return owner !== undefined && !owner.source.isPlain && ofObjects(code);
  };
}

/** Whether what is not seen may be, or make, what a finding misses. Charts and operators bring no nodes. */
function mayProvide(one: Unseen, absence: Absence, uri: string): boolean {
  const { kind, name, origin } = one;
  switch (absence.of) {
    case 'Node':
      return (kind === 'placeholder' || kind === 'template') && /^Node(?: |$)/.test(name);
    case 'PriorityClass':
    case 'RuntimeClass':
    case 'StorageClass':
      return (
        kind === 'source' ||
        kind === 'partial' ||
        kind === 'template' ||
        (kind === 'placeholder' && name.startsWith(`${absence.of} `))
      );
    case 'Pod': {
      if (!makesPods.has(kind)) return false;
      const [, namespace] = /^HelmRelease ([^/]+)\//.exec(name) ?? [];
      if (namespace === absence.namespace || origin === null) return true;
      return filesOfUnseen(one).some((each) => areTogether(each, uri));
    }
  }
}

const makesPods: ReadonlySet<UnseenKind> = new Set<UnseenKind>([
  'source',
  'values',
  'partial',
  'operator',
  'placeholder',
  'template',
]);

/** The sources that show a finding: `in overlays/prod and overlays/staging`. */
function sourcesText(sources: readonly string[]): string {
  const names = [...sources].sort();
  const shown = names.length > 4 ? [...names.slice(0, 3), say`${names.length - 3} more`] : names;
  return say`in ${shown.length === 1 ? shown[0]! : say`${joined(shown.slice(0, -1), ', ')} and ${shown.at(-1)!}`}`;
}

/** What whoever wrote a source can mend; that tools are missing or not allowed is no fault of any file. */
const mendable: ReadonlySet<Refusal['why']> = new Set<Refusal['why']>(['tool-error', 'missing', 'unreadable']);
/** What is told without blame. */
const known: ReadonlySet<Refusal['why']> = new Set<Refusal['why']>([
  'remote',
  'not-in-git',
  'inflates-chart',
  'not-supported',
  'outside',
  'no-sandbox',
  'not-applied',
  'too-late',
  'too-much',
]);

const notRendered = 'not-rendered';

/** The sources of a world that are not rendered, at the lines that are the cause, with the tool's own words. */
export function refusedSources(
  rendered: RenderedTarget,
  settings: Settings,
  docs: string,
  howToFetch: HowToFetch = fetchedByCommand,
): PlacedDiagnostic[] {
  return [...notRenderedSources(rendered, settings, docs, howToFetch), ...idleEntries(rendered, settings, docs)];
}

/** What fetches what is remote, as a sentence after others. */
export type HowToFetch = (needsHelm: boolean) => string;

function fetchedByCommand(): string {
  return say` \`podium sources PATH --fetch\` fetches what is remote.`;
}

const noEffect = 'entry-has-no-effect';

function idleEntries({ sources, files }: RenderedTarget, settings: Settings, docs: string): PlacedDiagnostic[] {
  const byUri = new Map(files.map((file) => [file.uri, file]));
  return sources.flatMap(({ idle = [] }) =>
    idle.flatMap(({ place, message }): PlacedDiagnostic[] => {
      const uri = URI.file(place.file).toString();
      const setting = ruleSetting(settings, uri, noEffect) ?? 'default';
      if (setting === 'off') return [];
      const diagnostic: Diagnostic = {
        range: lineRange(byUri.get(uri), place.line),
        severity: severityNumber(setting === 'default' ? 'warning' : setting),
        code: noEffect,
        ...(docs === '' ? {} : { codeDescription: { href: `${docs}/${noEffect}.md` } }),
        source: 'podium',
        message,
      };
      return [{ uri, diagnostic, source: '' }];
    }),
  );
}

function notRenderedSources(
  { sources, files }: RenderedTarget,
  settings: Settings,
  docs: string,
  howToFetch: HowToFetch,
): PlacedDiagnostic[] {
  const byUri = new Map(files.map((file) => [file.uri, file]));
  const found = sources.flatMap((each): (PlacedDiagnostic & { readonly cause: string })[] => {
    const { source } = each;
    const refusal = each.refusal ?? source.leftOut ?? null;
    if (refusal === null || !(mendable.has(refusal.why) || known.has(refusal.why))) return [];
    const { file, line } = refusal.place;
    const uri = URI.file(file).toString();
    const setting = ruleSetting(settings, uri, notRendered) ?? 'default';
    if (setting === 'off') return [];
    const severity = setting !== 'default' ? setting : mendable.has(refusal.why) ? 'warning' : 'information';
    const diagnostic: Diagnostic = {
      range: lineRange(byUri.get(uri), line),
      severity: severityNumber(severity),
      code: notRendered,
      ...(docs === '' ? {} : { codeDescription: { href: `${docs}/${notRendered}.md` } }),
      source: 'podium',
      message:
        each.refusal === null
          ? say`Rendered in part: ${withStop(refusal.message)}`
          : say`Not rendered: ${withStop(refusal.message)}`,
    };
    return [{ uri, diagnostic, source: source.name, cause: causeOf(refusal, source.name) }];
  });
  const needsHelm = sources.some(({ source: { remotes } }) => remotes.some(({ kind }) => kind === 'chart'));
  return boundedByFile(oncePerCause(found, () => howToFetch(needsHelm)));
}

/** What is not on disk is one cause, however much it is: one command fetches all of it. */
function causeOf({ why, message, cause }: Refusal, source: string): string {
  if (cause !== undefined) return cause;
  if (mendable.has(why)) return '';
  return why === 'remote' || why === 'inflates-chart' ? why : `${why}\n${message.replaceAll(source, '')}`;
}

/** Of what has one cause the first is told, with the number of the others and what to do. */
function oncePerCause(
  found: readonly (PlacedDiagnostic & { readonly cause: string })[],
  howToFetch: () => string,
): PlacedDiagnostic[] {
  const counts = new Map<string, number>();
  for (const { cause } of found) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const seen = new Set<string>();
  return found.flatMap(({ cause, ...one }): PlacedDiagnostic[] => {
    if (cause === '') return [one];
    if (seen.has(cause)) return [];
    seen.add(cause);
    const others = (counts.get(cause) ?? 1) - 1;
    const { message } = one.diagnostic;
    if (typeof message !== 'string') return [one];
    const more = others === 0 ? '' : say` ${count(others, 'more source')} for the same reason.`;
    const fix = cause === 'remote' ? howToFetch() : '';
    if (more === '' && fix === '') return [one];
    return [{ ...one, diagnostic: { ...one.diagnostic, message: say`${message}${more}${fix}` } }];
  });
}

/** As of findings of rules, of each file so many are told, and the next says how many more there are. */
function boundedByFile(found: readonly PlacedDiagnostic[]): PlacedDiagnostic[] {
  const counts = new Map<string, number>();
  for (const { uri } of found) counts.set(uri, (counts.get(uri) ?? 0) + 1);
  const byKey = new Map<string, number>();
  return found.flatMap((one): PlacedDiagnostic[] => {
    const index = byKey.get(one.uri) ?? 0;
    byKey.set(one.uri, index + 1);
    if (index < maxFindings) return [one];
    const more = (counts.get(one.uri) ?? 0) - maxFindings;
    const message = say`And ${count(more, 'more source')} of this file ${more === 1 ? 'is' : 'are'} not rendered.`;
    return index > maxFindings ? [] : [{ ...one, diagnostic: { ...one.diagnostic, message }, source: '' }];
  });
}

/** A line without what it is indented by; its start where its text is not known. */
function lineRange(file: ManifestFile | undefined, line: number): Range {
  const placed = file === undefined ? undefined : documentAtLine(file.documents, line);
  const { text = '', lineStarts = [] } = placed?.document ?? {};
  const start = lineStarts[line - (placed?.line ?? 0)] ?? text.length;
  const [words = ''] = text.slice(start).split(/[\r\n]/, 1);
  const indent = words.length - words.trimStart().length;
  return { start: { line, character: indent }, end: { line, character: words.length } };
}

interface Found {
  readonly uri: string;
  readonly diagnostic: Diagnostic;
}

/** Findings at the places where they are mended, each once and as grave as the gravest, with the sources that show it. */
export class PlacedFindings {
  /** What is not said, as what is not seen may provide what is missing. */
  readonly #unsaid = new Map<string, string>();
  readonly #found = new Map<string, { uri: string; diagnostic: Diagnostic; sources: Set<string> }>();
  #targets = 0;
  /** By what is judged, where and by which rule: the first target that has advice. */
  readonly #advised = new Map<string, number>();

  /** What is added from now on is of another target. */
  beginTarget(): void {
    this.#targets += 1;
  }

  add({ uri, diagnostic, source }: PlacedDiagnostic): void {
    const { range, code, message, severity = 1 } = diagnostic;
    // What is not rendered counts others of its world, and is told once.
    const key = JSON.stringify([uri, range, code, code === notRendered ? '' : message]);
    let known = this.#found.get(key);
    if (known === undefined && severity >= severityNumber('information')) {
      // Advice on one object names other neighbours in each target, and is the same.
      const judged = JSON.stringify([uri, range, code, source]);
      const first = this.#advised.get(judged) ?? this.#targets;
      if (first !== this.#targets) return;
      this.#advised.set(judged, first);
    }
    if (known === undefined) this.#found.set(key, (known = { uri, diagnostic, sources: new Set() }));
    if (severity < (known.diagnostic.severity ?? 1)) known.diagnostic = diagnostic;
    if (source !== '') known.sources.add(source);
  }

  /** Counts what is not said. */
  leaveUnsaid({ uri, diagnostic: { range, code, message } }: PlacedDiagnostic): void {
    this.#unsaid.set(JSON.stringify([uri, range, code, message]), String(code));
  }

  /** How many findings of which rules are not said. */
  unsaid(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const code of this.#unsaid.values()) counts.set(code, (counts.get(code) ?? 0) + 1);
    return counts;
  }

  all(): Found[] {
    return [...this.#found.values()].map(({ uri, diagnostic, sources }) => {
      if (sources.size === 0 || typeof diagnostic.message !== 'string') return { uri, diagnostic };
      const message = say`${diagnostic.message} (${sourcesText([...sources])})`;
      return { uri, diagnostic: { ...diagnostic, message } };
    });
  }
}
