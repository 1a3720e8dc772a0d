import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Json, Path } from '../../kubernetes/json.ts';
import { wrongType } from './problems.ts';

const milliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const duration = /^[-+]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;
const parts = /([\d.]+)([a-zµμ]+)/gy;

/**
 * A duration such as `1m30s` in milliseconds; undefined where nothing is written or it cannot be read, which is then a
 * problem. Source: apimachinery/pkg/apis/meta/v1/duration.go (UnmarshalJSON), Go's time.ParseDuration
 */
export function readDuration(value: Json | undefined, path: Path, problems: FieldError[]): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') {
    const token = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    problems.push(wrongType(path, `json: cannot unmarshal ${token} into Go value of type string`));
    return undefined;
  }
  if (!duration.test(value)) {
    problems.push(wrongType(path, `time: invalid duration ${JSON.stringify(value)}`));
    return undefined;
  }
  let sum = 0;
  for (const [, amount, unit] of value.replace(/^[-+]/, '').matchAll(parts)) {
    sum += Number(amount) * milliseconds[unit!]!;
  }
  return value.startsWith('-') ? -sum : sum;
}
