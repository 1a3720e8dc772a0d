/**
 * What `npm run lint` holds, besides the form that Prettier decides. Rules are named one by one: those of ESLint that find
 * mistakes, and the strict and the stylistic ones of typescript-eslint, as oxlint has them.
 */
import { readdirSync } from 'node:fs';
import { clientLayers, layers, pure, schedulerLayers } from './scripts/lib/layers.mjs';

const everywhere = `
  for-direction no-async-promise-executor no-case-declarations no-compare-neg-zero no-cond-assign
  no-constant-binary-expression no-constant-condition no-control-regex no-debugger no-delete-var no-dupe-else-if
  no-duplicate-case no-empty no-empty-character-class no-empty-pattern no-empty-static-block no-ex-assign
  no-extra-boolean-cast no-fallthrough no-global-assign no-invalid-regexp no-irregular-whitespace
  no-loss-of-precision no-misleading-character-class no-nonoctal-decimal-escape no-prototype-builtins
  no-regex-spaces no-self-assign no-shadow-restricted-names no-sparse-arrays no-unassigned-vars
  no-unexpected-multiline no-unsafe-finally no-unsafe-optional-chaining no-unused-labels
  no-unused-private-class-members no-unused-vars no-useless-assignment no-useless-backreference no-useless-catch
  no-useless-escape preserve-caught-error require-yield use-isnan valid-typeof
`;

/** What TypeScript itself does not refuse. */
const inTypeScript = `
  no-var prefer-const prefer-rest-params prefer-spread no-array-constructor no-unused-expressions
  no-useless-constructor typescript/no-duplicate-enum-values typescript/no-dynamic-delete
  typescript/no-empty-object-type typescript/no-explicit-any typescript/no-extra-non-null-assertion
  typescript/no-extraneous-class typescript/no-invalid-void-type typescript/no-misused-new
  typescript/no-namespace typescript/no-non-null-asserted-nullish-coalescing
  typescript/no-non-null-asserted-optional-chain typescript/no-require-imports typescript/no-this-alias
  typescript/no-unnecessary-type-constraint typescript/no-unsafe-declaration-merging
  typescript/no-unsafe-function-type typescript/no-wrapper-object-types typescript/prefer-as-const
  typescript/prefer-literal-enum-member typescript/prefer-namespace-keyword typescript/triple-slash-reference
  typescript/unified-signatures no-empty-function typescript/adjacent-overload-signatures typescript/array-type
  typescript/ban-tslint-comment typescript/class-literal-property-style
  typescript/consistent-generic-constructors typescript/consistent-indexed-object-style
  typescript/consistent-type-assertions typescript/no-confusing-non-null-assertion
  typescript/no-inferrable-types typescript/prefer-for-of typescript/prefer-function-type
`;

/** Rules that ask the types, which scripts in JavaScript have only in part. */
const withTypes = `
  typescript/await-thenable typescript/no-array-delete typescript/no-base-to-string
  typescript/no-confusing-void-expression typescript/no-deprecated typescript/no-duplicate-type-constituents
  typescript/no-floating-promises typescript/no-for-in-array typescript/no-generated-empty-object-type
  typescript/no-implied-eval typescript/no-meaningless-void-operator typescript/no-misused-promises
  typescript/no-misused-spread typescript/no-mixed-enums typescript/no-redundant-type-constituents
  typescript/no-unnecessary-boolean-literal-compare typescript/no-unnecessary-condition
  typescript/no-unnecessary-template-expression typescript/no-unnecessary-type-arguments
  typescript/no-unnecessary-type-assertion typescript/no-unnecessary-type-conversion
  typescript/no-unnecessary-type-parameters typescript/no-unsafe-argument typescript/no-unsafe-assignment
  typescript/no-unsafe-call typescript/no-unsafe-enum-comparison typescript/no-unsafe-member-access
  typescript/no-unsafe-return typescript/no-unsafe-unary-minus typescript/no-useless-default-assignment
  typescript/only-throw-error typescript/prefer-promise-reject-errors typescript/prefer-reduce-type-parameter
  typescript/prefer-return-this-type typescript/related-getter-setter-pairs typescript/require-await
  typescript/unbound-method typescript/use-unknown-in-catch-callback-variable
  typescript/non-nullable-type-assertion-style typescript/prefer-find typescript/prefer-includes
  typescript/prefer-nullish-coalescing typescript/prefer-optional-chain typescript/prefer-regexp-exec
  typescript/prefer-string-starts-ends-with no-console
`;

const errors = (/** @type {string} */ names) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, 'error']),
  );

/** @typedef {{ regex: string, message: string }} Pattern */

/** @param {readonly string[]} files @param {readonly Pattern[]} patterns */
const restrict = (files, patterns) => ({ files, rules: { 'no-restricted-imports': ['error', { patterns }] } });

/** What a folder may not import: all that stands there but for what is allowed. */
const others = (/** @type {string} */ folder, /** @type {readonly string[]} */ allowed) =>
  readdirSync(new URL(folder, import.meta.url), { withFileTypes: true })
    .filter(({ name }) => !allowed.includes(name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : `${entry.name.replaceAll('.', '\\.')}$`));

const onlyManifests = { regex: '^yaml$', message: 'Only server/src/manifests knows the YAML library.' };

/** @param {keyof typeof layers} layer */
function outerPatterns(layer) {
  const allowed = layers[layer];
  const patterns = [
    {
      regex: `^(\\.\\./)+(?:${[...others('server/src/', [layer, ...allowed]), 'client/'].join('|')})`,
      message: `server/src/${layer} may import only from: ${[layer, ...allowed].join(', ')}.`,
    },
  ];
  if (pure.includes(layer)) {
    const message = `server/src/${layer} is deterministic and does no I/O.`;
    patterns.push({ regex: '^(vscode.*|yaml|node:.*)$', message });
  }
  if (layer !== 'manifests') patterns.push(onlyManifests);
  return patterns;
}

const layerRules = [
  ...Object.keys(layers).map((layer) => restrict([`server/src/${layer}/**/*.ts`], outerPatterns(layer))),
  ...Object.entries(schedulerLayers).map(([layer, allowed]) =>
    restrict(
      [`server/src/scheduler/${layer}/**/*.ts`],
      [
        ...outerPatterns('scheduler'),
        {
          regex: `^\\.\\./(?:${others('server/src/scheduler/', [layer, ...allowed]).join('|')})`,
          message: `server/src/scheduler/${layer} may import only from: ${allowed.join(', ')} of the scheduler.`,
        },
      ],
    ),
  ),
  ...Object.entries(clientLayers).map(([folder, allowed]) => {
    const ofServer = allowed.filter((name) => !name.startsWith('client/'));
    const ofClient = allowed.map((name) => name.replace('client/src/', ''));
    const message = `${folder} may import only from: ${allowed.join(', ')}.`;
    const rooms = others('client/src/', ofClient).filter((name) => name.endsWith('/'));
    return restrict(
      [`${folder}/**/*.{ts,tsx}`],
      [
        { regex: `^(\\.\\./)+server/src/(?:${others('server/src/', ofServer).join('|')})`, message },
        { regex: folder === 'client/src' ? '^(\\.\\./)+webview/' : `^(\\.\\./)+src/(?:${rooms.join('|')})`, message },
        onlyManifests,
      ],
    );
  }),
];

export default {
  // Types are checked by the same program that the rules ask.
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error', denyWarnings: true },
  plugins: ['typescript'],
  categories: { correctness: 'off' },
  env: { builtin: true },
  ignorePatterns: ['dist/', '.cache/', 'coverage/', 'samples/', 'node_modules/'],
  rules: errors(everywhere),
  overrides: [
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: {
        ...errors(inTypeScript),
        ...errors(withTypes),
        'no-console': 'error',
        // Braces, unless all of it stands on one line. Everything else about form is Prettier's.
        curly: ['error', 'multi-line', 'consistent'],
        'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
        'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      },
    },
    {
      files: ['test/**/*.ts'],
      rules: {
        // Mocha's describe and it return nothing that must be awaited.
        'typescript/no-floating-promises': [
          'error',
          { allowForKnownSafeCalls: [{ from: 'package', package: '@types/mocha', name: ['describe', 'it'] }] },
        ],
        'no-unused-expressions': 'off',
      },
    },
    ...layerRules,
  ],
};
