import * as z from 'zod/mini';
import { minors } from '../../util/minors.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { isObject } from '../../util/values.ts';
import { readData } from '../../manifests/read-data.ts';
import { type FolderSettings, type RuleSetting, ruleSettings } from './settings.ts';

/**
 * What a file of settings is called. It counts for its folder and what is below; where what is looked at is more than
 * that, only what can differ between folders of one cluster does (`ofFolders`).
 */
export const projectFileName = 'podium.yaml';

const described = (description: string) => z.meta({ description });

const shape = z
  .strictObject({
    target: z.optional(
      z
        .string()
        .check(described('Of alternatives (overlays of one base, value files of one chart) the one that counts.')),
    ),
    exclude: z.optional(
      z
        .array(z.string())
        .check(
          described(
            "Globs, relative to this file, of files that are not part of the cluster; '!GLOB' takes files in again. Each folder can have its own.",
          ),
        ),
    ),
    rules: z.optional(
      z
        // In YAML off is another word for false.
        .record(z.string(), z.union([z.enum(ruleSettings), z.literal(false)]))
        .check(
          described(
            'Severities of rules, such as budget-overlap: error; off turns a rule off. Each folder can have its own.',
          ),
        ),
    ),
    kubernetes: z.optional(
      z
        .enum(['auto', ...minors])
        .check(described('The version of Kubernetes that answers; auto takes that of the cluster.')),
    ),
    featureGates: z.optional(
      z
        .record(z.string(), z.boolean())
        .check(described('Feature gates that are switched otherwise than by default, such as HPAScaleToZero: true.')),
    ),
    snapshot: z.optional(
      z
        .string()
        .check(
          described(
            'The cluster: the output of kubectl get … -A -o yaml, or of podium snapshot, relative to this file.',
          ),
        ),
    ),
    assumeNodes: z.optional(
      z
        .string()
        .check(described('The nodes to assume where nothing names any, as the option --assume-nodes has them.')),
    ),
    failOn: z.optional(
      z
        .array(z.enum(['evicted', 'budget', 'pending', 'refused', 'down', 'blocked', 'unseen']))
        .check(described('What makes podium simulate, and of it unseen podium check, exit with 1.')),
    ),
    baseline: z.optional(
      z.string().check(described('A file of podium baseline, relative to this one: problems that it has do not fail.')),
    ),
  })
  .check(described('Of a file in a folder below the one that is checked or opened, only exclude and rules are used.'));

/** The settings of a repository, as they are written. */
export type Project = z.infer<typeof shape>;

/** The settings that a folder's own file has for what is below it, while others count for all that is looked at. */
const ofFolders: ReadonlySet<string> = new Set<keyof Project>(['exclude', 'rules']);

/** The schema of the file, as it is shipped. */
export function projectSchema(): object {
  return z.toJSONSchema(shape, { target: 'draft-7' });
}

interface ReadProject {
  readonly project: Project;
  readonly lineOf: (place: readonly string[]) => number;
}

/** Reads a file of settings; of one that is wrong says what is, and where. */
export function readProject(text: string): ReadProject | { readonly line: number; readonly fault: string } {
  const data = readData(text);
  if (data.problem !== null) return { line: data.problemLine + 1, fault: data.problem };
  const read = shape.safeParse(data.value ?? {});
  const lineOf = (place: readonly (string | number)[]): number =>
    text.slice(0, (data.locate(place, 'key') ?? data.locate(place))?.start ?? 0).split('\n').length;
  if (read.success) return { project: read.data, lineOf };
  const [issue] = read.error.issues;
  const path = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
  const unknown = issue !== undefined && 'keys' in issue ? (issue.keys as readonly string[])[0] : undefined;
  const place = unknown === undefined ? path : [...path, unknown];
  const line = lineOf(place);
  const name = place.join('.');
  if (unknown !== undefined) return { line, fault: `${name} is no setting${nearest(unknown)}` };
  return {
    line,
    fault: `${name === '' ? 'the file' : name} ${place[0] === 'rules' ? severities : expectation(issue)}`,
  };
}

/**
 * What a file says for its folder.
 * @param folder URI without a slash at its end
 * @param isSet whether the user has said something of a rule, which wins
 */
export function folderSettings(
  folder: string,
  project: Project,
  isSet: (code: string) => boolean = () => false,
): FolderSettings {
  const rules = severitiesOf(project).filter(([code]) => !isSet(code));
  return { folder, exclude: project.exclude ?? [], rules: new Map(rules) };
}

/** Of a file whose folder is only a part of what is looked at, the settings that do not count, each with its line. */
export function idleSettings({ project, lineOf }: ReadProject): readonly string[] {
  return Object.keys(project)
    .filter((setting) => !ofFolders.has(setting))
    .map((setting) => `${lineOf([setting])}: ${setting} is not used: of a folder below, only rules and exclude are`);
}

/** Whether a file below that is called like settings is something else, which is no mistake. */
export function isManifest(text: string): boolean {
  const { value } = readData(text);
  return isObject(value) && 'apiVersion' in value;
}

/** Rules with their severities. */
export function severitiesOf({ rules }: Project): readonly (readonly [string, RuleSetting])[] {
  return Object.entries(rules ?? {}).map(([code, severity]) => [code, severity === false ? 'off' : severity]);
}

const severities = `must be one of ${ruleSettings.join(', ')}`;

function nearest(name: string): string {
  const [near] = nearestNames(name, Object.keys(shape.shape), 2);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

function expectation(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return issue?.code === 'invalid_type' ? `must be ${ofYaml.get(issue.expected)}` : 'is not understood';
}

/** What the types of the shape are called in YAML. */
const ofYaml: ReadonlyMap<string, string> = new Map([
  ['object', 'a map'],
  ['record', 'a map'],
  ['array', 'a list'],
  ['string', 'text'],
  ['boolean', 'true or false'],
]);

/**
 * The settings of an editor, with those of a project where they are left at their defaults: what the user has set wins.
 * What is excluded adds up (`folderSettings`).
 */
export function withProject(section: unknown, project: Project): unknown {
  const { target, kubernetes, featureGates, snapshot, assumeNodes } = project;
  return filledIn(isObject(section) ? section : {}, {
    sources: target === undefined ? undefined : [target],
    rules: Object.fromEntries(severitiesOf(project)),
    kubernetes: { version: kubernetes, featureGates },
    cluster: { snapshot, assumedNodes: assumeNodes },
  });
}

function filledIn(settings: Readonly<Record<string, unknown>>, project: Readonly<Record<string, unknown>>): unknown {
  const filled = new Map(Object.entries(settings));
  for (const [name, value] of Object.entries(project)) {
    const set = filled.get(name);
    if (value === undefined) continue;
    if (isObject(value)) filled.set(name, filledIn(isObject(set) ? set : {}, value));
    else if (isDefault(set)) filled.set(name, value);
  }
  return Object.fromEntries(filled);
}

/** Whether a setting says nothing: an editor hands over the defaults of all settings. */
function isDefault(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 'auto' || value === 'default') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
