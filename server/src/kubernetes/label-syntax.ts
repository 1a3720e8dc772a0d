// Lengths need no count of bytes: whatever these patterns accept is ASCII.
const name = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Whether a text can be a label key or a resource name. Source: apimachinery/pkg/util/validation IsQualifiedName */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return isName(text);
  return slash <= 253 && subdomain.test(text.slice(0, slash)) && isName(text.slice(slash + 1));
}

/** Whether a text can be the value of a label. Source: apimachinery/pkg/util/validation IsValidLabelValue */
export function isLabelValue(text: string): boolean {
  return text === '' || isName(text);
}

function isName(text: string): boolean {
  return text.length <= 63 && name.test(text);
}
