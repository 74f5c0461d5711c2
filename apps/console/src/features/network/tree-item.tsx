import { CheckOutlined, LoadingOutlined, MinusOutlined, RightOutlined } from '@ant-design/icons'
import { type MouseEvent, memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { checkNode, chooseNode, collapseNodes, openNode } from './tree-actions.ts'
import { findLevelName, ROOT } from './tree-node.ts'
import type { TreeRow } from './tree-rows.ts'

const INDENT_PX = 14

export const toItemId = (key: string): string => `tree-item-${key}`

export interface TreeItemProps {
  readonly row: TreeRow
  readonly topPx: number
  readonly heightPx: number
  readonly checked: boolean
  /** Checked for its whole subtree, not only for the sake of a node below. */
  readonly whole: boolean
  readonly current: boolean
  readonly focused: boolean
  readonly loading: boolean
  readonly onFocus: (key: string) => void
}

function Twist({ row, loading }: Pick<TreeItemProps, 'row' | 'loading'>): ReactNode {
  if (loading) return <LoadingOutlined className="tree-twist" />
  if (!row.branch) return <span className="tree-twist" />
  const toggle = (event: MouseEvent) => {
    event.stopPropagation()
    if (row.open) collapseNodes([row.node.key])
    else void openNode(row.node.key)
  }
  return (
    <span
      className={row.open ? 'tree-twist tree-twist-open' : 'tree-twist'}
      onClick={toggle}
      aria-hidden="true"
      data-testid={`tree-toggle-${row.node.key}`}
    >
      <RightOutlined />
    </span>
  )
}

/** One row: twist, check box, name, level. The tree itself has the focus and hears the keys. */
export const TreeItem = memo(function TreeItem(props: TreeItemProps): ReactNode {
  const { t } = useTranslation('network')
  const { row, checked } = props
  const { key, label, level, nestaddr, nodetype } = row.node
  const levelName = findLevelName(level)
  const levelText =
    nodetype === 'addr' && levelName === undefined ? t('addressLevel') : levelName && t(`level.${levelName}`)
  const choose = () => {
    props.onFocus(key)
    chooseNode(row.node)
  }
  const check = (event: MouseEvent) => {
    event.stopPropagation()
    props.onFocus(key)
    checkNode(key, !checked)
  }
  const checkState = !checked ? '' : props.whole ? ' tree-check-on' : ' tree-check-part'
  const states = `${props.current ? ' tree-row-current' : ''}${props.focused ? ' tree-row-focused' : ''}`
  return (
    <div
      id={toItemId(key)}
      className={`tree-row${states}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={level + 1}
      aria-expanded={row.branch ? row.open : undefined}
      aria-checked={checked}
      aria-selected={props.current}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      style={{
        transform: `translateY(${props.topPx}px)`,
        height: props.heightPx,
        paddingLeft: 6 + level * INDENT_PX,
      }}
      title={nestaddr}
      onClick={choose}
      onDoubleClick={() => row.branch && openNode(key)}
      onKeyDown={undefined}
      data-testid={`tree-node-${key}`}
    >
      <Twist row={row} loading={props.loading} />
      <span
        className={`tree-check${checkState}`}
        onClick={check}
        aria-hidden="true"
        data-testid={`tree-check-${key}`}
      >
        {checked && (props.whole ? <CheckOutlined /> : <MinusOutlined />)}
      </span>
      <span className="tree-label">{key === ROOT.key ? t('root') : label}</span>
      {levelText && <span className="tree-level">{levelText}</span>}
    </div>
  )
})
