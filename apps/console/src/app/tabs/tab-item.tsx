import { CloseOutlined } from '@ant-design/icons'
import type { DragEvent, MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { findPage } from '../pages.ts'
import { useTitles } from '../state/use-titles.ts'
import type { TabActions } from './tab-actions.ts'
import { toRecordName } from './tab-key.ts'
import type { Tab } from './tabs.ts'
import { reorderTabs } from './tabs-store.ts'

const MIDDLE_BUTTON = 1
/** Media type of a dragged tab. A tab accepts only other tabs, no files or texts. */
const DRAGGED = 'application/x-isotherm-tab'

interface TabItemProps {
  readonly tab: Tab
  readonly active: boolean
  /** Whether the Tab key reaches it; arrow keys reach the others. */
  readonly reachable: boolean
  readonly actions: TabActions
  readonly onMenu: (tab: Tab, leftPx: number, topPx: number) => void
}

export function TabItem({ tab, active, reachable, actions, onMenu }: TabItemProps): ReactNode {
  const { t } = useTranslation('common')
  const record = toRecordName(tab.key)
  const titles = useTitles()
  const page = findPage(tab.path)
  const name = page ? titles.ofPage(page) : tab.path
  const title = record === '' ? name : `${name} · ${record}`
  const closeByMiddleButton = (event: MouseEvent) => {
    if (event.button !== MIDDLE_BUTTON) return
    event.preventDefault()
    if (!tab.affix) actions.close(tab)
  }
  const openMenu = (event: MouseEvent) => {
    event.preventDefault()
    onMenu(tab, event.clientX, event.clientY)
  }
  const allowDrop = (event: DragEvent) => {
    if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault()
  }
  return (
    <li
      className={active ? 'tab tab-active' : 'tab'}
      draggable={!tab.affix}
      onAuxClick={closeByMiddleButton}
      onContextMenu={openMenu}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, tab.key)}
      onDragOver={allowDrop}
      onDrop={(event) => reorderTabs(event.dataTransfer.getData(DRAGGED), tab.key)}
      data-testid={`tab-${tab.key}`}
    >
      <Link
        to={tab.fullPath}
        aria-current={active ? 'page' : undefined}
        aria-keyshortcuts={tab.affix ? undefined : 'Delete'}
        tabIndex={reachable ? 0 : -1}
        draggable={false}
        data-tab={tab.key}
      >
        {title}
      </Link>
      {!tab.affix && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('tabs.closeThis', { title })}
          onClick={() => actions.close(tab)}
        >
          <CloseOutlined />
        </button>
      )}
    </li>
  )
}
