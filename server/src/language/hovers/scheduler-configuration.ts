import { groupBy } from '../../util/maps.ts';
import { isList, valueAt } from '../../util/values.ts';
import { joined, say } from '../../util/say.ts';
import { count, grouped } from '../../util/words.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { defaultSchedulerName, type EnginePoint, type Profile } from '../../scheduler/framework/profile.ts';
import { feasibleNodesToFind } from '../../scheduler/framework/sampling.ts';
import { derived } from '../index/derived.ts';
import type { Fact } from '../index/fact.ts';
import { code } from '../connection/markdown.ts';
import { schedulerConfigurationOf } from '../rules/support/scheduler-configuration.ts';
import { isMadeByController } from '../index/priority-ranking.ts';
import { factLinks, nodesText, some } from './links.ts';
import { type HoverPlace, isHeading, nodesOf, paragraphs, points } from './place.ts';
import { extendersHover } from './extender.ts';
import { profileText } from './scheduler-name.ts';

/** What a KubeSchedulerConfiguration makes of the scheduler. */
export function schedulerConfigurationHover(place: HoverPlace): string | undefined {
  const { fact, path, release } = place;
  const configuration = schedulerConfigurationOf(fact, release);
  if (configuration === undefined) return undefined;
  const { profiles, podInitialBackoffSeconds, podMaxBackoffSeconds } = configuration;
  const [top, index, field, ...inside] = path;
  const shown = profiles
    .slice(0, shownProfiles)
    .map((profile) => say`${code(profile.schedulerName)}: ${usersText(profile, place)}`);
  if (profiles.length > shown.length) shown.push(say`${profiles.length - shown.length} more`);
  if (isHeading(path) || (top === 'profiles' && index === undefined)) {
    return `**${count(profiles.length, 'profile')}**\n\n${points(shown)}`;
  }
  if (top === 'percentageOfNodesToScore') return percentageText(profiles[0]?.percentageOfNodesToScore ?? 0, place);
  if (top === 'podInitialBackoffSeconds' || top === 'podMaxBackoffSeconds') {
    return backoffText(podInitialBackoffSeconds, podMaxBackoffSeconds);
  }
  if (top === 'extenders') return extendersHover(index, place);
  const profile = top === 'profiles' && typeof index === 'number' ? profileAt(fact, index, profiles) : undefined;
  if (profile === undefined) return undefined;
  switch (field) {
    case 'percentageOfNodesToScore':
      return percentageText(profile.percentageOfNodesToScore, place);
    case 'plugins':
      return pluginsText(profile, inside, place);
    default:
      return paragraphs(
        say`**Profile ${code(profile.schedulerName)}**: ${usersText(profile, place)}.`,
        profileText(profile, release),
      );
  }
}

const shownProfiles = 6;

/** The profile that is written at a place of the list: of two with one name the first counts. */
function profileAt({ object }: Fact, index: number, profiles: readonly Profile[]): Profile | undefined {
  const written = (object as { readonly profiles?: readonly { readonly schedulerName?: string }[] }).profiles ?? [];
  const name = written[index]?.schedulerName ?? defaultSchedulerName;
  return profiles.find(({ schedulerName }) => schedulerName === name);
}

const bySchedulerName = derived(workloadKinds, (...lists) => groupBy(lists.flat(), schedulerNameOf));

/** Empty for what makes no pods, and for what a controller made. */
function schedulerNameOf(fact: Fact): string {
  if (fact.template === undefined || isMadeByController(fact)) return '';
  const { schedulerName = '' } = fact.template.spec;
  return schedulerName === '' ? defaultSchedulerName : schedulerName;
}

function usersText({ schedulerName }: Profile, { facts }: HoverPlace): string {
  const users = bySchedulerName(facts).get(schedulerName) ?? [];
  return users.length === 0
    ? say`nothing that is declared here names it`
    : say`for ${count(users.length, 'workload')}, ${factLinks(users, facts)}`;
}

/** Source: numFeasibleNodesToFind in pkg/scheduler/schedule_one.go */
function percentageText(percentage: number, place: HoverPlace): string {
  const known = nodesOf(place);
  const enough = feasibleNodesToFind(percentage, known.nodes.length);
  const written = percentage === 0 ? say`As many as the size of the cluster asks for` : say`${percentage} %`;
  return enough >= known.nodes.length
    ? say`**${written}**: with ${nodesText(known)} the scheduler looks at all of them, as below 100 nodes it always does.`
    : say`**${written}**: with ${nodesText(known)} the scheduler stops looking when it has found ${grouped(enough)} that fit. Podium looks at all, and says where the answer may vary.`;
}

/** Source: getBackoffDuration in pkg/scheduler/backend/queue/backoff_queue.go */
function backoffText(initial: number, max: number): string {
  const steps: number[] = [];
  for (let seconds = initial; steps.length < shownSteps; seconds *= 2) {
    steps.push(Math.min(seconds, max));
    if (seconds >= max) break;
  }
  return say`**A pod that found no node waits ${joined(
    steps.map((seconds) => say`${grouped(seconds)} s`),
    ', ',
  )}**${steps.at(-1) === max ? say` and from then on so long` : say` and so on`} before it is tried again.`;
}

const shownSteps = 8;

const enginePoints: readonly EnginePoint[] = [
  'preEnqueue',
  'queueSort',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
];

/** Which plugins run at a point, those that score with their weights; without a point, what differs. */
function pluginsText(profile: Profile, [at, list, index]: HoverPlace['path'], { fact, release }: HoverPlace): string {
  const point = enginePoints.find((each) => each === at);
  const total = profile.enabled.score.reduce((sum, name) => sum + (profile.weights.get(name) ?? 1), 0);
  const weighed = (name: string): string => say`${code(name)} ${profile.weights.get(name) ?? 1}`;
  const plugin =
    (list === 'enabled' || list === 'disabled') && typeof index === 'number'
      ? namedAt(fact, profile, at, list, index)
      : undefined;
  if (plugin !== undefined) {
    const runs = enginePoints.filter((each) => profile.enabled[each].includes(plugin));
    const weight = profile.enabled.score.includes(plugin)
      ? say` Of the score it has weight ${profile.weights.get(plugin) ?? 1} of ${total}.`
      : '';
    const known = Object.hasOwn(release.plugins, plugin);
    return runs.length === 0
      ? say`**${code(plugin)} runs nowhere** in profile ${code(profile.schedulerName)}.${known || plugin === '*' ? '' : say` Podium does not know it: its answers may differ.`}`
      : say`**${code(plugin)} runs** in profile ${code(profile.schedulerName)} at ${joined(runs.map(code), ', ')}.${weight}`;
  }
  if (point === undefined) {
    return paragraphs(say`**Profile ${code(profile.schedulerName)}**`, profileText(profile, release));
  }
  const names = profile.enabled[point];
  const text = some(names, point === 'score' ? weighed : code, shownPlugins);
  return say`**${count(names.length, 'plugin')}** at ${code(point)}, in this order${point === 'score' ? say`, with their weights` : ''}: ${names.length === 0 ? say`none` : text}.`;
}

const shownPlugins = 20;

function namedAt({ object }: Fact, profile: Profile, at: unknown, list: string, index: number): string | undefined {
  const profiles = valueAt(object, ['profiles']);
  const written = (isList(profiles) ? profiles : []).find(
    (each) => (valueAt(each, ['schedulerName']) ?? defaultSchedulerName) === profile.schedulerName,
  );
  const name = valueAt(written, ['plugins', String(at), list, index, 'name']);
  return typeof name === 'string' ? name : undefined;
}
