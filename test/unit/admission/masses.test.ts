import assert from 'node:assert/strict';
import { refusalsOf } from '../../../server/src/admission/request/judgment.ts';
import { validateCreation } from '../../../server/src/admission/request/validate.ts';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import { latestRelease } from '../../../server/src/kubernetes/releases/index.ts';

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

function pod(spec: object, labels: Readonly<Record<string, string>> = {}): KubeObject {
  const written = { containers: [{ name: 'm', image: 'm' }], ...spec };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'large', labels }, spec: written } as KubeObject;
}

describe('an object with masses of refusals', () => {
  const masses: readonly (readonly [string, number, KubeObject])[] = [
    ['labels', 130_000, pod({}, Object.fromEntries(many(130_000, (index) => [`_${index}`, '1'])))],
    ['containers', 60_000, pod({ containers: many(60_000, (index) => ({ name: `C_${index}`, image: 'm' })) })],
    [
      'variables',
      90_000,
      pod({ containers: [{ name: 'm', image: 'm', env: many(90_000, (index) => ({ name: `=${index}` })) }] }),
    ],
    ['tolerations', 70_000, pod({ tolerations: many(70_000, (index) => ({ key: `_${index}`, operator: 'Exists' })) })],
    [
      'spread constraints',
      40_000,
      pod({
        topologySpreadConstraints: many(40_000, (index) => ({
          topologyKey: `zone-${index}`,
          maxSkew: 0,
          whenUnsatisfiable: 'DoNotSchedule',
        })),
      }),
    ],
  ];
  for (const [what, count, object] of masses) {
    it(`has the first of its ${count} ${what} told, and how many more there may be`, () => {
      const refusals = refusalsOf(object, latestRelease);
      assert.equal(refusals.length, 1_000);
      const last = refusals.at(-1)!;
      assert.ok(last.more! >= count - 1_000, String(last.more));
      assert.match(last.error.detail, new RegExp(`\\(and up to ${last.more} more refusals\\)$`));
      assert.deepEqual(
        refusals.filter(({ more }) => more !== undefined),
        [last],
      );
    });
  }

  it('is refused whole by podium decide', () => {
    const labels = Object.fromEntries(many(130_000, (index) => [`_${index}`, '1']));
    assert.equal(validateCreation(pod({}, labels), latestRelease).length, 130_000);
  });

  it('is judged as before up to the last that is told', () => {
    const labels = Object.fromEntries(many(1_000, (index) => [`_${index}`, '1']));
    const object = pod({}, labels);
    assert.deepEqual(
      refusalsOf(object, latestRelease).map(({ error }) => error),
      validateCreation(object, latestRelease),
    );
  });

  it('is not taken for whole where the first thousand values are still to be filled in', () => {
    const open = many(1_500, (index) => ({ name: `\${NAME_${index}}`, image: 'm' }));
    const refusals = refusalsOf(pod({ containers: [...open, { name: 'C_', image: 'm' }] }), latestRelease);
    assert.deepEqual(
      refusals.map(({ error }) => error.field),
      ['spec.containers[1500].name'],
    );
  });
});
