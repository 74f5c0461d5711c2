import { type ReactNode, useEffect } from 'react'
import { closeHelp, showHelp, useHelp } from '../../features/help/help-store.ts'
import { LazyPart } from '../../shared/lazy/lazy-part.tsx'
import { openTexts } from '../locales.ts'
import { useCurrentPage } from '../state/use-current-page.ts'
import { toChapter } from './to-chapter.ts'

const loadPanel = async () => {
  const [panel] = await Promise.all([import('../../features/help/panel/help-panel.tsx'), openTexts('help')])
  return panel
}

const isShortcut = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key === 'F1' && !ctrlKey && !metaKey && !shiftKey && !altKey

/** The manual beside the page. F1 opens the chapter of the page in front. */
export function LazyHelp(): ReactNode {
  const page = useCurrentPage()
  const isOpen = useHelp((help) => help.isOpen)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      event.preventDefault()
      showHelp({ chapter: toChapter(page) })
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [page])
  return <LazyPart wanted={isOpen} load={loadPanel} onFailed={closeHelp} />
}
