/** What a severity means, in the order of the page. */
const severities = /** @type {const} */ ([
  ['error', 'The API server rejects it, or kube-scheduler does not start with it.'],
  ['warning', 'It is accepted, and does not do what it seems to.'],
  ['information', 'It depends on what else is in the cluster.'],
  ['hint', 'Advice.'],
]);

/**
 * The text of docs/rules.md.
 *
 * @param {readonly { readonly code: string, readonly title: string, readonly severity: string }[]} rules
 */
export function ruleIndex(rules) {
  const tables = severities.map(([severity, meaning]) => {
    const rows = rules
      .filter((rule) => rule.severity === severity)
      .map(({ code, title }) => `| [\`${code}\`](rules/${code}.md) | ${title} |`);
    const name = `${severity[0]?.toUpperCase() ?? ''}${severity.slice(1)}`;
    return `## ${name}\n\n${meaning}\n\n| rule | finds |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return `# Rules

${rules.length} rules, by the severity that they have by default. \`podium.rules.CODE\`, \`rules\` in [\`podium.yaml\`](configuration.md) and \`--severity CODE=LEVEL\` change it; \`# podium-disable-next-line CODE\` above a line turns a rule off there. Only what the API server or the scheduler would certainly reject is an error; where the manifest may be a patch, where a chart leaves a value to whoever installs it, or where a feature gate allows it, it is a warning. Written by \`npm run settings\`.

${tables.join('\n')}`;
}
