import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../server/src/kubernetes/json.ts';
import { decide } from '../unit/cli/run-podium.ts';
import { readCases, rolloutFiles } from './recorded-files.ts';
import { atLevel, type Level, levels } from './rollout-levels.ts';

/**
 * Of a hundred cases so many agree at least. Which of several equal pods is evicted, and what happens first of two things
 * of one moment, is chance, and two runs of a case are not all.
 */
const least: Readonly<Partial<Record<Level, number>>> = { evicted: 0.96, created: 0.96, peak: 0.97 };
const leastOfOthers = 0.985;
/** Where pods are in the end is a set of right answers, and sizes between the steps are chance. */
const untold: ReadonlySet<string> = new Set(['scaling', 'places']);

describe('agreement with recorded roll-outs of Kubernetes', () => {
  for (const name of rolloutFiles) {
    it(`[EVI-4] rolls changes out as ${name} has it, or one of its other runs`, async () => {
      const cases = readCases(name);
      const asked = cases.map(
        ({ id, mode, kubernetes, gates, objects, before, change, kubelet }) =>
          `${JSON.stringify({ id, mode, kubernetes, gates, objects, before, change, kubelet })}\n`,
      );
      const { code, stdout } = await decide(asked.join(''));
      assert.equal(code, 0);
      const answers = stdout.split('\n').filter((line) => line !== '');
      assert.equal(answers.length, cases.length);
      for (const level of levels) {
        const disagreeing = cases.flatMap((each, at) => {
          const answer = (JSON.parse(answers[at]!) as { readonly expected: JsonObject }).expected;
          const right = [
            each['expected'],
            ...((each['others'] ?? []) as readonly JsonObject[]),
          ] as readonly JsonObject[];
          const own = atLevel(level, answer);
          return right.some((one) => atLevel(level, one) === own) ? [] : [JSON.stringify(each['id'])];
        });
        const agreeing = cases.length - disagreeing.length;
        process.stdout.write(`    ${name} ${level} ${agreeing}/${cases.length}\n`);
        if (untold.has(level)) continue;
        assert.ok(agreeing / cases.length >= (least[level] ?? leastOfOthers), `${level}: ${disagreeing.join(', ')}`);
      }
    });
  }
});
