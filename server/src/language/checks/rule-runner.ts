import { failureText } from '../../util/contain.ts';
import { groupBy } from '../../util/maps.ts';
import { runToEnd } from '../../util/steps.ts';
import { say } from '../../util/say.ts';
import { titleOf } from '../../util/words.ts';
import type { Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity } from 'vscode-languageserver';
import { isHalfRead } from '../../manifests/declared-objects.ts';
import type { FilePlace, ManifestFile, PlacedDocument } from '../../manifests/manifest.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { type Reading, RecordingReader } from './recording-reader.ts';
import { lineAt, placedRange } from '../../manifests/text-positions.ts';
import type { KubernetesChoice } from '../../simulation/cluster/choose-release.ts';
import { kubernetesFor } from '../index/kubernetes-version.ts';
import { rules, rulesByCode } from '../rules/registry.ts';
import { isAboutLateValue } from '../rules/support/late-values.ts';
import { judgeInSteps } from '../rules/support/object-refusals.ts';
import type { EarlierVersion, Finding, Related, Rule, Severity } from '../rules/support/rule.ts';
import { ruleSetting, type Settings } from '../settings/settings.ts';
import { isSuppressed, suppressionsIn } from '../rules/support/suppressions.ts';
import { mayBeUnused, unusedSuppression } from '../rules/unused-suppression.ts';

/** Earlier versions of objects: what was committed, and what the cluster has. */
export interface EarlierVersions {
  of(fact: Fact): readonly EarlierVersion[];
  /** Changes its identity whenever what was committed of a file is found to be something else. */
  stateOf(uri: string): unknown;
}

/** A finding with its rule and the severity it has here. */
export interface CheckedFinding {
  readonly rule: Rule;
  readonly finding: Finding;
  readonly severity: Severity;
  readonly placed: PlacedDocument;
  /** The object that it is about; undefined for the text of a document. */
  readonly fact: Fact | undefined;
}

/** What one rule found in a document, and what it looked up elsewhere for that. */
interface RuleOutcome {
  readonly rule: Rule;
  /** Undefined where it looked at nothing but the document. */
  readonly reading: Reading | undefined;
  readonly findings: readonly { readonly finding: Finding; readonly fact: Fact | undefined }[];
  /** Lines of findings that a comment turns off; left out where there are none. */
  readonly silenced?: readonly number[];
}

/** What an outcome for a document was made from, besides its text and what rules looked up. */
interface CheckContext {
  readonly earlier: unknown;
  readonly snapshot: ManifestFile | undefined;
  readonly settings: Settings;
  readonly kubernetes: KubernetesChoice;
  readonly isWorkspaceRead: boolean;
  readonly knowsPatches: boolean;
}

/** A file, and what was found in it to its end. */
interface CheckedFile {
  readonly file: ManifestFile;
  /** As the facts have it, where that is another. */
  readonly ofFacts: ManifestFile | undefined;
  readonly contentState: number;
  readonly context: CheckContext;
  readonly told: readonly CheckedFinding[];
}

interface CheckedDocument extends CheckContext {
  readonly placed: PlacedDocument;
  readonly objects: readonly Fact[];
  /** `Facts.contentState` at which the outcomes were last found to be good. */
  contentState: number;
  /** What rules found that looked at nothing but the document. */
  readonly alone: readonly RuleOutcome[];
  /** The outcomes that depend on other documents. */
  readonly dependent: readonly RuleOutcome[];
  /** What is said of it, in the order of the text. */
  readonly told: readonly CheckedFinding[];
}

/**
 * Runs the rules over files. The outcome of each rule is kept with everything it was made from, so that after an edit
 * only that is looked at again which the edit concerns.
 */
export class Checker {
  readonly #facts: Facts;
  readonly #earlier: EarlierVersions;
  readonly #isWorkspaceRead: () => boolean;
  readonly #knowsPatches: () => boolean;
  readonly #checked = new Map<string, readonly CheckedDocument[]>();
  /** Of a workspace of thousands of files most are as they were. */
  readonly #files = new Map<string, CheckedFile>();
  #lastOutcomes: readonly RuleOutcome[] = none;
  readonly #outdated = new WeakMap<
    readonly RuleOutcome[],
    { readonly contentState: number; readonly outcomes: readonly RuleOutcome[] }
  >();

  /**
   * @param options `isWorkspaceRead`: before, nothing is said that rests on other documents: what would refute it may
   *   be unread. `knowsPatches`: what is used as a patch is not among the files
   */
  constructor(
    facts: Facts,
    earlier: EarlierVersions,
    options: { readonly isWorkspaceRead?: () => boolean; readonly knowsPatches?: () => boolean } = {},
  ) {
    this.#facts = facts;
    this.#earlier = earlier;
    this.#isWorkspaceRead = options.isWorkspaceRead ?? (() => true);
    this.#knowsPatches = options.knowsPatches ?? (() => false);
  }

  forget(uri: string): void {
    this.#checked.delete(uri);
    this.#files.delete(uri);
  }

  /** Forgets all files but some. */
  keepOnly(uris: ReadonlySet<string>): void {
    for (const uri of this.#checked.keys()) if (!uris.has(uri)) this.forget(uri);
  }

  findings(file: ManifestFile, settings: Settings): readonly CheckedFinding[] {
    return runToEnd(this.findingsInSteps(file, settings));
  }

  /** As `findings`, with a step for each rule. Nothing may change between two steps, or they are given up. */
  *findingsInSteps(file: ManifestFile, settings: Settings): Generator<void, readonly CheckedFinding[]> {
    const context: CheckContext = {
      earlier: this.#earlier.stateOf(file.uri),
      snapshot: this.#facts.cluster.file,
      settings,
      kubernetes: kubernetesFor(this.#facts, settings),
      isWorkspaceRead: this.#isWorkspaceRead(),
      knowsPatches: this.#knowsPatches(),
    };
    const { contentState } = this.#facts;
    const ofFacts = this.#facts.file(file.uri);
    const known = this.#files.get(file.uri);
    const isKnown = known?.file === file && known.ofFacts === ofFacts && known.contentState === contentState;
    if (isKnown && isSameContext(known.context, context) && known.context.isWorkspaceRead === context.isWorkspaceRead) {
      return known.told;
    }
    const before = this.#checked.get(file.uri) ?? [];
    // What has been found stays known when the rest is given up.
    const checked = before.slice(0, file.documents.length);
    this.#checked.set(file.uri, checked);
    for (const [index, placed] of file.documents.entries()) {
      checked[index] = yield* this.#checkedAt(placed, file.uri, before[placed.index], context);
    }
    const reported = checked.flatMap((each) => each.told);
    this.#files.set(file.uri, { file, ofFacts, contentState, context, told: reported });
    return reported;
  }

  /** What is known of a document, brought up to date where something it was made from is another now. */
  *#checkedAt(
    placed: PlacedDocument,
    uri: string,
    known: CheckedDocument | undefined,
    context: CheckContext,
  ): Generator<void, CheckedDocument> {
    const { contentState } = this.#facts;
    const objects = this.#facts.inDocument(uri, placed.index);
    const isSame =
      known?.placed.document === placed.document && known.objects === objects && isSameContext(known, context);
    if (!isSame) {
      const outcomes = yield* this.#check(placed, objects, context);
      return asTold({ ...outcomes, ...context, placed, objects, contentState }, uri);
    }
    if (context.isWorkspaceRead && known.contentState !== contentState) {
      const outdated = this.#outdatedOf(known.dependent);
      if (outdated.length > 0) {
        const rulesAgain = outdated.map(({ rule }) => rule);
        const again = yield* this.#run(rulesAgain, placed, objects, context);
        const dependent = known.dependent.flatMap((outcome) =>
          outdated.includes(outcome) ? again.filter(({ rule }) => rule === outcome.rule) : outcome,
        );
        const { alone } = known;
        return asTold({ ...context, placed, objects, alone, dependent: this.#shared(dependent), contentState }, uri);
      }
      known.contentState = contentState;
    }
    if (known.placed === placed && known.isWorkspaceRead === context.isWorkspaceRead) return known;
    return asTold({ ...known, ...context, placed }, uri);
  }

  *#check(
    placed: PlacedDocument,
    objects: readonly Fact[],
    context: CheckContext,
  ): Generator<void, Pick<CheckedDocument, 'alone' | 'dependent'>> {
    const outcomes = yield* this.#run(askedRules(context.settings), placed, objects, context);
    const alone = outcomes.filter(
      ({ reading, findings, silenced }) => reading === undefined && (findings.length > 0 || silenced !== undefined),
    );
    return {
      alone: alone.length === 0 ? none : alone,
      dependent: this.#shared(outcomes.filter(({ reading }) => reading !== undefined)),
    };
  }

  /** Asked once for all documents that came to the same. */
  #outdatedOf(dependent: readonly RuleOutcome[]): readonly RuleOutcome[] {
    const { contentState } = this.#facts;
    const known = this.#outdated.get(dependent);
    if (known?.contentState === contentState) return known.outcomes;
    const outcomes = dependent.filter(({ reading }) => reading?.isCurrent() === false);
    this.#outdated.set(dependent, { contentState, outcomes });
    return outcomes;
  }

  /** Documents in which nothing is found come to the same, one after the other. */
  #shared(outcomes: readonly RuleOutcome[]): readonly RuleOutcome[] {
    const last = this.#lastOutcomes;
    if (outcomes.length === last.length && outcomes.every((outcome, index) => outcome === last[index])) return last;
    return (this.#lastOutcomes = outcomes);
  }

  *#run(
    asked: readonly Rule[],
    { document, index }: PlacedDocument,
    objects: readonly Fact[],
    { kubernetes, settings, knowsPatches }: CheckContext,
  ): Generator<void, RuleOutcome[]> {
    const facts = new RecordingReader(this.#facts);
    const { release } = kubernetes;
    const named = objects.filter(({ isUnnamed }) => !isUnnamed);
    const subjects = named.map((fact) => {
      const earlier = this.#earlier.of(fact);
      return { facts, kubernetes, release, settings, knowsPatches, fact, earlier };
    });
    const isSmall = document.text.length < smallDocument;
    // Nobody applies what is not YAML: what is missing then, or wrong, need not be.
    const isPartlyRead = isHalfRead(document);
    const outcomes: RuleOutcome[] = [];
    if (isSmall) yield;
    else for (const fact of named) yield* judgeInSteps(fact, release);
    for (const rule of asked) {
      if (!isSmall) yield;
      let findings: RuleOutcome['findings'] = none;
      let silenced: number[] | undefined;
      let failure: string | undefined;
      let steps = 0;
      try {
        for (const subject of rule.scope === 'object' ? subjects : [undefined]) {
          const found =
            rule.scope === 'object' ? rule.check(subject!) : rule.check({ index, document, facts, kubernetes });
          for (const finding of found) {
            const isLate = rule.scope === 'object' && isAboutLateValue(finding, document, subject?.fact);
            const grade = finding.severity ?? rule.severity;
            const restsOnRest = rule.scope === 'object' && (grade === 'error' || grade === 'warning');
            if (isLate || (isPartlyRead && restsOnRest)) {
              // Nobody is told.
            } else if (isSuppressed(document, rule.code, finding.range.start)) {
              (silenced ??= []).push(lineAt(document.lineStarts, finding.range.start));
            } else {
              if (findings === none) findings = [];
              (findings as Mutable<typeof findings>).push({ finding, fact: subject?.fact });
            }
            if (++steps % stepSize === 0) yield;
          }
          if (++steps % stepSize === 0) yield;
        }
      } catch (error) {
        failure = failureText(say`this document, in the rule ${rule.code}`, error);
      }
      const reading = facts.taken();
      if (failure !== undefined) outcomes.push(failedOutcome(failure, reading));
      if (silenced !== undefined) outcomes.push({ rule, reading, findings, silenced });
      else if (findings.length > 0) outcomes.push({ rule, reading, findings });
      else if (reading !== undefined) outcomes.push(nothingFound(rule, reading));
    }
    return outcomes;
  }
}

const none: readonly never[] = [];

/** What says that a rule failed; the other rules still count. */
function failedOutcome(message: string, reading: Reading | undefined): RuleOutcome {
  const findings = [{ finding: { range: { start: 0, end: 0 }, message }, fact: undefined }];
  return { rule: rulesByCode.get('podium-failed')!, reading, findings };
}

const nothing = new WeakMap<Reading, Map<Rule, RuleOutcome>>();

/** That a rule found nothing: one for all documents for which it has looked up the same. */
function nothingFound(rule: Rule, reading: Reading): RuleOutcome {
  let known = nothing.get(reading);
  if (known === undefined) nothing.set(reading, (known = new Map<Rule, RuleOutcome>()));
  let outcome = known.get(rule);
  if (outcome === undefined) known.set(rule, (outcome = { rule, reading, findings: none }));
  return outcome;
}

/** But for whether the workspace is read, on which no outcome rests. */
function isSameContext(a: CheckContext, b: CheckContext): boolean {
  return (
    a.earlier === b.earlier &&
    a.snapshot === b.snapshot &&
    a.settings === b.settings &&
    a.kubernetes === b.kubernetes &&
    a.knowsPatches === b.knowsPatches
  );
}

type Mutable<List extends readonly unknown[]> = List[number][];

const asked = new WeakMap<Settings, readonly Rule[]>();

/** The rules that are not turned off everywhere. */
function askedRules(settings: Settings): readonly Rule[] {
  let known = asked.get(settings);
  if (known === undefined) {
    const isOn = ({ code }: Rule): boolean =>
      settings.rules.get(code) !== 'off' ||
      settings.folders.some((folder) => (folder.rules.get(code) ?? 'off') !== 'off');
    known = rules.filter(isOn);
    asked.set(settings, known);
  }
  return known;
}

/** Characters; a document below is judged by all rules in one step. */
const smallDocument = 4_000;

/** Findings of a rule, and objects that it looks at, between two steps. */
const stepSize = 200;

function asTold(checked: Omit<CheckedDocument, 'told'>, uri: string): CheckedDocument {
  const { alone, dependent, isWorkspaceRead, placed, settings } = checked;
  let found: CheckedFinding[] | undefined;
  for (const { rule, findings } of isWorkspaceRead ? [...alone, ...dependent] : alone) {
    for (const { finding, fact } of findings) {
      const severity = severityOf(rule, finding, fact, uri, settings);
      if (severity !== 'off') (found ??= []).push({ rule, finding, severity, placed, fact });
    }
  }
  for (const one of unusedIn(checked, uri)) (found ??= []).push(one);
  if (found === undefined) return { ...checked, told: none };
  if (found.length > 1) found.sort((a, b) => a.finding.range.start - b.finding.range.start);
  return { ...checked, told: found };
}

/** Comments of a document that turn off what is not found. What a tool made of it may be found in another target. */
function* unusedIn(
  { alone, dependent, isWorkspaceRead, objects, placed, settings }: Omit<CheckedDocument, 'told'>,
  uri: string,
): Iterable<CheckedFinding> {
  const { document } = placed;
  const suppressions = suppressionsIn(document);
  if (suppressions.length === 0 || !isWorkspaceRead || isHalfRead(document)) return;
  if (objects.some(({ manifest }) => manifest.rendering !== undefined)) return;
  const isOn = (code: string): boolean => ruleSetting(settings, uri, code) !== 'off';
  const outcomes = [...alone, ...dependent];
  for (const { code, range, line } of suppressions) {
    if (!rulesByCode.has(code) || !mayBeUnused(code) || !isOn(code)) continue;
    const isUsed = outcomes.some(
      ({ rule, silenced = none }) =>
        rule.code === code && silenced.length > 0 && (line === null || silenced.includes(line)),
    );
    if (isUsed) continue;
    const message = say`${code} finds nothing here: this comment is not needed.`;
    const finding: Finding = { range, message, unnecessary: true };
    const severity = severityOf(unusedSuppression, finding, undefined, uri, settings);
    if (severity !== 'off') yield { rule: unusedSuppression, finding, severity, placed, fact: undefined };
  }
}

/** Findings of one rule that one file shows. */
export const maxFindings = 100;

/**
 * What is shown of the findings of a file. Of a rule that finds more than anybody reads the gravest are shown, and one
 * that says how many more there are, at the first of them.
 */
export function shownFindings(findings: readonly CheckedFinding[]): readonly CheckedFinding[] {
  const byRule = groupBy(findings, (found) => found.rule);
  if ([...byRule.values()].every(({ length }) => length <= maxFindings)) return findings;
  const kept = new Map<CheckedFinding, CheckedFinding>();
  for (const list of byRule.values()) {
    const gravest = list.toSorted((a, b) => severityNumber(a.severity) - severityNumber(b.severity));
    for (const found of gravest.slice(0, maxFindings)) kept.set(found, found);
    const next = gravest[maxFindings];
    if (next === undefined) continue;
    const unmade = list.reduce((sum, { finding }) => sum + (finding.more ?? 0), 0);
    const besides = unmade === 0 ? '' : say`, and up to ${unmade} more refusals`;
    const message = say`And ${list.length - maxFindings} more findings of this rule in this file${besides}.`;
    kept.set(next, { ...next, finding: { range: next.finding.range, message } });
  }
  return findings.flatMap((found) => kept.get(found) ?? []);
}

/** How grave a finding is in the file in which it is mended. */
function severityOf(
  rule: Rule,
  finding: Finding,
  fact: Fact | undefined,
  uri: string,
  settings: Settings,
): Severity | 'off' {
  const place = settings.folders.length === 0 ? undefined : fixLocation({ fact, finding });
  const setting = ruleSetting(settings, place?.uri ?? uri, rule.code) ?? 'default';
  return setting === 'default' ? (finding.severity ?? rule.severity) : setting;
}

const severityNumbers = { error: 1, warning: 2, information: 3, hint: 4 } as const;

/** As the language server protocol numbers them. */
export function severityNumber(severity: Severity): DiagnosticSeverity {
  return severityNumbers[severity];
}

/**
 * Where a finding is mended, if that is in another file than its object: in a patch, in the values of a chart.
 */
export function fixLocation({ fact, finding }: Pick<CheckedFinding, 'fact' | 'finding'>): FilePlace | undefined {
  const rendering = fact?.manifest.rendering;
  const path = finding.path ?? rendering?.pathOf(finding.range);
  if (path === undefined) return undefined;
  // A field that is not there is mended where its name is written, wherever its value comes from.
  const isOfKey = finding.schemaSays === 'field' && fact?.manifest.locate(path, 'key') !== undefined;
  return isOfKey ? undefined : rendering?.writtenAt(path);
}

/** Diagnostics that name no other place, which could move. */
const known = new WeakMap<CheckedFinding, Diagnostic>();

/** A finding as the editor shows it. One finding is always asked for with the same `docs`. */
export function diagnosticOf(found: CheckedFinding, facts: Facts, docs: string): Diagnostic {
  const shown = known.get(found);
  if (shown !== undefined) return shown;
  const { rule, finding, severity, placed } = found;
  const related = relatedInformation(finding.related?.() ?? [], facts);
  const diagnostic: Diagnostic = {
    range: placedRange(placed, finding.range),
    severity: severityNumber(severity),
    code: rule.code,
    ...(docs === '' ? {} : { codeDescription: { href: `${docs}/${rule.code}.md` } }),
    source: 'podium',
    message: finding.message,
    ...(finding.unnecessary === true ? { tags: [1] } : {}),
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
  if (related.length === 0) known.set(found, diagnostic);
  return diagnostic;
}

/** Related places that a finding shows; the last of them says how many more there are. */
export const maxRelated = 10;

function relatedInformation(related: readonly (Related | Fact)[], facts: Facts): DiagnosticRelatedInformation[] {
  const shown = related.slice(0, maxRelated).flatMap((entry) => {
    const { fact, path, message } = 'fact' in entry ? entry : { fact: entry, path: undefined, message: titleOf(entry) };
    const origin = facts.originOf(fact, path);
    return origin === undefined ? [] : [{ location: { uri: origin.uri, range: origin.range }, message }];
  });
  const last = shown.at(-1);
  if (last === undefined || related.length <= maxRelated) return shown;
  return [...shown.slice(0, -1), { ...last, message: say`${last.message}, and ${related.length - maxRelated} more` }];
}
