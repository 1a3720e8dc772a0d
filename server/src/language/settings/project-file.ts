import * as z from 'zod/mini';
import { minors } from '../../util/minors.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { isObject } from '../../util/values.ts';
import { readData } from '../../manifests/read-data.ts';
import { type RuleSetting, ruleSettings } from './settings.ts';

/** What a file of settings for a whole repository is called. It counts for its folder and what is below. */
export const projectFileName = 'podium.yaml';

const described = (description: string) => z.meta({ description });

const shape = z.strictObject({
  target: z.optional(
    z
      .string()
      .check(described('Of alternatives (overlays of one base, value files of one chart) the one that counts.')),
  ),
  exclude: z.optional(
    z
      .array(z.string())
      .check(described("Globs of files that are not part of the cluster; '!GLOB' takes files in again.")),
  ),
  rules: z.optional(
    z
      // In YAML off is another word for false.
      .record(z.string(), z.union([z.enum(ruleSettings), z.literal(false)]))
      .check(described('Severities of rules, such as budget-overlap: error; off turns a rule off.')),
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
        described('The cluster: the output of kubectl get … -A -o yaml, or of podium snapshot, relative to this file.'),
      ),
  ),
  assumeNodes: z.optional(
    z.string().check(described('The nodes to assume where nothing names any, as the option --assume-nodes has them.')),
  ),
  failOn: z.optional(
    z
      .array(z.enum(['evicted', 'budget', 'pending', 'refused', 'down', 'blocked', 'unseen']))
      .check(described('What makes podium simulate, and of it unseen podium check, exit with 1.')),
  ),
  baseline: z.optional(
    z.string().check(described('A file of podium baseline, relative to this one: problems that it has do not fail.')),
  ),
});

/** The settings of a repository, as they are written. */
export type Project = z.infer<typeof shape>;

/** The schema of the file, as it is shipped. */
export function projectSchema(): object {
  return z.toJSONSchema(shape, { target: 'draft-7' });
}

/** Reads a file of settings; of one that is wrong says what is, and where. */
export function readProject(
  text: string,
): { readonly project: Project } | { readonly line: number; readonly fault: string } {
  const data = readData(text);
  if (data.problem !== null) return { line: data.problemLine + 1, fault: data.problem };
  const read = shape.safeParse(data.value ?? {});
  if (read.success) return { project: read.data };
  const [issue] = read.error.issues;
  const path = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
  const unknown = issue !== undefined && 'keys' in issue ? (issue.keys as readonly string[])[0] : undefined;
  const place = unknown === undefined ? path : [...path, unknown];
  const start = (data.locate(place, 'key') ?? data.locate(place))?.start ?? 0;
  const line = text.slice(0, start).split('\n').length;
  const name = place.join('.');
  if (unknown !== undefined) return { line, fault: `${name} is no setting${nearest(unknown)}` };
  return {
    line,
    fault: `${name === '' ? 'the file' : name} ${place[0] === 'rules' ? severities : expectation(issue)}`,
  };
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

/** The settings of an editor, with those of a project where they are left at their defaults: what the user has set wins. */
export function withProject(section: unknown, project: Project): unknown {
  const { target, exclude, kubernetes, featureGates, snapshot, assumeNodes } = project;
  return filledIn(isObject(section) ? section : {}, {
    sources: target === undefined ? undefined : [target],
    exclude,
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
