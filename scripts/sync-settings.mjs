/**
 * `npm run settings`: writes into package.json a setting for the severity of each rule in the registry, and the minors of
 * Kubernetes that can be chosen. A test fails when they are out of date. The other settings are written by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { rules } from '../server/src/language/rules/registry.ts';
import { kubernetesVersions, ruleSettings } from '../server/src/language/settings.ts';

const file = new URL('../package.json', import.meta.url);

/** @param {import('../server/src/language/rules/rule.ts').Rule} rule */
function ruleSetting({ title, severity }) {
  const description = `${title}. By default: ${severity}.`;
  return { type: 'string', enum: [...ruleSettings], default: 'default', scope: 'resource', description };
}

const manifest = JSON.parse(readFileSync(file, 'utf8'));
const [general, ofRules] = manifest.contributes.configuration;
ofRules.properties = Object.fromEntries(rules.map((rule) => [`podium.rules.${rule.code}`, ruleSetting(rule)]));
general.properties['podium.kubernetes.version'].enum = [...kubernetesVersions];
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
