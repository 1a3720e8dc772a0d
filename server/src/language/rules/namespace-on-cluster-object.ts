import { say } from '../../util/say.ts';
import { valueAt } from '../../util/values.ts';
import { fixAt, removeEntry } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';

const path = ['metadata', 'namespace'];

export const namespaceOnClusterObject: ObjectRule = {
  code: 'namespace-on-cluster-object',
  title: 'An object that belongs to no namespace names one',
  // On creation the API server drops it without a word.
  // Source: EnsureObjectNamespaceMatchesRequestNamespace in staging/src/k8s.io/apiserver/pkg/registry/rest/meta.go
  severity: 'hint',
  scope: 'object',
  *check({ fact }) {
    const namespace = valueAt(fact.manifest.value, path);
    // A kustomization sets it on all that it makes.
    if (fact.manifest.rendering?.isWrittenHere(path) === false) return;
    if (fact.namespace !== '' || typeof namespace !== 'string' || namespace === '') return;
    yield findingAt(fact, path, say`No ${fact.kind} belongs to a namespace; this one is ignored.`);
  },
  isFixSafe: true,
  fix: fixAt((fact) => [{ title: say`Remove the namespace`, preferred: true, edits: [removeEntry(fact, path)] }]),
};
