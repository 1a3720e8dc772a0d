import type { NodeModel, PoolNodes } from './operation.ts';

/** What the names of nodes begin with that are added like another, or by size: `general-a` of `general-a+1`. */
export function stemOfAdded(like: NodeModel | PoolNodes): string {
  if ('pool' in like) return like.pool;
  return 'node' in like ? like.node : 'added';
}

export function nameOfAdded(stem: string, ordinal: number): string {
  return `${stem}+${ordinal}`;
}

export function isAdded(name: string, stem: string): boolean {
  return name.startsWith(`${stem}+`) && /^\d+$/.test(name.slice(stem.length + 1));
}
