import type { FieldError } from '../../../kubernetes/field-error.ts';
import type { KubeObject } from '../../../kubernetes/objects.ts';
import type { ManifestDocument, OffsetRange } from '../../../manifests/manifest.ts';
import type { Path } from '../../../kubernetes/json.ts';
import type { Release } from '../../../kubernetes/release.ts';
import type { KubernetesChoice } from '../../../simulation/cluster/choose-release.ts';
import type { Fact, FactsReader } from '../../index/fact.ts';
import type { Settings } from '../../settings/settings.ts';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/**
 * One kind of diagnostic. The registry feeds settings, docs and tests from it; `docs/rules/<code>.md` is its page.
 * Only what the API server would certainly refuse may be an error.
 */
export type Rule = DocumentRule | ObjectRule;

interface RuleBase {
  /** Stable, kebab-case: name of the setting, of the page and of suppressions. */
  readonly code: string;
  /** One line for the settings page and the list of rules. */
  readonly title: string;
  readonly severity: Severity;
  /** Repairs of a finding, the best first. */
  readonly fix?: (finding: Finding, subject: FixSubject) => readonly Fix[];
  /** The best repair cannot be wrong, and is part of "fix all". */
  readonly isFixSafe?: true;
}

/** Looks at a document as text: what is wrong before there are objects. */
export interface DocumentRule extends RuleBase {
  readonly scope: 'document';
  readonly check: (
    subject: DocumentSubject & { readonly facts: FactsReader; readonly kubernetes: KubernetesChoice },
  ) => Iterable<Finding>;
}

/** Looks at one object of a kind we know. */
export interface ObjectRule extends RuleBase {
  readonly scope: 'object';
  readonly check: (subject: ObjectSubject) => Iterable<Finding>;
}

interface DocumentSubject {
  /** 0-based index of the document in its file. */
  readonly index: number;
  readonly document: ManifestDocument;
}

export interface ObjectSubject {
  readonly fact: Fact;
  readonly facts: FactsReader;
  /** The Kubernetes that judges, and why it does. */
  readonly kubernetes: KubernetesChoice;
  readonly release: Release;
  readonly settings: Settings;
  /** Whether what is used as a patch is known, and not judged: then what lacks something is refused for it. */
  readonly knowsPatches: boolean;
  /** What the object was before, as far as it is known: in git, in the cluster. */
  readonly earlier: readonly EarlierVersion[];
}

/** What a repair is made from: the document of the finding, and everything that is declared. */
export interface FixSubject extends DocumentSubject {
  readonly uri: string;
  /** Objects of the document, of kinds we know. */
  readonly objects: readonly Fact[];
  readonly facts: FactsReader;
  readonly release: Release;
  readonly earlierOf: (fact: Fact) => readonly EarlierVersion[];
}

export interface EarlierVersion {
  readonly source: 'git' | 'snapshot';
  /** Of git, as git names it. */
  readonly commit?: string;
  readonly object: KubeObject;
}

export interface Finding {
  /** In offsets of the document. */
  readonly range: OffsetRange;
  readonly message: string;
  /** Where the case decides against the rule's default; a setting of the user wins over both. */
  readonly severity?: Severity;
  /** Every reader of YAML says so; left to another that is there. */
  readonly isCommon?: boolean;
  /** What a schema of the kind says as well: that a field is unknown, of another type, missing, or has no such value. */
  readonly schemaSays?: 'field' | 'type' | 'missing' | 'value' | 'kind';
  /** How many more there may be that nobody made, because there are masses. */
  readonly more?: number;
  /** Greyed out rather than underlined. */
  readonly unnecessary?: boolean;
  /** Asked for only where the finding is shown; an object alone is named. However many there are, the first are shown. */
  readonly related?: () => readonly (Related | Fact)[];
  /** What a fix needs to know: the object, the place in it, and a value. */
  readonly fact?: Fact;
  readonly path?: Path;
  readonly value?: string;
  /** That something is not there, which what is not seen may provide. Not given where it is certain all the same. */
  readonly absence?: Absence;
  /** What the API server says, where the finding repeats that. */
  readonly refusal?: FieldError;
}

/** What is missing: a class, a node, or pods of a namespace. */
export type Absence =
  | { readonly of: 'PriorityClass' | 'RuntimeClass' | 'StorageClass' | 'Node' }
  /** Without a namespace in any. */
  | { readonly of: 'Pod'; readonly namespace?: string };

/** Something elsewhere that has to do with it. */
export interface Related {
  readonly fact: Fact;
  /** Where in the object; its name when absent. */
  readonly path?: Path;
  readonly message: string;
}

/** A repair, in terms of what is written. */
export interface Fix {
  readonly title: string;
  readonly preferred?: boolean;
  /** It cannot be wrong, and is part of "fix all". */
  readonly isSafe?: true;
  readonly edits: readonly FixEdit[];
}

/** Replaces a range of a document. The range is in offsets of the document at `index` in the file. */
export interface FixEdit {
  readonly uri: string;
  readonly index: number;
  readonly range: OffsetRange;
  readonly text: string;
}
