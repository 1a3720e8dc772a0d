/** Whether a number is enough; null when nobody can tell any more. */
type IsEnough = (amount: number) => Generator<void, boolean | null>;

/**
 * The smallest number that is enough, where more is never less: from a guess upwards or downwards in steps that double,
 * then by halves. Null when even `most` is not enough; `unknown` when the question could not be answered to the end.
 */
export function* fewest(guess: number, most: number, isEnough: IsEnough): Generator<void, number | null | 'unknown'> {
  let low = 0;
  let high = Math.min(Math.max(1, guess), most);
  let step = 1;
  for (;;) {
    const enough = yield* isEnough(high);
    if (enough === null) return 'unknown';
    if (enough) break;
    if (high === most) return null;
    low = high;
    high = Math.min(most, high + step);
    step *= 2;
  }
  for (step = 1; low === 0 && high > 1; step *= 2) {
    const probe = Math.max(1, high - step);
    const enough = yield* isEnough(probe);
    if (enough === null) return 'unknown';
    if (enough) high = probe;
    else low = probe;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const enough = yield* isEnough(middle);
    if (enough === null) return 'unknown';
    if (enough) high = middle;
    else low = middle;
  }
  return high;
}
