import * as z from 'zod/mini';

/** What has a lens besides workloads. */
export const lensesBesides: ReadonlySet<string> = new Set([
  'PriorityClass',
  'PodDisruptionBudget',
  'Node',
  'ResourceQuota',
]);

export const lensTargetSchema = z.object({
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  uri: z.string(),
  /** What tells it from others that are made of the same text: its namespace, or its whole name. */
  label: z.optional(z.string()),
  /** Of what a source made: the target that it is of. */
  target: z.optional(z.string()),
  /** What other targets make of the same text. */
  others: z.optional(z.array(z.object({ namespace: z.string(), name: z.string(), target: z.string() }))),
});
/** The object that a lens stands above. */
export type LensTarget = z.infer<typeof lensTargetSchema>;
