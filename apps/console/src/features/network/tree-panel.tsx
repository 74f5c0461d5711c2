import { ClearOutlined, LoadingOutlined, ReloadOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Input, Tooltip } from 'antd'
import { type ReactNode, useDeferredValue, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useTreeSelection } from '../../shared/tree-selection.ts'
import { EmptyState, ErrorState } from '../../shared/ui/states.tsx'
import { setKeyword, useNetwork } from './network-store.ts'
import { clearSelection, reloadNode, startTree } from './tree-actions.ts'
import { TreeList } from './tree-list.tsx'
import { ROOT } from './tree-node.ts'
import { findNodes, toRows } from './tree-rows.ts'
import './tree.css'

function TreeFooter(): ReactNode {
  const { t } = useTranslation('network')
  const { published, covering, current } = useTreeSelection()
  if (covering.length === 0 && !current) return null
  const chosen = published.filter((node) => covering.includes(node.key)).map((node) => node.label)
  const text = chosen.length > 0 ? chosen.join('、') : current?.label || t('root')
  return (
    <footer className="tree-foot">
      <span className="tree-foot-text" title={text}>
        {chosen.length > 1 ? t('checkedCount', { count: chosen.length, names: text }) : text}
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

/** Search and tree of the network; what is chosen in it filters the pages. */
export function TreePanel(): ReactNode {
  const { t } = useTranslation('network')
  const { tree, failure, keyword, loading } = useNetwork()
  const expanded = useTreeSelection((selection) => selection.expanded)
  const current = useTreeSelection((selection) => selection.current)
  const sought = useDeferredValue(keyword)
  const found = useMemo(() => findNodes(tree, sought), [tree, sought])
  const rows = useMemo(() => toRows(tree, { expanded, found }), [tree, expanded, found])
  const loaded = tree.childrenOf.has(ROOT.key)
  useEffect(() => {
    void startTree()
  }, [])
  return (
    <div className="tree-panel">
      <div className="tree-tools">
        <Input
          value={keyword}
          onChange={(event) => setKeyword(event.target.value)}
          placeholder={t('search')}
          aria-label={t('search')}
          prefix={<SearchOutlined />}
          allowClear
          data-testid="tree-search"
        />
        <Tooltip title={t('reload')}>
          <Button
            type="text"
            icon={<ReloadOutlined />}
            aria-label={t('reload')}
            onClick={() => reloadNode(current?.key ?? ROOT.key)}
          />
        </Tooltip>
      </div>
      {failure !== undefined && <ErrorState error={failure} onRetry={startTree} />}
      {failure === undefined && !loaded && (
        <div className="tree-loading" role="status">
          <LoadingOutlined /> {t('loading')}
        </div>
      )}
      {loaded && found?.matches.size === 0 && <EmptyState title={t('noMatch')} />}
      {loaded && found?.matches.size !== 0 && <TreeList tree={tree} rows={rows} loading={loading} />}
      <TreeFooter />
    </div>
  )
}
