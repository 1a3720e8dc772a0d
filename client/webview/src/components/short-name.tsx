import { Fragment } from 'preact';

/** Longer names are broken where the line ends. */
const longestUnbroken = 30;

/** The class of a name that no line breaks at its hyphens; empty for other texts. */
export function unbroken(text: string): string {
  return text.length > longestUnbroken || text.includes(' ') ? '' : 'unbroken';
}

/** Running text that no line breaks at the hyphens of its names. */
export function Running({ text }: { readonly text: string }) {
  if (!text.includes('-')) return <>{text}</>;
  return (
    <>
      {text.split(' ').map((word, index) => (
        <Fragment key={index}>
          {index > 0 && ' '}
          {word.includes('-') ? <span class={unbroken(word)}>{word}</span> : word}
        </Fragment>
      ))}
    </>
  );
}

/** `team/web-api`, which a line breaks behind its namespace at most. */
export function Qualified({ name }: { readonly name: string }) {
  return name.split('/').map((part, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      <Running text={part} />
    </Fragment>
  ));
}

/** So many letters at the end tell pods of one workload apart; they are never cut. */
const kept = 5;

/**
 * A name that is cut in the middle where there is no room for it; the end is drawn by the style sheet. What is spoken
 * begins with the same text, whole.
 */
export function ShortName({ text, spoken = '' }: { readonly text: string; readonly spoken?: string }) {
  const at = text.length > 2 * kept ? text.length - kept : text.length;
  return (
    <>
      <span
        class="tile-name"
        {...(spoken === '' ? {} : { 'aria-hidden': true })}
        {...(at < text.length ? { 'data-tail': text.slice(at) } : {})}
      >
        <span class="tile-head">{text.slice(0, at)}</span>
      </span>
      {spoken !== '' && <span class="spoken">{spoken}</span>}
    </>
  );
}
