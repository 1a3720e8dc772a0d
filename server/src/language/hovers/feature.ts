import { say } from '../../util/say.ts';
import type { Hover } from 'vscode-languageserver';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { Feature } from '../session/feature.ts';
import { loadPoolTypes } from '../index/pool-types.ts';
import { loadDevicesFor } from '../index/load-devices.ts';
import type { ManifestHover } from './place.ts';

/** Answers what the field under the cursor asks. The answers are loaded with the first question. */
export const hoverFeature: Feature = {
  capabilities: { hoverProvider: true },
  register(connection, session) {
    const formats = session.client.textDocument?.hover?.contentFormat;
    const readsMarkdown = formats === undefined || formats.includes('markdown');
    connection.onHover(async (params, token) => {
      const { hover, appliedHover, withApplied } = await import('./hover.ts');
      const { plainHover } = await import('../connection/plain-answers.ts');
      await loadPoolTypes(session.facts);
      await loadDevicesFor(session.facts);
      const ofFile = (file: ManifestFile): ManifestHover | Hover | null => {
        const ofText = hover(
          file,
          params.position,
          session.facts,
          session.settings,
          session.stepsBack(file.uri, params.position),
        );
        const written = session.index.file(file.uri) ?? file;
        const found = withApplied(ofText, appliedHover(written, params.position, session.rendering.targets));
        const whole = found === null || session.workspaceRead ? found : stillReading(found);
        return whole === null || readsMarkdown ? whole : plainHover(whole);
      };
      return session.requests.answer(say`this place`, params.textDocument.uri, token, ofFile, (contents) => ({
        contents,
      }));
    });
  },
};

function stillReading({ contents, ...rest }: ManifestHover): ManifestHover {
  const value = say`${contents.value}\n\n*Podium is still reading the workspace: more may be declared than is counted here.*`;
  return { ...rest, contents: { ...contents, value } };
}
