import { SearchOutlined } from '@ant-design/icons'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { showPalette, usePalette } from './palette-store.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(loadPalette)

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
const SHORTCUT = isMac ? '⌘K' : 'Ctrl K'

const isShortcut = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey

/** Opens the command palette, as Ctrl-K does; the palette itself is loaded when it is wanted. */
export function PaletteButton(): ReactNode {
  const { t } = useTranslation('common')
  const { open } = usePalette()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      event.preventDefault()
      showPalette(!usePalette.getState().open)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button
        type="button"
        className="palette-button"
        title={t('palette.title')}
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        aria-haspopup="dialog"
        onClick={() => showPalette(true)}
        onPointerEnter={loadPalette}
        data-testid="palette-open"
      >
        <SearchOutlined />
        <span className="palette-button-text">{t('navbar.find')}</span>
        <kbd>{SHORTCUT}</kbd>
      </button>
      {open && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
    </>
  )
}
