import { getOrInsert } from '../../util/maps.ts';
import { joined, say } from '../../util/say.ts';
import { count, withStop } from '../../util/words.ts';
import { rulesByCode } from '../rules/registry.ts';
import type { Absence, Severity } from '../rules/support/rule.ts';
import type { Diagnostic, Range } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import type { FilePlace, ManifestFile } from '../../manifests/manifest.ts';
import { areTogether } from '../../kubernetes/nearest-declaration.ts';
import { documentAtLine, placedRange } from '../../manifests/text-positions.ts';
import type { Refusal, SourcePlace } from '../../sources/files/source.ts';
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

/** Which findings say more than is known, by the file, the rule, what they miss, and the files of other objects. */
export type IsQuiet = (uri: string, code: string, absence?: Absence, others?: readonly string[]) => boolean;

/**
 * Which findings say more than is known. What is not seen may provide what one misses; and where a kustomization
 * that changes its resources was not rendered, what they say is not what is applied, and only their text is judged.
 *
 * @param unlisted what no kustomization lists, which meets nothing that is applied
 */
export function quietRules(rendered: RenderedTarget, unseen: Iterable<Unseen>, unlisted: Iterable<Unseen>): IsQuiet {
  const all = [...unseen];
  const apart = new Set([...unlisted].map(({ origin }) => origin?.uri));
  return (uri, code, absence, others = []) => {
    if (absence !== undefined && all.some((one) => mayProvide(one, absence, uri))) return true;
    if ((absence?.of === 'Pod' && apart.has(uri)) || others.some((other) => apart.has(other) !== apart.has(uri))) {
      return true;
    }
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
      if (absence.namespace === undefined) return true;
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
  const tell: Tell = (code, usual, place, message, source = '') => {
    const uri = 'uri' in place ? place.uri : URI.file(place.file).toString();
    const setting = ruleSetting(settings, uri, code) ?? 'default';
    if (setting === 'off') return [];
    const diagnostic: Diagnostic = {
      range: 'uri' in place ? place.range : lineRange(rendered.own.get(uri) ?? rendered.common.get(uri), place.line),
      severity: severityNumber(setting === 'default' ? usual : setting),
      code,
      ...(docs === '' ? {} : { codeDescription: { href: `${docs}/${code}.md` } }),
      source: 'podium',
      message,
    };
    return [{ uri, diagnostic, source }];
  };
  return [
    ...notRenderedSources(rendered, tell, howToFetch),
    ...idleEntries(rendered, tell),
    ...unfinishedObjects(rendered, tell),
  ];
}

/** What fetches what is remote, as a sentence after others. */
export type HowToFetch = (needsHelm: boolean) => string;

function fetchedByCommand(): string {
  return say` \`podium sources PATH --fetch\` fetches what is remote.`;
}

/** A finding of a source at a line or a range, unless its rule is turned off. */
type Tell = (
  code: string,
  usual: Severity,
  place: SourcePlace | FilePlace,
  message: string,
  source?: string,
) => PlacedDiagnostic[];

function idleEntries(rendered: RenderedTarget, tell: Tell): PlacedDiagnostic[] {
  return rendered.sources.flatMap(({ idle = [] }) =>
    idle.flatMap(({ place, message }) => tell('entry-has-no-effect', 'warning', place, message)),
  );
}

/** What the API server could not read of what files that are edited make, where what they made before counts. */
function unfinishedObjects({ unfinished = [] }: RenderedTarget, tell: Tell): PlacedDiagnostic[] {
  return unfinished.flatMap(({ source, made }) =>
    made.flatMap(({ object, file, index }) =>
      object.decoded.problems.flatMap(({ path, message }) => {
        const range = placedRange(file.documents[index]!, object.locateNearest(path, 'value'));
        const place = object.rendering?.writtenAt(path) ?? { uri: file.uri, range };
        return tell('wrong-type', 'error', place, say`The API server refuses it: ${message}.`, source.name);
      }),
    ),
  );
}

function notRenderedSources(rendered: RenderedTarget, tell: Tell, howToFetch: HowToFetch): PlacedDiagnostic[] {
  const { sources, unfinished = [] } = rendered;
  const needsHelm = sources.some(({ source: { remotes } }) => remotes.some(({ kind }) => kind === 'chart'));
  const fix = howToFetch(needsHelm);
  const found = [...sources, ...unfinished].flatMap((each): PlacedDiagnostic[] => {
    const { source } = each;
    const refusal = each.refusal ?? source.leftOut ?? null;
    if (refusal === null || !(mendable.has(refusal.why) || known.has(refusal.why))) return [];
    const usual = mendable.has(refusal.why) ? 'warning' : 'information';
    const words = withStop(refusal.message);
    const message = each.refusal === null ? say`Rendered in part: ${words}` : say`Not rendered: ${words}`;
    const told = tell(notRendered, usual, refusal.place, message, source.name);
    const key = causeOf(refusal, source.name);
    return key === '' ? told : told.map((one) => ({ ...one, cause: { key, fix: key === 'remote' ? fix : '' } }));
  });
  return boundedByFile(found);
}

/** What is not on disk is one cause, however much it is: one command fetches all of it. */
function causeOf({ why, message, cause }: Refusal, source: string): string {
  if (cause !== undefined) return cause;
  if (mendable.has(why)) return '';
  return why === 'remote' || why === 'inflates-chart' ? why : `${why}\n${message.replaceAll(source, '')}`;
}

/** As of findings of rules, of each file so many are told, and the next says how many more there are. */
function boundedByFile(found: readonly PlacedDiagnostic[]): PlacedDiagnostic[] {
  const counts = new Map<string, number>();
  for (const { uri, cause } of found) if (cause === undefined) counts.set(uri, (counts.get(uri) ?? 0) + 1);
  const byKey = new Map<string, number>();
  return found.flatMap((one): PlacedDiagnostic[] => {
    if (one.cause !== undefined) return [one];
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

interface Placed {
  readonly uri: string;
  diagnostic: Diagnostic;
  readonly sources: Set<string>;
  readonly cause: PlacedDiagnostic['cause'];
}

/** Findings at the places where they are mended, each once and as grave as the gravest, with the sources that show it. */
export class PlacedFindings {
  /** What is not said, as what is not seen may provide what is missing. */
  readonly #unsaid = new Map<string, string>();
  readonly #found = new Map<string, Placed>();
  /** By what is the cause of several: those that it has, of which the first is told. */
  readonly #causes = new Map<string, { readonly told: string; readonly all: Set<string> }>();
  #targets = 0;
  /** By what is judged, where and by which rule: the first target that has advice. */
  readonly #advised = new Map<string, number>();

  /** What is added from now on is of another target. */
  beginTarget(): void {
    this.#targets += 1;
  }

  add({ uri, diagnostic, source, cause }: PlacedDiagnostic): void {
    const { range, code, message, severity = 1 } = diagnostic;
    const key = JSON.stringify([uri, range, code, message]);
    let known = this.#found.get(key);
    if (cause !== undefined) {
      const alike = getOrInsert(this.#causes, cause.key, () => ({ told: key, all: new Set<string>() }));
      alike.all.add(JSON.stringify([uri, range, source]));
      if (alike.told !== key) return;
    }
    if (known === undefined && severity >= severityNumber('information')) {
      // Advice on one object names other neighbours in each target, and is the same.
      const judged = JSON.stringify([uri, range, code, source]);
      const first = this.#advised.get(judged) ?? this.#targets;
      if (first !== this.#targets) return;
      this.#advised.set(judged, first);
    }
    if (known === undefined) this.#found.set(key, (known = { uri, diagnostic, sources: new Set(), cause }));
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
    return [...this.#found.values()].map(({ uri, diagnostic, sources, cause }) => {
      let { message } = diagnostic;
      if (typeof message !== 'string') return { uri, diagnostic };
      if (cause !== undefined) {
        const others = (this.#causes.get(cause.key)?.all.size ?? 1) - 1;
        const more = others === 0 ? '' : say` ${count(others, 'more source')} for the same reason.`;
        message = say`${message}${more}${cause.fix}`;
      }
      if (sources.size > 0) message = say`${message} (${sourcesText([...sources])})`;
      return { uri, diagnostic: { ...diagnostic, message } };
    });
  }
}
