import type { Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity } from 'vscode-languageserver';
import type { ManifestDocument, ManifestFile, PlacedDocument } from '../manifests/manifest.ts';
import { type Fact, type Facts, RecordingReader } from './facts.ts';
import { rangeAt } from './position.ts';
import { rules } from './rules/registry.ts';
import type { DocumentSubject, EarlierVersion, Finding, Related, Rule, Severity } from './rules/rule.ts';
import type { Settings } from './settings.ts';
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

interface CheckedDocument {
  readonly document: ManifestDocument;
  readonly objects: readonly Fact[];
  readonly reader: RecordingReader;
  readonly earlier: unknown;
  readonly snapshot: ManifestFile | undefined;
  readonly settings: Settings;
  readonly findings: readonly Omit<CheckedFinding, 'placed'>[];
}

/**
 * Runs the rules over files. The outcome of a document is kept with everything it was made from, so that after an edit
 * only the documents that it concerns are looked at again.
 */
export class Checker {
  readonly #facts: Facts;
  readonly #earlier: EarlierVersions;
  readonly #checked = new Map<string, readonly CheckedDocument[]>();

  constructor(facts: Facts, earlier: EarlierVersions) {
    this.#facts = facts;
    this.#earlier = earlier;
  }

  forget(uri: string): void {
    this.#checked.delete(uri);
  }

  findings(file: ManifestFile, settings: Settings): CheckedFinding[] {
    const before = this.#checked.get(file.uri);
    const earlier = this.#earlier.stateOf(file.uri);
    const checked = file.documents.map((placed) => {
      const known = before?.[placed.index];
      const objects = this.#facts.inDocument(file.uri, placed.index);
      const isCurrent =
        known?.document === placed.document &&
        known.objects === objects &&
        known.earlier === earlier &&
        known.snapshot === this.#facts.snapshot &&
        known.settings === settings &&
        known.reader.isCurrent();
      return isCurrent ? known : this.#check(file.uri, placed, objects, earlier, settings);
    });
    this.#checked.set(file.uri, checked);
    return checked.flatMap(({ findings }, index) =>
      findings.map((finding) => ({ ...finding, placed: file.documents[index]! })),
    );
  }

  #check(
    uri: string,
    { document, index }: PlacedDocument,
    objects: readonly Fact[],
    earlier: unknown,
    settings: Settings,
  ): CheckedDocument {
    const reader = new RecordingReader(this.#facts);
    const findings: Omit<CheckedFinding, 'placed'>[] = [];
    for (const rule of rules) {
      const wanted = settings.rules.get(rule.code) ?? (rule.quiet === true ? 'off' : 'default');
      if (wanted === 'off') continue;
      for (const finding of this.#findingsOf(rule, { uri, index, document, objects, facts: reader })) {
        if (isSuppressed(document, rule.code, finding.range.start)) continue;
        const severity = wanted === 'default' ? (finding.severity ?? rule.severity) : wanted;
        findings.push({ rule, finding, severity });
      }
    }
    return { document, objects, reader, earlier, snapshot: this.#facts.snapshot, settings, findings };
  }

  *#findingsOf(rule: Rule, subject: DocumentSubject): Iterable<Finding> {
    if (rule.scope === 'document') {
      yield* rule.check(subject);
      return;
    }
    const { uri, document, objects, facts } = subject;
    for (const fact of objects) yield* rule.check({ uri, document, fact, facts, earlier: this.#earlier.of(fact) });
  }
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
    range: rangeAt(placed, finding.range),
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
