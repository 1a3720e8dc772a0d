/**
 * @typedef {object} ManifestText
 * @property {string} key of the text in package.nls.json
 * @property {any} holder
 * @property {string | number} field where it stands in the holder
 */

/** Welcomes of the view by a part of their condition: the first that fits. */
const welcomes = [
  ['empty', '== 0'],
  ['reading', '!podium.overviewRead'],
  ['untrusted', '!isWorkspaceTrusted'],
  ['nothing', ''],
];

/**
 * Every text of package.json that VS Code shows. Names of Podium are none, and neither is what only assistants read.
 *
 * @param {any} manifest package.json
 * @returns {Generator<ManifestText>}
 */
export function* manifestTexts(manifest) {
  const { capabilities, contributes } = manifest;
  yield { key: 'description', holder: manifest, field: 'description' };
  yield { key: 'trust.untrusted', holder: capabilities.untrustedWorkspaces, field: 'description' };
  yield { key: 'trust.virtual', holder: capabilities.virtualWorkspaces, field: 'description' };
  for (const holder of Object.values(contributes.views).flat()) {
    yield { key: `view.${holder.id.slice('podium.'.length)}`, holder, field: 'name' };
  }
  for (const holder of contributes.viewsWelcome) {
    const name = welcomes.find(([, part]) => holder.when.includes(part))?.[0];
    yield { key: `welcome.${name}`, holder, field: 'contents' };
  }
  for (const walkthrough of contributes.walkthroughs) {
    yield { key: 'walkthrough.title', holder: walkthrough, field: 'title' };
    yield { key: 'walkthrough.description', holder: walkthrough, field: 'description' };
    for (const step of walkthrough.steps) {
      yield { key: `walkthrough.${step.id}.title`, holder: step, field: 'title' };
      yield { key: `walkthrough.${step.id}.description`, holder: step, field: 'description' };
      yield { key: `walkthrough.${step.id}.alt`, holder: step.media, field: 'altText' };
    }
  }
  for (const command of contributes.commands) {
    yield { key: `command.${command.command.slice('podium.'.length)}`, holder: command, field: 'title' };
  }
  const [general, ofRules] = contributes.configuration;
  yield { key: 'settings.rules', holder: ofRules, field: 'title' };
  for (const [name, setting] of Object.entries(general.properties)) {
    yield* settingTexts(`setting.${name.slice('podium.'.length)}`, setting);
  }
  for (const [name, holder] of Object.entries(ofRules.properties)) {
    yield { key: `rule.${name.slice('podium.rules.'.length)}`, holder, field: 'description' };
  }
  for (const tool of contributes.languageModelTools) {
    const key = `tool.${tool.name.slice('podium_'.length)}`;
    yield { key: `${key}.displayName`, holder: tool, field: 'displayName' };
    yield { key: `${key}.userDescription`, holder: tool, field: 'userDescription' };
  }
}

/**
 * @param {string} key
 * @param {any} setting
 * @returns {Generator<ManifestText>}
 */
function* settingTexts(key, setting) {
  for (const field of ['description', 'markdownDescription']) {
    if (field in setting) yield { key, holder: setting, field };
  }
  for (const field of ['enumDescriptions', 'markdownEnumDescriptions']) {
    const texts = setting[field] ?? [];
    for (const index of texts.keys()) yield { key: `${key}.${setting.enum[index]}`, holder: texts, field: index };
  }
  for (const [name, child] of Object.entries(setting.properties ?? {})) yield* settingTexts(`${key}.${name}`, child);
}
