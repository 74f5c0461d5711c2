import { CloseOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { findPage } from '../pages.ts'
import { type Closed, closeAllTabs, closeOtherTabs, closeTab, type Tab } from '../tabs/tabs.ts'
import { keepTabs, useTabs } from '../tabs/tabs-store.ts'
import { useCurrentPage } from './use-current-page.ts'

const MIDDLE_BUTTON = 1
/** Room left beside a tab that is scrolled into view, px (specification, section 9). */
const SCROLL_PADDING_PX = 4

function useCloseTabs(): (closed: Closed) => void {
  const navigate = useNavigate()
  return (closed) => {
    keepTabs(closed)
    if (closed.goTo !== undefined) void navigate(closed.goTo)
  }
}

function TabItem({ tab, active }: { readonly tab: Tab; readonly active: string }): ReactNode {
  const { t } = useTranslation('common')
  const apply = useCloseTabs()
  const navigate = useNavigate()
  const { tabs } = useTabs()
  const item = useRef<HTMLDivElement>(null)
  const isActive = tab.path === active
  useEffect(() => {
    if (isActive) item.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isActive])
  const title = findPage(tab.path)?.title(t) ?? tab.path
  const close = () => apply(closeTab(tabs, active, tab.path))
  const closeByMiddleButton = (event: MouseEvent) => {
    if (event.button !== MIDDLE_BUTTON || tab.affix) return
    event.preventDefault()
    close()
  }
  const items = [
    { key: 'refresh', label: t('tabs.refresh'), onClick: () => navigate(`/redirect${tab.fullPath}`) },
    { key: 'close', label: t('tabs.close'), disabled: tab.affix, onClick: close },
    {
      key: 'others',
      label: t('tabs.closeOthers'),
      onClick: () => apply(closeOtherTabs(tabs, active, tab.path)),
    },
    { key: 'all', label: t('tabs.closeAll'), onClick: () => apply(closeAllTabs(tabs, active)) },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['contextMenu']}>
      <div
        ref={item}
        className={isActive ? 'tab tab-active' : 'tab'}
        style={{ scrollMargin: SCROLL_PADDING_PX }}
        onAuxClick={closeByMiddleButton}
        data-testid={`tab-${tab.path}`}
      >
        <Link to={tab.fullPath} aria-current={isActive ? 'page' : undefined}>
          {title}
        </Link>
        {!tab.affix && (
          <button type="button" aria-label={t('tabs.closeThis', { title })} onClick={close}>
            <CloseOutlined />
          </button>
        )}
      </div>
    </Dropdown>
  )
}

/** 34 px: the visited pages. */
export function TabsBar(): ReactNode {
  const { t } = useTranslation('common')
  const { tabs } = useTabs()
  const page = useCurrentPage()
  return (
    <nav className="tabs" aria-label={t('tabs.label')}>
      {tabs.map((tab) => (
        <TabItem key={tab.path} tab={tab} active={page?.path ?? ''} />
      ))}
    </nav>
  )
}
