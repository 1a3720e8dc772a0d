import type { CloseHandlerResult, ErrorHandler } from 'vscode-languageclient/node';

/**
 * Starts a server that ends again, as often as the language client would by itself. What made it end is in the log:
 * its exit code or signal, and what it wrote to its standard error.
 *
 * @param makeDefault makes the handler of the language client, which counts
 * @param isLast whether the server is not started again
 * @param giveUp tells the user, in place of the language client
 */
export function crashHandler(
  makeDefault: () => ErrorHandler,
  isLast: (result: CloseHandlerResult) => boolean,
  giveUp: (message: string) => void,
): ErrorHandler {
  let counting: ErrorHandler | undefined;
  return {
    error: (error, message, count) => (counting ??= makeDefault()).error(error, message, count),
    async closed() {
      const result = await (counting ??= makeDefault()).closed();
      if (!isLast(result)) return result;
      // Who starts it by hand starts the count anew.
      counting = undefined;
      giveUp(result.message ?? 'The Podium server has ended.');
      return { ...result, handled: true };
    },
  };
}
