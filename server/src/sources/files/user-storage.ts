import { homeFolder } from '../../processes/home-folder.ts';
import { isAbsolute, join } from 'node:path';

/** Where the command line keeps what was fetched. Source: XDG Base Directory Specification */
export function userStorage({ platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>): string {
  const { XDG_CACHE_HOME: cache = '', LOCALAPPDATA: local = '' } = env;
  const home = homeFolder();
  if (isAbsolute(cache)) return join(cache, 'podium', 'fetched');
  if (platform === 'win32') return join(isAbsolute(local) ? local : home, 'podium', 'fetched');
  return platform === 'darwin'
    ? join(home, 'Library', 'Caches', 'podium', 'fetched')
    : join(home, '.cache', 'podium', 'fetched');
}
