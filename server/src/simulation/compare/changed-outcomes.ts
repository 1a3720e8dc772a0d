import type { PlanLink } from '../../report-model/plan.ts';
import type { ReportCause } from '../../report-model/report.ts';

/** Something that happens to a cluster in motion, in one run of two and not in the other. */
export interface ChangedOutcome {
  /** In a few words: `drain general-a`; and as it was written. */
  readonly label: string;
  /** The same as the subject of a sentence: `Scaling web to 7 at 60 s`. */
  readonly subject: string;
  readonly text: string;
  /** The node of a drain. */
  readonly drained: string | null;
  /** Told as a change of objects, which it is too. */
  readonly isChange: boolean;
  /** Takes a drain of the same run back, and is no subject of its own. */
  readonly endsDrain: boolean;
  /** On the simulated clock. */
  readonly clock: number;
  /** What it is about: `Node/general-a`, `Deployment/shop/web`. */
  readonly objects: readonly string[];
}

/** What a step follows from. */
export interface Source {
  /** Causes, or links. */
  readonly ids: readonly string[];
  /** The place among all that happens of what they go back to; -1 for what was written. */
  readonly happening: number;
}

/** What happens, as links of a chain that steps follow from. */
export class HappeningLinks {
  readonly #happens: readonly ChangedOutcome[];
  readonly #causes: readonly ReportCause[];
  readonly #links: PlanLink[];
  #reached = 0;
  /** What was last about an object. */
  readonly #about = new Map<string, Source>();
  readonly #all: string[] = [];

  /** @param links to which those of what has happened are added */
  constructor(happens: readonly ChangedOutcome[], causes: readonly ReportCause[], links: PlanLink[]) {
    this.#happens = [...happens].sort((a, b) => a.clock - b.clock);
    this.#causes = causes;
    this.#links = links;
  }

  /** Goes on to a moment. */
  reach(clock: number): void {
    for (let next = this.#happens[this.#reached]; next !== undefined && next.clock <= clock;) {
      this.#add(next);
      this.#reached += 1;
      next = this.#happens[this.#reached];
    }
  }

  /**
   * What was last about one of these objects, until the moment that is reached; undefined where nothing was.
   * @param behind what it has to come after
   */
  about(objects: readonly string[], behind?: Source): Source | undefined {
    for (const object of objects) {
      const found = this.#about.get(object);
      if (found !== undefined && (behind === undefined || found.happening > behind.happening)) return found;
    }
    return undefined;
  }

  /** What has happened until the moment that is reached, the last first. */
  last(most: number): readonly string[] {
    return this.#all.slice(-most).reverse();
  }

  #add(happening: ChangedOutcome): void {
    const lines = causesOfHappening(happening, this.#causes);
    if (lines.length === 0 && happening.isChange) return;
    const ids = lines.length > 0 ? lines : [this.#link(happening)];
    for (const object of happening.objects) this.#about.set(object, { ids, happening: this.#reached });
  }

  #link({ label, clock, objects }: ChangedOutcome): string {
    const id = `k${this.#links.length + 1}`;
    const node = objects.length === 1 && objects[0]!.startsWith('Node/') ? objects[0]!.slice('Node/'.length) : '';
    this.#links.push({ id, by: [], clock, kind: 'event', text: label, workloads: [], pod: '', node, victims: [] });
    this.#all.push(id);
    return id;
  }
}

/** The causes that tell of what happens: of what is told as a change, or of a drain, as the node that it closes. */
export function causesOfHappening(
  { drained, isChange, objects }: Pick<ChangedOutcome, 'drained' | 'isChange' | 'objects'>,
  causes: readonly ReportCause[],
): readonly string[] {
  const tells = ({ object, field }: ReportCause): boolean =>
    isChange ? objects.includes(object) : drained !== null && object === `Node/${drained}` && closes(field);
  return causes.filter(tells).map(({ id }) => id);
}

/** Whether a field of a node is the one that keeps new pods away. */
export function closes(field: string): boolean {
  return /(?:^|\.)unschedulable$/.test(field);
}
