/**
 * JSON Schemas of what the command line prints with `--format json`, made from the types of the code that prints it: the
 * second argument of `printAnswer`, behind the version and the verdict that it puts first, or the first of `jsonText`.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './paths.mjs';

/** @typedef {Record<string, unknown>} Schema */

const commands = ['check', 'drain', 'evict', 'fit', 'pressure', 'simulate', 'sources', 'threats', 'upgrade'];

/** @returns {Readonly<Record<string, Schema>>} by command */
export function answerSchemas() {
  const fileOf = (/** @type {string} */ command) => join(root, 'server/src/cli/commands', `${command}.ts`);
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram(commands.map(fileOf), { ...options, noEmit: true, types: ['node'] });
  const checker = program.getTypeChecker();
  return Object.fromEntries(
    commands.map((command) => {
      /** @type {Schema[]} */
      const printed = [];
      const definitions = new Definitions(checker);
      /** @param {ts.Node} node */
      const visit = (node) => {
        if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
          const { text } = node.expression;
          const [first, second] = node.arguments;
          if (text === 'printAnswer' && second !== undefined) {
            const answer = {
              type: 'object',
              properties: { verdict: { type: 'string' }, version: { const: 1 } },
              required: ['version', 'verdict'],
            };
            printed.push({ allOf: [answer, definitions.schemaOf(checker.getTypeAtLocation(second))] });
          }
          if (text === 'jsonText' && first !== undefined) {
            printed.push(definitions.schemaOf(checker.getTypeAtLocation(first)));
          }
        }
        node.forEachChild(visit);
      };
      const source = program.getSourceFile(fileOf(command));
      if (source === undefined) throw new Error(`no command ${command}`);
      visit(source);
      const title = `podium ${command} --format json`;
      const $schema = 'http://json-schema.org/draft-07/schema#';
      const whole = printed.length === 1 ? printed[0] : { anyOf: printed };
      return [command, { $schema, title, ...whole, definitions: definitions.all }];
    }),
  );
}

const structured = ts.TypeFlags.Object | ts.TypeFlags.Intersection;

/** Types that have a name are written once, by it. */
class Definitions {
  /** @type {Record<string, Schema>} */
  all = {};
  /** @type {Map<ts.Type, string>} */
  #names = new Map();
  #checker;

  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.#checker = checker;
  }

  /** @param {ts.Type} type @returns {Schema} */
  schemaOf(type) {
    const known = this.#names.get(type);
    if (known !== undefined) return { $ref: `#/definitions/${known}` };
    const isNamed = type.isUnion() || (type.flags & structured && !this.#checker.isArrayLikeType(type));
    // `Readonly<Record<…>>` says nothing to a reader.
    const symbol = type.aliasTypeArguments === undefined ? (type.aliasSymbol ?? type.symbol) : undefined;
    const written = isNamed ? (symbol?.name ?? '') : '';
    if (written === '' || written.startsWith('__')) return this.#plain(type);
    let name = written;
    for (let nth = 2; name in this.all; nth++) name = `${written}${nth}`;
    this.#names.set(type, name);
    this.all[name] = {};
    this.all[name] = this.#plain(type);
    return { $ref: `#/definitions/${name}` };
  }

  /** @param {ts.Type} type @returns {Schema} */
  #plain(type) {
    if (type.isUnion()) return this.#union(type.types);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: this.#checker.typeToString(type) === 'true' };
    if (type.flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (type.flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (!(type.flags & structured)) return {};
    if (!this.#checker.isArrayLikeType(type)) return this.#object(type);
    const items = this.#checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
    return { type: 'array', items: this.#union(items) };
  }

  /** @param {ts.Type} type @returns {Schema} */
  #object(type) {
    /** @type {Record<string, Schema>} */
    const properties = {};
    const required = [];
    for (const property of this.#checker.getPropertiesOfType(type)) {
      const own = this.#checker.getTypeOfSymbol(property);
      // JSON has no functions, and leaves out what is undefined.
      if (own.getCallSignatures().length > 0) continue;
      properties[property.name] = this.schemaOf(own);
      const mayBeUndefined = own.isUnion() && own.types.some(({ flags }) => flags & ts.TypeFlags.Undefined);
      if (!(property.flags & ts.SymbolFlags.Optional) && !mayBeUndefined) required.push(property.name);
    }
    const others = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return {
      type: 'object',
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
      ...(others === undefined ? {} : { additionalProperties: this.schemaOf(others) }),
    };
  }

  /** @param {readonly ts.Type[]} types @returns {Schema} */
  #union(types) {
    const schemas = types
      .filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
      .map((type) => JSON.stringify(this.schemaOf(type)));
    const each = [...new Set(schemas)].map((text) => /** @type {Schema} */ (JSON.parse(text)));
    const [only] = each;
    if (only !== undefined && each.length === 1) return only;
    return each.every((schema) => 'const' in schema)
      ? { enum: each.map((schema) => schema['const']) }
      : { anyOf: each };
  }
}
