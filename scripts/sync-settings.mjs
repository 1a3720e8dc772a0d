/**
 * `npm run settings`: writes docs/rules.md, the index of the rules, and into package.json a setting for the severity of each rule in the registry, the minors of
 * Kubernetes that can be chosen, and each tool of `podium mcp` as one of VS Code's language models. A test fails when
 * they are out of date. The other settings are written by hand. Every text that VS Code shows goes into
 * package.nls.json, in the order of package.json; the other languages are written by hand, beside it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { tools } from '../server/src/cli/mcp/tools.ts';
import { manifestTexts } from './lib/manifest-texts.mjs';
import { ruleIndex } from './lib/rule-index.mjs';
import { rules } from '../server/src/language/rules/registry.ts';
import { kubernetesVersions, ruleSettings } from '../server/src/language/settings/settings.ts';

const file = new URL('../package.json', import.meta.url);
const textsFile = new URL('../package.nls.json', import.meta.url);

/** @param {import('../server/src/language/rules/support/rule.ts').Rule} rule */
function ruleSetting({ title, severity }) {
  const description = `${title}. By default: ${severity}.`;
  return { type: 'string', enum: [...ruleSettings], default: 'default', scope: 'resource', description };
}

/** @param {import('../server/src/cli/mcp/tools.ts').Tool} tool */
function languageModelTool({ name, title, description, input }) {
  const { type, properties, required, additionalProperties } = z.toJSONSchema(input);
  const words = name.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return {
    name: `podium_${name}`,
    toolReferenceName: `podium${words.join('')}`,
    displayName: title,
    modelDescription: `${description} Answers about the manifests of the open workspace, unsaved changes included, and changes nothing.`,
    userDescription: description,
    icon: '$(server-process)',
    canBeReferencedInPrompt: true,
    // Not beside the same tools of `podium mcp`.
    when: '!podium.mcpServed',
    inputSchema: { type, properties, required, additionalProperties },
  };
}

const manifest = JSON.parse(readFileSync(file, 'utf8'));
const [general, ofRules] = manifest.contributes.configuration;
ofRules.properties = Object.fromEntries(rules.map((rule) => [`podium.rules.${rule.code}`, ruleSetting(rule)]));
/** By which a workspace could have its faults go unseen, or programs look elsewhere: only the user sets them there. */
const restricted = [
  'podium.cluster.',
  'podium.exclude',
  'podium.sources',
  'podium.kubernetes.',
  'podium.admissionPlugins',
  'podium.diagnostics.',
];
manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = [
  ...Object.keys(general.properties).filter((name) => restricted.some((each) => name.startsWith(each))),
  ...Object.keys(ofRules.properties),
];
general.properties['podium.kubernetes.version'].enum = [...kubernetesVersions];
manifest.contributes.languageModelTools = tools.map(languageModelTool);
const known = JSON.parse(readFileSync(textsFile, 'utf8'));
/** @type {Record<string, string>} */
const texts = {};
for (const { key, holder, field } of manifestTexts(manifest)) {
  const written = holder[field];
  // What was just made, or written by hand, is the text itself.
  texts[key] = written === `%${key}%` ? known[key] : written;
  holder[field] = `%${key}%`;
}
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(textsFile, `${JSON.stringify(texts, null, 2)}\n`);
writeFileSync(new URL('../docs/rules.md', import.meta.url), ruleIndex(rules));
