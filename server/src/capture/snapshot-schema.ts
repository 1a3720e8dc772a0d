import * as z from 'zod/mini';

const described = (description: string) => z.string().check(z.meta({ description }));

const header = z
  .object({
    apiVersion: z.literal('podium/v1'),
    kind: z.literal('ClusterSnapshot'),
    metadata: z.object({ name: described('The context of the kubeconfig that it was taken through.') }),
    takenAt: described('When, as RFC 3339.'),
    serverVersion: described('Of the API server: v1.34.2. Empty where it said none.'),
    missing: z
      .array(
        z.object({
          resource: described('Its name in the API: poddisruptionbudgets.'),
          why: described("The server's own words."),
          effect: described('What follows from it.'),
        }),
      )
      .check(z.meta({ description: 'Kinds that were asked for and are not in the snapshot.' })),
  })
  .check(z.meta({ description: 'What the snapshot says of itself.' }));

const object = z
  .looseObject({ apiVersion: z.string(), kind: z.string(), metadata: z.looseObject({ name: z.string() }) })
  .check(z.meta({ description: 'An object of the cluster, as far as scheduling depends on it.' }));

const shape = z
  .object({
    apiVersion: z.literal('v1'),
    kind: z.literal('List'),
    metadata: z.optional(z.looseObject({})),
    items: z.array(z.union([header, object])),
  })
  .check(z.meta({ title: 'Cluster snapshot of Podium', description: 'What `podium snapshot` writes.' }));

/** The schema of what `takeSnapshot` writes, as it is shipped. */
export function snapshotSchema(): object {
  return z.toJSONSchema(shape, { target: 'draft-7', io: 'input' });
}
