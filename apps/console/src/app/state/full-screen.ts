import { useSyncExternalStore } from 'react'
import { i18n } from '../../shared/i18n/i18n.ts'
import { showNotice } from '../../shared/notices/notices.ts'

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

export const useIsFullScreen = (): boolean =>
  useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)

/** Enters or leaves full screen. Shows a notice if the browser does not support it (specification, section 8). */
export async function toggleFullScreen(): Promise<void> {
  try {
    if (!document.fullscreenEnabled) throw new Error('this browser does not allow full screen')
    if (document.fullscreenElement) await document.exitFullscreen()
    else await document.documentElement.requestFullscreen()
  } catch (error) {
    console.warn('full screen was refused', error)
    showNotice('warning', i18n.t('navbar.fullScreenUnsupported'))
  }
}
