/** The manual page of the command line, of what its help says first: the options stand there. */
import { execFileSync } from 'node:child_process';

/**
 * In the macros of man(7).
 *
 * @param {string} podium the built program
 * @param {string} version
 */
export function manualPage(podium, version) {
  const helpOf = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [podium, ...args, '--help'], { encoding: 'utf8' });
  const overview = helpOf();
  const names = [...overview.matchAll(/^ {2}podium ([a-z]+) /gm)].map(([, name = '']) => name);
  const sections = names.map((name) => `.SH "PODIUM ${name.toUpperCase()}"\n${asWritten(beginningOf(helpOf(name)))}`);
  return `.TH PODIUM 1 "" "Podium ${version}" "User Commands"
.SH NAME
podium \\- Kubernetes scheduling, explained from files
.SH DESCRIPTION
${asWritten(overview)}
${sections.join('\n')}
`;
}

/** Up to the options. */
function beginningOf(/** @type {string} */ help) {
  const end = help.search(/\n\n[^\n]+:\n {2}/);
  return end < 0 ? help : help.slice(0, end);
}

/** Lines as they are: a point or an apostrophe would begin a request, a backslash an escape. */
function asWritten(/** @type {string} */ text) {
  const lines = text.trimEnd().replaceAll('\\', '\\e').replaceAll('-', '\\-').split('\n');
  return ['.nf', ...lines.map((line) => (/^[.']/.test(line) ? `\\&${line}` : line)), '.fi'].join('\n');
}
