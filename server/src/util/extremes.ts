/** As `Math.min(...numbers)`, however many: a call takes no more arguments than the stack holds, some 100,000. */
export function least(numbers: Iterable<number>): number {
  let found = Infinity;
  for (const each of numbers) found = Math.min(found, each);
  return found;
}

/** As `Math.max(...numbers)`, however many. */
export function greatest(numbers: Iterable<number>): number {
  let found = -Infinity;
  for (const each of numbers) found = Math.max(found, each);
  return found;
}
