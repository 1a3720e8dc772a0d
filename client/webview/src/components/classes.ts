/** Class names: those that always apply, and those whose condition holds. */
export function classes(always: string, ...rest: readonly (readonly [boolean, string])[]): string {
  return [always, ...rest.filter(([on]) => on).map(([, name]) => name)].join(' ');
}
