import { ClearOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useTreeSelection } from '../../shared/tree-selection.ts'
import { clearSelection } from './tree-actions.ts'

/** Most names written out; more would not fit. */
const MOST_NAMES = 12

/** What pages show now, in words, and a way to drop it. */
export function TreeFooter(): ReactNode {
  const { t } = useTranslation('network')
  const { tree, covering, current } = useTreeSelection()
  if (covering.length === 0 && !current) return null
  const names = covering.slice(0, MOST_NAMES).flatMap((key) => {
    const node = tree.find(key)
    return node === undefined ? [] : [tree.view(node).label]
  })
  const list = names.join('、') + (covering.length > names.length ? '…' : '')
  const text = covering.length > 0 ? list : current?.label || t('root')
  return (
    <footer className="tree-foot">
      <span className="tree-foot-text" title={text} data-testid="tree-selection">
        {covering.length > 1 ? t('checkedCount', { count: covering.length, names: text }) : text}
      </span>
      <Tooltip title={t('clear')}>
        <Button
          size="small"
          type="text"
          icon={<ClearOutlined />}
          aria-label={t('clear')}
          onClick={clearSelection}
          data-testid="tree-clear"
        />
      </Tooltip>
    </footer>
  )
}
