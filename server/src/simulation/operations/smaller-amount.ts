/** A request that is cut by more is none that anybody could follow. */
export const leastOfRequest = 1 / 2;

/** `cpu=250m`; undefined of what containers cannot ask less of, and of so little that they would not work with it. */
export function smallerAmount(resource: string, room: number, least: number): string | undefined {
  if (room < least) return undefined;
  if (resource === 'cpu' && room >= 10) return room % 1000 === 0 ? `cpu=${room / 1000}` : `cpu=${Math.floor(room)}m`;
  const isBytes = resource === 'memory' || resource === 'ephemeral-storage';
  if (!isBytes || room < 1024 ** 2) return undefined;
  return room % 1024 ** 3 === 0 ? `${resource}=${room / 1024 ** 3}Gi` : `${resource}=${Math.floor(room / 1024 ** 2)}Mi`;
}
