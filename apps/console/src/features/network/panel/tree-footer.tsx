import { ClearOutlined } from '@ant-design/icons'
import type { Tree } from '@isotherm/tree/tree'
import { Button, Tooltip } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { toServerKey } from '../lists/node-keys.ts'
import { clearSelection } from '../session/tree-actions.ts'

/** Maximum number of names in the footer; more do not fit. */
const MAX_NAMES = 12

/** Names of the covering nodes. All rows of the test-marked sub-user count as one node. */
function listNames(tree: Tree): readonly string[] {
  const names = new Map<string, string>()
  for (const node of tree.covering()) {
    const { key, label } = tree.view(node)
    names.set(toServerKey(key), label || key)
    if (names.size === MAX_NAMES) break
  }
  return [...names.values()]
}

/** The current selection as text, with a button that clears it. */
export function TreeFooter(): ReactNode {
  const { t } = useTranslation('network')
  const { tree, covering, current, gone } = useTreeSelection()
  // biome-ignore lint/correctness/useExhaustiveDependencies: names are taken when the published nodes change
  const names = useMemo(() => listNames(tree), [tree, covering])
  if (covering.length === 0 && !current && !gone) return null
  const list = names.join(t('comma')) + (covering.length > names.length ? '…' : '')
  const single = gone ? t('selection.gone', { ns: 'common' }) : current?.label || t('root')
  const text = covering.length > 0 ? list : single
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
