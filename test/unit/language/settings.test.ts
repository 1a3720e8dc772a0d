import assert from 'node:assert/strict';
import { defaultSettings, parseSettings } from '../../../server/src/language/settings/settings.ts';

describe('settings', () => {
  it('has defaults for everything', () => {
    for (const nothing of [undefined, null, {}, 7, 'x', []]) {
      assert.deepEqual(parseSettings(nothing), { settings: defaultSettings, problems: [] });
    }
  });

  it('takes what is understood and names the rest', () => {
    const { settings, problems } = parseSettings({
      cluster: { snapshot: ' cluster.yaml ', assumedNodes: { count: 5 } },
      kubernetes: { featureGates: { HPAScaleToZero: true, HPAScaleToZreo: true } },
      codeLens: { enabled: 'no' },
      rules: { 'priority-mismatch': 'off', 'wrong-type': 'loud', 'yaml-syntax': 'default' },
    });
    assert.equal(settings.cluster.snapshot, 'cluster.yaml');
    assert.deepEqual(settings.cluster.assumedNodes, [{ count: 5 }]);
    assert.deepEqual([...settings.kubernetes.featureGates], [['HPAScaleToZero', true]]);
    assert.equal(settings.codeLens.enabled, true);
    assert.deepEqual([...settings.rules], [['priority-mismatch', 'off']]);
    assert.deepEqual(problems, [
      'The setting podium.rules.wrong-type is not understood and left at its default.',
      'The setting podium.codeLens.enabled is not understood and left at its default.',
      'The setting podium.kubernetes.featureGates: there is no feature gate HPAScaleToZreo; did you mean HPAScaleToZero?',
    ]);
  });

  it('is not led astray by names of prototypes', () => {
    const { settings } = parseSettings(
      JSON.parse('{"rules":{"__proto__":"error","constructor":"off"},"__proto__":{"codeLens":{"enabled":false}}}'),
    );
    assert.equal(settings.codeLens.enabled, true);
    assert.deepEqual([...settings.rules.keys()].sort(), ['__proto__', 'constructor']);
  });
});
