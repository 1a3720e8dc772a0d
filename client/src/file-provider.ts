import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { skippedFolders } from '../../server/src/util/skipped-folders.ts';
import {
  findFilesRequest,
  readFileParamsSchema,
  readFileRequest,
  type ReadFileResult,
} from '../../server/src/protocol.ts';
import { manifestFiles } from './kubernetes-text.ts';

/** More files are not indexed; a workspace of manifests has some hundreds. */
const maxFiles = 20_000;

const notManifests = `**/{${skippedFolders.join(',')}}/**`;

/** Answers the server's questions about files, so that it sees what the editor sees, virtual file systems included. */
export function provideFiles(client: BaseLanguageClient): vscode.Disposable {
  return vscode.Disposable.from(
    client.onRequest(findFilesRequest, async (_params: unknown, token: vscode.CancellationToken): Promise<string[]> => {
      const uris = await vscode.workspace.findFiles(manifestFiles, notManifests, maxFiles, token);
      return uris.map((uri) => client.code2ProtocolConverter.asUri(uri));
    }),
    client.onRequest(readFileRequest, async (params: unknown): Promise<ReadFileResult> => {
      const { uri, maxBytes } = readFileParamsSchema.parse(params);
      return readFile(vscode.Uri.parse(uri, true), maxBytes);
    }),
  );
}

async function readFile(uri: vscode.Uri, maxBytes: number): Promise<ReadFileResult> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes) return { bytes: null, size };
    const bytes = await vscode.workspace.fs.readFile(uri);
    return { bytes: base64Of(bytes), size: bytes.length };
  } catch {
    // It has gone, or may not be read.
    return { bytes: null, size: 0 };
  }
}

/** Without `Buffer`, which a browser has not. */
function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(pieces.join(''));
}
