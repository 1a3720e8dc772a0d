import assert from 'node:assert/strict';
import { seatbeltProfile } from '../../../server/src/processes/sandbox.ts';

describe('the profile of sandbox-exec on macOS', () => {
  const rules = seatbeltProfile('/opt/helm', '/private/tmp/podium').trim().split('\n');

  it('[#31] forbids everything first, and the network after what the system allows', () => {
    assert.deepEqual(rules.slice(0, 4), ['(version 1)', '(deny default)', '(import "system.sb")', '(deny network*)']);
    assert.deepEqual(
      rules.filter((rule) => /network|default|mach|signal|fork/.test(rule)),
      ['(deny default)', '(deny network*)'],
    );
  });

  it('[#31] lets the program alone run, read itself and the folder, and write into the folder', () => {
    assert.deepEqual(rules.slice(4), [
      '(allow process-exec (literal "/opt/helm"))',
      '(allow file-read* (literal "/opt/helm") (subpath "/private/tmp/podium"))',
      '(allow file-write* (subpath "/private/tmp/podium"))',
      '(allow file-read-metadata)',
    ]);
  });

  it('[#31] takes no name for a rule', () => {
    const profile = seatbeltProfile('/a") (allow network*) (literal "\\', '/b');
    assert.ok(profile.includes(String.raw`(literal "/a\") (allow network*) (literal \"\\")`));
  });
});
