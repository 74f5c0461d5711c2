import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useActiveKey, useTabActions } from './tab-actions.ts'
import { TabItem } from './tab-item.tsx'
import { type OpenTabMenu, TabMenu } from './tab-menu.tsx'
import type { Tab } from './tabs.ts'
import { reorderTabs, useTabs } from './tabs-store.ts'
import { useTabStrip } from './use-tab-strip.ts'
import './tabs.css'

const steps: Readonly<Record<string, (place: number, count: number) => number>> = {
  ArrowLeft: (place, count) => (place - 1 + count) % count,
  ArrowRight: (place, count) => (place + 1) % count,
  Home: () => 0,
  End: (_place, count) => count - 1,
}

const asksForMenu = ({ key, shiftKey }: KeyboardEvent): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey)

/**
 * Strip of 34 px with the visited pages. The Tab key reaches one of them, arrow keys the others. Ctrl with an arrow
 * moves a tab, Delete closes it, Shift-F10 opens its menu.
 */
export function TabsBar(): ReactNode {
  const { t } = useTranslation('common')
  const tabs = useTabs((state) => state.tabs)
  const active = useActiveKey()
  const actions = useTabActions()
  const strip = useRef<HTMLDivElement>(null)
  const { overflow, scroll } = useTabStrip(strip, active ?? '', tabs)
  const [menu, setMenu] = useState<OpenTabMenu>()
  const focus = useCallback((key: string | undefined) => {
    const links = strip.current?.querySelectorAll<HTMLElement>('[data-tab]') ?? []
    ;[...links].find((link) => link.dataset.tab === key)?.focus()
  }, [])
  const closeMenu = useCallback(() => {
    setMenu((open) => {
      if (open) focus(open.tab.key)
      return undefined
    })
  }, [focus])
  const reachable = tabs.some((tab) => tab.key === active) ? active : tabs[0]?.key

  const closeByKey = (tab: Tab, place: number) => {
    if (tab.affix) return
    actions.close(tab)
    const next = tabs[place + 1] ?? tabs[place - 1]
    requestAnimationFrame(() => focus(next?.key))
  }
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement)) return
    const { tab: key } = event.target.dataset
    const place = tabs.findIndex((tab) => tab.key === key)
    const tab = tabs[place]
    if (!tab) return
    const to = steps[event.key]?.(place, tabs.length)
    if (to === undefined && event.key !== 'Delete' && !asksForMenu(event)) return
    event.preventDefault()
    if (to !== undefined && event.ctrlKey) {
      reorderTabs(tab.key, tabs[to]?.key ?? tab.key)
      requestAnimationFrame(() => focus(tab.key))
    } else if (to !== undefined) focus(tabs[to]?.key)
    else if (event.key === 'Delete') closeByKey(tab, place)
    else {
      const { left, bottom } = event.target.getBoundingClientRect()
      setMenu({ tab, place: { leftPx: left, topPx: bottom } })
    }
  }
  const arrow = (direction: -1 | 1) => (
    <button
      type="button"
      className="tabs-arrow"
      tabIndex={-1}
      disabled={direction < 0 ? !overflow.left : !overflow.right}
      aria-label={t(direction < 0 ? 'tabs.scrollLeft' : 'tabs.scrollRight')}
      onClick={() => scroll(direction)}
    >
      {direction < 0 ? <LeftOutlined /> : <RightOutlined />}
    </button>
  )
  return (
    <nav className="tabs" aria-label={t('tabs.label')}>
      {overflow.any && arrow(-1)}
      <div className="tabs-strip" ref={strip}>
        <ul className="tabs-list" onKeyDown={handleKey}>
          {tabs.map((tab) => (
            <TabItem
              key={tab.key}
              tab={tab}
              active={tab.key === active}
              reachable={tab.key === reachable}
              actions={actions}
              onMenu={(of, leftPx, topPx) => setMenu({ tab: of, place: { leftPx, topPx } })}
            />
          ))}
        </ul>
      </div>
      {overflow.any && arrow(1)}
      {menu && <TabMenu open={menu} tabs={tabs} actions={actions} onClose={closeMenu} />}
    </nav>
  )
}
