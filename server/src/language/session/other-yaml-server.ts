import type { ManifestDocument } from '../../manifests/manifest.ts';
import { canonicalUri } from '../../manifests/workspace-index.ts';
import type { ToldBySchemaParams, YamlServerChangedParams } from '../../protocol.ts';
import type { SessionHost } from './session-host.ts';
import { schemaOf } from './yaml-schemas.ts';

type Besides = Pick<SessionHost, 'yamlServer' | 'yamlValidation' | 'yamlSchemas' | 'kubernetesSchemas'>;

/** The language server for YAML that runs beside this one, if one does: what it tells, Podium need not. */
export class OtherYamlServer {
  #besides: Besides;
  readonly #findings = new Map<string, ToldBySchemaParams['told']>();

  constructor(besides: Besides) {
    this.#besides = besides;
  }

  /** Whether it completes and explains a document by a schema. Without one it has nothing to say of Kubernetes. */
  knowsSchema(uri: string, document: ManifestDocument | undefined): boolean {
    if (!this.#besides.yamlServer || !isYaml(uri)) return false;
    if (this.#besides.kubernetesSchemas || this.findingsIn(uri) !== undefined) return true;
    return document !== undefined && schemaOf(document, uri, this.schemas) !== undefined;
  }

  /** Whether it tells of an open file what every reader of YAML says. */
  tellsSyntax(uri: string): boolean {
    return this.#besides.yamlValidation && isYaml(uri);
  }

  /** What it was set to check files with. */
  get schemas(): unknown {
    return this.#besides.yamlSchemas;
  }

  /** What it tells of a file by a schema; undefined where nobody says what it tells. */
  findingsIn(uri: string): ToldBySchemaParams['told'] | undefined {
    return this.#findings.get(canonicalUri(uri));
  }

  hasTold({ uri, told }: ToldBySchemaParams): void {
    this.#findings.set(canonicalUri(uri), told);
  }

  closed(uri: string): void {
    this.#findings.delete(canonicalUri(uri));
  }

  /** It has come or gone, or tells more or less. */
  changed(besides: YamlServerChangedParams): void {
    this.#besides = { ...this.#besides, ...besides };
  }
}

/** It does not answer in JSON. */
function isYaml(uri: string): boolean {
  return !/\.jsonc?$/i.test(uri);
}
