/**
 * `npm run schemas`: writes the JSON schemas of Podium's own files, which editors check and complete them with, and those
 * of what the command line prints as JSON. A test fails when one is out of date.
 */
import { writeFileSync } from 'node:fs';
import { answerSchemas } from './lib/answer-schemas.mjs';
import { schemas } from './lib/schemas.mjs';

for (const [folder, all] of Object.entries({ schemas, 'schemas/answers': answerSchemas() })) {
  for (const [name, schema] of Object.entries(all)) {
    const file = new URL(`../${folder}/${name}.schema.json`, import.meta.url);
    writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  }
}
