import { Modal } from 'antd'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SideDrawer } from '../ui/side-drawer.tsx'

interface FormDrawerProps {
  readonly isOpen: boolean
  readonly title: ReactNode
  readonly widthPx?: number
  /** False while the page beside the drawer must stay usable, for example to check nodes in the tree. */
  readonly isModal?: boolean
  readonly onClose: () => void
  /** The content; it reports whether there are entries that would be lost. */
  readonly children: (guard: FormGuard) => ReactNode
}

export interface FormGuard {
  readonly onDirty: (isDirty: boolean) => void
  /** Closes the drawer; asks first if entries would be lost. */
  readonly onCancel: () => void
}

const WIDTH_PX = 480

/**
 * A drawer with a form, modal by default. If entries would be lost, it asks before it closes and before the
 * browser leaves the page.
 */
export function FormDrawer({
  isOpen,
  title,
  widthPx = WIDTH_PX,
  isModal = true,
  onClose,
  children,
}: FormDrawerProps) {
  const { t } = useTranslation('common')
  const [isDirty, setDirty] = useState(false)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
  useEffect(() => {
    if (!isOpen) setDirty(false)
  }, [isOpen])
  const close = useCallback(() => {
    setDirty(false)
    setAsking(false)
    onClose()
  }, [onClose])
  const cancel = () => (isDirty ? setAsking(true) : close())
  return (
    <>
      <SideDrawer isWanted={isOpen} title={title} widthPx={widthPx} isModal={isModal} onClose={cancel}>
        {isOpen && children({ onDirty: setDirty, onCancel: cancel })}
      </SideDrawer>
      <Modal
        open={isAsking}
        title={t('form.unsaved')}
        okText={t('form.discard')}
        okButtonProps={{ danger: true }}
        cancelText={t('form.stay')}
        onOk={close}
        onCancel={() => setAsking(false)}
      >
        {t('form.unsavedHint')}
      </Modal>
    </>
  )
}
