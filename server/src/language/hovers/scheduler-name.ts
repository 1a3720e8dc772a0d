import { joined, say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import {
  defaultProfileOf,
  defaultSchedulerName,
  type EnginePoint,
  type Profile,
} from '../../scheduler/framework/profile.ts';
import type { Release } from '../../kubernetes/release.ts';
import { code } from '../connection/markdown.ts';
import { profileFor, schedulerConfigurationOf } from '../rules/support/scheduler-configuration.ts';
import { factLink, factLinks, some } from './links.ts';
import { type HoverPlace, paragraphs, points } from './place.ts';
import { schedulerOf } from './scheduling.ts';

/** The profile that answers to the name of a scheduler, and what it does otherwise than the default one. */
export function schedulerNameHover({ fact, facts, release }: HoverPlace): string | undefined {
  const spec = fact.template?.spec;
  if (spec === undefined) return undefined;
  const name = spec.schedulerName ?? defaultSchedulerName;
  const declared = facts.ofKind('KubeSchedulerConfiguration');
  const profile = profileFor(facts, name, release);
  if (profile === undefined) {
    const where =
      declared.length === 0
        ? say`no KubeSchedulerConfiguration is declared here`
        : say`${factLinks(declared, facts)} ${declared.length === 1 ? 'has' : 'have'} none of that name`;
    return say`**No profile answers to ${code(name)}**: ${where}. Its pods stay pending without an event, unless another scheduler of that name runs.`;
  }
  const source = declared.find((each) =>
    schedulerConfigurationOf(each, release)?.profiles.some(({ schedulerName }) => schedulerName === name),
  );
  return paragraphs(
    say`**Profile ${code(name)}**${source === undefined ? say` as it is without a KubeSchedulerConfiguration` : say` of ${factLink(source, facts)}`}`,
    profileText(profile, release),
    joined(schedulerOf(facts, spec, release).notes, '\n\n'),
  );
}

/** Where plugins are told of, with what they do there. */
const tasks: readonly (readonly [EnginePoint, string])[] = [
  ['preEnqueue', say`let pods into the queue`],
  ['filter', say`rule nodes out`],
  ['postFilter', say`help a pod that no node takes`],
  ['score', say`choose among the nodes that are left`],
];

/** What a profile has more, less and weighs otherwise than the default one. */
export function profileText(profile: Profile, release: Release): string {
  const usual = defaultProfileOf(release);
  const lines: string[] = [];
  for (const [point, task] of tasks) {
    const [own, standard] = [profile.enabled[point], usual.enabled[point]];
    const less = standard.filter((name) => !own.includes(name));
    const more = own.filter((name) => !standard.includes(name));
    const changes = [
      ...(less.length === 0 ? [] : [say`without ${list(less.map(code), 8)}`]),
      ...(more.length === 0 ? [] : [say`with ${list(more.map(code), 8)}`]),
    ];
    if (changes.length > 0) lines.push(say`Of the plugins that ${task} (\`${point}\`): ${joined(changes, ', and ')}`);
  }
  const weights = profile.enabled.score.flatMap((name) => {
    const [own, standard] = [profile.weights.get(name), usual.weights.get(name)];
    return own === undefined || own === standard
      ? []
      : [say`${code(name)} ${own}${standard === undefined ? '' : say` instead of ${standard}`}`];
  });
  if (weights.length > 0) lines.push(say`Weights: ${some(weights, (text) => text, 8)}`);
  return lines.length === 0 ? say`Its plugins and weights are those of the default profile.` : points(lines);
}
