import { create } from 'zustand'

interface PaletteState {
  /** Whether the command palette is open. */
  readonly open: boolean
  /** Its text when it opens, for example a scanned number. */
  readonly text: string
  /** Whether the dialog is open that scans a code to find a device. */
  readonly isScanning: boolean
}

export const usePalette = create<PaletteState>(() => ({ open: false, text: '', isScanning: false }))

/** The scan ends when the palette opens, for example by its key: the palette would take no scanned number while it is open. */
export const showPalette = (open: boolean, text = ''): void =>
  usePalette.setState(open ? { open, text, isScanning: false } : { open, text })

/** The palette closes for the scan, because nothing can be shown above it. */
export const showScan = (isScanning: boolean): void =>
  usePalette.setState(isScanning ? { isScanning, open: false } : { isScanning })
