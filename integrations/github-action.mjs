/**
 * What the action does, with nothing but Node: `check --since` as annotations and SARIF, `simulate --since` as one comment on
 * the pull request that is kept up to date. Where it may not write (a pull request from a fork), the job summary has
 * the text. Exit codes: 0, 1 for what was found or could not be seen, 2 where Podium could not run.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, exit, stdout } from 'node:process';
import { promisify } from 'node:util';

/** By which the comment is found again. */
const marker = '<!-- podium -->';
const maxOutput = 256 * 1024 * 1024;

const paths = lines(env['PODIUM_PATH'] ?? '.');
const snapshot = (env['PODIUM_SNAPSHOT'] ?? '') === '' ? [] : ['--snapshot', env['PODIUM_SNAPSHOT'] ?? ''];
const folder = env['RUNNER_TEMP'] ?? '.';
let worst = 0;

try {
  const event = await readEvent();
  const base = (env['PODIUM_BASE'] ?? '') === '' ? event.base : (env['PODIUM_BASE'] ?? '');
  const since = base === '' ? [] : ['--since', base];
  if (env['PODIUM_CHECK'] !== 'false') await check(since);
  await compare(since, event.pull);
} catch (error) {
  fault(error instanceof Error ? error.message : String(error));
  worst = 2;
}
exit(worst);

/**
 * Annotations for people, SARIF for code scanning; of a pull request only what is new.
 *
 * @param {readonly string[]} since
 */
async function check(since) {
  const args = ['check', ...paths, ...snapshot, ...since];
  const { code, out, err } = await podium([...args, '--format', 'github']);
  stdout.write(out);
  if (code === 2) fault(err);
  else said(err);
  // What was not checked has no line that it could be annotated at.
  if (code === 1) for (const line of err.split('\n').filter((each) => each.includes(': not checked: '))) fault(line);
  worst = Math.max(worst, code);
  const sarif = join(folder, 'podium.sarif');
  const log = await podium([...args, '--format', 'sarif']);
  if (log.code === 2 && log.out === '') return;
  await writeFile(sarif, log.out);
  await output('sarif-file', sarif);
}

/** @param {readonly string[]} since @param {number | null} pull */
async function compare(since, pull) {
  const failing = (env['PODIUM_FAIL_ON'] ?? '') === '' ? [] : ['--fail-on', env['PODIUM_FAIL_ON'] ?? ''];
  const args = ['simulate', ...paths, ...snapshot, ...since, '--format', 'markdown', ...failing];
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
  const written = env['PODIUM_COMMENT'] !== 'false' && pull !== null && (await comment(pull, out));
  if (!written) await appendTo('GITHUB_STEP_SUMMARY', out);
}

/**
 * The commit that a pull request is made against, and its number; nothing of either for other events.
 *
 * @returns {Promise<{ base: string, pull: number | null }>}
 */
async function readEvent() {
  const file = env['GITHUB_EVENT_PATH'] ?? '';
  if (file === '') return { base: '', pull: null };
  const { pull_request: pull } = JSON.parse(await readFile(file, 'utf8'));
  return pull === undefined ? { base: '', pull: null } : { base: pull.base.sha, pull: pull.number };
}

/**
 * Writes the one comment, anew or over the last one.
 *
 * @param {number} pull @param {string} text
 * @returns {Promise<boolean>} false where that is not allowed
 */
async function comment(pull, text) {
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
          each.body?.startsWith(marker) && each.user?.login === author,
      ) ?? null;
    if (answer.length < 100) break;
  }
  // Nothing has changed, which nobody needs to be told who was told nothing else before.
  if (known === null && text.trim().split('\n').length === 1) return true;
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
    return { code: typeof code === 'number' ? code : 2, out, err: err === '' ? String(error) : err };
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

/** @param {string} text */
function lines(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
