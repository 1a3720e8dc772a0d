import { Component, type ComponentChild, type FunctionComponent } from 'preact';

/** A component that renders again only when one of its properties has another identity. */
export function memo<Props extends object>(render: (props: Props) => ComponentChild): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const last = this.props as Props;
      return (Object.keys(next) as (keyof Props)[]).some((key) => next[key] !== last[key]);
    }
    override render(): ComponentChild {
      return render(this.props);
    }
  }
  return Memo as unknown as FunctionComponent<Props>;
}
