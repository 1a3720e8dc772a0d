/**
 * A glob of VS Code's kind (`**`, `*`, `?`, `{a,b}`, `[a-z]`) as a test of paths with forward slashes, relative to the
 * workspace folder.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  let source = '';
  let braces = 0;
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i]!;
    if (char === '*' && glob[i + 1] === '*') {
      const slash = glob[i + 2] === '/';
      source += slash ? '(?:.*/)?' : '.*';
      i += slash ? 2 : 1;
    } else if (char === '*') {
      source += '[^/]*';
    } else if (char === '?') {
      source += '[^/]';
    } else if (char === '{') {
      braces++;
      source += '(?:';
    } else if (char === '}' && braces > 0) {
      braces--;
      source += ')';
    } else if (char === ',' && braces > 0) {
      source += '|';
    } else if (char === '[' && glob.indexOf(']', i + 1) > i) {
      const end = glob.indexOf(']', i + 1);
      source += `[${glob
        .slice(i + 1, end)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\')}]`;
      i = end;
    } else {
      source += char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
    }
  }
  source += ')'.repeat(braces);
  try {
    const pattern = new RegExp(`^${source}(?:/.*)?$`, 's');
    return (path) => pattern.test(path);
  } catch {
    // A range like `[z-a]` matches nothing.
    return () => false;
  }
}
