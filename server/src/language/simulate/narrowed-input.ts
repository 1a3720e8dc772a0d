import type { SimulationInput } from '../../simulation/cluster/input.ts';

/** Whether a file is at a place, or below it. Both are canonical URIs. */
export function isAt(place: string, uri: string): boolean {
  return uri === place || uri.startsWith(`${place}/`);
}

/** @param places null for everywhere */
export function below(places: readonly string[] | null): (uri: string | undefined) => boolean {
  return (uri) => uri === undefined || places === null || places.some((place) => isAt(place, uri));
}

/** What a simulation is made from, of some files only. */
export function narrowed(input: SimulationInput, isAsked: (uri: string | undefined) => boolean): SimulationInput {
  return {
    ...input,
    workspace: input.workspace.filter(({ origin }) => isAsked(origin?.uri)),
    ...(input.unseen === undefined ? {} : { unseen: input.unseen.filter(({ origin }) => isAsked(origin?.uri)) }),
  };
}
