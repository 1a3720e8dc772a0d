import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Effect } from '../../../server/src/report-model/effect.ts';
import { decidedOf, type SoFar } from '../../../server/src/report-model/so-far.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { effectsOf } from '../../../server/src/simulation/remedies/effects.ts';
import { compareRuns, isLarge, type RunSize, simulate, sizeText } from '../../../server/src/simulation/index.ts';
import { fleet } from '../../support/fleet.ts';
import { loadSample } from './load-sample.ts';

describe('what a run has decided so far', () => {
  const cluster = fleet({ nodes: 30, podsPerNode: 20, urgent: 8, hopeless: 2 });
  const fleetInput = { workspace: cluster.map((object) => ({ object })), snapshot: [] };

  for (const [name, input] of [
    ['the sample', loadSample()],
    ['a fleet', fleetInput],
  ] as const) {
    it(`adds up at every moment, and is in the end what the report says, of ${name}`, () => {
      const told: SoFar[] = [];
      const texts: string[] = [];
      const progress = (text: () => string, soFar?: () => SoFar): void => {
        texts.push(text());
        if (soFar !== undefined) told.push(soFar());
      };
      const report = runToEnd(simulate(input, { kind: 'workspace' }, { progress }));
      let decided = 0;
      for (const part of told) {
        const { arriving, scheduled, pending, gated, refused, undecided } = part;
        assert.equal(arriving, scheduled + pending + gated + refused + undecided);
        assert.ok(decidedOf(part) >= decided && undecided >= 0);
        decided = decidedOf(part);
      }
      const last = told.at(-1)!;
      const { balance } = report.answer;
      assert.deepEqual(
        [last.arriving, last.scheduled, last.pending, last.gated, last.refused, last.undecided, last.evicted],
        [balance.arriving, balance.scheduled, balance.pending, balance.gated, balance.refused, 0, balance.evicted],
      );
      assert.equal(last.victims.length, Math.min(8, last.victims.length + last.moreVictims));
      assert.match(texts[0]!, /^Reading [\d,]+ files?( · [\d,]+ pods?)?$/);
      assert.match(texts.at(-2)!, /^Deciding \d+ of \d+ pods · \d+ evicted so far$/);
      assert.equal(texts.at(-1), 'Explaining');
      // Of the first decisions on, and before the whole is known.
      assert.ok(told.some(({ evicted, undecided }) => evicted > 0 && undecided > 0));
      assert.match(told.find(({ evicted }) => evicted > 0)!.headline, / evicts .* so far\.$/);
      for (const { evicted, headline } of told) assert.equal(headline === 'No pod is evicted so far.', evicted === 0);
    });
  }

  it('tells of operations that are tried from the first on, of each in turn how far it is', () => {
    const told: (readonly Effect[])[] = [];
    const texts = [
      'add 1 node like ip-10-0-0-9.eu-west-1.compute.internal',
      'cordon node/ip-10-0-0-3.eu-west-1.compute.internal',
    ];
    const effects = runToEnd(
      effectsOf(fleetInput, { kind: 'workspace' }, texts, { onEffects: (some) => told.push(structuredClone(some)) }),
    );
    assert.deepEqual(told[0], [{ whatIf: texts[0], label: texts[0], figures: null, effect: 'trying…', problem: '' }]);
    for (const [index, effect] of effects.entries()) {
      const own = told.filter(({ length }) => length === index + 1);
      assert.ok(own.length > 2);
      for (const some of own) assert.deepEqual(some.slice(0, -1), effects.slice(0, index));
      const parts = own.map((some) => some.at(-1)!);
      assert.ok(parts.every(({ figures, whatIf }) => figures === null && whatIf === effect.whatIf));
      assert.equal(parts.at(-1)!.effect, `${effect.figures!.evicted} evicted so far, 100 %`);
    }
  });

  it('says how large a run is before anything is decided, and can be told not to begin', () => {
    const sizes: RunSize[] = [];
    const lines: string[] = [];
    const progress = (text: () => string) => lines.push(text());
    const begins = (size: RunSize): void => {
      sizes.push(size);
      throw new Error('not now');
    };
    assert.throws(() => runToEnd(simulate(fleetInput, { kind: 'workspace' }, { progress, begins })), /not now/);
    assert.deepEqual([sizes.length, sizes[0]?.nodes, sizes[0]?.arriving], [1, 30, 18]);
    assert.ok(lines.every((text) => text.startsWith('Reading')));
    assert.equal(sizeText(sizes[0]!), '30 nodes and 18 new pods: a run may take 1 s');
    assert.equal(
      sizeText({ nodes: 6000, arriving: 60_000, seconds: 372 }),
      '6,000 nodes and 60,000 new pods: a run may take 6 min',
    );
    for (const [nodes, arriving, is] of [
      [5000, 50_000, false],
      [5001, 0, true],
      [1, 50_001, true],
    ] as const) {
      assert.equal(isLarge({ nodes, arriving, seconds: 1 }), is);
    }
  });

  it('is of the run that is asked for, not of the one that it is compared with', () => {
    const input = loadSample();
    const told: SoFar[] = [];
    let texts = 0;
    const progress = (_text: () => string, soFar?: () => SoFar): void => {
      texts += 1;
      if (soFar !== undefined) told.push(soFar());
    };
    const played = { input, events: [] };
    const plain: SoFar[] = [];
    runToEnd(simulate(input, { kind: 'workspace' }, { progress: (_text, soFar) => soFar && plain.push(soFar()) }));
    runToEnd(compareRuns(played, played, { kind: 'workspace' }, 'git HEAD', { progress }));
    assert.deepEqual(told, plain);
    assert.ok(texts > 2 * plain.length);
  });
});
