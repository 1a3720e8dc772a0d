import { homedir } from 'node:os';

/** The home of the user; a folder that is not there for who has none, as in some containers. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '/nonexistent';
  }
}
