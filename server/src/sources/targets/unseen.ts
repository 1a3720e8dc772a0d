import { contained } from '../../util/contain.ts';
import { say, sayUnstopped } from '../../util/say.ts';
import { URI } from 'vscode-uri';
import { runToEnd } from '../../util/steps.ts';
import { isKnownKind } from '../../kubernetes/decode/index.ts';
import type { Origin } from '../../kubernetes/objects.ts';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import { openName } from '../../kubernetes/placeholders.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import { isHalfRead } from '../../manifests/declared-objects.ts';
import { countsAsBefore } from '../../manifests/last-whole.ts';
import { isEncrypted } from '../../manifests/encrypted.ts';
import type { ManifestDocument, ManifestFile, ManifestObject, PlacedDocument } from '../../manifests/manifest.ts';
import { placedRange } from '../../manifests/text-positions.ts';
import { isOtherText, openEntry } from '../../manifests/yaml-reader.ts';
import type { AppliedSource } from './applied-source.ts';
import { isDelivery } from '../files/delivery-kinds.ts';
import type { Refusal, Source, WhyNot } from '../files/source.ts';
import { isMadeIntoPods } from '../files/operators.ts';
import { pathOf } from '../files/path-of.ts';
import { openPlaceholder } from '../files/placeholders.ts';
import type { RenderedTarget } from './rendered-target.ts';

/**
 * What an answer about a world could not see, and why. Things of one kind, name and reason are one entry.
 *
 * @param inputs files that are no manifests of their own; their templates belong to charts
 */
export function unseenIn(
  rendered: Pick<RenderedTarget, 'files' | 'sources'> & Partial<Pick<RenderedTarget, 'excluded'>>,
  inputs: ReadonlySet<string>,
): Unseen[] {
  return runToEnd(unseenInSteps(rendered, inputs));
}

/** The same in steps. */
export function* unseenInSteps(
  { files, sources, excluded }: Pick<RenderedTarget, 'files' | 'sources'> & Partial<Pick<RenderedTarget, 'excluded'>>,
  inputs: ReadonlySet<string>,
): Generator<void, Unseen[]> {
  const found = new Map<string, Unseen>();
  const uris = new Map<string, string[]>();
  const add = (one: Omit<Unseen, 'count'>): void => {
    const key = unseenKey(one);
    const known = found.get(key);
    if (known === undefined) uris.set(key, []);
    if (one.origin !== null) uris.get(key)!.push(one.origin.uri);
    found.set(key, { ...one, origin: known?.origin ?? one.origin, count: (known?.count ?? 0) + 1 });
  };
  // An object that two sources of a target make, as an overlay and what Flux applies do, is one source in the cluster.
  const seen = new Set<string>();
  /** What a tool has read is seen, whatever of Helm stands in its texts. */
  const read = new Set<string>();
  for (const applied of sources) {
    if (seen.has(applied.source.id)) continue;
    seen.add(applied.source.id);
    if (applied.refusal !== null) {
      add(unseenSource(applied.source, applied.refusal));
      continue;
    }
    const { lacks = [], leftOut, resources } = applied.source;
    for (const path of resources) read.add(path);
    for (const why of lacks) add({ ...placeOf(applied.source), kind: 'values', why });
    if (leftOut !== undefined) add({ ...unseenSource(applied.source, leftOut), kind: 'partial' });
  }
  for (const file of files) {
    if (excluded?.has(file.uri) === true) continue;
    const path = pathOf(file.uri) ?? '';
    const isInput = inputs.has(path) || read.has(path);
    for (const one of unseenInFile(file, isInput)) add(one);
    yield;
  }
  for (const [key, one] of found) urisOf.set(one, uris.get(key)!);
  return [...found.values()];
}

const urisOf = new WeakMap<Unseen, readonly string[]>();

/** The files of all that one entry counts. */
export function filesOfUnseen(one: Unseen): readonly string[] {
  return urisOf.get(one) ?? (one.origin === null ? [] : [one.origin.uri]);
}

/** Things with the same key are told as one. */
export function unseenKey({ kind, name, why }: Omit<Unseen, 'count'>): string {
  return `${kind}\n${name}\n${why}`;
}

/** Kept with the file, as an edit leaves all others as they are. */
const unseenOf = new WeakMap<
  ManifestFile,
  { readonly isInput: boolean; readonly unseen: readonly Omit<Unseen, 'count'>[] }
>();

function unseenInFile(file: ManifestFile, isInput: boolean): readonly Omit<Unseen, 'count'>[] {
  const known = unseenOf.get(file);
  if (known?.isInput === isInput) return known.unseen;
  const unseen: Omit<Unseen, 'count'>[] = [];
  for (const { message } of file.problems) {
    unseen.push({ kind: 'file', name: nameOf(file), why: sayUnstopped(message), origin: lineOf(file, 0) });
  }
  if (file.isEncrypted === true) {
    unseen.push({
      kind: 'encrypted',
      name: nameOf(file),
      why: say`encrypted by git-crypt`,
      ofSeveral: say`encrypted by git-crypt`,
      origin: lineOf(file, 0),
    });
  }
  for (const placed of file.documents) {
    const failed = (why: string): Omit<Unseen, 'count'>[] => [
      { kind: 'document', name: nameOf(file), why: sayUnstopped(why), origin: lineOf(file, placed.line) },
    ];
    unseen.push(...contained(say`this document`, () => [...unseenInDocument(file, placed, isInput)], failed));
  }
  unseenOf.set(file, { isInput, unseen });
  return unseen;
}

/** Of these the files are the reason, whoever has written them: a change could hide behind them. */
const failures: ReadonlySet<WhyNot> = new Set([
  'tool-error',
  'too-late',
  'too-much',
  'unreadable',
  'missing',
  'outside',
  'no-sandbox',
]);

/** What of them could be fetched, and what is nowhere. */
const absences: ReadonlyMap<WhyNot, Unseen['absence'] & string> = new Map([
  ['remote', 'not-fetched'],
  ['missing', 'not-there'],
  ['not-in-git', 'not-there'],
] as const);

function unseenSource(source: Source, { why, message, ofSeveral, tool }: Refusal): Omit<Unseen, 'count'> {
  // What is not applied provides nothing.
  const kind = why === 'not-applied' ? 'part' : 'source';
  const failed = failures.has(why) ? { hasFailed: true } : {};
  const absence = absences.get(why);
  return {
    ...placeOf(source),
    kind,
    why: message,
    ...failed,
    ...(ofSeveral === undefined ? {} : { ofSeveral }),
    ...(absence === undefined ? {} : { absence }),
    ...(tool === undefined ? {} : { lacksTool: tool }),
  };
}

function placeOf({ name, place: { file, line } }: AppliedSource['source']): Pick<Unseen, 'name' | 'origin'> {
  return { name, origin: { uri: URI.file(file).toString(), range: lineRange(line) } };
}

/** Why a template is not read: of those in one language it is the same. */
function languageOf(text: string): Pick<Unseen, 'why' | 'ofSeveral'> {
  const [, name] = /([@%{][A-Z][A-Z0-9_]*[@%}])/.exec(text) ?? openEntry.exec(text) ?? [];
  const language = isOtherText(text)
    ? say`written as a shell command`
    : /\{[%#]|\{\{[^{}|]*\|[ \t]*(?:default|to_\w+|b64\w+)\b[^{}]*[)}]/.test(text)
      ? say`written in Jinja`
      : text.includes('#@')
        ? say`written for ytt`
        : /\{\{-?[ \t]*[.$"(]/.test(text)
          ? say`written in the template language of Go, outside of a chart`
          : text.includes('{{') || name === undefined
            ? say`written with template actions, outside of a chart`
            : undefined;
  return language === undefined
    ? { why: say`${name ?? ''} is filled in before it is applied` }
    : { why: language, ofSeveral: language };
}

function* unseenInDocument(
  file: ManifestFile,
  placed: PlacedDocument,
  isInput: boolean,
): Iterable<Omit<Unseen, 'count'>> {
  const { document } = placed;
  const isTemplate = document.content === 'template';
  const written =
    isTemplate || isHalfRead(document) ? /^kind:[ \t]*["']?([\w{]+)/m.exec(document.text)?.[1] : undefined;
  const kind = isTemplate ? written : undefined;
  const apiVersion = /^apiVersion:[ \t]*["']?([\w./{-]+)/m.exec(document.text)?.[1] ?? '';
  const isQuiet = kind === 'ApplicationSet' || (kind !== undefined && makesNothing({ apiVersion, kind }));
  if (kind !== undefined && !isQuiet && !isInput && document.objects.length === 0) {
    const why = languageOf(document.text);
    yield { kind: 'template', name: nameOf(file), ...why, origin: lineOf(file, placed.line) };
  }
  // A definition makes no pods, however large it is.
  if (!isInput && isHalfRead(document) && !countsAsBefore(document) && written !== 'CustomResourceDefinition') {
    // What is worst is the reason, and of equals the first.
    const [first] = document.problems.toSorted(
      (a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'),
    );
    const origin = { uri: file.uri, range: placedRange(placed, first!.range) };
    yield { kind: 'document', name: nameOf(file), why: sayUnstopped(first!.message), origin };
    return;
  }
  for (const object of document.objects) {
    const origin = { uri: file.uri, range: placedRange(placed, object.locateNearest(['metadata', 'name'], 'value')) };
    if (isEncrypted(object)) {
      const why = say`encrypted by SOPS`;
      yield { kind: 'encrypted', name: nameOf(file), why, ofSeveral: why, origin };
      continue;
    }
    const unnamed = openName(object);
    if (unnamed !== undefined && (unnamed === object.kind || isWorkloadKind(object.kind))) {
      const why = say`${unnamed} is filled in before it is applied`;
      yield { kind: 'template', name: `${object.kind} ${object.name}`.trim(), why, origin };
      continue;
    }
    const open = mayBeOpen(object, document) ? openPlaceholder(object.value) : undefined;
    if (open !== undefined && isKnownKind(object.apiVersion, object.kind)) {
      const why = say`nothing here has a value for ${open}`;
      yield { kind: 'placeholder', name: `${object.kind} ${object.name}`, why, origin };
    }
    if (isMadeIntoPods(object)) {
      yield { kind: 'operator', name: object.kind, why: say`an operator makes pods of it`, origin };
    } else if (isOldVersion(object)) {
      const why = say`Kubernetes serves no ${object.kind} of ${object.apiVersion}`;
      yield { kind: 'version', name: `${object.kind} ${object.name}`, why, origin };
    }
  }
}

/** Kinds of others, such as policies and alerts, of which Podium and operators make nothing: their braces are their own. */
function makesNothing(object: Pick<ManifestObject, 'apiVersion' | 'kind'>): boolean {
  const isOfOthers = /\.\w+\//.test(object.apiVersion) && !object.apiVersion.includes('.k8s.io/');
  return isOfOthers && !isDelivery(object) && !isMadeIntoPods(object);
}

/** What is made of a document may have placeholders that do not stand there. */
function mayBeOpen({ rendering }: ManifestObject, { text }: ManifestDocument): boolean {
  return rendering !== undefined || text.includes('${') || text.includes('%');
}

/** A kind that makes pods, of a version that is gone. Source: the deprecated API migration guide */
function isOldVersion({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
  return isWorkloadKind(kind) && /^(?:extensions|apps|batch)\//.test(apiVersion) && !isKnownKind(apiVersion, kind);
}

function nameOf({ uri }: ManifestFile): string {
  return decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
}

function lineOf({ uri }: ManifestFile, line: number): Origin {
  return { uri, range: lineRange(line) };
}

function lineRange(line: number): Origin['range'] {
  return { start: { line, character: 0 }, end: { line, character: 0 } };
}
