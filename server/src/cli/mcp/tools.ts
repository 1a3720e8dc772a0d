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
const pod = z.string().check(z.meta({ description: 'NAMESPACE/NAME of a pod, or of the workload that makes it.' }));

export const tools: readonly Tool[] = [
  {
    name: 'simulate',
    title: 'Simulate scheduling',
    description:
      'Runs the Kubernetes scheduler over manifests, offline: who lands where, who is evicted for whom, which budgets break, what stays pending and why. With `since`: what a change does.',
    input: z.object({ path, since }),
    answer: (input, around) =>
      within(input, around, (file, context) => answerOf(around.run, ['simulate', file, ...sinceOf(input)], context)),
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
