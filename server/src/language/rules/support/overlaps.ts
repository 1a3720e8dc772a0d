import type { PodDisruptionBudget } from '../../../kubernetes/objects.ts';
import { nearestDeclaration } from '../../../kubernetes/nearest-declaration.ts';
import { workloadKinds } from '../../../kubernetes/pod-template.ts';
import { getOrInsert } from '../../../util/maps.ts';
import { derived } from '../../index/derived.ts';
import type { Fact, FactsReader } from '../../index/fact.ts';
import { livingWith } from '../../index/living-apart.ts';
import { byName, compile, podsSelectedIn, selectedIn } from '../../index/selection.ts';

/** Other budgets that select pods of a workload that a budget selects. */
export interface Overlap {
  readonly shared: Fact;
  /** One at least, and `namedBudgets` at most. */
  readonly others: readonly Fact[];
  /** How many more there are. */
  readonly more: number;
}

/** How many budgets are remembered for each workload; the others are counted. */
const namedBudgets = 8;

/** Entries of the lists that are held at a time: thousands of budgets may each select other thousands of pods. */
const heldAtOnce = 1_000_000;

/** The budgets that select one workload, several declarations of one budget counted once. */
interface Protection {
  readonly named: Fact[];
  count: number;
}

/** Who selects whom, worked out when somebody first asks, as selections need a reader. */
class Protections {
  readonly #budgets: readonly Fact[];
  readonly #firstShared = new WeakMap<readonly Fact[], { readonly shared: Fact | undefined }>();
  #known: Map<Fact, Protection> | undefined;

  readonly #selectionOf: (budget: Fact, facts: FactsReader) => readonly Fact[];

  constructor(budgets: readonly Fact[], selectionOf: (budget: Fact, facts: FactsReader) => readonly Fact[]) {
    this.#budgets = budgets;
    this.#selectionOf = selectionOf;
  }

  overlapOf(budget: Fact, facts: FactsReader): Overlap | undefined {
    const selected = this.#selectionOf(budget, facts);
    const first = getOrInsert(this.#firstShared, selected, () => {
      const protections = this.#of(facts);
      return { shared: selected.find((workload) => (protections.get(workload)?.count ?? 0) > 1) };
    });
    const { shared } = first;
    if (shared === undefined) return undefined;
    const { named, count } = this.#of(facts).get(shared)!;
    const others = named.filter(({ name }) => name !== budget.name);
    return { shared, others, more: count - 1 - others.length };
  }

  #of(facts: FactsReader): Map<Fact, Protection> {
    if (this.#known !== undefined) return this.#known;
    const protections = new Map<Fact, Protection>();
    const declarations = new Map<string, number>();
    for (const budget of this.#budgets) {
      const key = keyOf(budget);
      declarations.set(key, (declarations.get(key) ?? 0) + 1);
    }
    /** Budgets that are declared once, by what they select: many may select the same. */
    const alike = new Map<readonly Fact[], Fact[]>();
    let held = 0;
    const protectAlike = (): void => {
      for (const [selected, budgets] of alike) for (const workload of selected) protect(protections, workload, budgets);
      alike.clear();
      held = 0;
    };
    // A budget that is declared several times is counted once for a workload that more than one of them finds.
    const several = new Map<string, Set<Fact>>();
    for (const budget of this.#budgets) {
      const selected = this.#selectionOf(budget, facts);
      const key = keyOf(budget);
      if (declarations.get(key) === 1) {
        const budgets = alike.get(selected);
        if (budgets !== undefined) {
          budgets.push(budget);
          continue;
        }
        alike.set(selected, [budget]);
        held += selected.length;
        if (held > heldAtOnce) protectAlike();
        continue;
      }
      const counted = getOrInsert(several, key, () => new Set());
      for (const workload of selected) {
        if (counted.has(workload)) continue;
        counted.add(workload);
        protect(protections, workload, [budget]);
      }
    }
    protectAlike();
    this.#known = protections;
    return protections;
  }
}

function keyOf({ namespace, name }: Fact): string {
  return `${namespace}/${name}`;
}

function protect(protections: Map<Fact, Protection>, workload: Fact, budgets: readonly Fact[]): void {
  const known = getOrInsert(protections, workload, () => ({ named: [], count: 0 }));
  known.count += budgets.length;
  for (const budget of budgets) {
    // One more than are shown, as a budget does not name itself.
    if (known.named.length > namedBudgets) break;
    known.named.push(budget);
  }
}

/** The workloads that a budget is for, each once, however often it is declared. */
export function workloadsOfBudget(budget: Fact, facts: FactsReader): readonly Fact[] {
  const { selector } = (budget.object as PodDisruptionBudget).spec ?? {};
  return meantBy(budget, selectedIn(facts, budget.namespace, selector), facts);
}

/** What budgets are for, by what they select and by where they are written, as many may select the same. */
const known = derived(workloadKinds, () => new WeakMap<readonly Fact[], Map<string, readonly Fact[]>>());

/**
 * Where a budget selects what lives with it, it is for that: rings and stages have budgets of their own. Of a workload
 * that is declared several times it is for the declaration nearest to it.
 */
function meantBy(budget: Fact, selected: readonly Fact[], facts: FactsReader): readonly Fact[] {
  if (selected.length < 2) return selected;
  const byPlace = getOrInsert(known(facts), selected, () => new Map());
  const source = budget.manifest.rendering?.source;
  const place = `${source ?? ''}\n${budget.uri}`;
  return getOrInsert(byPlace, place, () => {
    const near = livingWith(selected, budget, facts);
    const all = near.length === 0 ? selected : near;
    const declarations = byName(all);
    const isOwn = ({ manifest }: Fact): boolean => manifest.rendering?.source === source;
    return declarations.size === all.length
      ? all
      : [...declarations.values()].map((each) => {
          const [own, ...others] = each.filter(isOwn);
          return nearestDeclaration(own === undefined ? each : [own, ...others], budget.uri, ({ uri }) => uri);
        });
  });
}

/** Pods that controllers made, where labels that they got later may be what another budget selects. */
function podsOf(budget: Fact, facts: FactsReader): readonly Fact[] {
  const { selector } = (budget.object as PodDisruptionBudget).spec ?? {};
  return selector === undefined
    ? []
    : meantBy(budget, podsSelectedIn(facts, budget.namespace, compile(selector)), facts);
}

const ofWorkloads = derived(
  ['PodDisruptionBudget', ...workloadKinds],
  (budgets) => new Protections(budgets, workloadsOfBudget),
);

/** Of namespaces that have several budgets: of one alone nothing has to be looked at. */
const ofPods = derived(['PodDisruptionBudget', ...workloadKinds], (budgets) => {
  const first = new Map<string, string>();
  const several = new Set<string>();
  for (const { namespace, name } of budgets) {
    if ((first.get(namespace) ?? name) !== name) several.add(namespace);
    first.set(namespace, name);
  }
  const there = budgets.filter(({ namespace }) => several.has(namespace));
  return new Protections(there, (budget, facts) => (several.has(budget.namespace) ? podsOf(budget, facts) : []));
});

/** The first workload that a budget shares with others, or the first pod; undefined where it shares none. */
export function overlapOf(budget: Fact, facts: FactsReader): Overlap | undefined {
  return ofWorkloads(facts).overlapOf(budget, facts) ?? ofPods(facts).overlapOf(budget, facts);
}
