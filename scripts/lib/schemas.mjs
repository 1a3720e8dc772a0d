import { snapshotSchema } from '../../server/src/capture/snapshot-schema.ts';
import { scenarioSchema } from '../../server/src/simulation/scenario/scenario-file.ts';
import { projectSchema } from '../../server/src/language/settings/project-file.ts';
import { lockFileSchema } from '../../server/src/sources/files/fetched.ts';

/** What editors are told of each kind of file that is Podium's own, by the name of its schema. */
export const schemas = {
  lock: lockFileSchema(),
  project: projectSchema(),
  scenario: scenarioSchema(),
  snapshot: snapshotSchema(),
};
