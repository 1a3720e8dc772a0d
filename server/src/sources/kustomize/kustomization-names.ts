/** The names that kustomize looks for in a folder. Source: api/konfig/general.go RecognizedKustomizationFileNames */
export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
