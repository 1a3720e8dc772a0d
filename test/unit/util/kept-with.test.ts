import assert from 'node:assert/strict';
import { keptWith } from '../../../server/src/util/kept-with.ts';

describe('what is kept with objects', () => {
  it('is found with its object only, and seen by nobody else', () => {
    const [one, other] = [keptWith<object, string>(), keptWith<object, string>()];
    const object = { a: 1 };
    one.set(object, 'kept');
    assert.equal(one.get(object), 'kept');
    assert.equal(other.get(object), undefined);
    assert.equal(one.get({ ...object }), undefined);
    assert.deepEqual(Reflect.ownKeys(object), ['a']);
  });

  it('is kept with objects that are frozen', () => {
    const known = keptWith<object, number>();
    const object = Object.freeze(Object.create(null) as object);
    known.set(object, 0);
    assert.equal(known.get(object), 0);
  });
});
