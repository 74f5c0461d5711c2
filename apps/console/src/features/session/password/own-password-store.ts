import { create } from 'zustand'

/** Whether the drawer that changes the user's own password is open. */
export const useOwnPassword = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))

export const showOwnPassword = (isOpen: boolean): void => useOwnPassword.setState({ isOpen })
