import type { ReactNode } from 'react'

export interface PageFrameProps {
  /** Line above the content: figures, filters, actions. */
  readonly toolbar?: ReactNode
  /** The content fills the height and scrolls itself, like a virtual table. */
  readonly fill?: boolean
  readonly children: ReactNode
}

/** The frame of a page: a toolbar over a content area. */
export function PageFrame({ toolbar, fill = false, children }: PageFrameProps): ReactNode {
  return (
    <div className={fill ? 'page page-fill' : 'page'}>
      {toolbar && <div className="page-toolbar">{toolbar}</div>}
      <div className="page-body">{children}</div>
    </div>
  )
}

/** A titled panel with a hairline border. */
export function Panel(props: {
  title?: ReactNode
  extra?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section className={props.className ? `panel ${props.className}` : 'panel'}>
      {(props.title || props.extra) && (
        <header className="panel-head">
          <h2>{props.title}</h2>
          {props.extra}
        </header>
      )}
      <div className="panel-body">{props.children}</div>
    </section>
  )
}

/** One figure with its label. Digits have equal width; the unit is part of the text. */
export function Figure(props: {
  label: ReactNode
  value: ReactNode
  hint?: string
  testId?: string
}): ReactNode {
  return (
    <div className="figure" title={props.hint} data-testid={props.testId}>
      <div className="figure-label">{props.label}</div>
      <div className="figure-value">{props.value}</div>
    </div>
  )
}
