import { own } from '../util/own.ts';
import type { KubeObject } from './objects.ts';

/**
 * Whether the tool that delivers an object deletes it and creates it again, where the API server would refuse the
 * change: hooks by default, others where an annotation asks for it.
 * Source: helm, pkg/action/hooks.go (before-hook-creation); argo-cd, docs/user-guide/sync-waves.md (hook deletion) and
 * sync-options.md (Replace=true with Force=true); fluxcd/kustomize-controller, docs (force: enabled)
 */
export function isMadeAnew({ metadata }: KubeObject): boolean {
  const noted = (name: string): string => {
    const text: unknown = own(metadata?.annotations, name);
    return typeof text === 'string' ? text : '';
  };
  if (noted('helm.sh/hook') !== '') return true;
  const hook = noted('argocd.argoproj.io/hook');
  if (hook !== '' && hook !== 'Skip') return true;
  const options = noted('argocd.argoproj.io/sync-options')
    .split(',')
    .map((option) => option.trim());
  if (options.includes('Force=true') && options.includes('Replace=true')) return true;
  return noted('kustomize.toolkit.fluxcd.io/force').toLowerCase() === 'enabled';
}
