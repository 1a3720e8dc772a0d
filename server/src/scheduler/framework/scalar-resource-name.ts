/** `requests.` + name must stay a qualified name: at most 63 characters after the slash, 253 before it. */
const qualifiedName = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Whether the scheduler keeps account of this resource besides cpu, memory, ephemeral-storage and pods. Every other
 * name is dropped without a word.
 * Source: pkg/apis/core/v1/helper/helpers.go (IsScalarResourceName)
 */
export function isScalarResourceName(name: string): boolean {
  return (
    isExtendedResourceName(name) ||
    name.startsWith('hugepages-') ||
    name.includes('kubernetes.io/') ||
    name.startsWith('attachable-volumes-')
  );
}

/** Source: pkg/apis/core/v1/helper/helpers.go (IsExtendedResourceName) */
export function isExtendedResourceName(name: string): boolean {
  if (!name.includes('/') || name.includes('kubernetes.io/') || name.startsWith('requests.')) return false;
  const parts = `requests.${name}`.split('/');
  if (parts.length !== 2) return false;
  const [prefix, base] = parts as [string, string];
  return prefix.length <= 253 && dnsSubdomain.test(prefix) && base.length <= 63 && qualifiedName.test(base);
}
