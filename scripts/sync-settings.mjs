/**
 * `npm run settings`: writes the settings into package.json: those of the extension, and one for the severity of each
 * rule in the registry. A test fails when they are out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { rules } from '../server/src/language/rules/registry.ts';
import { ruleSettings } from '../server/src/language/settings.ts';

const file = new URL('../package.json', import.meta.url);

const general = {
  'podium.cluster.snapshot': {
    type: 'string',
    default: '',
    order: 1,
    scope: 'resource',
    markdownDescription:
      'A file with the state of a cluster: the output of `kubectl get nodes,pods,priorityclasses,… -A -o yaml` (or `json`). Relative to the first workspace folder. What the workspace declares wins over it.',
  },
  'podium.cluster.assumedNodes': {
    type: 'object',
    default: { count: 3, cpu: '4', memory: '16Gi', pods: 110 },
    order: 2,
    scope: 'resource',
    additionalProperties: false,
    properties: {
      count: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 3,
        description: 'How many nodes, each in a zone of its own.',
      },
      cpu: { type: ['string', 'number'], default: '4', description: 'Allocatable cpu of each node, as a quantity.' },
      memory: {
        type: ['string', 'number'],
        default: '16Gi',
        description: 'Allocatable memory of each node, as a quantity.',
      },
      pods: { type: 'integer', minimum: 1, default: 110, description: 'How many pods a node takes.' },
    },
    markdownDescription:
      'The nodes that stand in when neither the workspace nor a snapshot names any. Everything that rests on them is marked *assumed*.',
  },
  'podium.codeLens.enabled': {
    type: 'boolean',
    default: true,
    order: 3,
    scope: 'resource',
    description: 'Show above each workload its priority and what its arrival would do.',
  },
};

/** @param {import('../server/src/language/rules/rule.ts').Rule} rule */
function ruleSetting({ title, severity }) {
  const description = `${title}. By default: ${severity}.`;
  return { type: 'string', enum: [...ruleSettings], default: 'default', scope: 'resource', description };
}

const manifest = JSON.parse(readFileSync(file, 'utf8'));
manifest.contributes.configuration = [
  { title: 'Podium', properties: general },
  {
    title: 'Rules',
    properties: Object.fromEntries(rules.map((rule) => [`podium.rules.${rule.code}`, ruleSetting(rule)])),
  },
];
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
