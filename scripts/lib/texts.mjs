import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './paths.mjs';

/**
 * A text that is made with `say`, `count` or `joined` of server/src/kit.
 *
 * @typedef {object} Text
 * @property {string} key its English, with `{0}` for each part
 * @property {readonly number[]} needed parts that every translation has; others are words that agree with a number
 * @property {boolean} amount its first part is a number that decides its words
 */

/** What both the server and the page of the report are made of. */
const shared = ['server/src/util', 'server/src/report-model'];

/** What only the page is made of. */
const page = [
  'client/src/report',
  'client/webview',
  ...['markdown', 'plan-rows', 'step-words', 'words'].map((name) => `server/src/report-model/${name}.ts`),
];

/** The command line is in English. */
const english = 'server/src/cli';

/** @returns {Readonly<Record<'shared' | 'page' | 'server', ReadonlyMap<string, Text>>>} by key */
export function texts() {
  const ofPage = filesOf(page);
  const ofShared = filesOf(shared).filter((file) => !ofPage.includes(file));
  const ofServer = filesOf(['server/src']).filter((file) => !ofPage.includes(file) && !ofShared.includes(file));
  const inShared = textsIn(ofShared);
  const others = (/** @type {readonly string[]} */ files) =>
    new Map([...textsIn(files)].filter(([key]) => !inShared.has(key)));
  return { shared: inShared, page: others(ofPage), server: others(ofServer) };
}

/** @param {readonly string[]} places files and folders @returns {readonly string[]} */
function filesOf(places) {
  return places
    .flatMap((place) => {
      if (/\.tsx?$/.test(place)) return [place];
      const names = readdirSync(join(root, place), { recursive: true, encoding: 'utf8' });
      return names.map((name) => join(place, name)).filter((name) => /\.tsx?$/.test(name));
    })
    .filter((file) => !file.startsWith(english));
}

/** @param {readonly string[]} files @returns {ReadonlyMap<string, Text>} */
function textsIn(files) {
  const found = files.flatMap((file) => textsOf(file, readFileSync(join(root, file), 'utf8')));
  return new Map(found.map((text) => [text.key, text]));
}

/**
 * Throws where a noun is not written out, as nobody could translate it.
 *
 * @param {string} file @param {string} code
 * @returns {Text[]}
 */
export function textsOf(file, code) {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  /** @type {Text[]} */
  const found = [];
  const counts = /import \{[^}]*\bcount\b[^}]*\} from '[^']*\/words\.ts'/.test(code) || file.endsWith('util/words.ts');
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(source) === 'say') found.push(textOf(node.template));
    if (counts && ts.isCallExpression(node) && node.expression.getText(source) === 'count') {
      const [, one, many] = node.arguments;
      for (const noun of nouns(many ?? one, many === undefined ? 's' : '', `${file}: ${node.getText(source)}`)) {
        found.push({ key: `{0} ${noun}`, needed: [0], amount: true });
      }
    }
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'joined') {
      const [, between] = node.arguments;
      if (between !== undefined && ts.isStringLiteral(between)) {
        found.push({ key: `{0}${between.text}{1}`, needed: [0, 1], amount: false });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.filter(({ key }) => /\p{L}|^\.$/u.test(key.replaceAll(/\{\d+\}/g, '')));
}

/** @param {ts.TemplateLiteral} template @returns {Text} */
function textOf(template) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return { key: template.text, needed: [], amount: false };
  const spans = template.templateSpans;
  const needed = spans.flatMap(({ expression }, at) => (isAgreement(expression) ? [] : [at]));
  const key = spans.reduce((text, { literal }, at) => `${text}{${at}}${literal.text}`, template.head.text);
  return { key, needed, amount: false };
}

/** `amount === 1 ? 'is' : 'are'`: a word that another language may have no use for. @param {ts.Expression} expression */
function isAgreement(expression) {
  return (
    ts.isConditionalExpression(expression) && [expression.whenTrue, expression.whenFalse].every(ts.isStringLiteral)
  );
}

/** @param {ts.Expression | undefined} noun @param {string} ending @param {string} where @returns {string[]} */
function nouns(noun, ending, where) {
  if (noun !== undefined && ts.isStringLiteral(noun)) return [`${noun.text}${ending}`];
  if (noun !== undefined && ts.isConditionalExpression(noun)) {
    return [noun.whenTrue, noun.whenFalse].flatMap((each) => nouns(each, ending, where));
  }
  throw new Error(`${where} is not written out`);
}
