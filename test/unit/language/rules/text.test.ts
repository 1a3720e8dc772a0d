import { checkRule } from './check-rule.ts';

describe('wrong-type', () => {
  it('says that `y` is a boolean in YAML 1.1, and quotes it', () => {
    const pod = (value: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec:
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: ${value}
      whenUnsatisfiable: DoNotSchedule
  containers: [{ name: web, image: nginx }]
`;
    return checkRule('wrong-type', {
      manifest: pod('‹y›'),
      severity: 'error',
      message: 'bool',
      fixes: { 'Write it as text: "y"': pod('"y"') },
    });
  });

  it('finds a label value `on`', () =>
    checkRule('wrong-type', {
      manifest:
        'apiVersion: v1\nkind: Pod\nmetadata: { name: web, labels: { tracing: ‹on› } }\nspec: { containers: [] }\n',
    }));

  it('[ED-8] takes quotes from a number, and from true and false, where the field takes no text', async () => {
    const pod = (field: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { ${field}, containers: [{ name: web, image: nginx }] }\n`;
    const fixes = (field: string, word: string) => ({ [`Write it without quotes: ${word}`]: pod(`${field}: ${word}`) });
    for (const [field, word] of [
      ['hostNetwork', 'true'],
      ['terminationGracePeriodSeconds', '30'],
    ] as const) {
      await checkRule('wrong-type', { manifest: pod(`${field}: ‹"${word}"›`), fixes: fixes(field, word) });
    }
    await checkRule('wrong-type', { manifest: pod('hostNetwork: ‹"maybe"›'), fixes: {} });
  });

  it('accepts quoted words', () =>
    checkRule('wrong-type', {
      manifest:
        'apiVersion: v1\nkind: Pod\nmetadata: { name: web, labels: { tracing: "on" } }\nspec: { containers: [] }\n',
    }));
});

describe('yaml-duplicate-key', () => {
  it('reports the second key', () =>
    checkRule('yaml-duplicate-key', {
      manifest:
        'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  priority: 1\n  ‹priority›: 2\n  containers: []\n',
      severity: 'warning',
    }));
});

describe('yaml-syntax', () => {
  it('reports text that is no YAML, and does not hide the neighbours', () =>
    checkRule('yaml-syntax', {
      manifest: `apiVersion: v1
kind: Pod
metadata:
  name: ‹"web›
---
apiVersion: v1
kind: Pod
metadata: { name: b }
spec: { priorityClassName: nope, containers: [] }
`,
    }));
});

describe('yaml-alias', () => {
  it('points at an alias without an anchor', () =>
    checkRule('yaml-alias', {
      manifest: 'apiVersion: v1\nkind: Pod\nmetadata: { name: web, labels: ‹*common› }\nspec: { containers: [] }\n',
      severity: 'error',
      message: 'common',
    }));
});
