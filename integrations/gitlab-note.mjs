/**
 * `node gitlab-note.mjs FILE`: keeps one note on the merge request of this job, with the text of the file. Nothing is
 * written without PODIUM_NOTE_TOKEN, nor where nothing has changed and there is no note yet.
 */
import { existsSync, readFileSync } from 'node:fs';
import { argv, env, exit } from 'node:process';
import { URL } from 'node:url';

const token = env['PODIUM_NOTE_TOKEN'] ?? '';
if (token === '') exit(0);
const key = (env['PODIUM_KEY'] ?? '').replace(/[^\w. -]/g, '');
const marker = `<!-- podium${key === '' ? '' : `: ${key}`} -->`;
const text = readFileSync(argv[2] ?? 'podium.md', 'utf8');
const notes = `projects/${env['CI_PROJECT_ID']}/merge_requests/${env['CI_MERGE_REQUEST_IID']}/notes`;
const { id: self } = await gitlab('GET', 'user');
const known = await ownNote();
const isUnchanged = text.trim().split('\n').length === 1;
if (known === undefined && isUnchanged) exit(0);
const link = (env['CI_JOB_URL'] ?? '') === '' ? '' : `\n[Log of the job](${env['CI_JOB_URL']})\n`;
const body = { body: `${marker}\n${linked(text)}${link}` };
await (known === undefined ? gitlab('POST', notes, body) : gitlab('PUT', `${notes}/${known.id}`, body));

/** The note that this token wrote before; those of others are left alone, however they begin. */
async function ownNote() {
  for (let page = 1; ; page++) {
    const answer = await gitlab('GET', `${notes}?per_page=100&page=${page}`);
    const found = answer.find(
      (/** @type {{ body: string, author: { id: number } }} */ note) =>
        note.author.id === self && note.body.startsWith(`${marker}\n`),
    );
    if (found !== undefined || answer.length < 100) return found;
  }
}

/** The places of a report as links to their lines; what the change has removed has none. @param {string} report */
function linked(report) {
  if ((env['CI_PROJECT_URL'] ?? '') === '') return report;
  return report.replace(/(?<=· )`([^`\n]+):(\d+)`/g, (place, path, line) => {
    const way = path.split('/').map(encodeURIComponent).join('/');
    return existsSync(path)
      ? `[${place}](${env['CI_PROJECT_URL']}/-/blob/${env['CI_COMMIT_SHA']}/${way}#L${line})`
      : place;
  });
}

/** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
async function gitlab(method, path, body) {
  const url = new URL(path, `${env['CI_API_V4_URL']}/`);
  const headers = { 'private-token': token, 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return response.json();
}
