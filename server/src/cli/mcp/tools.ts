import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import * as z from 'zod/mini';
import { explainPending, whoEvicts } from './about-pods.ts';
import { type Answered, answerOf, reportOf, type RunPodium } from './answers.ts';

/** What the tools work on. */
export interface Surroundings {
  /** Real paths of the folders that may be read, the first for relative paths. */
  readonly folders: readonly string[];
  readonly version: () => string;
  readonly run: RunPodium;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodMiniType<Readonly<Record<string, string | undefined>>>;
  answer(input: Readonly<Record<string, string | undefined>>, around: Surroundings): Promise<Answered>;
}

const path = z.optional(z.string()).check(
  z.meta({
    description:
      'A file or folder with manifests, below the folders that the server was given. Default: the first of them.',
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
      "Operations to apply first, one a line, such as 'cordon node/NAME', 'add 1 node like NAME', 'scale deployment/NAMESPACE/NAME 1'. The answer compares with the run without them. Not together with since.",
  }),
);
const pod = z.string().check(z.meta({ description: 'NAMESPACE/NAME of a pod, or of the workload that makes it.' }));

export const tools: readonly Tool[] = [
  {
    name: 'simulate',
    title: 'Simulate scheduling',
    description:
      'Runs the Kubernetes scheduler over manifests, offline: who lands where, who is evicted for whom, which budgets break, what stays pending and why. With `since`: what a change does. With `whatIf`: what operations would do.',
    input: z.object({ path, since, whatIf }),
    answer: (input, around) =>
      within(input, around, (file, context) =>
        answerOf(around.run, ['simulate', file, ...sinceOf(input), ...whatIfOf(input)], context),
      ),
  },
  {
    name: 'check',
    title: 'Check manifests',
    description:
      'Tells what the Kubernetes API server would refuse in manifests, and what concerns priorities, preemption, budgets and placement.',
    input: z.object({ path }),
    answer: (input, around) => within(input, around, (file, context) => answerOf(around.run, ['check', file], context)),
  },
  {
    name: 'explain_pending',
    title: 'Explain a pending pod',
    description: 'Why a pod stays pending, in the words of the scheduler, and what would help.',
    input: z.object({ pod, path }),
    answer: (input, around) => aboutPod(input, around, explainPending),
  },
  {
    name: 'who_evicts',
    title: 'Who evicts a pod',
    description: 'Which pod takes the place of a pod, and which declared workloads could evict it now.',
    input: z.object({ pod, path }),
    answer: (input, around) => aboutPod(input, around, whoEvicts),
  },
  {
    name: 'drain',
    title: 'Drain a node',
    description:
      'What kubectl drain would do to a node: what it prints and refuses, the answer to each eviction, races for the last disruption of a budget, where the evicted land, whom their replacements evict, what stays pending, and where it hangs.',
    input: z.object({
      node: z.string().check(z.meta({ description: 'The name of the node.' })),
      flags,
      path,
    }),
    answer: (input, around) =>
      within(input, around, (file, context) => {
        const { node = '', flags: words = '' } = input;
        const given = words.split(/\s+/).filter((word) => word !== '');
        const unknown = given.find((word) => !/^--[a-z-]+(?:=-?\w+)?$/.test(word) || word.startsWith('--snapshot'));
        if (unknown !== undefined) {
          return Promise.resolve({ text: `'${unknown}' is no option of kubectl drain.`, failed: true });
        }
        return answerOf(around.run, ['drain', ...given, '--', node, file], context);
      }),
  },
  {
    name: 'fit',
    title: 'How many more replicas fit',
    description:
      'How many more replicas of a workload find a node, without evicting anybody, by evicting lower priorities, and by breaking budgets; what stops the next one. With `like`: how many more nodes it takes until everything that is pending runs.',
    input: z.object({
      workload: z.string().check(z.meta({ description: 'KIND/NAMESPACE/NAME or NAMESPACE/NAME of a workload.' })),
      like: z
        .optional(z.string())
        .check(z.meta({ description: 'The name of a node, or CPU:MEMORY[:PODS]: what more nodes would be like.' })),
      path,
    }),
    answer: (input, around) =>
      within(input, around, (file, context) => {
        const { workload = '', like = '' } = input;
        const more = like === '' ? [] : [`--like=${like}`];
        return answerOf(around.run, ['fit', ...more, '--', workload, file], context);
      }),
  },
];

function aboutPod(
  input: Readonly<Record<string, string | undefined>>,
  around: Surroundings,
  tell: (report: Parameters<typeof explainPending>[0], pod: string) => string,
): Promise<Answered> {
  return within(input, around, async (file, context) => {
    const report = await reportOf(around.run, ['simulate', file], context);
    return 'failed' in report ? report : { text: tell(report, input['pod'] ?? ''), failed: false };
  });
}

/** Words that begin with a dash would be options. */
function sinceOf({ since: commit }: Readonly<Record<string, string | undefined>>): string[] {
  return commit === undefined || commit === '' ? [] : [`--since=${commit}`];
}

function whatIfOf({ whatIf: operations = '' }: Readonly<Record<string, string | undefined>>): string[] {
  const lines = operations.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => `--what-if=${line.trim()}`);
}

/** Calls back with the real path that is asked for; links do not lead out of the folders either. */
async function within(
  { path: asked = '.' }: Readonly<Record<string, string | undefined>>,
  { folders, version }: Surroundings,
  answer: (file: string, context: { readonly cwd: string; readonly version: () => string }) => Promise<Answered>,
): Promise<Answered> {
  const [first = ''] = folders;
  let file: string;
  try {
    file = await realpath(resolve(first, asked));
  } catch {
    return { text: `There is no file or folder ${asked}.`, failed: true };
  }
  const home = folders.find((folder) => isBelow(folder, file));
  if (home === undefined) {
    return { text: `${asked} is outside of the folders that may be read: ${folders.join(', ')}.`, failed: true };
  }
  return answer(file, { cwd: home, version });
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
