/**
 * What the page of the report says to its panel. Both sides check what arrives with schemas; what does not match is
 * dropped. What the panel says is in a file of its own, so that the extension does not load how a report is checked.
 */
import * as z from 'zod/mini';
import { isOrigin, type Origin } from '../../../server/src/report-model/origin.ts';
import { againstSchema, type Confirmation, scenarioSchema } from '../../../server/src/protocol.ts';

/** What the panel makes of the report: files, and Markdown to be pasted as a comment. */
const exportFormats = ['html', 'json', 'markdown', 'comment'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What may be asked of the editor: nothing that does not ask back. */
const panelCommands = [
  'assumedNodes',
  'captureSnapshot',
  'chooseSources',
  'nameSnapshot',
  'openSample',
  'refreshSnapshot',
  'showLogs',
  'showProblems',
  'showUnseen',
] as const;
export type PanelCommand = (typeof panelCommands)[number];

/**
 * Nothing; the last commit; the run before the one that is shown. Of the others the editor asks which: a branch or a tag,
 * any commit, a report that was saved, a scenario that is kept.
 */
export const comparedWith = ['nothing', 'commit', 'previous', 'branch', 'any-commit', 'report', 'kept'] as const;
export type ComparedWith = (typeof comparedWith)[number];
/** Those of which the editor asks which. */
export type OtherAsked = Exclude<ComparedWith, 'nothing' | 'commit' | 'previous'>;

/** What a run is compared with, where its scenario does not say so. */
export const comparisonSchema = z.object({ with: z.enum(comparedWith), name: z.string(), against: againstSchema });
export type Comparison = z.infer<typeof comparisonSchema>;

/** What the user is asked about before a run is begun: that it takes long, and that it would be without the snapshot. */
export const doubts = ['large', 'snapshot'] as const satisfies readonly Confirmation['about'][];

export const pageMessageSchema = z.discriminatedUnion('type', [
  /** The page listens. Nothing is sent to it before. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('runAgain') }),
  /** Somebody looks at a decision of which only the verdict is known here. */
  z.object({ type: z.literal('explain'), index: z.number() }),
  /** Somebody looks at how much room is left for these workloads. */
  z.object({ type: z.literal('capacity'), workloads: z.array(z.number()).check(z.maxLength(100)) }),
  /** Show a manifest, beside the report. */
  z.object({ type: z.literal('reveal'), origin: z.custom<Origin>(isOrigin) }),
  z.object({ type: z.literal('export'), format: z.enum(exportFormats) }),
  /** The map as a picture in the colours of the theme, in Base64. */
  z.object({ type: z.literal('exportPicture'), png: z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/)) }),
  z.object({ type: z.literal('copy'), text: z.string() }),
  /** Gives up the run that is under way. */
  z.object({ type: z.literal('cancel') }),
  /** Runs what was not begun without asking. */
  z.object({ type: z.literal('goOn'), about: z.enum(doubts) }),
  /** Tries these operations, in this order, instead of those that are tried. */
  z.object({
    type: z.literal('tryOut'),
    operations: z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(100)),
  }),
  /** Another question: about everything, or about a workload of the report or the file that it is written in. */
  z.discriminatedUnion('about', [
    z.object({ type: z.literal('ask'), about: z.literal('workspace') }),
    z.object({ type: z.literal('ask'), about: z.enum(['file', 'workload']), workload: z.number() }),
  ]),
  /** The same compared with something else. */
  z.object({ type: z.literal('compare'), with: z.enum(comparedWith) }),
  /** Offers the edit that makes an operation true of the manifests. */
  z.object({ type: z.literal('apply'), operation: z.string() }),
  /** Keeps the operations that are tried under a name, or takes up those that were kept. */
  z.object({ type: z.literal('keepWhatIf') }),
  z.object({ type: z.literal('openWhatIf') }),
  /** What the editor offers and the page leads to. */
  z.object({ type: z.literal('command'), command: z.enum(panelCommands) }),
]);
export type PageMessage = z.infer<typeof pageMessageSchema>;

/** The part of the page's kept state that the panel needs to come back after a restart. */
export const restoredStateSchema = z.object({
  scenario: scenarioSchema,
  operations: z.optional(z.array(z.string())),
  against: z.optional(comparisonSchema),
});
