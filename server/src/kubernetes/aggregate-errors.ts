/** Several errors as one text, each told once. Source: k8s.io/apimachinery/pkg/util/errors (Aggregate.Error) */
export function aggregateErrors(texts: Iterable<string>): string {
  const lines = [...new Set(texts)];
  return lines.length === 1 ? lines[0]! : `[${lines.join(', ')}]`;
}
