import { own } from '../util/own.ts';
import type { Json } from './json.ts';

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
 * A duration such as `1m30s` in milliseconds, null where nothing is written, or the text of the refusal.
 * Source: apimachinery/pkg/apis/meta/v1/duration.go (UnmarshalJSON), Go's time.ParseDuration
 */
export function parseDuration(value: Json): number | string | null {
  if (value === null) return null;
  if (typeof value !== 'string') {
    const token = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return `json: cannot unmarshal ${token} into Go value of type string`;
  }
  if (!duration.test(value)) return `time: invalid duration ${JSON.stringify(value)}`;
  let sum = 0;
  for (const [, amount, unit] of value.replace(/^[-+]/, '').matchAll(parts)) {
    sum += Number(amount) * own(milliseconds, unit!)!;
  }
  return value.startsWith('-') ? -sum : sum;
}

/** Seconds as Go prints a duration: `14s`, `1m30s`, `2h0m0s`. Source: Go's time.Duration.String */
export function formatDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = `${seconds % 60}s`;
  return `${hours === 0 ? '' : `${hours}h`}${hours + minutes === 0 ? '' : `${minutes}m`}${rest}`;
}
