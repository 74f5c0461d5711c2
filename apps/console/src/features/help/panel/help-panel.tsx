import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { closeHelp, useHelp } from '../help-store.ts'
import { HelpContent } from './help-content.tsx'
import styles from './help-panel.module.css'

/** On a wide screen the page beside the panel stays usable. */
function SidePanel(): ReactNode {
  const { t } = useTranslation('help')
  const panel = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = panel.current
    element?.focus()
    return () => {
      // Give the focus back, unless the user has moved it to the page since.
      const isInside = element?.contains(document.activeElement) || document.activeElement === document.body
      if (isInside && before instanceof HTMLElement) before.focus()
    }
  }, [])
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) closeHelp()
  }
  return (
    <aside
      ref={panel}
      className={styles.side}
      aria-label={t('title')}
      tabIndex={-1}
      onKeyDown={closeByKey}
      data-testid="help"
    >
      <HelpContent />
    </aside>
  )
}

/** On a phone the manual covers the page. */
function FullScreen(): ReactNode {
  const { t } = useTranslation('help')
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closing gives the focus back to where it was.
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.full}
      aria-label={t('title')}
      onClose={closeHelp}
      data-testid="help"
    >
      <HelpContent />
    </dialog>
  )
}

/** The manual beside the page. */
export default function HelpPanel(): ReactNode {
  const isMobile = useIsMobile()
  const { isOpen } = useHelp()
  // Close the manual at logout, so that the next user does not see it.
  useEffect(() => closeHelp, [])
  if (!isOpen) return null
  return isMobile ? <FullScreen /> : <SidePanel />
}
