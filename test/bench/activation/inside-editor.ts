import { podium } from '../../editor/support/extension.ts';
import { mark } from '../../editor/support/mark.ts';

/** Where VS Code keeps its own marks. Source: src/vs/base/common/performance.ts */
interface Marks {
  readonly MonacoPerformanceMarks: { getMarks(): readonly { readonly name: string; readonly startTime: number }[] };
}

/** Called by VS Code. Says how long the packed extension took to be loaded and activated, in milliseconds. */
export async function run(): Promise<void> {
  const { id } = podium();
  const { activatedIn } = await podium().activate();
  const marks = (globalThis as unknown as Marks).MonacoPerformanceMarks.getMarks();
  // Source: src/vs/workbench/api/common/extHostExtensionService.ts
  const at = (moment: string): number =>
    marks.find(({ name }) => name === `code/extHost/${moment}LoadExtensionCode/${id}`)?.startTime ?? NaN;
  const time = at('did') - at('will') + activatedIn;
  // VS Code hands the console of the extension host on to whoever runs it.
  // oxlint-disable-next-line no-console
  console.log(`${mark}${time}`);
}
