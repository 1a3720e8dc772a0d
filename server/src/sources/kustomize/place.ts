import type { SourceFiles } from '../files/source-files.ts';

/** The line of a file that holds an entry as it is written, from 0; null where none does. */
export async function lineOfEntry(file: string, entry: string, files: SourceFiles): Promise<number | null> {
  const text = await files.read(file);
  if (text === null || entry === '') return null;
  const lines = text.split(/\r\n|\n|\r/);
  const at = lines.findIndex((line) => line.includes(entry) && !line.trimStart().startsWith('#'));
  return at < 0 ? null : at;
}
