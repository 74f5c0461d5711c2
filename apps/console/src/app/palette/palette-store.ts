import { create } from 'zustand'

/** Whether the command palette is open. */
export const usePalette = create<{ readonly open: boolean }>(() => ({ open: false }))

export const showPalette = (open: boolean): void => usePalette.setState({ open })
