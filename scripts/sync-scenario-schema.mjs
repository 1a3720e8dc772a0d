/**
 * `npm run scenario-schema`: writes the JSON schema of scenarios, which editors check and complete `*.podium.yaml` with.
 * A test fails when it is out of date.
 */
import { writeFileSync } from 'node:fs';
import { scenarioSchema } from '../server/src/simulation/scenario/scenario-file.ts';

const file = new URL('../schemas/scenario.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(scenarioSchema(), null, 2)}\n`);
