/** Texts that are kept in files, as base64 of what the platform's gzip makes of them. */

/** Arguments of one call. */
const atOnce = 0x8000;

export async function compressed(text: string): Promise<string> {
  const bytes = new Uint8Array(
    await new Response(new Response(text).body!.pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
  );
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += atOnce) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + atOnce)));
  }
  return btoa(parts.join(''));
}

/** Rejects for what is not compressed. */
export async function decompressed(text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
