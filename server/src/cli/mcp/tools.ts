import * as z from 'zod/mini';
import type { Report } from '../../report-model/report.ts';
import { isObject } from '../../util/values.ts';
import { explainPending, whoEvicts } from './about-pods.ts';
import { type Answered, answerOf, cut, reportOf, type RunPodium, type Within } from './answers.ts';

/** What the tools work on: folders, or what an editor holds. */
export interface Surroundings {
  readonly run: RunPodium;
  /** What a path stands for, or why it may not be read. */
  place(path: string): Promise<Place | Answered>;
}

export interface Place {
  /** What a command calls it. */
  readonly file: string;
  readonly context: Within;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodMiniObject<Readonly<Record<string, z.ZodMiniType<string | undefined>>>>;
  answer(input: Readonly<Record<string, string | undefined>>, around: Surroundings): Promise<Answered>;
}

const path = z.optional(z.string()).check(
  z.meta({
    description:
      'A file or folder with manifests, relative to the first of the folders that may be read. Default: that folder, or all that is open in an editor.',
  }),
);
const since = z.optional(z.string()).check(
  z.meta({
    description: 'A git commit: the answer compares the manifests with those of it. Such as HEAD or origin/main.',
  }),
);
const flags = z
  .optional(z.string())
  .check(
    z.meta({ description: "Options of kubectl drain, such as '--ignore-daemonsets --delete-emptydir-data --force'." }),
  );
const whatIf = z.optional(z.string()).check(
  z.meta({
    description:
      "Operations to apply first, one a line, such as 'cordon node/NAME', 'add 1 node like NAME', 'scale deployment/NAMESPACE/NAME 1'. Of simulate the answer compares with the run without them.",
  }),
);
const by = z.optional(z.string()).check(
  z.meta({
    description:
      'Tell who is evicted by namespace, class, workload, pool, zone or a label of workloads, such as team. Default: by namespace where more than eight workloads lose pods.',
  }),
);
const pod = z.string().check(z.meta({ description: 'NAMESPACE/NAME of a pod, or of the workload that makes it.' }));

/** Flags of kubectl drain, and of Podium's own the question whether an autoscaler would remove the node. */
const drainFlag =
  /^--(?:ignore-daemonsets|delete-emptydir-data|force|disable-eviction|grace-period|skip-wait-for-delete-timeout|removable)(?:=-?\w+)?$/;

export const tools: readonly Tool[] = [
  {
    name: 'simulate',
    title: 'Simulate scheduling',
    description:
      'Runs the Kubernetes scheduler over manifests, offline: where pods land, which ones are evicted, which budgets break, what stays pending and why. With `since`: what a change does. With `whatIf`: what operations would do.',
    input: z.object({ path, since, whatIf, by }),
    answer: (input, around) =>
      within(input, around, (file, context) =>
        answerOf(around.run, ['simulate', ...sinceOf(input), ...whatIfOf(input), ...byOf(input), '--', file], context),
      ),
  },
  {
    name: 'check',
    title: 'Check manifests',
    description:
      'Shows what the Kubernetes API server would reject in manifests, and problems of priorities, preemption, budgets and placement. With `since`: which of them a change brings.',
    input: z.object({ path, since }),
    answer: (input, around) =>
      within(input, around, (file, context) => answerOf(around.run, ['check', ...sinceOf(input), '--', file], context)),
  },
  {
    name: 'explain_pending',
    title: 'Explain pending pods',
    description:
      'Why a pod stays pending, in the words of the scheduler, and what would help. Without `pod`: of all that do.',
    input: z.object({ pod: z.optional(pod), path, whatIf }),
    answer: (input, around) => aboutPod(input, around, explainPending),
  },
  {
    name: 'threats',
    title: 'Who evicts a pod',
    description: 'Which pod takes the place of a pod, and which declared workloads could evict it now.',
    input: z.object({ pod, path, whatIf }),
    answer: (input, around) => aboutPod(input, around, whoEvicts),
  },
  {
    name: 'drain',
    title: 'Drain a node',
    description:
      'What kubectl drain would do to a node, or to all nodes with labels: where it hangs and behind which budgets, what would unblock it, races for the last disruption of a budget, where the evicted pods land, which pods their replacements evict, and what stays pending.',
    input: z.object({
      node: z.optional(z.string()).check(z.meta({ description: 'The name of the node.' })),
      selector: z
        .optional(z.string())
        .check(z.meta({ description: 'Labels, such as pool=old: all nodes that carry them, instead of node.' })),
      flags,
      path,
      whatIf,
    }),
    answer: (input, around) =>
      within(input, around, (file, context) => {
        const { node = '', selector = '', flags: words = '' } = input;
        const given = words.split(/\s+/).filter((word) => word !== '');
        const unknown = given.find((word) => !drainFlag.test(word));
        if (unknown !== undefined) {
          return Promise.resolve({ text: `'${unknown}' is no option of kubectl drain.`, failed: true });
        }
        if ((node === '') === (selector === '')) {
          return Promise.resolve({ text: 'Name either a node or a selector.', failed: true });
        }
        const nodes = selector === '' ? [] : [`--selector=${selector}`];
        const named = selector === '' ? [node, file] : [file];
        return answerOf(around.run, ['drain', ...given, ...nodes, ...whatIfOf(input), '--', ...named], context);
      }),
  },
  {
    name: 'fit',
    title: 'How many more replicas fit',
    description:
      'How many more replicas of a workload find a node, without evictions, by evicting lower priorities, and by breaking budgets; what stops the next one. With `like`: how many more nodes it takes until everything that is pending runs.',
    input: z.object({
      workload: z.string().check(z.meta({ description: 'KIND/NAMESPACE/NAME or NAMESPACE/NAME of a workload.' })),
      like: z
        .optional(z.string())
        .check(z.meta({ description: 'The name of a node, or CPU:MEMORY[:PODS]: what more nodes would be like.' })),
      path,
      whatIf,
    }),
    answer: (input, around) =>
      within(input, around, (file, context) => {
        const { workload = '', like = '' } = input;
        const more = like === '' ? [] : [`--like=${like}`];
        return answerOf(around.run, ['fit', ...more, ...whatIfOf(input), '--', workload, file], context);
      }),
  },
];

function aboutPod(
  input: Readonly<Record<string, string | undefined>>,
  around: Surroundings,
  notify: (report: Report, pod: string) => Pick<Answered, 'text' | 'structured'>,
): Promise<Answered> {
  return within(input, around, async (file, context) => {
    const report = await reportOf(around.run, ['simulate', ...whatIfOf(input)], file, context);
    return 'failed' in report ? report : { ...notify(report, input['pod'] ?? ''), failed: false };
  });
}

/** Words that begin with a dash would be options. */
function sinceOf({ since: commit }: Readonly<Record<string, string | undefined>>): string[] {
  return commit === undefined || commit === '' ? [] : [`--since=${commit}`];
}

function byOf({ by: key = '' }: Readonly<Record<string, string | undefined>>): string[] {
  return key === '' ? [] : [`--by=${key}`];
}

function whatIfOf({ whatIf: operations = '' }: Readonly<Record<string, string | undefined>>): string[] {
  const lines = operations.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => `--what-if=${line.trim()}`);
}

/** Calls back with what is asked about. */
async function within(
  { path: asked = '.' }: Readonly<Record<string, string | undefined>>,
  around: Surroundings,
  answer: (file: string, context: Within) => Promise<Answered>,
): Promise<Answered> {
  const place = await around.place(asked);
  return 'failed' in place ? place : answer(place.file, place.context);
}

/** What a tool answers to what an assistant sends, which may be anything; shortened to what is read. */
export async function callTool(name: string, input: unknown, around: Surroundings): Promise<Answered> {
  const { text, ...others } = await answerTo(name, input, around);
  return { text: cut(text), ...others };
}

async function answerTo(name: string, written: unknown, around: Surroundings): Promise<Answered> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return { text: `There is no tool ${name}.`, failed: true };
  const known = Object.keys(tool.input.shape);
  const unknown = isObject(written) ? Object.keys(written).filter((key) => !known.includes(key)) : [];
  if (unknown.length > 0) {
    const names = `no ${unknown.length === 1 ? 'parameter' : 'parameters'} ${unknown.join(', ')}`;
    return { text: `The tool ${name} has ${names}. It has ${known.join(', ')}.`, failed: true };
  }
  const input = tool.input.safeParse(written ?? {});
  if (!input.success) return { text: z.prettifyError(input.error), failed: true };
  return tool.answer(input.data, around);
}
