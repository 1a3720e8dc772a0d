import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

interface Outcome {
  readonly code: number;
  readonly out: string;
}

/** Runs a program to its end, whatever its exit code. */
export async function run(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const [program = '', ...args] = command;
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env: { ...process.env, ...env } });
    return { code: 0, out: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout + stderr };
  }
}

/** The comments of one pull request, as GitHub keeps them. */
export class Comments {
  readonly all: { id: number; body: string; user: { login: string } }[] = [
    { id: 1, body: 'Looks good to me.', user: { login: 'mallory' } },
  ];
  /** Null for the token of an app. */
  user: string | null = null;
  readonly asked: string[] = [];
  mayWrite = true;
  readonly #server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      this.asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
      const answer = this.#answer(request.method ?? '', request.url ?? '', text);
      response.writeHead(answer === null ? 403 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { message: 'Resource not accessible by integration' }));
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(method: string, url: string, text: string): unknown {
    if (url === '/user') return this.user === null ? null : { login: this.user };
    if (method === 'GET') return this.all;
    if (!this.mayWrite) return null;
    const { body } = JSON.parse(text) as { body: string };
    const known = this.all.find(({ id }) => url.endsWith(`/comments/${id}`));
    if (method === 'PATCH' && known !== undefined) {
      known.body = body;
      return known;
    }
    const made = { id: this.all.length + 1, body, user: { login: this.user ?? 'github-actions[bot]' } };
    this.all.push(made);
    return made;
  }
}
