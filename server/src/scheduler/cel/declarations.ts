import {
  anyType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  optionalOf,
  paramType,
  stringType,
  structType,
  timestampType,
  type Type,
  typeOf,
  uintType,
} from './types.ts';

/** One way to call a function. */
export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  /** With the target of a member first. */
  readonly args: readonly Type[];
  readonly result: Type;
  readonly typeParams: readonly string[];
}

/**
 * The functions of the API server's base environment, and what selectors of devices have besides: function, overload,
 * arguments, result. `a.` before the arguments is the target.
 * Source: cel-go common/stdlib/standard.go, ext/{strings,lists,sets,comprehensions}.go, cel/library.go;
 * apiserver/pkg/cel/library
 */
const declared = `
_?_:_ conditional (bool,A,A) A
_&&_ logical_and (bool,bool) bool
_||_ logical_or (bool,bool) bool
!_ logical_not (bool) bool
@not_strictly_false not_strictly_false (bool) bool
_==_ equals (A,A) bool
_!=_ not_equals (A,A) bool
_+_ add_bytes (bytes,bytes) bytes
_+_ add_double (double,double) double
_+_ add_duration_duration (duration,duration) duration
_+_ add_duration_timestamp (duration,timestamp) timestamp
_+_ add_timestamp_duration (timestamp,duration) timestamp
_+_ add_int64 (int,int) int
_+_ add_list (list(A),list(A)) list(A)
_+_ add_string (string,string) string
_+_ add_uint64 (uint,uint) uint
_/_ divide_double (double,double) double
_/_ divide_int64 (int,int) int
_/_ divide_uint64 (uint,uint) uint
_%_ modulo_int64 (int,int) int
_%_ modulo_uint64 (uint,uint) uint
_*_ multiply_double (double,double) double
_*_ multiply_int64 (int,int) int
_*_ multiply_uint64 (uint,uint) uint
-_ negate_double (double) double
-_ negate_int64 (int) int
_-_ subtract_double (double,double) double
_-_ subtract_duration_duration (duration,duration) duration
_-_ subtract_int64 (int,int) int
_-_ subtract_timestamp_duration (timestamp,duration) timestamp
_-_ subtract_timestamp_timestamp (timestamp,timestamp) duration
_-_ subtract_uint64 (uint,uint) uint
_[_] index_list (list(A),int) A
_[_] index_map (map(A,B),A) B
_[_] optional_list_index_int (optional_type(list(A)),int) optional_type(A)
_[_] optional_map_index_value (optional_type(map(A,B)),A) optional_type(B)
_[?_] list_optindex_optional_int (list(A),int) optional_type(A)
_[?_] optional_list_optindex_optional_int (optional_type(list(A)),int) optional_type(A)
_[?_] map_optindex_optional_value (map(A,B),A) optional_type(B)
_[?_] optional_map_optindex_optional_value (optional_type(map(A,B)),A) optional_type(B)
@in in_list (A,list(A)) bool
@in in_map (A,map(A,B)) bool
size size_bytes (bytes) int
size bytes_size bytes.() int
size size_list (list(A)) int
size list_size list(A).() int
size size_map (map(A,B)) int
size map_size map(A,B).() int
size size_string (string) int
size string_size string.() int
type type (A) type(A)
bool bool_to_bool (bool) bool
bool string_to_bool (string) bool
bytes bytes_to_bytes (bytes) bytes
bytes string_to_bytes (string) bytes
double double_to_double (double) double
double int64_to_double (int) double
double string_to_double (string) double
double uint64_to_double (uint) double
duration duration_to_duration (duration) duration
duration int64_to_duration (int) duration
duration string_to_duration (string) duration
dyn to_dyn (A) dyn
int int64_to_int64 (int) int
int double_to_int64 (double) int
int duration_to_int64 (duration) int
int string_to_int64 (string) int
int timestamp_to_int64 (timestamp) int
int uint64_to_int64 (uint) int
string string_to_string (string) string
string bool_to_string (bool) string
string bytes_to_string (bytes) string
string double_to_string (double) string
string duration_to_string (duration) string
string int64_to_string (int) string
string timestamp_to_string (timestamp) string
string uint64_to_string (uint) string
string ip_to_string (net.IP) string
string cidr_to_string (net.CIDR) string
timestamp timestamp_to_timestamp (timestamp) timestamp
timestamp int64_to_timestamp (int) timestamp
timestamp string_to_timestamp (string) timestamp
uint uint64_to_uint64 (uint) uint
uint double_to_uint64 (double) uint
uint int64_to_uint64 (int) uint
uint string_to_uint64 (string) uint
contains contains_string string.(string) bool
endsWith ends_with_string string.(string) bool
startsWith starts_with_string string.(string) bool
matches matches (string,string) bool
matches matches_string string.(string) bool
getFullYear timestamp_to_year timestamp.() int
getFullYear timestamp_to_year_with_tz timestamp.(string) int
getMonth timestamp_to_month timestamp.() int
getMonth timestamp_to_month_with_tz timestamp.(string) int
getDayOfYear timestamp_to_day_of_year timestamp.() int
getDayOfYear timestamp_to_day_of_year_with_tz timestamp.(string) int
getDayOfMonth timestamp_to_day_of_month timestamp.() int
getDayOfMonth timestamp_to_day_of_month_with_tz timestamp.(string) int
getDate timestamp_to_day_of_month_1_based timestamp.() int
getDate timestamp_to_day_of_month_1_based_with_tz timestamp.(string) int
getDayOfWeek timestamp_to_day_of_week timestamp.() int
getDayOfWeek timestamp_to_day_of_week_with_tz timestamp.(string) int
getHours timestamp_to_hours timestamp.() int
getHours timestamp_to_hours_with_tz timestamp.(string) int
getHours duration_to_hours duration.() int
getMinutes timestamp_to_minutes timestamp.() int
getMinutes timestamp_to_minutes_with_tz timestamp.(string) int
getMinutes duration_to_minutes duration.() int
getSeconds timestamp_to_seconds timestamp.() int
getSeconds timestamp_to_seconds_tz timestamp.(string) int
getSeconds duration_to_seconds duration.() int
getMilliseconds timestamp_to_milliseconds timestamp.() int
getMilliseconds timestamp_to_milliseconds_with_tz timestamp.(string) int
getMilliseconds duration_to_milliseconds duration.() int
charAt string_char_at_int string.(int) string
indexOf string_index_of_string string.(string) int
indexOf string_index_of_string_int string.(string,int) int
indexOf list_a_index_of_int list(A).(A) int
lastIndexOf string_last_index_of_string string.(string) int
lastIndexOf string_last_index_of_string_int string.(string,int) int
lastIndexOf list_a_last_index_of_int list(A).(A) int
lowerAscii string_lower_ascii string.() string
upperAscii string_upper_ascii string.() string
replace string_replace_string_string string.(string,string) string
replace string_replace_string_string_int string.(string,string,int) string
split string_split_string string.(string) list(string)
split string_split_string_int string.(string,int) list(string)
substring string_substring_int string.(int) string
substring string_substring_int_int string.(int,int) string
trim string_trim string.() string
format string_format string.(list(dyn)) string
strings.quote strings_quote (string) string
join list_join list(string).() string
join list_join_string list(string).(string) string
find string_find_string string.(string) string
findAll string_find_all_string string.(string) list(string)
findAll string_find_all_string_int string.(string,int) list(string)
slice list_slice list(T).(int,int) list(T)
flatten list_flatten list(list(T)).() list(T)
flatten list_flatten_int list(dyn).(int) list(dyn)
lists.range lists_range (int) list(int)
reverse list_reverse list(T).() list(T)
distinct list_distinct list(T).() list(T)
sets.contains list_sets_contains_list (list(T),list(T)) bool
sets.equivalent list_sets_equivalent_list (list(T),list(T)) bool
sets.intersects list_sets_intersects_list (list(T),list(T)) bool
optional.of optional_of (V) optional_type(V)
optional.ofNonZeroValue optional_ofNonZeroValue (V) optional_type(V)
optional.none optional_none () optional_type(V)
optional.unwrap optional_unwrap (list(optional_type(V))) list(V)
unwrapOpt optional_unwrapOpt list(optional_type(V)).() list(V)
value optional_value optional_type(V).() V
hasValue optional_hasValue optional_type(V).() bool
or optional_or_optional optional_type(V).(optional_type(V)) optional_type(V)
orValue optional_orValue_value optional_type(V).(V) V
first list_first list(V).() optional_type(V)
last list_last list(V).() optional_type(V)
cel.@mapInsert @mapInsert_map_key_value (map(K,V),K,V) map(K,V)
cel.@mapInsert @mapInsert_map_map (map(K,V),map(K,V)) map(K,V)
quantity string_to_quantity (string) kubernetes.Quantity
isQuantity is_quantity_string (string) bool
sign quantity_sign (kubernetes.Quantity) int
isGreaterThan quantity_is_greater_than kubernetes.Quantity.(kubernetes.Quantity) bool
isLessThan quantity_is_less_than kubernetes.Quantity.(kubernetes.Quantity) bool
compareTo quantity_compare_to kubernetes.Quantity.(kubernetes.Quantity) int
asApproximateFloat quantity_get_float kubernetes.Quantity.() double
asInteger quantity_get_int kubernetes.Quantity.() int
isInteger quantity_is_integer kubernetes.Quantity.() bool
add quantity_add kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity
add quantity_add_int kubernetes.Quantity.(int) kubernetes.Quantity
sub quantity_sub kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity
sub quantity_sub_int kubernetes.Quantity.(int) kubernetes.Quantity
semver string_to_semver (string) kubernetes.Semver
semver string_bool_to_semver (string,bool) kubernetes.Semver
isSemver is_semver_string (string) bool
isSemver is_semver_string_bool (string,bool) bool
isGreaterThan semver_is_greater_than kubernetes.Semver.(kubernetes.Semver) bool
isLessThan semver_is_less_than kubernetes.Semver.(kubernetes.Semver) bool
compareTo semver_compare_to kubernetes.Semver.(kubernetes.Semver) int
major semver_major kubernetes.Semver.() int
minor semver_minor kubernetes.Semver.() int
patch semver_patch kubernetes.Semver.() int
ip string_to_ip (string) net.IP
ip cidr_ip net.CIDR.() net.IP
isIP is_ip (string) bool
ip.isCanonical ip_is_canonical (string) bool
family ip_family net.IP.() int
isUnspecified ip_is_unspecified net.IP.() bool
isLoopback ip_is_loopback net.IP.() bool
isLinkLocalMulticast ip_is_link_local_multicast net.IP.() bool
isLinkLocalUnicast ip_is_link_local_unicast net.IP.() bool
isGlobalUnicast ip_is_global_unicast net.IP.() bool
cidr string_to_cidr (string) net.CIDR
isCIDR is_cidr (string) bool
containsIP cidr_contains_ip_string net.CIDR.(string) bool
containsIP cidr_contains_ip_ip net.CIDR.(net.IP) bool
containsCIDR cidr_contains_cidr_string net.CIDR.(string) bool
containsCIDR cidr_contains_cidr net.CIDR.(net.CIDR) bool
prefixLength cidr_prefix_length net.CIDR.() int
masked cidr_masked net.CIDR.() net.CIDR
url string_to_url (string) kubernetes.URL
isURL is_url_string (string) bool
getScheme url_get_scheme kubernetes.URL.() string
getHost url_get_host kubernetes.URL.() string
getHostname url_get_hostname kubernetes.URL.() string
getPort url_get_port kubernetes.URL.() string
getEscapedPath url_get_escaped_path kubernetes.URL.() string
getQuery url_get_query kubernetes.URL.() map(string,list(string))
validate format-validate kubernetes.NamedFormat.(string) optional_type(list(string))
format.named format-named (string) optional_type(kubernetes.NamedFormat)
path authorizer_path kubernetes.authorization.Authorizer.(string) kubernetes.authorization.PathCheck
group authorizer_group kubernetes.authorization.Authorizer.(string) kubernetes.authorization.GroupCheck
serviceAccount authorizer_serviceaccount kubernetes.authorization.Authorizer.(string,string) kubernetes.authorization.Authorizer
resource groupcheck_resource kubernetes.authorization.GroupCheck.(string) kubernetes.authorization.ResourceCheck
subresource resourcecheck_subresource kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck
namespace resourcecheck_namespace kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck
name resourcecheck_name kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck
fieldSelector authorizer_fieldselector kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck
labelSelector authorizer_labelselector kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck
check pathcheck_check kubernetes.authorization.PathCheck.(string) kubernetes.authorization.Decision
check resourcecheck_check kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.Decision
errored decision_errored kubernetes.authorization.Decision.() bool
error decision_error kubernetes.authorization.Decision.() string
allowed decision_allowed kubernetes.authorization.Decision.() bool
reason decision_reason kubernetes.authorization.Decision.() string
`;

/** Whose lists can be sorted, with the parts of names that their overloads have. */
const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const summable = ['int', 'uint', 'double', 'duration'];
/** Source: ConstantFormats in apiserver/pkg/cel/library/format.go */
export const formatNames = [
  'dns1123Label',
  'dns1123Subdomain',
  'dns1035Label',
  'qualifiedName',
  'dns1123LabelPrefix',
  'dns1123SubdomainPrefix',
  'dns1035LabelPrefix',
  'labelValue',
  'uri',
  'uuid',
  'byte',
  'date',
  'datetime',
];

function generated(): string[] {
  const order = ['less', 'less_equals', 'greater', 'greater_equals'];
  const relations = ['<', '<=', '>', '>='].flatMap((mark, at) => [
    ...comparable.map((each) => `_${mark}_ ${order[at]}_${each} (${each},${each}) bool`),
    ...['int,double', 'int,uint', 'uint,double', 'uint,int', 'double,int', 'double,uint'].map(
      (pair) => `_${mark}_ ${order[at]}_${pair.replace(',', '_')} (${pair}) bool`,
    ),
  ]);
  return [
    ...relations,
    ...comparable.flatMap((each) => [
      `isSorted list_${each}_is_sorted_bool list(${each}).() bool`,
      `max list_${each}_max_${each} list(${each}).() ${each}`,
      `min list_${each}_min_${each} list(${each}).() ${each}`,
      `sort list_${each}_sort list(${each}).() list(${each})`,
      `@sortByAssociatedKeys list_${each}_sortByAssociatedKeys list(T).(list(${each})) list(T)`,
    ]),
    ...summable.map((each) => `sum list_${each}_sum_${each} list(${each}).() ${each}`),
    ...formatNames.map((name) => `format.${name} format.${name} () kubernetes.NamedFormat`),
  ];
}

const named: ReadonlyMap<string, Type> = new Map([
  ['any', anyType],
  ['bool', boolType],
  ['bytes', bytesType],
  ['double', doubleType],
  ['duration', durationType],
  ['dyn', dynType],
  ['int', intType],
  ['string', stringType],
  ['timestamp', timestampType],
  ['uint', uintType],
]);

function typeNamed(name: string): Type {
  if (/^[A-Z]$/.test(name)) return paramType(name);
  return name.startsWith('kubernetes.') ? structType(name) : opaqueType(name);
}

/** A type as the tables write it, and what is left of the text. */
function readType(text: string): readonly [Type, string] {
  const name = /^[A-Za-z_.]*[A-Za-z_]/.exec(text)![0];
  let rest = text.slice(name.length);
  const params: Type[] = [];
  if (rest.startsWith('(') && ['list', 'map', 'type', 'optional_type'].includes(name)) {
    do {
      const [param, left] = readType(rest.slice(1));
      params.push(param);
      rest = left;
    } while (rest.startsWith(','));
    rest = rest.slice(1);
  }
  const [first, second] = params;
  switch (name) {
    case 'list':
      return [listOf(first!), rest];
    case 'map':
      return [mapOf(first!, second!), rest];
    case 'type':
      return [typeOf(first!), rest];
    case 'optional_type':
      return [optionalOf(first!), rest];
    default:
      return [named.get(name) ?? typeNamed(name), rest];
  }
}

function paramsOf({ kind, name, params }: Type): string[] {
  return kind === 'param' ? [name] : params.flatMap(paramsOf);
}

function readOverload(id: string, signature: string, result: string): Overload {
  const args: Type[] = [];
  const isMember = !signature.startsWith('(');
  let rest = signature;
  if (isMember) {
    const [target, left] = readType(signature);
    args.push(target);
    rest = left.slice(1);
  }
  rest = rest.slice(1);
  while (rest !== ')') {
    const [arg, left] = readType(rest);
    args.push(arg);
    rest = left.startsWith(',') ? left.slice(1) : left;
  }
  const [type] = readType(result);
  return { id, isMember, args, result: type, typeParams: [...new Set([...args, type].flatMap(paramsOf))] };
}

/** What expressions can name. */
export interface Declarations {
  /** Function → its overloads, in the order in which they are tried. */
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  /** The fields of the variable `device`. */
  readonly fields: ReadonlyMap<string, Type>;
  /** What the value of an attribute is. */
  readonly attribute: Type;
}

function tableOf(lines: readonly string[]): Declarations['functions'] {
  const table = new Map<string, Overload[]>();
  for (const line of lines) {
    const [name, id, signature, result] = line.split(' ') as [string, string, string, string];
    const overloads = table.get(name) ?? [];
    overloads.push(readOverload(id, signature, result));
    table.set(name, overloads);
  }
  return table;
}

const base = [...declared.trim().split('\n'), ...generated()];
const known = new Map<string, Declarations>();

/** What a selector may use that not every Kubernetes knows. */
export interface SelectorScope {
  /** Asks lists of attributes, by `includes`. */
  readonly includes: boolean;
  /** Orders and cuts lists. */
  readonly lists: boolean;
  /** Reads attributes that are lists: their type is not known, then. */
  readonly readsLists: boolean;
  /** Asks whether a device may be shared. */
  readonly shares: boolean;
}

/** Gates and older versions take nothing else from a selector that is stored. */
export type StoredScope = Pick<SelectorScope, 'includes' | 'readsLists'>;

export function stored(scope: StoredScope): Declarations {
  return declarations({ ...scope, lists: true, shares: true });
}

/** Source: newCompiler in dynamic-resource-allocation/cel/compile.go, baseOpts in apiserver/pkg/cel/environment/base.go */
export function declarations({ includes, lists, readsLists, shares }: SelectorScope): Declarations {
  const key = [includes, lists, readsLists, shares].join();
  let found = known.get(key);
  if (found === undefined) {
    const more = includes ? ['includes dra_includes_dyn_dyn dyn.(dyn) bool'] : [];
    const functions = tableOf([...base, ...more].filter((line) => lists || !ofLists.test(line)));
    const fields = new Map([...deviceFields].filter(([name]) => shares || name !== 'allowMultipleAllocations'));
    const attribute = readsLists ? dynType : anyType;
    fields.set('attributes', mapOf(stringType, mapOf(stringType, attribute)));
    known.set(key, (found = { functions, fields, attribute }));
  }
  return found;
}

/** Source: ext/lists.go */
const ofLists = /^(?:slice|flatten|lists\.range|reverse|distinct|sort|@sortByAssociatedKeys) /;

const quantityType = structType('kubernetes.Quantity');
export const deviceType = structType('kubernetes.DRADevice');

const deviceFields: ReadonlyMap<string, Type> = new Map([
  ['driver', stringType],
  ['allowMultipleAllocations', boolType],
  ['capacity', mapOf(stringType, mapOf(stringType, quantityType))],
]);

/** Names of types, which are values too. */
export const typeNames: ReadonlyMap<string, Type> = new Map([
  ...[boolType, bytesType, doubleType, durationType, intType, nullType, stringType, timestampType, uintType].map(
    (type) => [type.name, type] as const,
  ),
  ['dyn', dynType],
  ['list', listOf(paramType('A'))],
  ['map', mapOf(paramType('A'), paramType('B'))],
  ['type', typeOf(dynType)],
  ['optional_type', optionalOf(paramType('V'))],
  ['kubernetes.Quantity', quantityType],
  ['kubernetes.Semver', structType('kubernetes.Semver')],
  ['kubernetes.URL', structType('kubernetes.URL')],
  ['kubernetes.NamedFormat', structType('kubernetes.NamedFormat')],
  ['net.IP', opaqueType('net.IP')],
  ['net.CIDR', opaqueType('net.CIDR')],
]);
