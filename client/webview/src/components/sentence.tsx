import type { SentencePart } from '../../../../server/src/contract/report.ts';

export function Sentence({ parts }: { readonly parts: readonly SentencePart[] }) {
  return (
    <h1 class="sentence">
      {parts.map((part, index) => (
        <span key={index} class={`tone-${part.tone}`}>
          {part.text}
        </span>
      ))}
    </h1>
  );
}
