/** What an object says that it is. */
interface Types {
  readonly apiVersion: string;
  readonly kind: string;
}

const argo = 'argoproj.io/';

/** Whether an object of Flux or Argo CD says what is applied. */
export function isDelivery(object: Types): boolean {
  return isFluxKustomization(object) || isHelmRelease(object) || isApplication(object) || isApplicationSet(object);
}

export function isFluxKustomization({ apiVersion, kind }: Types): boolean {
  return kind === 'Kustomization' && apiVersion.startsWith('kustomize.toolkit.fluxcd.io/');
}

export function isHelmRelease({ apiVersion, kind }: Types): boolean {
  return kind === 'HelmRelease' && apiVersion.startsWith('helm.toolkit.fluxcd.io/');
}

export function isApplication({ apiVersion, kind }: Types): boolean {
  return kind === 'Application' && apiVersion.startsWith(argo);
}

function isApplicationSet({ apiVersion, kind }: Types): boolean {
  return kind === 'ApplicationSet' && apiVersion.startsWith(argo);
}
