import { MutedOutlined } from '@ant-design/icons'
import { memo, type ReactNode } from 'react'
import { splitMatch } from '../search/search-text.ts'

declare module 'react' {
  interface CSSProperties {
    /** Indent levels of a tree row. */
    '--depth'?: number
  }
}

/** All content of a row as plain values, so that a row renders only when one of them changes. */
export interface TreeRowProps {
  readonly id: string
  /** Node number, for finding the clicked node. */
  readonly node: number
  readonly nodeKey: string
  readonly label: string
  /** Search text to highlight in the label; empty for none. */
  readonly searchText: string
  readonly depth: number
  readonly position: number
  readonly siblings: number
  readonly check: 'off' | 'on' | 'part'
  readonly branch: 'none' | 'closed' | 'open'
  readonly busy: boolean
  readonly current: boolean
  readonly focused: boolean
  readonly levelText: string
  /** Number of devices below the node; undefined until known. */
  readonly devices: string | undefined
  readonly health: 'good' | 'caution' | 'alarm' | 'none' | undefined
  readonly healthText: string
  /** Text with the end of the silence; undefined if not silenced. */
  readonly silencedText: string | undefined
  /** Text of the retry button after a failed load; undefined without a failure. */
  readonly lostText: string | undefined
  /** Text of the button that loads the missing children; undefined if none are missing. */
  readonly restText: string | undefined
  readonly menuText: string
  /** Whether the row can be dragged to a new parent. */
  readonly movable?: boolean
}

function Label({ label, searchText }: Pick<TreeRowProps, 'label' | 'searchText'>): ReactNode {
  const parts = splitMatch(label, searchText)
  if (!parts) return label
  return (
    <>
      {parts.before}
      <mark>{parts.match}</mark>
      {parts.after}
    </>
  )
}

const checkedStates = { off: false, on: true, part: 'mixed' } as const

/**
 * One row: toggle, checkbox, name, level, health, device count. The tree element has the focus and handles clicks and
 * keys. `data-part` identifies the clicked part. The parts are hidden from screen readers, which use the keys.
 */
export const TreeRow = memo(function TreeRow(props: TreeRowProps): ReactNode {
  const { nodeKey, branch, check, health, devices, lostText, restText, silencedText } = props
  const states = `${props.current ? ' tree-row-current' : ''}${props.focused ? ' tree-row-focused' : ''}`
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the row as its active one
    <div
      id={props.id}
      className={`tree-row${states}`}
      role="treeitem"
      aria-level={props.depth + 1}
      aria-expanded={branch === 'none' ? undefined : branch === 'open'}
      aria-checked={checkedStates[check]}
      aria-selected={props.current}
      aria-setsize={props.siblings}
      aria-posinset={props.position}
      aria-busy={props.busy || undefined}
      style={{ '--depth': props.depth }}
      draggable={props.movable}
      data-node={props.node}
      data-testid={`tree-node-${nodeKey}`}
    >
      <span
        className={`tree-toggle tree-toggle-${props.busy ? 'busy' : branch}`}
        data-part="toggle"
        data-testid={branch === 'none' ? undefined : `tree-toggle-${nodeKey}`}
        aria-hidden="true"
      />
      <span
        className={`tree-check tree-check-${check}`}
        data-part="check"
        data-testid={`tree-check-${nodeKey}`}
        aria-hidden="true"
      />
      <span className="tree-label" title={[props.label, props.levelText].filter(Boolean).join(' · ')}>
        <Label label={props.label} searchText={props.searchText} />
      </span>
      {silencedText !== undefined && (
        <span className="tree-silenced" title={silencedText} data-testid={`tree-silenced-${nodeKey}`}>
          <MutedOutlined />
          <span className="tree-unseen">{silencedText}</span>
        </span>
      )}
      <span className="tree-level">{props.levelText}</span>
      <span className="tree-more" data-part="menu" title={props.menuText} aria-hidden="true" />
      {lostText !== undefined && (
        <span className="tree-lost" data-part="rest" data-testid={`tree-lost-${nodeKey}`}>
          {lostText}
        </span>
      )}
      {restText !== undefined && (
        <span
          className="tree-rest"
          data-part="rest"
          title={restText}
          data-testid={`tree-rest-${nodeKey}`}
          aria-hidden="true"
        />
      )}
      {health !== undefined && health !== 'none' && (
        <span className={`tree-dot tree-dot-${health}`} title={props.healthText} data-testid="tree-dot">
          <span className="tree-unseen">{props.healthText}</span>
        </span>
      )}
      {devices !== undefined && (
        <span className="tree-count num" title={props.healthText} aria-hidden="true">
          {devices}
        </span>
      )}
    </div>
  )
})
