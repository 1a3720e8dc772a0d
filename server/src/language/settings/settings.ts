import { say } from '../../util/say.ts';
import { minors } from '../../util/minors.ts';
import { isObject, valueAt } from '../../util/values.ts';
import * as z from 'zod/mini';
import { gateProblem, type Gates, noGates } from '../../kubernetes/feature-gates.ts';
import { assumedNodesOf } from '../../simulation/cluster/assumed-nodes.ts';
import type { AssumedNodes } from '../../simulation/cluster/input.ts';
import { type AdmissionPlugin, admissionPlugins } from '../../admission/pods/hard-anti-affinity.ts';

/** `default` leaves the choice to the rule, which may differ from case to case (an unknown class, for example). */
export const ruleSettings = ['default', 'error', 'warning', 'information', 'hint', 'off'] as const;
export type RuleSetting = (typeof ruleSettings)[number];

/** What is said of the nodes that stand in when neither the workspace nor a snapshot names one. */
const assumedNodesSchema = z.union([
  z.string(),
  z.object({
    count: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
    /** Quantities, as `status.allocatable` of a node would have them. */
    cpu: z.optional(z.union([z.string(), z.number()])),
    memory: z.optional(z.union([z.string(), z.number()])),
    pods: z.optional(z.int().check(z.minimum(1))),
  }),
]);

/** Whose behaviour is reproduced; `auto` takes what the snapshot or the nodes say. */
export const kubernetesVersions = ['auto', ...minors] as const;
const versionSchema = z.enum(kubernetesVersions);

const completionKeys = ['auto', 'on', 'off'] as const;
const scopeSchema = z.enum(['workspace', 'open']);

const names = z.readonly(z.array(z.string()));

export interface Settings {
  readonly cluster: {
    /** Path of a file with the output of `kubectl get … -o yaml|json`; empty for none. Relative to a workspace folder. */
    readonly snapshot: string;
    readonly assumedNodes: AssumedNodes;
  };
  /** Names of the targets that count, the one that is simulated first; empty for the one that counts by itself. */
  readonly sources: readonly string[];
  /** Globs of files that are no part of what is applied. */
  readonly exclude: readonly string[];
  /** Whether keys, and values that the API alone gives, are completed; `auto` leaves them to a language server for YAML. */
  readonly completion: { readonly keys: (typeof completionKeys)[number] };
  readonly codeLens: { readonly enabled: boolean };
  /** Whose problems are told: of every file, or of those that are open. */
  readonly diagnostics: { readonly scope: z.infer<typeof scopeSchema> };
  /** Which numbers stand beside the text. */
  readonly inlayHints: { readonly priority: boolean; readonly replicas: boolean; readonly selectors: boolean };
  readonly kubernetes: { readonly version: z.infer<typeof versionSchema>; readonly featureGates: Gates };
  /** Whether simulations add the nodes that Karpenter and Cluster Autoscaler would. */
  readonly autoscaling: { readonly enabled: boolean };
  /** Admission plugins of the API server that are on besides those that are by default. */
  readonly admissionPlugins: readonly AdmissionPlugin[];
  /** Rule code → severity. */
  readonly rules: ReadonlyMap<string, RuleSetting>;
  /** Of folders, the inner ones first. */
  readonly folders: readonly FolderSettings[];
}

/** What a folder's own `podium.yaml` says of what lies below it. */
export interface FolderSettings {
  /** URI without a slash at its end. */
  readonly folder: string;
  /** Globs relative to it. */
  readonly exclude: readonly string[];
  readonly rules: ReadonlyMap<string, RuleSetting>;
}

/** What is said of a rule in a file; undefined where nothing is. */
export function ruleSetting({ rules, folders }: Settings, uri: string, code: string): RuleSetting | undefined {
  const own = folders.find((each) => each.rules.has(code) && uri.startsWith(`${each.folder}/`));
  return own === undefined ? rules.get(code) : own.rules.get(code);
}

export const defaultSettings: Settings = {
  cluster: { snapshot: '', assumedNodes: [] },
  sources: [],
  exclude: [],
  completion: { keys: 'auto' },
  codeLens: { enabled: true },
  diagnostics: { scope: 'workspace' },
  inlayHints: { priority: true, replicas: true, selectors: true },
  kubernetes: { version: 'auto', featureGates: noGates },
  autoscaling: { enabled: true },
  admissionPlugins: [],
  rules: new Map(),
  folders: [],
};

export interface ParsedSettings {
  readonly settings: Settings;
  /** What was wrong, one sentence each; the defaults stand in its place. */
  readonly problems: readonly string[];
}

/**
 * Reads the section `podium` as an editor hands it over: nested objects, or one level with dots in the names of the
 * rules. A wrong value never spoils the others.
 *
 * @param folders what folders say, without what the user has said
 */
export function parseSettings(section: unknown, folders: readonly FolderSettings[] = []): ParsedSettings {
  const problems: string[] = [];
  const read = <Schema extends z.ZodMiniType>(path: readonly string[], schema: Schema, fallback: z.infer<Schema>) => {
    const value = valueAt(section, path);
    if (value === undefined || value === null) return fallback;
    const parsed = z.safeParse(schema, value);
    if (parsed.success) return parsed.data;
    problems.push(say`The setting podium.${path.join('.')} is not understood and left at its default.`);
    return fallback;
  };

  const rules = new Map<string, RuleSetting>();
  const written = valueAt(section, ['rules']);
  if (isObject(written)) {
    for (const code of Object.keys(written)) {
      const severity = read(['rules', code], z.enum(ruleSettings), 'default');
      if (severity !== 'default') rules.set(code, severity);
    }
  }
  const settings: Settings = {
    cluster: {
      snapshot: read(['cluster', 'snapshot'], z.string(), defaultSettings.cluster.snapshot).trim(),
      assumedNodes: assumedNodesIn(read(['cluster', 'assumedNodes'], assumedNodesSchema, ''), problems),
    },
    sources: read(['sources'], names, defaultSettings.sources),
    exclude: read(['exclude'], names, defaultSettings.exclude),
    completion: { keys: read(['completion', 'keys'], z.enum(completionKeys), defaultSettings.completion.keys) },
    codeLens: { enabled: read(['codeLens', 'enabled'], z.boolean(), defaultSettings.codeLens.enabled) },
    diagnostics: { scope: read(['diagnostics', 'scope'], scopeSchema, defaultSettings.diagnostics.scope) },
    inlayHints: {
      priority: read(['inlayHints', 'priority'], z.boolean(), defaultSettings.inlayHints.priority),
      replicas: read(['inlayHints', 'replicas'], z.boolean(), defaultSettings.inlayHints.replicas),
      selectors: read(['inlayHints', 'selectors'], z.boolean(), defaultSettings.inlayHints.selectors),
    },
    kubernetes: {
      version: read(['kubernetes', 'version'], versionSchema, defaultSettings.kubernetes.version),
      featureGates: gatesIn(read(['kubernetes', 'featureGates'], z.record(z.string(), z.boolean()), {}), problems),
    },
    autoscaling: {
      enabled: read(['autoscaling', 'enabled'], z.boolean(), defaultSettings.autoscaling.enabled),
    },
    admissionPlugins: read(
      ['admissionPlugins'],
      z.readonly(z.array(z.enum(admissionPlugins))),
      defaultSettings.admissionPlugins,
    ),
    rules,
    folders,
  };
  return { settings, problems };
}

/** Of what stands for itself, or as the option of the command line has it. */
function assumedNodesIn(written: z.infer<typeof assumedNodesSchema>, problems: string[]): AssumedNodes {
  if (written === '') return [];
  const read = typeof written === 'string' ? assumedNodesOf(written) : [written];
  if (typeof read !== 'string') return read;
  problems.push(say`The setting podium.cluster.assumedNodes is not understood and left at its default: ${read}.`);
  return [];
}

function gatesIn(written: Readonly<Record<string, boolean>>, problems: string[]): Gates {
  const gates = new Map(Object.entries(written));
  for (const name of [...gates.keys()]) {
    const problem = gateProblem(name);
    if (problem === '') continue;
    gates.delete(name);
    problems.push(say`The setting podium.kubernetes.featureGates: ${problem}`);
  }
  return gates;
}
