import { create } from 'zustand'

/** Whether the drawer of the user's own sessions is open. */
export const useOwnSessions = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))

export const showOwnSessions = (isOpen: boolean): void => useOwnSessions.setState({ isOpen })
