import { type AdmissionPlugin, admissionPlugins } from '../admission/pods/hard-anti-affinity.ts';
import { type Gates, gatesOf } from '../kubernetes/feature-gates.ts';
import { oneOf } from './arguments.ts';
import { UsageError } from './command.ts';

/** The names of `--admission-plugins`. Throws `UsageError`. */
export function parseAdmissionPlugins(words: string | undefined): readonly AdmissionPlugin[] {
  return (words?.split(',') ?? []).map((word) => oneOf('--admission-plugins', word, [...admissionPlugins]));
}

/** What `--feature-gates` switches. Throws `UsageError`. */
export function parseFeatureGates(text: string | undefined): Gates {
  const gates = gatesOf(text ?? '');
  if (typeof gates === 'string') throw new UsageError(`--feature-gates: ${gates}`);
  return gates;
}
