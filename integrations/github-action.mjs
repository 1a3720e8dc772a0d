/**
 * What the action does, with nothing but Node: `check --since` as annotations and SARIF, `simulate --since` as one comment on
 * the pull request that is kept up to date. Where it may not write (a pull request from a fork), the job summary has
 * the text. Exit codes: 0, 1 for what was found or could not be seen, 2 where Podium could not run.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, exit, stdout } from 'node:process';
import { promisify } from 'node:util';

/** Tells the comments of several jobs apart, such as those of a matrix. */
const key = (env['PODIUM_KEY'] ?? '').replace(/[^\w. -]/g, '').trim();
/** By which the comment is found again. */
const marker = `<!-- podium${key === '' ? '' : `: ${key}`} -->`;
/** One screen: what is more is folded. */
const screen = 30;
/** New problems that a comment names; the annotations have all. */
const mostProblems = 10;
/** A comment on GitHub holds 65,536 characters. */
const longest = 65_000;
const maxOutput = 256 * 1024 * 1024;

const paths = lines(env['PODIUM_PATH'] ?? '.');
/** What both commands are given: what the inputs say, and `podium.yaml` says the rest. */
const judging = [
  ...option('--snapshot', env['PODIUM_SNAPSHOT']),
  ...option('--target', env['PODIUM_TARGET']),
  ...option('--kubernetes', env['PODIUM_KUBERNETES']),
  ...lines(env['PODIUM_EXCLUDE'] ?? '').flatMap((glob) => option('--exclude', glob)),
  ...(env['PODIUM_RENDER'] === 'false' ? ['--no-render'] : []),
];
const severities = lines(env['PODIUM_SEVERITY'] ?? '').flatMap((word) => option('--severity', word));
const folder = env['RUNNER_TEMP'] ?? '.';
let worst = 0;

try {
  const event = await readEvent();
  const named = env['PODIUM_BASE'] ?? '';
  const base = named === '' ? await startOf(event) : named;
  const since = base === '' ? [] : ['--since', base];
  const found = env['PODIUM_CHECK'] === 'false' ? [] : await check(since);
  await compare(since, event, found);
} catch (error) {
  fault(error instanceof Error ? error.message : String(error));
  worst = 2;
}
exit(worst);

/**
 * @typedef {object} Found a problem that the change adds
 * @property {string} rule
 * @property {string} url the page of the rule
 * @property {string} level
 * @property {string} message
 * @property {string} path
 * @property {number} line
 */

/**
 * Annotations for people, SARIF for code scanning; of a pull request only what is new.
 *
 * @param {readonly string[]} since
 * @returns {Promise<readonly Found[]>}
 */
async function check(since) {
  const args = ['check', ...paths, ...judging, ...severities, ...since];
  const { code, out, err } = await podium([...args, '--format', 'github']);
  stdout.write(out);
  if (code === 2) fault(err);
  else said(err);
  // What was not checked has no line that it could be annotated at.
  if (code === 1) for (const line of err.split('\n').filter((each) => each.includes(': not checked: '))) fault(line);
  worst = Math.max(worst, code);
  const sarif = join(folder, 'podium.sarif');
  const log = await podium([...args, '--format', 'sarif']);
  if (log.code === 2 && log.out === '') return [];
  await writeFile(sarif, log.out);
  await output('sarif-file', sarif);
  return since.length === 0 ? [] : newIn(log.out);
}

/** @param {string} sarif @returns {readonly Found[]} */
function newIn(sarif) {
  const [run] = JSON.parse(sarif).runs;
  return run.results
    .filter((/** @type {any} */ each) => each.baselineState === 'new')
    .map((/** @type {any} */ { ruleId, ruleIndex, level, message, locations }) => ({
      rule: ruleId,
      url: run.tool.driver.rules[ruleIndex]?.helpUri ?? '',
      level,
      message: message.text,
      path: locations[0].physicalLocation.artifactLocation.uri,
      line: locations[0].physicalLocation.region.startLine,
    }));
}

/**
 * @param {readonly string[]} since
 * @param {{ base: string, pull: number | null, head: string }} event
 * @param {readonly Found[]} found
 */
async function compare(since, { pull, head }, found) {
  const failing = (env['PODIUM_FAIL_ON'] ?? '') === '' ? [] : ['--fail-on', env['PODIUM_FAIL_ON'] ?? ''];
  const args = ['simulate', ...paths, ...judging, ...since, '--format', 'markdown', ...failing];
  const { code, out, err } = await podium(args);
  worst = Math.max(worst, code);
  if (code === 2) {
    fault(err);
    return;
  }
  said(err);
  if (code === 1) for (const line of err.split('\n').filter((each) => each.includes(': not seen: '))) fault(line);
  const report = join(folder, 'podium.md');
  await writeFile(report, out);
  await output('report-file', report);
  const isUnchanged = out.trim().split('\n').length === 1 && found.length === 0;
  const text = commentText(linked(out, head), found, since[1] ?? '', head);
  const written = env['PODIUM_COMMENT'] !== 'false' && pull !== null && (await comment(pull, text, isUnchanged));
  if (!written) await appendTo('GITHUB_STEP_SUMMARY', `${text}\n`);
}

/**
 * The change first, one screen before the first fold, and links to what it is about.
 *
 * @param {string} report @param {readonly Found[]} found @param {string} base @param {string} head
 */
function commentText(report, found, base, head) {
  const at = report.indexOf('\n<details>');
  const answer = (at < 0 ? report : report.slice(0, at)).trim().split('\n\n');
  const folds = at < 0 ? '' : report.slice(at).trim();
  const [heading = '', ...blocks] = answer;
  const problems = problemList(found, head);
  let room = screen - heading.split('\n').length - problems.split('\n').length;
  const shown = [];
  while (blocks[0] !== undefined && (room -= blocks[0].split('\n').length + 1) >= 0) shown.push(blocks.shift());
  const more = blocks.length === 0 ? '' : `<details><summary>More</summary>\n\n${blocks.join('\n\n')}\n\n</details>`;
  const first = [heading, problems, ...shown].filter(Boolean).join('\n\n');
  const last = footer(base, head);
  const whole = [first, more, folds, last].filter(Boolean).join('\n\n');
  // What is left out is in the file of the report.
  return whole.length < longest ? whole : [first.slice(0, longest - 1000), last].join('\n\n');
}

/**
 * The report with its places as links to their lines; what the change has removed has none.
 *
 * @param {string} report @param {string} head
 */
function linked(report, head) {
  if (head === '') return report;
  return report.replace(/(?<=· )`([^`\n]+):(\d+)`/g, (place, path, line) => {
    const way = path.split('/').map(encodeURIComponent).join('/');
    return existsSync(path) ? `[${place}](${address(`blob/${head}/${way}#L${line}`)})` : place;
  });
}

/** @param {readonly Found[]} found @param {string} head */
function problemList(found, head) {
  if (found.length === 0) return '';
  const items = found.slice(0, mostProblems).map(({ rule, url, level, message, path, line }) => {
    const place = `${decodeURIComponent(path)}:${line}`;
    const link = head === '' ? escaped(place) : `[${escaped(place)}](${address(`blob/${head}/${path}#L${line}`)})`;
    return `- ${link} ${level}: ${escaped(message)} (${url === '' ? rule : `[${rule}](${url})`})`;
  });
  const rest = found.length - items.length;
  const more = rest === 0 ? [] : [`- and ${rest} more, in the annotations`];
  return [`**New problems: ${found.length}**`, '', ...items, ...more].join('\n');
}

/** Which job wrote it, and what was compared. @param {string} base @param {string} head */
function footer(base, head) {
  const parts = [key];
  if (/^[0-9a-f]{7,}$/.test(base) && head !== '') {
    parts.push(`[${base.slice(0, 7)}…${head.slice(0, 7)}](${address(`compare/${base}...${head}`)})`);
  }
  if ((env['GITHUB_RUN_ID'] ?? '') !== '') parts.push(`[log](${address(`actions/runs/${env['GITHUB_RUN_ID']}`)})`);
  const text = parts.filter(Boolean).join(' · ');
  return text === '' ? '' : `<sub>Podium · ${text}</sub>`;
}

/** @param {string} path in the repository of the job */
function address(path) {
  return `${env['GITHUB_SERVER_URL'] ?? 'https://github.com'}/${env['GITHUB_REPOSITORY']}/${path}`;
}

/** Text, whatever Markdown would read in it. @param {string} text */
function escaped(text) {
  return text
    .replace(/[\r\n]+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_{}[\]#|~>@]/g, '\\$&')
    .replace(/[@#](?=\w)/g, '$&&#8203;');
}

/**
 * The commits that a pull request is made against and ends with, and its number; nothing of them for other events.
 *
 * @returns {Promise<{ base: string, head: string, pull: number | null }>}
 */
async function readEvent() {
  const file = env['GITHUB_EVENT_PATH'] ?? '';
  if (file === '') return { base: '', head: '', pull: null };
  const { pull_request: pull } = JSON.parse(await readFile(file, 'utf8'));
  if (pull === undefined) return { base: '', head: '', pull: null };
  return { base: pull.base.sha, head: pull.head?.sha ?? '', pull: pull.number };
}

/**
 * The commit that the change begins at: what is merged into is often older in the event, or newer than the branch, and
 * what others have merged meanwhile is no part of the change.
 *
 * @param {{ base: string, head: string }} event
 */
async function startOf({ base, head }) {
  if (base === '') return '';
  const [, into = '', merged] = (await git('rev-list', '--parents', '-n', '1', 'HEAD')).split(' ');
  return (head !== '' && merged === head ? into : await git('merge-base', base, 'HEAD')) || base;
}

/** @param {readonly string[]} args @returns {Promise<string>} empty where git does not know */
async function git(...args) {
  try {
    return (await promisify(execFile)('git', args)).stdout.trim();
  } catch {
    return '';
  }
}

/**
 * Writes the one comment, anew or over the last one.
 *
 * @param {number} pull @param {string} text @param {boolean} isUnchanged
 * @returns {Promise<boolean>} false where that is not allowed
 */
async function comment(pull, text, isUnchanged) {
  const body = JSON.stringify({ body: `${marker}\n${text}` });
  const issue = `/repos/${env['GITHUB_REPOSITORY']}/issues`;
  const author = await ownName();
  let known = null;
  for (let page = 1; known === null; page++) {
    const answer = await github('GET', `${issue}/${pull}/comments?per_page=100&page=${page}`);
    if (answer === null) return false;
    // Anybody may begin a comment so; what others write is left alone.
    known =
      answer.find(
        (/** @type {{ body?: string, user?: { login?: string } | null }} */ each) =>
          each.body?.startsWith(`${marker}\n`) && each.user?.login === author,
      ) ?? null;
    if (answer.length < 100) break;
  }
  // Nothing has changed, and nothing else was said before.
  if (known === null && isUnchanged) return true;
  const answer =
    known === null
      ? await github('POST', `${issue}/${pull}/comments`, body)
      : await github('PATCH', `${issue}/comments/${known.id}`, body);
  return answer !== null;
}

/** Who writes comments with the token: a user, or an app, which may not ask who it is. */
async function ownName() {
  const named = env['PODIUM_AUTHOR'] ?? '';
  if (named !== '') return named;
  const user = await github('GET', '/user');
  return typeof user?.login === 'string' ? user.login : 'github-actions[bot]';
}

/**
 * @param {string} method @param {string} path @param {string} [body]
 * @returns {Promise<any>} null where the token may not do it
 */
async function github(method, path, body) {
  const response = await fetch(`${env['GITHUB_API_URL'] ?? 'https://api.github.com'}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env['PODIUM_TOKEN'] ?? ''}`,
      'content-type': 'application/json',
      'x-github-api-version': '2022-11-28',
    },
    ...(body === undefined ? {} : { body }),
  });
  if ([401, 403, 404].includes(response.status)) return null;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number, out: string, err: string }>}
 */
async function podium(args) {
  try {
    const done = await promisify(execFile)(process.execPath, [env['PODIUM'] ?? '', ...args], { maxBuffer: maxOutput });
    return { code: 0, out: done.stdout, err: done.stderr };
  } catch (error) {
    const { code, stdout: out = '', stderr: err = '' } = /** @type {any} */ (error);
    return typeof code === 'number' ? { code, out, err } : { code: 2, out, err: err === '' ? String(error) : err };
  }
}

/** @param {string} name @param {string} value */
function output(name, value) {
  return appendTo('GITHUB_OUTPUT', `${name}=${value}\n`);
}

/** @param {'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY'} variable @param {string} text */
async function appendTo(variable, text) {
  const file = env[variable] ?? '';
  if (file === '') said(text);
  else await appendFile(file, text);
}

/** What stands in the log of the job; nothing in it is a command to the runner. @param {string} text */
function said(text) {
  if (text === '') return;
  const token = randomUUID();
  stdout.write(`::stop-commands::${token}\n${text.trimEnd()}\n::${token}::\n`);
}

/** @param {string} text */
function fault(text) {
  stdout.write(`::error title=Podium::${command(text)}\n`);
}

/** As the data of a workflow command. Source: @actions/core, escapeData. @param {string} text */
function command(text) {
  return text.trim().replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** @param {string} name @param {string | undefined} value */
function option(name, value = '') {
  return value === '' ? [] : [`${name}=${value}`];
}

/** @param {string} text */
function lines(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
