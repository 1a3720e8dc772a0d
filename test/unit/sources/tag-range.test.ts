import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { newestTag } from '../../../server/src/fetching/tag-range.ts';

const tags = [
  'v0.1.3',
  'v0.2.9',
  'v1.2.3',
  '1.2.10',
  'v1.3.0-rc.2',
  'v1.3.0-rc.10',
  'v1.9',
  'v2.0.1+a',
  'main',
  'v1.2.3.4',
];

describe('the newest tag of a range, as Masterminds/semver reads it', () => {
  for (const [range, tag] of [
    ['*', 'v2.0.1+a'],
    ['>=1.0.0 <2.0.0', 'v1.9'],
    ['>=1.0.0,<1.9.0', '1.2.10'],
    ['1.2.3', 'v1.2.3'],
    ['= 1.2.3', 'v1.2.3'],
    ['1.2', '1.2.10'],
    ['1.x', 'v1.9'],
    ['v1.2.*', '1.2.10'],
    ['~1.2.3', '1.2.10'],
    ['~1', 'v1.9'],
    ['^1.2', 'v1.9'],
    ['^0.1', 'v0.1.3'],
    ['^0.1.4', null],
    ['>1', 'v2.0.1+a'],
    ['<=1', 'v1.9'],
    ['<1.2.3', 'v0.2.9'],
    ['1.2 - 1.2.5', 'v1.2.3'],
    ['!=2.x', 'v1.9'],
    ['~0.1 || ~0.2', 'v0.2.9'],
    ['~1.3.0-0', 'v1.3.0-rc.10'],
    ['>=3', null],
    [`${'9.x || '.repeat(40)}*`, null],
    ['', null],
    ['latest', null],
    ['--upload-pack=x', null],
  ] as const) {
    it(`of ${range} is ${tag}`, () => {
      assert.equal(newestTag(range, tags), tag);
    });
  }
});
