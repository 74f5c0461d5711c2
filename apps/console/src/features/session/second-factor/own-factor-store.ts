import { create } from 'zustand'

/** Whether the drawer of the user's own second factor is open. */
export const useOwnFactor = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))

export const showOwnFactor = (isOpen: boolean): void => useOwnFactor.setState({ isOpen })
