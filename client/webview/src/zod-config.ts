import * as z from 'zod/mini';

// The policy of the page forbids compiled functions; zod is not to try. Must run before the first schema is made.
z.config({ jitless: true });
