/**
 * The types of CEL, and what may be given where.
 * Source: github.com/google/cel-go/checker/types.go, common/types/types.go
 */

/** The kinds of types; `param` is a variable of a signature, and `error` what follows from a mistake. */
export type Kind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'param'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'uint';

export interface Type {
  readonly kind: Kind;
  readonly name: string;
  readonly params: readonly Type[];
}

function simple(kind: Kind, name: string = kind): Type {
  return { kind, name, params: [] };
}

export const anyType = simple('any', 'google.protobuf.Any');
export const boolType = simple('bool');
export const bytesType = simple('bytes');
export const doubleType = simple('double');
export const durationType = simple('duration', 'google.protobuf.Duration');
export const dynType = simple('dyn');
export const errorType = simple('error', '*error*');
export const intType = simple('int');
export const nullType = simple('null', 'null_type');
export const stringType = simple('string');
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp');
export const uintType = simple('uint');

export function listOf(element: Type): Type {
  return { kind: 'list', name: 'list', params: [element] };
}

export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', params: [key, value] };
}

export function typeOf(param: Type): Type {
  return { kind: 'type', name: 'type', params: [param] };
}

export function optionalOf(param: Type): Type {
  return { kind: 'opaque', name: 'optional_type', params: [param] };
}

export function paramType(name: string): Type {
  return simple('param', name);
}

export function opaqueType(name: string): Type {
  return simple('opaque', name);
}

export function structType(name: string): Type {
  return simple('struct', name);
}

/** What is in an optional, and whether it is one. */
export function withoutOptional(type: Type): { readonly type: Type; readonly isOptional: boolean } {
  return type.kind === 'opaque' && type.name === 'optional_type'
    ? { type: type.params[0]!, isOptional: true }
    : { type, isOptional: false };
}

export function isDyn({ kind }: Type): boolean {
  return kind === 'dyn' || kind === 'any';
}

/** As error messages print a type. Source: FormatCELType in checker/format.go */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'any':
    case 'duration':
    case 'null':
    case 'timestamp':
      return type.kind;
    case 'error':
      return '!error!';
    default:
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(', ')})`;
  }
}

/** As Go prints a type. Source: Type.String */
export function typeText({ name, params }: Type): string {
  return params.length === 0 ? name : `${name}(${params.map(typeText).join(', ')})`;
}

/** Whether two types are the same; `params` of signatures are only told apart where asked. */
export function isSame(a: Type, b: Type, tellsParams = true): boolean {
  if (a.kind !== b.kind || a.params.length !== b.params.length) return false;
  if (a.kind === 'opaque' || a.kind === 'struct' || (a.kind === 'param' && tellsParams)) {
    if (a.name !== b.name) return false;
  }
  return a.params.every((param, at) => isSame(param, b.params[at]!, tellsParams));
}

/** What type variables have turned out to be. */
export type Bindings = ReadonlyMap<string, Type>;

/** What is known after `given` is passed for `wanted`; null when it cannot be. */
export function assign(bindings: Bindings, wanted: Type, given: Type): Bindings | null {
  return assignAll(bindings, [wanted], [given]);
}

export function assignAll(bindings: Bindings, wanted: readonly Type[], given: readonly Type[]): Bindings | null {
  const tried = new Map(bindings);
  return areAssignable(tried, wanted, given) ? tried : null;
}

function areAssignable(bindings: Map<string, Type>, a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((type, at) => isAssignable(bindings, type, b[at]!));
}

const nullable: ReadonlySet<Kind> = new Set(['any', 'duration', 'opaque', 'struct', 'timestamp', 'null']);

function isAssignable(bindings: Map<string, Type>, a: Type, b: Type): boolean {
  if (b.kind === 'param') {
    const { isValid, isBound } = bind(bindings, a, b);
    if (isValid) return true;
    if (isBound) return false;
  }
  if (a.kind === 'param') return bind(bindings, b, a).isValid;
  if (isDyn(a) || isDyn(b) || a.kind === 'error' || b.kind === 'error') return true;
  if (a.kind === 'null') return nullable.has(b.kind);
  if (b.kind === 'null') return nullable.has(a.kind);
  switch (a.kind) {
    case 'type':
      return b.kind === 'type';
    case 'list':
    case 'map':
    case 'opaque':
      return a.kind === b.kind && a.name === b.name && areAssignable(bindings, a.params, b.params);
    default:
      return isSame(a, b);
  }
}

/** Source: isValidTypeSubstitution */
function bind(
  bindings: Map<string, Type>,
  type: Type,
  param: Type,
): { readonly isValid: boolean; readonly isBound: boolean } {
  if (isSame(type, param)) return { isValid: true, isBound: true };
  const known = bindings.get(param.name);
  if (known === undefined) {
    if (!isFree(bindings, param, type)) return { isValid: false, isBound: false };
    bindings.set(param.name, type);
    return { isValid: true, isBound: false };
  }
  if (isSame(type, known)) return { isValid: true, isBound: true };
  if (!isAssignable(bindings, type, known)) return { isValid: false, isBound: true };
  const general = mostGeneral(type, known);
  if (isFree(bindings, param, general)) bindings.set(param.name, general);
  return { isValid: true, isBound: true };
}

/** Whether `param` is no part of `type`. Source: notReferencedIn */
function isFree(bindings: Bindings, param: Type, type: Type): boolean {
  if (isSame(param, type)) return false;
  if (type.kind === 'param') {
    const known = bindings.get(type.name);
    return known === undefined || isFree(bindings, param, known);
  }
  return type.params.every((each) => isFree(bindings, param, each));
}

export function mostGeneral(a: Type, b: Type): Type {
  return isAsGeneral(a, b) ? a : b;
}

/** Source: isEqualOrLessSpecific */
function isAsGeneral(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param' || a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
    case 'list':
    case 'map':
      return (
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((param, at) => isAsGeneral(param, b.params[at]!))
      );
    case 'type':
      return true;
    default:
      return isSame(a, b);
  }
}

/** The type with what its variables are; those that are open become `dyn` where asked. */
export function substitute(bindings: Bindings, type: Type, opensToDyn: boolean): Type {
  if (type.kind === 'param') {
    const known = bindings.get(type.name);
    if (known !== undefined) return substitute(bindings, known, opensToDyn);
    return opensToDyn ? dynType : type;
  }
  if (type.params.length === 0) return type;
  return { ...type, params: type.params.map((param) => substitute(bindings, param, opensToDyn)) };
}
