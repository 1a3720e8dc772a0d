import type { ManifestObject } from './manifest.ts';

/** Whether not even the kind of an object can be read. Source: getsops/sops, aes/cipher.go */
export function isEncrypted({ kind }: Pick<ManifestObject, 'kind'>): boolean {
  return /^ENC\[[A-Z]/.test(kind);
}
