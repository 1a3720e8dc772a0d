/**
 * `npm run schemas`: writes the JSON schemas of Podium's own files, which editors check and complete them with. A test
 * fails when one is out of date.
 */
import { writeFileSync } from 'node:fs';
import { schemas } from './lib/schemas.mjs';

for (const [name, schema] of Object.entries(schemas)) {
  writeFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
