interface ToggleProps {
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
  /** What it says while it is closed, and while it is open. */
  readonly words: readonly [closed: string, opened: string];
}

/** A link that opens something beside it, and closes it again. */
export function Toggle({ open, setOpen, words: [closed, opened] }: ToggleProps) {
  return (
    <button
      type="button"
      class="link"
      aria-expanded={open}
      onClick={() => {
        setOpen(!open);
      }}
    >
      {open ? opened : closed}
    </button>
  );
}
