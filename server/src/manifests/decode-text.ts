import { say } from '../util/say.ts';

/** Why a file that git-crypt has encrypted is not read. */
export const ofGitCrypt = 'is encrypted by git-crypt';

/** How such a file begins. Source: AGWA/git-crypt, commands.cpp (clean) */
const gitCryptHeader = '\0GITCRYPT\0';

/** The text of a file, or why its bytes are no text that Podium reads: part of a sentence. */
export type DecodedText = { readonly text: string } | { readonly error: string };

/** As `TextDecoding`, of all bytes at once. */
export function decodeText(bytes: Uint8Array): DecodedText {
  return new TextDecoding().decode(bytes, true);
}

type Decoder = InstanceType<typeof TextDecoder>;

/** The longest character of UTF-8, in bytes. */
const longest = 4;

/**
 * Decodes UTF-8, and UTF-16 with a byte order mark, as Windows PowerShell writes it, piece by piece. Without that mark
 * go-yaml reads UTF-8 too; anything else is refused, as it refuses it, and not guessed.
 * Source: sigs.k8s.io/yaml/goyaml.v2/readerc.go (yaml_parser_determine_encoding)
 */
export class TextDecoding {
  /** Bytes of a character that is not whole yet, or too few to tell the encoding. */
  #rest: Uint8Array = new Uint8Array();
  #done = 0;
  #utf16: { readonly name: string; readonly decoder: Decoder } | null = null;
  #begun = false;

  /** How many bytes of UTF-8 the texts stand for that were given out; null in another encoding. */
  get done(): number | null {
    return this.#utf16 === null ? this.#done : null;
  }

  /** The text of further bytes; of a character that they end within, it comes with the next. */
  decode(bytes: Uint8Array, isLast: boolean): DecodedText {
    const joined = this.#rest.length === 0 ? bytes : concat(this.#rest, bytes);
    if (!this.#begun) {
      if (joined.length < longest && !isLast) {
        this.#rest = new Uint8Array(joined);
        return { text: '' };
      }
      this.#begun = true;
      const found = encodingOf(joined);
      if ('error' in found) return found;
      this.#utf16 = found.utf16 === null ? null : { name: found.utf16, decoder: strictDecoder(found.utf16) };
    }
    return this.#utf16 === null ? this.#utf8(joined, isLast) : this.#decode16(joined, isLast, this.#utf16);
  }

  #utf8(bytes: Uint8Array, isLast: boolean): DecodedText {
    const end = isLast ? bytes.length : wholeUntil(bytes);
    const whole = bytes.subarray(0, end);
    const text = utf8(whole);
    if (text === null) {
      const wrong = firstWrongByte(whole);
      const byte = (whole[wrong] ?? 0).toString(16).padStart(2, '0').toUpperCase();
      return unsupported(
        say`an encoding that is not UTF-8, such as Windows-1252 (byte 0x${byte} at ${this.#done + wrong})`,
      );
    }
    // Whoever reads may use the same memory for what comes next.
    this.#rest = new Uint8Array(bytes.subarray(end));
    this.#done += end;
    return { text };
  }

  #decode16(
    bytes: Uint8Array,
    isLast: boolean,
    { name, decoder }: { readonly name: string; readonly decoder: Decoder },
  ): DecodedText {
    this.#rest = new Uint8Array();
    try {
      return { text: decoder.decode(bytes, { stream: !isLast }) };
    } catch {
      return { error: say`begins as ${name.toUpperCase()} and does not go on as that` };
    }
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of UTF-8, with a byte order mark that it may begin with; null for what is none. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function strictDecoder(encoding: string): Decoder {
  return new TextDecoder(encoding, { fatal: true });
}

type Encoding = { readonly utf16: 'utf-16le' | 'utf-16be' | null } | { readonly error: string };

/** By the first bytes of a text. */
function encodingOf(bytes: Uint8Array): Encoding {
  const [first = -1, second = -1, third = -1, fourth = -1] = bytes;
  const head = String.fromCharCode(...bytes.subarray(0, gitCryptHeader.length));
  if (head.length >= longest && gitCryptHeader.startsWith(head)) return { error: ofGitCrypt };
  if (first === 0xff && second === 0xfe) {
    return third === 0 && fourth === 0 ? unsupported('UTF-32LE') : { utf16: 'utf-16le' };
  }
  if (first === 0xfe && second === 0xff) return { utf16: 'utf-16be' };
  if (first === 0 && second === 0) return unsupported('UTF-32BE');
  // Source: YAML 1.2.2, 5.2 Character Encodings: the first character of a stream is an ASCII character.
  if (bytes.length > 1 && second === 0) return unsupported(say`UTF-16LE without a byte order mark`);
  if (bytes.length > 1 && first === 0) return unsupported(say`UTF-16BE without a byte order mark`);
  return first === 0x1f && second === 0x8b ? unsupported('gzip') : { utf16: null };
}

function unsupported(encoding: string): { readonly error: string } {
  return { error: say`is written in ${encoding}; Podium reads UTF-8, and UTF-16 with a byte order mark` };
}

/** The end of the last character that is whole. */
function wholeUntil(bytes: Uint8Array): number {
  for (let back = 1; back < longest && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    // A first byte says how many there are.
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Where text stops being UTF-8. */
function firstWrongByte(bytes: Uint8Array): number {
  let right = 0;
  let wrong = bytes.length;
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (isUtf8Start(bytes.subarray(0, middle))) right = middle;
    else wrong = middle;
  }
  // Of a character that does not go on, the first byte is the wrong one.
  while (utf8(bytes.subarray(0, right)) === null) right--;
  return right;
}

/** Whether bytes are UTF-8 that may be cut within its last character. */
function isUtf8Start(bytes: Uint8Array): boolean {
  return [0, 1, 2, 3].some((cut) => {
    if (utf8(bytes.subarray(0, bytes.length - cut)) === null) return false;
    return (
      cut === 0 ||
      bytes.subarray(bytes.length - cut).every((byte, at) => (at === 0 ? byte >= 0xc2 : byte < 0xc0 && byte >= 0x80))
    );
  });
}
