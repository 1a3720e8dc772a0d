/** Several errors as one text, each told once. Source: k8s.io/apimachinery/pkg/util/errors (Aggregate.Error) */
export function aggregateErrors(texts: Iterable<string>): string {
  const told = [...new Set(texts)];
  return told.length === 1 ? told[0]! : `[${told.join(', ')}]`;
}
