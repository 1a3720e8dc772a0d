import { isUtf8 } from 'node:buffer';

/** The text of a file, or why its bytes are no text that Podium reads: part of a sentence. */
export type DecodedText = { readonly text: string } | { readonly error: string };

/**
 * Decodes UTF-8, and UTF-16 with a byte order mark, as Windows PowerShell writes it. Without that mark go-yaml reads
 * UTF-8 too; anything else is refused, as it refuses it, and not guessed.
 * Source: sigs.k8s.io/yaml/goyaml.v2/readerc.go (yaml_parser_determine_encoding)
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first = -1, second = -1, third = -1, fourth = -1] = bytes;
  if (first === 0xff && second === 0xfe) {
    if (third === 0 && fourth === 0) return unsupported('UTF-32LE');
    return decodeUtf16(bytes, 'utf-16le');
  }
  if (first === 0xfe && second === 0xff) return decodeUtf16(bytes, 'utf-16be');
  if (first === 0 && second === 0) return unsupported('UTF-32BE');
  // Source: YAML 1.2.2, 5.2 Character Encodings: the first character of a stream is an ASCII character.
  if (bytes.length > 1 && second === 0) return unsupported('UTF-16LE without a byte order mark');
  if (bytes.length > 1 && first === 0) return unsupported('UTF-16BE without a byte order mark');
  if (first === 0x1f && second === 0x8b) return unsupported('gzip');
  if (!isUtf8(bytes)) {
    return unsupported(`an encoding that is not UTF-8, such as Windows-1252 (${firstWrongByte(bytes)})`);
  }
  return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') };
}

function unsupported(encoding: string): DecodedText {
  return { error: `is written in ${encoding}; Podium reads UTF-8, and UTF-16 with a byte order mark` };
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    return { error: `begins as ${encoding.toUpperCase()} and does not go on as that` };
  }
}

/** Where text stops being UTF-8. */
function firstWrongByte(bytes: Uint8Array): string {
  let right = 0;
  let wrong = bytes.length;
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (isUtf8Start(bytes.subarray(0, middle))) right = middle;
    else wrong = middle;
  }
  // Of a character that does not go on, the first byte is the wrong one.
  while (!isUtf8(bytes.subarray(0, right))) right--;
  return `byte 0x${(bytes[right] ?? 0).toString(16).padStart(2, '0').toUpperCase()} at ${right}`;
}

/** Whether bytes are UTF-8 that may be cut within its last character. */
function isUtf8Start(bytes: Uint8Array): boolean {
  return [0, 1, 2, 3].some((cut) => {
    if (!isUtf8(bytes.subarray(0, bytes.length - cut))) return false;
    return (
      cut === 0 ||
      bytes.subarray(bytes.length - cut).every((byte, at) => (at === 0 ? byte >= 0xc2 : byte < 0xc0 && byte >= 0x80))
    );
  });
}
