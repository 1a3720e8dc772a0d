import { formatUsage } from '../../../../server/src/kit/amounts.ts';

interface UsageBarProps {
  readonly resource: string;
  readonly label: string;
  readonly requested: number;
  readonly allocatable: number;
  /** Requested before the first step; a mark shows it where it differs. */
  readonly before: number;
  readonly figures: boolean;
}

/** What is requested of what a node has. The figures are spoken with the node's name, so the bar is silent. */
export function UsageBar({ resource, label, requested, allocatable, before, figures }: UsageBarProps) {
  const part = (amount: number): string =>
    `${allocatable <= 0 ? 0 : Math.min(100, Math.max(0, (amount / allocatable) * 100))}%`;
  return (
    <div class={requested > allocatable ? 'usage over' : 'usage'} aria-hidden="true">
      <span class="usage-label">{label}</span>
      <span class="usage-track">
        <span class="usage-fill" style={{ width: part(requested) }} />
        {before !== requested && <span class="usage-before" style={{ left: part(before) }} />}
      </span>
      {figures && <span class="usage-figure figure">{formatUsage(resource, requested, allocatable, '/')}</span>}
    </div>
  );
}
