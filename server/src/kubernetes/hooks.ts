import { own } from '../util/own.ts';
import type { KubeObject } from './objects.ts';

/** What annotations of an object ask of the tool that delivers it: Helm, Argo CD or Flux. */

const helmHook = 'helm.sh/hook';
const argoHook = 'argocd.argoproj.io/hook';

/** Hooks of Helm that run neither at an install nor at an upgrade. Source: helm, pkg/release/v1/hook.go */
const laterOfHelm: ReadonlySet<string> = new Set([
  'pre-delete',
  'post-delete',
  'pre-rollback',
  'post-rollback',
  'test',
  'test-success',
  'test-failure',
]);

/** Source: argo-cd, docs/user-guide/sync-waves.md */
const laterOfArgo: ReadonlySet<string> = new Set(['Skip', 'SyncFail', 'PreDelete', 'PostDelete']);

/** Whether an object is a hook that does not run when all goes well: a test, or at a deletion, a rollback, a failure. */
export function isHookOfLater(object: KubeObject): boolean {
  const ofArgo = namesIn(object, argoHook);
  if (ofArgo.length > 0) return ofArgo.every((name) => laterOfArgo.has(name));
  const ofHelm = namesIn(object, helmHook);
  return ofHelm.length > 0 && ofHelm.every((name) => laterOfHelm.has(name));
}

/** Whether an object is a hook: what it runs has ended once its release is installed. */
export function isHook(object: KubeObject): boolean {
  return namesIn(object, helmHook).length > 0 || namesIn(object, argoHook).some((name) => name !== 'Skip');
}

/** Whether an object is a hook that runs at each upgrade: before anything else changes, or later. */
export function hookOfUpgrades(object: KubeObject): 'first' | 'later' | undefined {
  const names = [...namesIn(object, helmHook), ...namesIn(object, argoHook)];
  if (names.some((name) => name === 'pre-upgrade' || name === 'PreSync')) return 'first';
  return names.some((name) => name === 'post-upgrade' || name === 'Sync' || name === 'PostSync') ? 'later' : undefined;
}

/**
 * Whether the tool that delivers an object deletes it and creates it again, where the API server would refuse the
 * change: hooks by default, others where an annotation asks for it.
 * Source: helm, pkg/action/hooks.go (before-hook-creation); argo-cd, docs/user-guide/sync-waves.md (hook deletion) and
 * sync-options.md (Replace=true with Force=true); fluxcd/kustomize-controller, docs (force: enabled)
 */
export function isMadeAnew(object: KubeObject): boolean {
  if (isHook(object)) return true;
  const options = namesIn(object, 'argocd.argoproj.io/sync-options');
  if (options.includes('Force=true') && options.includes('Replace=true')) return true;
  return namesIn(object, 'kustomize.toolkit.fluxcd.io/force').some((word) => word.toLowerCase() === 'enabled');
}

/** The words of an annotation, which are divided by commas. */
function namesIn({ metadata }: KubeObject, annotation: string): readonly string[] {
  const text: unknown = own(metadata?.annotations, annotation);
  if (typeof text !== 'string') return [];
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
