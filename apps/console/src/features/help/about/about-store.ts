import { create } from 'zustand'

/** Whether the about box is open. */
export const useAbout = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))

export const showAbout = (isOpen: boolean): void => useAbout.setState({ isOpen })
