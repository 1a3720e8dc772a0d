import type { Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity } from 'vscode-languageserver';
import type { ManifestDocument, ManifestFile, PlacedDocument } from '../manifests/manifest.ts';
import { type Fact, type Facts, RecordingReader } from './facts.ts';
import { placedRange } from '../manifests/text-positions.ts';
import { rules } from './rules/registry.ts';
import type { EarlierVersion, Finding, Related, Rule, Severity } from './rules/rule.ts';
import type { RuleSetting, Settings } from './settings.ts';
import { isSuppressed } from './suppressions.ts';

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
}

/** What one rule found in a document, and what it looked up elsewhere for that. */
interface RuleOutcome {
  readonly rule: Rule;
  readonly setting: RuleSetting;
  readonly reader: RecordingReader;
  readonly findings: readonly Finding[];
}

interface CheckedDocument {
  readonly document: ManifestDocument;
  readonly objects: readonly Fact[];
  readonly earlier: unknown;
  readonly snapshot: ManifestFile | undefined;
  readonly settings: Settings;
  /** What rules found that looked at nothing but the document. */
  readonly alone: readonly RuleOutcome[];
  /** The outcomes that depend on other documents. */
  readonly dependent: readonly RuleOutcome[];
}

/**
 * Runs the rules over files. The outcome of each rule is kept with everything it was made from, so that after an edit
 * only that is looked at again which the edit concerns.
 */
export class Checker {
  readonly #facts: Facts;
  readonly #earlier: EarlierVersions;
  readonly #onError: (code: string, error: unknown) => void;
  readonly #isWorkspaceRead: () => boolean;
  readonly #checked = new Map<string, readonly CheckedDocument[]>();

  /**
   * @param onError is told of a rule that failed; the other rules still count
   * @param isWorkspaceRead before, nothing is said that rests on other documents: what would refute it may be unread
   */
  constructor(
    facts: Facts,
    earlier: EarlierVersions,
    onError: (code: string, error: unknown) => void,
    isWorkspaceRead: () => boolean = () => true,
  ) {
    this.#facts = facts;
    this.#earlier = earlier;
    this.#onError = onError;
    this.#isWorkspaceRead = isWorkspaceRead;
  }

  forget(uri: string): void {
    this.#checked.delete(uri);
  }

  findings(file: ManifestFile, settings: Settings): CheckedFinding[] {
    const before = this.#checked.get(file.uri);
    const earlier = this.#earlier.stateOf(file.uri);
    const isWorkspaceRead = this.#isWorkspaceRead();
    const checked = file.documents.map((placed) => {
      const known = before?.[placed.index];
      const objects = this.#facts.inDocument(file.uri, placed.index);
      const isSame =
        known?.document === placed.document &&
        known.objects === objects &&
        known.earlier === earlier &&
        known.snapshot === this.#facts.snapshot &&
        known.settings === settings;
      if (!isSame) return this.#check(placed, objects, earlier, settings);
      return isWorkspaceRead ? this.#refresh(known, placed) : known;
    });
    this.#checked.set(file.uri, checked);
    return checked.flatMap(({ alone, dependent }, index) =>
      (isWorkspaceRead ? [...alone, ...dependent] : alone)
        .flatMap((outcome) => outcome.findings.map((finding) => checkedFinding(outcome, finding, file.documents[index]!)))
        .sort((a, b) => a.finding.range.start - b.finding.range.start),
    );
  }

  /** Runs the rules again whose lookups would give something else now. */
  #refresh(known: CheckedDocument, placed: PlacedDocument): CheckedDocument {
    if (known.dependent.every(({ reader }) => reader.isCurrent())) return known;
    const dependent = known.dependent.map((outcome) =>
      outcome.reader.isCurrent() ? outcome : this.#run(outcome.rule, outcome.setting, placed, known.objects),
    );
    return { ...known, dependent };
  }

  #check(placed: PlacedDocument, objects: readonly Fact[], earlier: unknown, settings: Settings): CheckedDocument {
    const alone: RuleOutcome[] = [];
    const dependent: RuleOutcome[] = [];
    for (const rule of rules) {
      const setting = settings.rules.get(rule.code) ?? 'default';
      if (setting === 'off' || (rule.scope === 'object' && objects.length === 0)) continue;
      const outcome = this.#run(rule, setting, placed, objects);
      if (!outcome.reader.isEmpty) dependent.push(outcome);
      else if (outcome.findings.length > 0) alone.push(outcome);
    }
    return { document: placed.document, objects, earlier, snapshot: this.#facts.snapshot, settings, alone, dependent };
  }

  #run(rule: Rule, setting: RuleSetting, { document, index }: PlacedDocument, objects: readonly Fact[]): RuleOutcome {
    const reader = new RecordingReader(this.#facts);
    const findings: Finding[] = [];
    const take = (found: Iterable<Finding>): void => {
      for (const finding of found) {
        if (!isSuppressed(document, rule.code, finding.range.start)) findings.push(finding);
      }
    };
    try {
      if (rule.scope === 'document') take(rule.check({ index, document }));
      else for (const fact of objects) take(rule.check({ fact, facts: reader, earlier: this.#earlier.of(fact) }));
    } catch (error) {
      this.#onError(rule.code, error);
    }
    return { rule, setting, reader, findings };
  }
}

function checkedFinding({ rule, setting }: RuleOutcome, finding: Finding, placed: PlacedDocument): CheckedFinding {
  const severity = setting === 'default' || setting === 'off' ? (finding.severity ?? rule.severity) : setting;
  return { rule, finding, severity, placed };
}

const severityNumbers = { error: 1, warning: 2, information: 3, hint: 4 } as const;

/** As the language server protocol numbers them. */
export function severityNumber(severity: Severity): DiagnosticSeverity {
  return severityNumbers[severity];
}

/** A finding as the editor shows it. */
export function diagnosticOf({ rule, finding, severity, placed }: CheckedFinding, facts: Facts, docs: string): Diagnostic {
  const related = (finding.related ?? []).flatMap((entry) => relatedInformation(entry, facts));
  return {
    range: placedRange(placed, finding.range),
    severity: severityNumber(severity),
    code: rule.code,
    ...(docs === '' ? {} : { codeDescription: { href: `${docs}/${rule.code}.md` } }),
    source: 'podium',
    message: finding.message,
    ...(finding.unnecessary === true ? { tags: [1] } : {}),
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
}

function relatedInformation({ fact, path, message }: Related, facts: Facts): DiagnosticRelatedInformation[] {
  const origin = facts.originOf(fact, path);
  return origin === undefined ? [] : [{ location: { uri: origin.uri, range: origin.range }, message }];
}
