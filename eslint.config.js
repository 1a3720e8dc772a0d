import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { clientLayers, layers, pure, schedulerLayers } from './scripts/lib/layers.mjs';

const restrict = (files, patterns) => ({ files, rules: { 'no-restricted-imports': ['error', { patterns }] } });

function outerPatterns(layer) {
  const allowed = layers[layer];
  const folders = Object.keys(layers).filter((other) => other !== layer && !allowed.includes(other));
  const files = ['main.ts', 'protocol.ts'].filter((file) => !allowed.includes(file));
  const others = [
    ...folders.map((name) => `${name}/`),
    'client/',
    ...files.map((name) => `${name.replace('.', '\\.')}$`),
  ];
  const patterns = [
    {
      regex: `^(\\.\\./)+(?:${others.join('|')})`,
      message: `server/src/${layer} may import only from: ${[layer, ...allowed].join(', ')}.`,
    },
  ];
  if (pure.includes(layer)) {
    const message = `server/src/${layer} is deterministic and does no I/O.`;
    patterns.push({ regex: '^(vscode.*|yaml|node:.*)$', message });
  }
  if (layer !== 'manifests') {
    patterns.push({ regex: '^yaml$', message: 'Only server/src/manifests knows the YAML library.' });
  }
  return patterns;
}

const layerRules = [
  ...Object.keys(layers).map((layer) => restrict([`server/src/${layer}/**/*.ts`], outerPatterns(layer))),
  ...Object.entries(schedulerLayers).map(([layer, allowed]) => {
    const names = [layer, ...allowed].map((name) => (name.endsWith('.ts') ? name.replace('.', '\\.') : `${name}/`));
    const known = ['scheduler', ...layers.scheduler].map((name) => `\\.\\./${name}/`);
    return restrict(
      [`server/src/scheduler/${layer}/**/*.ts`],
      [
        ...outerPatterns('scheduler'),
        {
          regex: `^\\.\\./(?!${[...names, ...known].join('|')})`,
          message: `server/src/scheduler/${layer} may import only from: ${allowed.join(', ')} of the scheduler.`,
        },
      ],
    );
  }),
  ...Object.entries(clientLayers).map(([folder, allowed]) => {
    const ofServer = allowed.filter((name) => !name.startsWith('client/'));
    const ofClient = allowed.filter((name) => name.startsWith('client/'));
    const rooms = ofClient.map((name) => name.replace('client/src/', ''));
    return restrict(
      [`${folder}/**/*.{ts,tsx}`],
      [
        {
          regex: `^(\\.\\./)+server/src/(?!${ofServer.join('|')})`,
          message: `${folder} may import only from: ${allowed.join(', ')}.`,
        },
        {
          regex:
            folder === 'client/src' ? '^(\\.\\./)+webview/' : `^(\\.\\./)+src/(?=\\w+/)(?!${rooms.join('|')})\\w*/`,
          message: `${folder} may import only from: ${allowed.join(', ')}.`,
        },
        { regex: '^yaml$', message: 'Only server/src/manifests knows the YAML library.' },
      ],
    );
  }),
];

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
