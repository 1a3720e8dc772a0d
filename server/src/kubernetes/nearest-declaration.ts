/**
 * Which of several declarations of one object counts for a file: the one in the file itself, else the one in the
 * nearest folder, else the first. Environments kept side by side in one repository declare the same class more than
 * once; each workload is meant for the cluster of its own.
 *
 * @param uriOf where a declaration is written; undefined where that is not known
 */
export function nearestDeclaration<Declaration>(
  declarations: readonly [Declaration, ...Declaration[]],
  uri: string,
  uriOf: (declaration: Declaration) => string | undefined,
): Declaration {
  let [best] = declarations;
  let bestShared = -1;
  for (const declaration of declarations) {
    const declaredIn = uriOf(declaration);
    const shared = declaredIn === undefined ? -1 : sharedFolders(declaredIn, uri);
    if (shared > bestShared) {
      best = declaration;
      bestShared = shared;
    }
  }
  return best;
}

/** How many leading segments two addresses share; most when they are the same file. */
function sharedFolders(a: string, b: string): number {
  if (a === b) return Number.MAX_SAFE_INTEGER;
  const left = a.split('/');
  const right = b.split('/');
  let shared = 0;
  while (shared < left.length - 1 && shared < right.length - 1 && left[shared] === right[shared]) shared += 1;
  return shared;
}

/** With a slash at its end. */
export function folderOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/') + 1);
}

/** Whether the folder of one is that of the other, or within it: what lies there may be meant for both. */
export function areTogether(one: string, other: string): boolean {
  const [a, b] = [folderOf(one), folderOf(other)];
  return a.startsWith(b) || b.startsWith(a);
}
