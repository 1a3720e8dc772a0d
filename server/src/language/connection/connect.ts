import process from 'node:process';
import {
  type Connection,
  createConnection,
  IPCMessageReader,
  IPCMessageWriter,
  Message,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { messageCame } from '../../util/run-in-slices.ts';
import { Framing } from './framing.ts';
import { checkedParams } from './checked-params.ts';
import { sayingMessages } from './said-messages.ts';

const options = { messageStrategy: checkedParams };

/** The connection that the arguments of the process ask for. */
export function connect(): Connection {
  if (process.argv.includes('--stdio')) return connectStdio();
  if (!process.argv.includes('--node-ipc')) endWith('say how to connect: --stdio or --node-ipc');
  process.on('message', messageCame);
  const writer = sayingMessages(new IPCMessageWriter(process));
  return createConnection(ProposedFeatures.all, new IPCMessageReader(process), writer, options);
}

/**
 * What nobody waits for and nobody catches is logged, and ends nothing. Without somebody to talk to there is nothing to go
 * on for.
 */
export function outlive(connection: Connection): void {
  const survive = (error: unknown): void => {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EPIPE', 'ERR_IPC_CHANNEL_CLOSED', 'ERR_STREAM_DESTROYED'].includes(code)) process.exit(1);
    connection.console.error(
      `nobody waits for it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  };
  // Instead of that of the command line, where it is part of that.
  process.setUncaughtExceptionCaptureCallback(null);
  process.setUncaughtExceptionCaptureCallback(survive);
}

/** Over standard input and output. What cannot be a message ends the process: nothing after it can be trusted. */
function connectStdio(): Connection {
  const framing = new Framing();
  let wasShutDown = false;
  // Before the reader, which would wait for a body of any length.
  process.stdin.on('data', (chunk: Buffer) => {
    messageCame();
    const fault = framing.faultIn(chunk);
    if (fault !== undefined) endBroken(fault);
  });
  const ended = (): void => {
    process.exit(wasShutDown ? 0 : 1);
  };
  process.stdin.on('end', ended).on('close', ended);
  const decode = (body: Uint8Array): Promise<Message> => {
    const message = parseMessage(body);
    wasShutDown ||= Message.isRequest(message) && message.method === 'shutdown';
    return Promise.resolve(message);
  };
  const reader = new StreamMessageReader(process.stdin, {
    charset: 'utf-8',
    contentTypeDecoder: { name: 'application/json', decode },
  });
  const writer = sayingMessages(new StreamMessageWriter(process.stdout));
  return createConnection(ProposedFeatures.all, reader, writer, options);
}

function parseMessage(body: Uint8Array): Message {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Message;
  } catch {
    return endBroken('a message is not JSON');
  }
}

function endBroken(fault: string): never {
  return endWith(`the input is not the language server protocol: ${fault}`);
}

function endWith(fault: string): never {
  process.stderr.write(`podium: ${fault}\n`);
  process.exit(1);
}
