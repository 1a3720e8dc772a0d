import { readFile } from 'node:fs/promises';

/** The memory that a process holds, in bytes; 0 where nobody knows, as on all systems but Linux. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
