import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * The layers of server/src, from the bottom up: each may import from itself and from those named here, nothing else.
 * ARCHITECTURE.md says why.
 */
const mayImport = {
  kit: [],
  contract: ['kit'],
  kubernetes: ['kit'],
  scheduler: ['kit', 'kubernetes'],
  admission: ['kit', 'kubernetes'],
  disruption: ['kit', 'kubernetes'],
  manifests: ['kit', 'kubernetes'],
  processes: [],
  sources: ['kit', 'kubernetes', 'manifests', 'processes'],
  simulation: ['kit', 'contract', 'kubernetes', 'scheduler', 'admission', 'disruption'],
  language: [
    'kit',
    'contract',
    'kubernetes',
    'scheduler',
    'admission',
    'disruption',
    'manifests',
    'processes',
    'sources',
    'simulation',
  ],
  cli: [
    'kit',
    'contract',
    'kubernetes',
    'scheduler',
    'admission',
    'disruption',
    'manifests',
    'processes',
    'sources',
    'simulation',
    'language',
  ],
};

/** Layers that are deterministic and do no I/O: no editor, no YAML library, no Node. */
const pure = new Set(['kit', 'contract', 'kubernetes', 'scheduler', 'admission', 'disruption', 'simulation']);

const layerRules = Object.entries(mayImport).map(([layer, allowed]) => {
  const others = Object.keys(mayImport).filter((other) => other !== layer && !allowed.includes(other));
  const patterns = [
    {
      regex: `^(\\.\\./)+(${[...others, 'client'].join('|')})/`,
      message: `server/src/${layer} may import only from: ${[layer, ...allowed].join(', ')}.`,
    },
  ];
  if (pure.has(layer)) {
    patterns.push({
      regex: '^(vscode.*|yaml|node:.*)$',
      message: `server/src/${layer} is deterministic and does no I/O.`,
    });
  }
  if (layer !== 'manifests') {
    patterns.push({ regex: '^yaml$', message: 'Only server/src/manifests knows the YAML library.' });
  }
  return {
    files: [`server/src/${layer}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
});

export default tseslint.config(
  { ignores: ['dist/', '.cache/', 'coverage/', 'samples/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      'no-console': 'error',
      // Braces, unless all of it stands on one line. Everything else about form is Prettier's.
      curly: ['error', 'multi-line', 'consistent'],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Index access is checked (noUncheckedIndexedAccess); where a loop bound proves it, `!` says so.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // A discriminated union reads better as type aliases beside interfaces.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // `noPropertyAccessFromIndexSignature` asks for brackets where this rule asks for dots.
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Mocha's describe and it return nothing that must be awaited.
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', package: '@types/mocha', name: ['describe', 'it'] }] },
      ],
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
  {
    files: ['**/*.mjs', '*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
        AbortController: 'readonly',
      },
    },
    rules: { 'no-console': 'off' },
  },
  ...layerRules,
);
