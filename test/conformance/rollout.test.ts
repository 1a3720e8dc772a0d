import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../server/src/kubernetes/json.ts';
import type { KubeObject } from '../../server/src/kubernetes/objects.ts';
import { captured } from '../../server/src/kubernetes/scheduling-fields.ts';
import { decide } from '../unit/cli/run-podium.ts';
import { readCases, rolloutFiles } from './recorded-files.ts';
import { atLevel, type Level, levels } from './rollout-levels.ts';

/**
 * What a user sees. Which of several equal nodes and pods is taken is chance, and the few runs that a case was recorded in
 * are not all: a case that disagrees is decided again with other draws, one of which has to agree.
 */
const told: readonly Level[] = ['outcome', 'messages', 'evicted', 'failedCreate'];
const draws = 60;
/** Of a hundred cases so many agree at least at once. */
const least: Readonly<Partial<Record<Level, number>>> = { evicted: 0.96, created: 0.96, peak: 0.97 };
const leastOfOthers = 0.985;
/** How long roll-outs were watched, but for two. */
const usualSeconds = 600;
/** Where pods are in the end is a set of right answers, and sizes between the steps are chance. */
const untold: ReadonlySet<string> = new Set(['scaling', 'places']);

describe('agreement with recorded roll-outs of Kubernetes', () => {
  for (const name of rolloutFiles) {
    it(`[EVI-4] rolls changes out as ${name} has it, or one of its other runs`, async () => {
      const cases = readCases(name);
      const answers = await answersTo(cases.map(questionOf));
      const disagreeing = new Map(
        levels.map((level) => [level, cases.filter((each, at) => !agrees(level, each, answers[at]!))]),
      );
      for (const [level, others] of disagreeing) {
        const agreeing = cases.length - others.length;
        process.stdout.write(`    ${name} ${level} ${agreeing}/${cases.length}\n`);
        if (untold.has(level)) continue;
        const names = others.map(({ id }) => JSON.stringify(id)).join(', ');
        assert.ok(agreeing / cases.length >= (least[level] ?? leastOfOthers), `${level}: ${names}`);
      }
      const unlike = [...new Set(told.flatMap((level) => disagreeing.get(level)!))];
      const seeds = Array.from({ length: draws }, (_, at) => at + 1);
      const drawn = await answersTo(unlike.flatMap((each) => seeds.map((seed) => drawnAnew(questionOf(each), seed))));
      for (const level of told) {
        const open = disagreeing.get(level)!.filter((each) => {
          const first = unlike.indexOf(each) * draws;
          return !drawn.slice(first, first + draws).some((answer) => agrees(level, each, answer));
        });
        process.stdout.write(`    ${name} ${level} with other draws ${cases.length - open.length}/${cases.length}\n`);
        assert.deepEqual(
          open.map(({ id }) => id),
          [],
          level,
        );
      }
    });
  }
});

describe('what podium snapshot keeps of a cluster', () => {
  it('[#33] [EVI-4] decides roll-outs as all that the API server answers does', async () => {
    // What kubelets were told to do stands in annotations of pods, which are left out.
    const recorded = rolloutFiles.filter((name) => name.startsWith('v1.36')).flatMap(readCases);
    const cases = recorded.filter((each) => !JSON.stringify(each).includes('"kubelet.test/'));
    const [whole, kept] = await Promise.all([
      answersTo(cases.map(questionOf)),
      answersTo(cases.map((each) => capturedBefore(questionOf(each)))),
    ]);
    for (const level of ['outcome', 'evicted', 'failedCreate', 'peak', 'first', 'created', 'scaling'] as const) {
      const others = cases.filter((_, at) => atLevel(level, whole[at]!) !== atLevel(level, kept[at]!));
      assert.deepEqual(
        others.map(({ id }) => id),
        [],
        level,
      );
    }
    process.stdout.write(`    ${cases.length} roll-outs from a snapshot as from the whole answer\n`);
  });
});

function capturedBefore(question: JsonObject): JsonObject {
  const before = question['before'] as readonly (JsonObject & KubeObject)[];
  return { ...question, before: before.map((each) => captured(each, each.apiVersion!, each.kind!)) };
}

async function answersTo(questions: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const { code, stdout } = await decide(questions.map((each) => `${JSON.stringify(each)}\n`).join(''));
  assert.equal(code, 0);
  const lines = stdout.split('\n').filter((line) => line !== '');
  assert.equal(lines.length, questions.length);
  return lines.map((line) => (JSON.parse(line) as { readonly expected: JsonObject }).expected);
}

function questionOf(recorded: JsonObject): JsonObject {
  const { id, mode, kubernetes, gates, objects, before, change, kubelet, expected } = recorded;
  const { seconds } = expected as { readonly seconds: number };
  // Two were watched until the controller that tries again ever later came to an end.
  const watched = seconds > usualSeconds ? { seconds } : {};
  return { id, mode, kubernetes, gates, objects, before, change, kubelet, ...watched } as JsonObject;
}

/** With a seed, and the pods in another order, by name and in the list: that of equal ones in the scheduler is not recorded. */
function drawnAnew(question: JsonObject, seed: number): JsonObject {
  const keyOf = (object: KubeObject): string =>
    `d${createHash('sha1').update(`${seed}/${object.metadata!.uid}`).digest('hex')}`;
  const before = question['before'] as readonly (JsonObject & KubeObject)[];
  const mixed = [...before].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  let text = JSON.stringify({ ...question, before: mixed, seed });
  for (const object of before) {
    if (object.kind !== 'Pod' || object.metadata?.ownerReferences === undefined) continue;
    const name = object.metadata.name!;
    text = text.replaceAll(JSON.stringify(name), JSON.stringify(`${keyOf(object).slice(0, 6)}-${name}`));
  }
  return JSON.parse(text) as JsonObject;
}

function agrees(level: Level, recorded: JsonObject, answer: JsonObject): boolean {
  const right = [
    recorded['expected'],
    ...((recorded['others'] ?? []) as readonly JsonObject[]),
  ] as readonly JsonObject[];
  return right.some((one) => atLevel(level, one) === atLevel(level, answer));
}
