import { addQuantities, isQuantityError, parseQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import { UsageError } from '../command.ts';

const nanosOfByte = 1_000_000_000n;

/** `NAMESPACE/POD` → working set of memory. */
export type MemoryUsage = ReadonlyMap<string, Quantity>;

/**
 * Reads usage by pod, a pod a line: as `kubectl top pod -A` prints it (NAMESPACE NAME CPU MEMORY, with or without its
 * header; the lines of `--containers` are added up), or as `NAMESPACE/POD=QUANTITY`. Throws `UsageError` for a line
 * that is neither.
 */
export function readUsage(text: string, label: string): MemoryUsage {
  const usage = new Map<string, Quantity>();
  let hasContainers = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const words = line.trim().split(/\s+/);
    if (words[0] === '' || words[0]?.startsWith('#') === true) continue;
    if (words[0] === 'NAMESPACE') {
      hasContainers = words.includes('POD');
      continue;
    }
    const place = `${label}:${index + 1}`;
    const entry = words.length === 1 ? readUsageWord(words[0] ?? '', place) : readColumns(words, hasContainers, place);
    const known = usage.get(entry.pod);
    usage.set(entry.pod, known === undefined || !hasContainers ? entry.memory : addQuantities(known, entry.memory));
  }
  return usage;
}

interface UsageOfPod {
  readonly pod: string;
  readonly memory: Quantity;
}

/** Reads `NAMESPACE/POD=QUANTITY`. Throws `UsageError`. */
export function readUsageWord(word: string, place: string): UsageOfPod {
  const [pod = '', amount, ...rest] = word.split('=');
  if (amount === undefined || rest.length > 0 || !/^[^/]+\/[^/]+$/.test(pod)) {
    throw new UsageError(
      `${place}: expected NAMESPACE/POD=QUANTITY or a line of kubectl top pod -A, not '${word}'`,
      true,
    );
  }
  return { pod, memory: readMemory(amount, place) };
}

/** NAMESPACE NAME CPU(cores) MEMORY(bytes); with `--containers` the container's name stands third. */
function readColumns(words: readonly string[], hasContainers: boolean, place: string): UsageOfPod {
  const [namespace, name] = words;
  const memory = words[hasContainers ? 4 : 3];
  if (namespace === undefined || name === undefined || memory === undefined) {
    throw new UsageError(`${place}: not a line of kubectl top pod -A: '${words.join(' ')}'`, true);
  }
  return { pod: `${namespace}/${name}`, memory: readMemory(memory, place) };
}

function readMemory(text: string, place: string): Quantity {
  const quantity = parseQuantity(text);
  if (isQuantityError(quantity)) throw new UsageError(`${place}: '${text}' is not a quantity`, true);
  if (quantity.nanos < 0n) throw new UsageError(`${place}: '${text}' is less than nothing`, true);
  if (quantity.nanos > 0n && quantity.nanos < nanosOfByte) {
    throw new UsageError(`${place}: '${text}' is less than a byte; 900Mi are mebibytes, 900m are thousandths`, true);
  }
  return quantity;
}
