/**
 * What packages look a text up by in place of its English: 32 bits of it (FNV-1a), as a number with letters. A test holds
 * that no two texts have the same.
 */
export function shortKey(english: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < english.length; at++) hash = Math.imul(hash ^ english.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
