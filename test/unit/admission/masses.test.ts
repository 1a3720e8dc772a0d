import assert from 'node:assert/strict';
import { invalidText, refusalsInSteps, refusalsOf } from '../../../server/src/admission/request/judgment.ts';
import { readableErrorText } from '../../../server/src/admission/format/field-errors.ts';
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

  for (const [what, count, object] of masses) {
    it(`is judged in steps, so that others are answered meanwhile, with ${count} ${what}`, () => {
      const steps = refusalsInSteps({ ...object }, latestRelease);
      let taken = 0;
      while (steps.next().done !== true) taken += 1;
      assert.ok(taken > count / 1_000, String(taken));
    });
  }

  it('counts its own refusals alone where two are judged in turns', () => {
    const one = pod({}, Object.fromEntries(many(1_500, (index) => [`_${index}`, '1'])));
    const other = pod({}, Object.fromEntries(many(2_500, (index) => [`_${index}`, '1'])));
    const left = [one, other].map((object) => refusalsInSteps(object, latestRelease));
    while (left.map((steps) => steps.next().done).includes(false));
    assert.deepEqual(
      [one, other].map((object) => refusalsOf(object, latestRelease).at(-1)?.more),
      [500, 1_500],
    );
  });

  it('is judged in time that grows no faster than it, with profiles of containers by annotation', () => {
    const annotations = Object.fromEntries(
      many(40_000, (index) => [`container.apparmor.security.beta.kubernetes.io/c${index}`, 'unconfined']),
    );
    const containers = many(40_000, (index) => ({ name: `c${index}`, image: 'm' }));
    const object = pod({ containers });
    const refusals = refusalsOf({ ...object, metadata: { name: 'large', annotations } }, latestRelease);
    assert.deepEqual(
      refusals.map(({ error }) => error.type),
      ['FieldValueTooLong'],
    );
  });

  it('tells whole claims after their requests, however many there are', () => {
    const claims = [
      ...many(20_000, (index) => ({ name: `c${index}`, request: 'r' })),
      ...many(20_000, (index) => ({ name: `c${index}` })),
    ];
    const resourceClaims = many(20_000, (index) => ({ name: `c${index}`, resourceClaimName: 'a' }));
    const object = pod({ resourceClaims, containers: [{ name: 'm', image: 'm', resources: { claims } }] });
    const errors = validateCreation(object, latestRelease);
    assert.equal(errors.length, 20_000);
    assert.equal(errors[0]?.type, 'FieldValueDuplicate');
  });

  it('is told in texts of bounded length where each repeats the whole list', () => {
    const ownerReferences = many(20_000, (index) => ({
      apiVersion: 'v1',
      kind: 'Node',
      name: `n${index}`,
      uid: 'u',
      controller: true,
    }));
    const object = { ...pod({}), metadata: { name: 'large', ownerReferences } };
    const errors = refusalsOf(object, latestRelease).map(({ error }) => error);
    assert.match(readableErrorText(errors[0]!), /… \(\d+ more characters\): Only one reference can have Controller/);
    assert.ok(errors.every((error) => readableErrorText(error).length < 3_000));
    const text = invalidText(object, validateCreation(object, latestRelease), latestRelease);
    assert.ok(text.length < 2 ** 25, String(text.length));
    assert.match(text, /, and \d+ more refusals\]$/);
  });

  it('is refused whole to whoever asks for all refusals', () => {
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
      refusals.map(({ error }) => error.at.text),
      ['spec.containers[1500].name'],
    );
  });
});
