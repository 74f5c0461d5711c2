import { SearchOutlined } from '@ant-design/icons'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyPart } from '../../shared/lazy/lazy-part.tsx'
import { PaletteScan } from './palette-scan.tsx'
import { showPalette, usePalette } from './palette-store.ts'

const loadPalette = () => import('./palette.tsx')
/** Loads the palette before the click. A failure is reported only at the click. */
const loadAhead = () => {
  loadPalette().catch((error: unknown) => console.warn('the palette was not loaded ahead', error))
}

const closePalette = (): void => showPalette(false)

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
const SHORTCUT = isMac ? '⌘K' : 'Ctrl K'

const isShortcut = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey

/** Button that opens the command palette, like Ctrl-K. The palette loads on demand. */
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
        onPointerEnter={loadAhead}
        data-testid="palette-open"
      >
        <SearchOutlined />
        <span className="palette-button-text">{t('navbar.find')}</span>
        <kbd>{SHORTCUT}</kbd>
      </button>
      {open && <LazyPart wanted load={loadPalette} onFailed={closePalette} />}
      <PaletteScan />
    </>
  )
}
