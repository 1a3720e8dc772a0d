/**
 * What Go has where a field is absent. The decoder fills in the fields that the API requires; objects that come about
 * in other ways may lack them, and are then judged by their zero value all the same.
 */

export function goString(value: string | undefined): string {
  return value ?? '';
}

export function goNumber(value: number | undefined): number {
  return value ?? 0;
}

export function goList<T>(value: readonly T[] | undefined): readonly T[] {
  return value ?? [];
}
